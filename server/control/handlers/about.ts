import { arch, release, type } from 'node:os';
import type { Database } from '../../database/database.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import { version } from '../../lib/version.ts';
import { t } from '../../messages/messages.ts';
import type { aboutMethods } from '../contract/about.ts';
import type { Output } from '../contract/contract.ts';
import { ControlError, type Handlers } from '../dispatcher.ts';
import { packedPackages } from './licences.ts';

export type AboutHandlers = Pick<Handlers, keyof typeof aboutMethods>;

/** Called before every check, with the total number. */
type OnStep = (check: string, done: number, total: number) => void;

/** The doctor's progress; if two run at once, that of one of them. */
interface DoctorProgress {
  /** @throws ControlError when it was cancelled */
  during<T>(work: (onStep: OnStep, signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts all running examinations. @returns whether there was one */
  cancel(): boolean;
  state(): Output<'doctor.progress'>;
}

const IDLE: Output<'doctor.progress'> = { isRunning: false, check: '', done: 0, total: 0 };

export function doctorProgress(): DoctorProgress {
  const looking = new Set<AbortController>();
  let state = IDLE;
  return {
    state: () => state,
    async during(work) {
      const stopping = new AbortController();
      const onStep: OnStep = (check, done, total) => {
        state = { isRunning: true, check, done, total };
      };
      looking.add(stopping);
      try {
        return await work(onStep, stopping.signal);
      } catch (error) {
        throw stopping.signal.aborted ? new ControlError('refused', t('api.doctor.stopped')) : error;
      } finally {
        looking.delete(stopping);
        state = IDLE;
      }
    },
    cancel() {
      for (const stopping of looking) stopping.abort();
      return looking.size > 0;
    },
  };
}

interface AboutHandlerParts {
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  readonly database: Pick<Database, 'get'>;
  readonly job: DoctorProgress;
}

/** The components of this Larder, and the progress of its doctor. */
export function aboutHandlers({ folder, openedAt, database, job }: AboutHandlerParts): AboutHandlers {
  return {
    'about.get': async () => ({
      version,
      node: process.versions.node,
      sqlite: (await database.get<{ version: string }>('SELECT sqlite_version() AS version'))?.version ?? '',
      electron: process.versions.electron ?? null,
      system: `${type()} ${release()}, ${arch()}`,
      folder,
      since: isoSeconds(openedAt),
      packages: (await packedPackages()).map(({ name, version, licence, part }) => ({ name, version, licence, part })),
    }),

    'about.licence': async ({ name, version, part }) => {
      const found = (await packedPackages()).find(
        (one) => one.name === name && one.version === version && one.part === part,
      );
      if (found === undefined) throw new ControlError('refused', t('api.control.packageNotFound'), 'name');
      return { text: await found.text() };
    },

    'doctor.progress': async () => job.state(),

    'doctor.cancel': async () => ({ cancelled: job.cancel() }),
  };
}

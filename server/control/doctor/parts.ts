import type { Backups } from '../../backup/backups.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Homes } from '../../catalogue/homes.ts';
import type { Config } from '../../config/config.ts';
import type { FilesDatabase } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PathLocks } from '../../lib/concurrency/path-locks.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import type { Layout } from '../../storage/layout.ts';
import type { Certificates } from '../../tls/certificates.ts';

/** The parts that checks of an open installation use. */
export interface DoctorParts {
  readonly layout: Layout;
  readonly config: Config;
  readonly database: FilesDatabase;
  readonly homes: Homes;
  readonly disk: Disk;
  readonly catalogue: Catalogue;
  readonly locks: PathLocks;
  readonly certificates: Certificates;
  readonly backups: Pick<Backups, 'lacking'>;
  readonly clock: Clock;
  /** When this process opened the folder, milliseconds since the epoch. */
  readonly openedAt: number;
  /** Problems found when the folder was opened, one or two sentences each. */
  readonly openingProblems: readonly string[];
  /** This machine's network addresses. */
  readonly addresses: () => readonly string[];
  readonly listening: () => Listening | null;
  /** Problems of the listeners, for the owner. */
  readonly listenerProblems: () => string[];
  readonly allowsHttp: () => boolean;
  /** Aborts the examination, between two folders or two checks. */
  readonly signal: AbortSignal;
}

/** The ports of the running server. */
interface Listening {
  readonly port: number;
  readonly controlPort: number;
  readonly httpPort: number | null;
}

/** A result of a check: the problem and what to do, in plain words. */
export interface Finding {
  /** `problem` needs a person; `note` is a remark. */
  readonly level: 'problem' | 'note';
  readonly text: string;
  /**
   * Fixes it. Only for fixes that lose nothing: no user file is removed or changed.
   * @returns one sentence on what was done
   */
  readonly repair?: () => Promise<string>;
}

type Mend = () => Promise<string>;

export type Check = (parts: DoctorParts) => Promise<Finding[]>;

export function problem(text: string, repair?: Mend): Finding {
  return { level: 'problem', text, ...(repair === undefined ? {} : { repair }) };
}

export function note(text: string, repair?: Mend): Finding {
  return { level: 'note', text, ...(repair === undefined ? {} : { repair }) };
}

import { DAY, HOUR, MINUTE } from '../lib/clock.ts';
import { localSeconds } from '../lib/datetime.ts';
import { FieldProblem } from '../lib/errors/field-problem.ts';
import { type Actor, LARDER } from '../lib/events.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { t } from '../messages/messages.ts';
import { installationId } from '../settings/installation.ts';
import { areOnOneDisk } from '../storage/plain-files.ts';
import { type Check, createChecks } from './checks.ts';
import { isDestinationPresent, placeOf, prepareDestination } from './format/destination.ts';
import { backupsIn, type ListedBackup, madeAt, ownBackups } from './format/list-backups.ts';
import { isBackupName } from './format/names.ts';
import { passphraseProblem, sealingFor } from './format/passphrase.ts';
import { BackupProblem, writeProblem } from './format/problem.ts';
import { JobProgress, type Progress } from './job-progress.ts';
import type { MadeBackup } from './make/make-backup.ts';
import type { BackupParts, MakeBackup } from './make/parts.ts';
import { removeBackup } from './make/prune.ts';
import type { Restored } from './restore/restore.ts';
import type { RestoreHere } from './restore/restore-here.ts';
import { nextDue } from './schedule.ts';

/** Backups of this installation. One thing at a time: what is asked meanwhile is refused. */
export interface Backups {
  /** @throws BackupProblem, FieldProblem `passphrase` */
  make(wanted: MakeBackup, by: Actor): Promise<MadeBackup>;
  /** Ends what is under way. @returns whether there was something */
  cancel(): boolean;
  /** Those in the place, of whatever installation, the newest first. @throws BackupProblem when the place is away */
  list(): Promise<(ListedBackup & { readonly isOwn: boolean; readonly check: Check | null })[]>;
  /** Opens all of one. @returns what is wrong with it, as sentences */
  verify(name: string, passphrase?: string): Promise<string[]>;
  remove(name: string, by: Actor): Promise<void>;
  /**
   * Makes another installation of one, in a new folder of this computer.
   * @throws FieldProblem `folder` or `passphrase`, BackupProblem; nothing is left then
   */
  restore(name: string, wanted: RestoreHere, by: Actor): Promise<Restored>;
  /** What keys are sealed with from now on; null: nothing, they are left out. @throws FieldProblem `passphrase` */
  setPassphrase(passphrase: string | null, by: Actor): Promise<void>;
  /** Makes a place ready before it is set. @throws FieldProblem `backupPlace` */
  prepareDestination(place: string): Promise<void>;
  /** Absolute. */
  place(): string;
  progress(): Progress | null;
  /** Told of every step, and with null of the end. Returns the function that ends the subscription. */
  onProgress(listener: (progress: Progress | null) => void): () => void;
  /** When the next one is made by itself, milliseconds since the epoch. */
  due(): Promise<number | null>;
  /** Makes one if it is due. */
  tick(): Promise<void>;
  /** Makes by itself what is due from now on. */
  start(): void;
  /** Why the last one that was tried could not be made; null when it could. */
  failure(): { readonly at: number; readonly message: string } | null;
  /** Whether the disk of the place is there. */
  isDestinationPresent(): Promise<boolean>;
  /** Whether the place lies on the disk that the installation itself is on. */
  isOnSameDisk(): Promise<boolean>;
  /** What the owner should know. */
  attention(): string[];
  /** What there should be and is not, as a sentence for the doctor. */
  lacking(): Promise<string | null>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

interface Failure {
  readonly at: number;
  readonly message: string;
  /** Whether it was due, and not asked for by hand. */
  readonly isDue: boolean;
}

/** What is wanted of one that is due: all as it is set. */
const DUE: MakeBackup = {};

/** Milliseconds after which one that failed is tried again. */
const RETRY_AFTER = HOUR;
/** A start has enough to do: what was missed while the computer was off is made up some minutes later. */
const BEGIN_AFTER = 5 * MINUTE;
/** How long after it was due the doctor says that one is missing: a computer may be off for a night. */
const GRACE = DAY;

export function createBackups(parts: BackupParts): Backups {
  const { layout, database, settings, homes, clock, log, events } = parts;
  const checks = createChecks(layout);
  const listeners = new Set<(progress: Progress | null) => void>();
  let running: { stopping: AbortController; job: JobProgress; end: Promise<unknown> } | null = null;
  let failure: Failure | null = null;
  /** When one that was due was tried and not made. */
  let tried: number | null = null;
  /** When the newest one was made that is what the schedule asks for; undefined: not looked at yet. */
  let newest: number | null | undefined;
  let timer: NodeJS.Timeout | undefined;
  const place = () => placeOf(layout, settings.values.backupPlace);
  const report = (progress: Progress | null) => {
    for (const listener of listeners) listener(progress);
  };
  const unfollow = events.on('settings.changed', ({ keys }) => {
    if (keys.some((key) => key.startsWith('backup'))) newest = undefined;
  });

  /** The same one each time: it is told from others. */
  const busy = new BackupProblem(t('api.backup.busy'));

  async function alone<T>(what: Progress['what'], work: (job: JobProgress) => Promise<T>): Promise<T> {
    if (running !== null) throw busy;
    const stopping = new AbortController();
    const job = new JobProgress({ what, signal: stopping.signal, report, throttle: parts.throttle });
    // Rests and other threads keep no process: a command would be over before its backup is.
    const staying = setInterval(() => undefined, MINUTE);
    const end = work(job);
    running = { stopping, job, end };
    try {
      return await end;
    } finally {
      clearInterval(staying);
      running = null;
      newest = undefined;
      report(null);
    }
  }

  async function make(wanted: MakeBackup, by: Actor): Promise<MadeBackup> {
    try {
      const made = await alone('backup', async (job) => {
        // Loaded when one is made: it is as large as it is rare.
        const { makeBackup } = await import('./make/make-backup.ts');
        return makeBackup(wanted, { ...parts, job });
      });
      failure = null;
      events.emit('backup.made', { actor: by, name: made.name, files: made.manifest.files !== null });
      return made;
    } catch (error) {
      const problem = error instanceof FieldProblem ? error : writeProblem(error, place());
      if (problem instanceof BackupProblem && problem.isCancelled)
        throw new BackupProblem(t('api.backup.cancelled'), { isCancelled: true });
      // What was only asked for at the wrong time, or wrongly, says nothing of backups.
      if (problem instanceof BackupProblem && problem !== busy)
        failure = { at: clock.now(), message: problem.message, isDue: wanted === DUE || failure?.isDue === true };
      throw problem;
    }
  }

  async function remember(folder: string, problems: readonly string[]): Promise<void> {
    await checks
      .remember(folder, { at: clock.now(), problems: [...problems] })
      .catch((error) => log.warn({ err: error }, 'what the check of a backup found could not be written down'));
  }

  async function requireBackup(name: string): Promise<ListedBackup> {
    if (!(await isDestinationPresent(layout, settings.values.backupPlace)))
      throw new BackupProblem(t('api.backup.folderAway', { folder: place() }));
    const found = isBackupName(name) ? (await backupsIn(place())).find((one) => one.name === name) : undefined;
    if (found === undefined)
      throw new BackupProblem(t('api.backup.notFound', { name: JSON.stringify(name), folder: place() }));
    return found;
  }

  /** The newest that has what the schedule asks for, looked for on the disk only when something may have changed. */
  async function newestMade(): Promise<number | null> {
    // A clock that was wrong has made some of the future: none of them is a reason to wait for that day.
    const latest = clock.now() + MINUTE;
    if (newest === undefined || (newest !== null && newest > latest)) {
      const { backupFiles, backupPlace } = settings.values;
      const own = (await isDestinationPresent(layout, backupPlace))
        ? await ownBackups(place(), await installationId(database))
        : [];
      const found = own.find(({ manifest }) => madeAt(manifest) <= latest && (!backupFiles || manifest.files !== null));
      newest = found === undefined ? null : madeAt(found.manifest);
    }
    return newest;
  }

  /** Since when there is something to lose; null as long as nobody has set Larder up. */
  async function beginning(): Promise<number | null> {
    const row = await database.get<{ at: number | null }>('SELECT min(registered_at) AS at FROM accounts');
    return row?.at ?? null;
  }

  async function due(): Promise<number | null> {
    const last = (await newestMade()) ?? (await beginning());
    if (last === null) return null;
    const next = nextDue(settings.values, last);
    // Set up by a clock that was wrong: at once, for nobody knows since when there is something to lose.
    return next !== null && last > clock.now() + MINUTE ? clock.now() : next;
  }

  async function tick(): Promise<void> {
    if (running !== null) return;
    const now = clock.now();
    if (tried !== null && now - tried < RETRY_AFTER && now >= tried) return;
    const at = await due();
    if (at === null || now < at) return;
    tried = now;
    try {
      const { name, notCopied } = await make(DUE, LARDER);
      tried = null;
      log.info({ name, ...(notCopied.length > 0 ? { notCopied } : {}) }, 'a backup was made');
    } catch (error) {
      // Somebody wanted it to end, or the server does. It is tried again like one that failed.
      if (error instanceof BackupProblem && error.isCancelled) return;
      const { message } = error as Error;
      log.error({ err: error }, 'a backup could not be made');
      events.emit('backup.failed', { actor: LARDER, reason: message });
    }
  }

  return {
    make,
    tick,
    due,
    place,
    progress: () => running?.job.progress ?? null,
    onProgress(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    cancel() {
      running?.stopping.abort();
      return running !== null;
    },

    async list() {
      if (!(await isDestinationPresent(layout, settings.values.backupPlace)))
        throw new BackupProblem(t('api.backup.folderAwayAdvice', { folder: place() }));
      const installation = await installationId(database);
      const found = await backupsIn(place());
      const known = await checks.of(found.map(({ folder }) => folder));
      return found.map((one) => ({
        ...one,
        isOwn: one.manifest?.installation === installation,
        check: known.get(one.folder) ?? null,
      }));
    },

    async verify(name, passphrase) {
      const { folder } = await requireBackup(name);
      const { verifyBackup } = await import('./restore/verify.ts');
      let problems: string[] = [];
      try {
        problems = await alone('check', async (job) =>
          (await verifyBackup(folder, { passphrase, job })).damages.sentences(),
        );
      } catch (error) {
        if (!(error instanceof BackupProblem) || error === busy) throw error;
        if (error.isCancelled) throw new BackupProblem(t('api.backup.checkCancelled'), { isCancelled: true });
        problems = [error.message];
      }
      // With a wrong passphrase nothing was found out about the backup.
      if (passphrase === undefined || problems.length === 0) await remember(folder, problems);
      return problems;
    },

    async remove(name, by) {
      await requireBackup(name);
      const whose = { installation: await installationId(database), homes: await homes.records() };
      await alone('removal', (job) => {
        job.begin('removing');
        return removeBackup(place(), name, whose);
      }).catch((error) => {
        throw writeProblem(error, place());
      });
      events.emit('backup.removed', { actor: by, name });
    },

    async restore(name, wanted, by) {
      const { folder } = await requireBackup(name);
      const { restoreHere } = await import('./restore/restore-here.ts');
      const restored = await alone('restore', (job) => restoreHere(folder, wanted, { ...parts, job })).catch(
        (error) => {
          if (error instanceof BackupProblem && error.isCancelled)
            throw new BackupProblem(t('api.restore.cancelled'), { isCancelled: true });
          throw error;
        },
      );
      events.emit('backup.restored', { actor: by, name, folder: restored.folder });
      return restored;
    },

    async setPassphrase(passphrase, by) {
      const problem = passphrase === null ? null : passphraseProblem(passphrase);
      if (problem !== null) throw new FieldProblem('passphrase', problem);
      const backupSealing = passphrase === null ? null : await sealingFor(passphrase);
      await settings.update({ backupSealing }, by);
    },

    async prepareDestination(chosen) {
      if (chosen !== '') await prepareDestination(chosen, { layout, homes: await homes.records() });
    },

    failure: () => failure,

    async isDestinationPresent() {
      return isDestinationPresent(layout, settings.values.backupPlace);
    },

    async isOnSameDisk() {
      return areOnOneDisk(place(), layout.larder).catch(() => false);
    },

    attention() {
      if (failure === null || !failure.isDue) return [];
      return [t('api.backup.failed', { time: localSeconds(failure.at), reason: failure.message })];
    },

    async lacking() {
      const since = await beginning();
      if (since === null) return null;
      const last = await newestMade();
      const wanted = settings.values.backupEvery === 'never' ? null : nextDue(settings.values, last ?? since);
      const isLate = wanted === null ? last === null && clock.now() > since + GRACE : clock.now() > wanted + GRACE;
      if (!isLate) return null;
      if (!(await isDestinationPresent(layout, settings.values.backupPlace)))
        return t('api.backup.folderAwayAdvice', { folder: place() });
      const facts = { files: String(settings.values.backupFiles), folder: place() };
      const advice = t('api.backup.make', { command: larderCommand() });
      return last === null
        ? t('api.backup.none', { ...facts, advice })
        : t('api.backup.late', { ...facts, time: localSeconds(last), advice: failure?.message ?? advice });
    },

    start() {
      const look = () => {
        tick().catch((error) => log.error({ err: error }, 'whether a backup is due could not be found out'));
      };
      timer = setTimeout(() => {
        look();
        timer = setInterval(look, MINUTE).unref();
      }, BEGIN_AFTER).unref();
    },

    async close() {
      unfollow();
      clearTimeout(timer);
      running?.stopping.abort();
      await running?.end.catch(() => undefined);
    },
  };
}

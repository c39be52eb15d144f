import { dirname } from 'node:path';
import { settled } from '../lib/async/settled.ts';
import { DAY, HOUR, MINUTE } from '../lib/clock.ts';
import { localSeconds } from '../lib/datetime.ts';
import { FieldProblem } from '../lib/errors/field-problem.ts';
import { type Actor, LARDER } from '../lib/events.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { t } from '../messages/messages.ts';
import { installationId } from '../settings/installation.ts';
import { diskSpace } from '../storage/inspect.ts';
import { areOnOneDisk } from '../storage/plain-files.ts';
import { type Check, createChecks } from './checks.ts';
import { destinationOf, isDestinationPresent, prepareDestination } from './format/destination.ts';
import { backupsIn, type ListedBackup, madeAt, ownBackups } from './format/list-backups.ts';
import type { Manifest } from './format/manifest.ts';
import { isBackupName } from './format/names.ts';
import { passphraseProblem, sealingFor } from './format/passphrase.ts';
import { BackupProblem, writeProblem } from './format/problem.ts';
import { JobProgress, type Progress } from './job-progress.ts';
import type { MadeBackup } from './make/make-backup.ts';
import type { BackupParts, HeldBack, MakeBackup } from './make/parts.ts';
import { removeBackup } from './make/prune.ts';
import { type BackupSize, backupSize } from './make/space.ts';
import type { Restored } from './restore/restore.ts';
import type { RestoreHere } from './restore/restore-here.ts';
import { nextDue } from './schedule.ts';

/** Backups of this installation. One job at a time: further requests are refused meanwhile. */
export interface Backups {
  /** @throws BackupProblem, FieldProblem `passphrase` */
  make(wanted: MakeBackup, by: Actor): Promise<MadeBackup>;
  /** Cancels the job in progress. @returns whether there was one */
  cancel(): boolean;
  /**
   * All backups at the destination, of any installation, newest first. @throws BackupProblem when the destination is unavailable
   */
  list(): Promise<(ListedBackup & { readonly isOwn: boolean; readonly check: Check | null })[]>;
  /** Verifies a backup completely. @returns its problems, as sentences */
  verify(name: string, passphrase?: string): Promise<string[]>;
  remove(name: string, by: Actor): Promise<void>;
  /**
   * Restores a backup as a separate installation, in a new folder of this computer.
   * @throws FieldProblem `folder` or `passphrase`, BackupProblem; nothing is left then
   */
  restore(name: string, wanted: RestoreHere, by: Actor): Promise<Restored>;
  /** Sets the passphrase that encrypts keys from now on; null: backups contain no keys. @throws FieldProblem `passphrase` */
  setPassphrase(passphrase: string | null, by: Actor): Promise<void>;
  /** Prepares a destination before it is set. @throws FieldProblem `backupFolder` */
  prepareDestination(destination: string): Promise<void>;
  /** Absolute. */
  destination(): string;
  progress(): Progress | null;
  /** Calls the listener with every progress, and with null at the end. Returns the function that unsubscribes. */
  onProgress(listener: (progress: Progress | null) => void): () => void;
  /** When the next scheduled backup is due, milliseconds since the epoch. */
  due(): Promise<number | null>;
  /** Makes one if it is due. */
  tick(): Promise<void>;
  /** Starts the schedule. */
  start(): void;
  /** Why the last attempt failed; null if it succeeded. */
  failure(): { readonly at: number; readonly message: string } | null;
  /** Old backups that the last backup could not remove, and that still exist. */
  heldBack(): readonly HeldBack[];
  /** Whether the destination's disk is available. */
  isDestinationPresent(): Promise<boolean>;
  /** Whether the destination is on the installation's own disk. */
  isOnSameDisk(): Promise<boolean>;
  /** What a backup would consist of. */
  size(): Promise<BackupSize>;
  /** Free bytes at a destination, or at the nearest folder above that exists; null where that is unknown. */
  freeAt(destination: string): Promise<number | null>;
  /** The newest backup of this installation; null if there is none or the destination is unavailable. */
  latest(): Promise<Manifest | null>;
  /** Problems for the owner. */
  attention(): string[];
  /** A missing backup, as a sentence for the doctor; null if none is missing. */
  lacking(): Promise<string | null>;
  /** Cancels the job in progress, and stops the schedule. */
  close(): Promise<void>;
}

interface Failure {
  readonly at: number;
  readonly message: string;
  /** Whether it was scheduled, and not requested manually. */
  readonly isDue: boolean;
}

/** The options of a scheduled backup: all as in the settings. */
const DUE: MakeBackup = {};

const WITHOUT_FILES: MakeBackup = { files: false };

/** Milliseconds after which a failed one is tried again. */
const RETRY_AFTER = HOUR;
/** A missed backup is made some minutes after a start, when the server is less busy. */
const BEGIN_AFTER = 5 * MINUTE;
/** How long after the due time the doctor reports a missing backup: computers are off at night. */
const GRACE = DAY;

export function createBackups(parts: BackupParts): Backups {
  const { layout, database, settings, homes, clock, log, events } = parts;
  const checks = createChecks(layout);
  const listeners = new Set<(progress: Progress | null) => void>();
  let running: { stopping: AbortController; job: JobProgress; end: Promise<unknown> } | null = null;
  let failure: Failure | null = null;
  let heldBack: { readonly at: string; readonly backups: readonly HeldBack[] } | null = null;
  /** When a scheduled one last failed. */
  let tried: number | null = null;
  /** When the newest backup that satisfies the schedule was made; undefined: not looked up yet. */
  let newest: number | null | undefined;
  let timer: NodeJS.Timeout | undefined;
  const destination = () => destinationOf(layout, settings.values.backupFolder);
  const report = (progress: Progress | null) => {
    for (const listener of listeners) listener(progress);
  };
  const unfollow = events.on('settings.changed', ({ keys }) => {
    if (keys.some((key) => key.startsWith('backup'))) newest = undefined;
  });

  /** A constant, so that it can be recognized. */
  const busy = new BackupProblem(t('api.backup.busy'));

  async function alone<T>(what: Progress['what'], work: (job: JobProgress) => Promise<T>): Promise<T> {
    if (running !== null) throw busy;
    const stopping = new AbortController();
    const job = new JobProgress({ what, signal: stopping.signal, report, throttle: parts.throttle });
    // Pauses and other threads do not keep a process alive: a command would exit before its backup is complete.
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
        // Loaded on first use: it is large and rarely needed.
        const { makeBackup } = await import('./make/make-backup.ts');
        return makeBackup(wanted, { ...parts, job });
      });
      failure = null;
      heldBack = { at: destination(), backups: made.heldBack };
      events.emit('backup.made', { actor: by, name: made.name, files: made.manifest.files !== null });
      return made;
    } catch (error) {
      const problem = error instanceof FieldProblem ? error : writeProblem(error, destination());
      if (problem instanceof BackupProblem && problem.isCancelled)
        throw new BackupProblem(t('api.backup.cancelled'), { isCancelled: true });
      // Errors of the request itself say nothing about the state of backups.
      if (problem instanceof BackupProblem && problem !== busy)
        failure = { at: clock.now(), message: problem.message, isDue: wanted === DUE || failure?.isDue === true };
      throw problem;
    }
  }

  async function remember(folder: string, problems: readonly string[]): Promise<void> {
    await checks
      .remember(folder, { at: clock.now(), problems: [...problems] })
      .catch((error) => log.warn({ err: error }, 'failed to store the result of a backup check'));
  }

  // Nothing is said of a destination that is no longer used.
  const heldBackHere = () => (heldBack?.at === destination() ? heldBack.backups : []);

  async function requireBackup(name: string): Promise<ListedBackup> {
    if (!(await isDestinationPresent(layout, settings.values.backupFolder)))
      throw new BackupProblem(t('api.backup.folderAway', { folder: destination() }));
    const found = isBackupName(name) ? (await backupsIn(destination())).find((one) => one.name === name) : undefined;
    if (found === undefined)
      throw new BackupProblem(t('api.backup.notFound', { name: JSON.stringify(name), folder: destination() }));
    return found;
  }

  /** The newest backup that satisfies the schedule; the disk is searched only if something may have changed. */
  async function newestMade(): Promise<number | null> {
    // A wrong clock may have made backups dated in the future; they must not delay the next one.
    const latest = clock.now() + MINUTE;
    if (newest === undefined || (newest !== null && newest > latest)) {
      const { backupFiles, backupFolder } = settings.values;
      const own = (await isDestinationPresent(layout, backupFolder))
        ? await ownBackups(destination(), await installationId(database))
        : [];
      const found = own.find(({ manifest }) => madeAt(manifest) <= latest && (!backupFiles || manifest.files !== null));
      newest = found === undefined ? null : madeAt(found.manifest);
    }
    return newest;
  }

  /** Since when there is data to back up; null until Larder is set up. */
  async function beginning(): Promise<number | null> {
    const row = await database.get<{ at: number | null }>('SELECT min(registered_at) AS at FROM accounts');
    return row?.at ?? null;
  }

  async function due(): Promise<number | null> {
    const last = (await newestMade()) ?? (await beginning());
    if (last === null) return null;
    const next = nextDue(settings.values, last);
    // Set up while the clock was wrong: a backup is due at once.
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
      // Cancelled by a person, or by the server's shutdown. It is retried like a failed one.
      if (error instanceof BackupProblem && error.isCancelled) return;
      const { message } = error as Error;
      log.error({ err: error }, 'failed to make a backup');
      events.emit('backup.failed', { actor: LARDER, reason: message });
      if (error instanceof BackupProblem && error.isOutOfSpace && settings.values.backupFiles)
        await backUpWithoutFiles();
    }
  }

  /** Accounts, shares and settings need little space: they are backed up once a day, and the failure stays. */
  async function backUpWithoutFiles(): Promise<void> {
    const unsolved = failure;
    try {
      const [latest] = await ownBackups(destination(), await installationId(database));
      if (latest !== undefined && clock.now() - madeAt(latest.manifest) < DAY - HOUR) return;
      const { name } = await make(WITHOUT_FILES, LARDER);
      log.info({ name }, 'made a backup without files, because there is no space for files');
    } catch (error) {
      log.error({ err: error }, 'failed to make a backup without files');
    } finally {
      failure = unsolved;
    }
  }

  return {
    make,
    tick,
    due,
    destination,
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
      if (!(await isDestinationPresent(layout, settings.values.backupFolder)))
        throw new BackupProblem(t('api.backup.folderAwayAdvice', { folder: destination() }));
      const installation = await installationId(database);
      const found = await backupsIn(destination());
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
      // A wrong passphrase says nothing about the backup.
      if (passphrase === undefined || problems.length === 0) await remember(folder, problems);
      return problems;
    },

    async remove(name, by) {
      await requireBackup(name);
      const whose = { installation: await installationId(database), homes, disk: parts.disk };
      await alone('removal', (job) => {
        job.begin('removing');
        return removeBackup(destination(), name, { ...whose, signal: job.signal });
      }).catch((error) => {
        throw writeProblem(error, destination());
      });
      if (heldBack !== null) heldBack = { ...heldBack, backups: heldBack.backups.filter((one) => one.name !== name) };
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
    heldBack: heldBackHere,

    async isDestinationPresent() {
      return isDestinationPresent(layout, settings.values.backupFolder);
    },

    async isOnSameDisk() {
      return areOnOneDisk(destination(), layout.larder).catch(() => false);
    },

    size: () => backupSize(parts),

    async freeAt(path) {
      for (let folder = path; ; folder = dirname(folder)) {
        const space = await diskSpace(folder).catch(() => null);
        if (space !== null) return space.free;
        if (dirname(folder) === folder) return null;
      }
    },

    async latest() {
      if (!(await isDestinationPresent(layout, settings.values.backupFolder))) return null;
      const [found] = await ownBackups(destination(), await installationId(database));
      return found?.manifest ?? null;
    },

    attention() {
      const kept = heldBackHere().map((one) => t('api.backup.heldBack', one));
      if (failure === null || !failure.isDue) return kept;
      return [t('api.backup.failed', { time: localSeconds(failure.at), reason: failure.message }), ...kept];
    },

    async lacking() {
      const since = await beginning();
      if (since === null) return null;
      const last = await newestMade();
      const wanted = settings.values.backupEvery === 'never' ? null : nextDue(settings.values, last ?? since);
      const isLate = wanted === null ? last === null && clock.now() > since + GRACE : clock.now() > wanted + GRACE;
      if (!isLate) return null;
      if (!(await isDestinationPresent(layout, settings.values.backupFolder)))
        return t('api.backup.folderAwayAdvice', { folder: destination() });
      const facts = { files: String(settings.values.backupFiles), folder: destination() };
      const advice = t('api.backup.make', { command: larderCommand() });
      return last === null
        ? t('api.backup.none', { ...facts, advice })
        : t('api.backup.late', { ...facts, time: localSeconds(last), advice: failure?.message ?? advice });
    },

    start() {
      const checkDue = () => {
        tick().catch((error) => log.error({ err: error }, 'failed to check whether a backup is due'));
      };
      timer = setTimeout(() => {
        checkDue();
        timer = setInterval(checkDue, MINUTE).unref();
      }, BEGIN_AFTER).unref();
    },

    async close() {
      unfollow();
      clearTimeout(timer);
      running?.stopping.abort();
      if (running !== null) await settled(running.end);
    },
  };
}

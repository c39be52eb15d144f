import { join } from 'node:path';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import { installationId } from '../../settings/installation.ts';
import { hashFile } from '../../storage/content/hashed-copy.ts';
import { areOnOneDisk } from '../../storage/plain-files.ts';
import { recordBackedUp } from '../confirm/record-backed-up.ts';
import { requireDestination } from '../format/destination.ts';
import { ownBackups } from '../format/list-backups.ts';
import type { Manifest } from '../format/manifest.ts';
import { notesOf } from '../format/notes.ts';
import { passphraseProblem, type SealingParameters, sealingFor } from '../format/passphrase.ts';
import { writeProblem } from '../format/problem.ts';
import type { JobProgress } from '../job-progress.ts';
import { rememberNewest } from '../newest.ts';
import { type NotCopied, notCopiedIn } from './not-copied.ts';
import type { BackupParts, HeldBack, MakeBackup } from './parts.ts';
import { removeBackup, tooMany } from './prune.ts';
import { requireSpace } from './space.ts';
import { writeBackup } from './write-backup.ts';

export interface MadeBackup {
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Whether it is on the installation's own disk. */
  readonly isOnSameDisk: boolean;
  /** Files not copied as they are, and why; at most a thousand. The list in the backup has all of them. */
  readonly notCopied: readonly NotCopied[];
  /** Remarks, as sentences. */
  readonly notes: readonly string[];
  /** The names of backups that were removed by retention. */
  readonly removed: readonly string[];
  /** Backups that retention could not remove, also earlier. */
  readonly heldBack: readonly HeldBack[];
}

/** Makes a backup at the configured destination, and then removes surplus ones. @throws BackupProblem, FieldProblem */
export async function makeBackup(
  requested: MakeBackup,
  parts: BackupParts & { readonly job: JobProgress },
): Promise<MadeBackup> {
  const { layout, database, settings, log, clock, job } = parts;
  const { backupFolder, backupFiles, backupHistory, backupKeep, backupSealing, householdName } = settings.values;
  const homes = await parts.homes.records();
  const sealing = await sealingOf(requested.passphrase, backupSealing);
  const destination = await requireDestination(backupFolder, { layout, homes });
  const installation = await installationId(database);
  const files = requested.files ?? backupFiles;
  const history = files && (requested.history ?? backupHistory);
  const earlier = files ? await ownBackups(destination, installation) : [];
  const previous = await usableBase(earlier, history, job);
  const base = earlier.find(({ folder }) => folder === previous)?.manifest ?? null;
  await requireSpace(destination, { files, history, previous: base }, parts);
  const { name, manifest, leftovers } = await writeBackup(
    { destination, installation, household: householdName, sealing, files, history, previous },
    { ...parts, homes },
  );
  const own = await ownBackups(destination, installation);
  const folder = own.find((one) => one.name === name)?.folder ?? destination;
  await rememberNewest(layout, { folder, madeAt: manifest.madeAt }).catch((error) =>
    log.warn({ err: error }, 'failed to store the location of the newest backup'),
  );
  await recordBackedUp({ folder, manifest, homes }, parts).catch((error) =>
    log.warn({ err: error }, 'failed to store which files the newest backup contains'),
  );
  // The backup is complete, so it can no longer be cancelled.
  if (!job.signal.aborted) job.begin('pruning');
  const removed: string[] = [];
  const heldBack: HeldBack[] = [...leftovers];
  const { disk } = parts;
  for (const one of tooMany(own, backupKeep, clock.now()).reverse()) {
    // The server stops, or nobody waits any more: the next backup goes on.
    if (job.signal.aborted) break;
    try {
      await removeBackup(destination, one.name, { installation, homes: parts.homes, disk, signal: job.signal });
      removed.push(one.name);
    } catch (error) {
      if (job.signal.aborted) break;
      // The new backup is complete; the next one tries to remove the old ones again.
      const problem = writeProblem(error, destination);
      log.warn({ err: problem }, 'failed to remove an old backup');
      heldBack.push({ name: one.name, reason: problem.message });
    }
  }
  const isOnSameDisk = await areOnOneDisk(destination, layout.larder).catch(() => false);
  return {
    name,
    folder,
    manifest,
    isOnSameDisk,
    notCopied: await notCopiedIn(folder, manifest),
    notes: notesOf(manifest),
    removed,
    heldBack,
  };
}

/**
 * The folder of the newest backup with files (and with history, if requested and available) whose list is intact, as base for hard
 * links.
 */
async function usableBase(
  backups: readonly { readonly folder: string; readonly manifest: Manifest }[],
  history: boolean,
  { signal }: JobProgress,
): Promise<string | null> {
  const lacksHistory = ({ manifest }: { manifest: Manifest }) => Number(history && manifest.files?.history !== true);
  for (const { folder, manifest } of [...backups].sort((a, b) => lacksHistory(a) - lacksHistory(b))) {
    if (manifest.files === null) continue;
    const { file, sha256 } = manifest.files.list;
    const found = await hashFile(join(folder, file), { signal, onBytes: () => undefined }).catch(() => null);
    if (found?.sha256 === sha256) return folder;
  }
  return null;
}

async function sealingOf(
  passphrase: string | undefined,
  kept: SealingParameters | null,
): Promise<SealingParameters | null> {
  if (passphrase === undefined) return kept;
  const problem = passphraseProblem(passphrase);
  if (problem !== null) throw new FieldProblem('passphrase', problem);
  return sealingFor(passphrase);
}

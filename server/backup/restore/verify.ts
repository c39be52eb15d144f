import { join } from 'node:path';
import { openSnapshot, snapshotProblem } from '../../database/snapshot.ts';
import { t } from '../../messages/messages.ts';
import { type Along, hashFile } from '../../storage/content/hashed-copy.ts';
import { plainStat, readPlain } from '../../storage/plain-files.ts';
import { entriesIn, segmentsOf } from '../format/entries.ts';
import { DATABASE, FILES, KEYS, type Manifest, type Part, partsOf, readManifest } from '../format/manifest.ts';
import { BackupProblem, writeProblem } from '../format/problem.ts';
import { type KeyFiles, unsealKeys } from '../format/sealed-keys.ts';
import type { JobProgress } from '../job-progress.ts';
import { Damages } from './damages.ts';

export interface Verified {
  readonly manifest: Manifest;
  /** The private keys, if there are any and a passphrase was given. */
  readonly keys: KeyFiles | null;
  /** Damaged files and folders of people: everything else can be restored. */
  readonly damages: Damages;
}

/**
 * Verifies every part of a backup: hashes, the whole database, and the keys if there is a passphrase for them. Nothing is changed
 * or left behind.
 * @param what `all` reads every file of people; `new` reads those with new content, and checks only that the others exist, since
 * they were read when they were shared
 * @param open decrypts the keys instead of a passphrase
 * @throws BackupProblem naming the damaged part; damaged files of people are in the result instead
 */
export async function verifyBackup(
  folder: string,
  {
    passphrase,
    open,
    job,
    what = 'all',
  }: { passphrase?: string | undefined; open?: (text: string) => KeyFiles; job: JobProgress; what?: 'all' | 'new' },
): Promise<Verified> {
  try {
    const manifest = await readManifest(folder);
    job.begin('verifying', manifest.files?.bytes ?? manifest.database.bytes);
    for (const part of partsOf(manifest)) await checkPart(folder, part, job);
    await checkDatabase(join(folder, DATABASE));
    const keys = manifest.keys === null ? null : await openKeys(join(folder, KEYS), passphrase, open);
    const damages = new Damages(folder);
    if (manifest.files !== null) await checkFiles(folder, manifest, { job, what, damages });
    return { manifest, keys, damages };
  } catch (error) {
    throw writeProblem(error, folder);
  }
}

/**
 * Verifies only the manifest and the list of files, which is enough to restore people's files if the database or keys are
 * damaged.
 * @throws BackupProblem when either is damaged, or there are no files
 */
export async function verifyList(folder: string, job: JobProgress): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (manifest.files === null) throw new BackupProblem(t('api.restore.noFiles', { folder }));
  await checkPart(folder, manifest.files.list, job);
  return manifest;
}

async function checkPart(folder: string, { file, bytes, sha256 }: Part, along: Along): Promise<void> {
  const path = join(folder, ...segmentsOf(file));
  const found = await hashFile(path, { signal: along.signal, onBytes: () => undefined }).catch((error) => {
    along.signal.throwIfAborted();
    throw new BackupProblem(t('api.backup.unreadablePart', { folder, file }), { cause: error });
  });
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw new BackupProblem(t('api.backup.changedFile', { folder, file }));
}

async function checkDatabase(path: string): Promise<void> {
  const snapshot = await openSnapshot(path);
  try {
    const problem = await snapshotProblem(snapshot, path);
    if (problem !== null) throw new BackupProblem(problem);
  } finally {
    await snapshot.close();
  }
}

async function openKeys(
  path: string,
  passphrase: string | undefined,
  open: ((text: string) => KeyFiles) | undefined,
): Promise<KeyFiles | null> {
  const text = (await readPlain(path)).toString('utf8');
  if (open !== undefined) return open(text);
  return passphrase === undefined ? null : unsealKeys(text, passphrase);
}

async function checkFiles(
  folder: string,
  manifest: Manifest,
  { job, what, damages }: { job: JobProgress; what: 'all' | 'new'; damages: Damages },
): Promise<void> {
  const list = manifest.files?.list.file ?? '';
  for await (const entry of entriesIn(join(folder, list))) {
    job.signal.throwIfAborted();
    const path = join(folder, FILES, ...segmentsOf(entry.path));
    if ('folder' in entry) {
      // Every parent folder was checked, so no link leads out of the backup.
      const isThere = !damages.isBelowDamaged(entry.path) && (await plainStat(path))?.kind === 'folder';
      if (!isThere) damages.addFolder(entry.path);
    } else if ('sha256' in entry) {
      const problem = await damages.problemOf(entry, job, what === 'all' || entry.linked !== true);
      if (problem !== null) damages.addFile(entry.path, problem);
      job.file();
    }
  }
}

import { join } from 'node:path';
import { openSnapshot, snapshotProblem } from '../database/snapshot.ts';
import { type Along, hashFile } from '../storage/hashed-copy.ts';
import { plainStat, readPlain } from '../storage/plain-files.ts';
import type { Course } from './course.ts';
import { entriesIn, type FileEntry, segmentsOf } from './entries.ts';
import { DATABASE, FILES, KEYS, type Manifest, type Part, partsOf, readManifest } from './manifest.ts';
import { BackupProblem, writeProblem } from './problem.ts';
import { type KeyFiles, unsealKeys } from './sealed-keys.ts';

export interface Verified {
  readonly manifest: Manifest;
  /** The private keys, when there are some and a passphrase was given. */
  readonly keys: KeyFiles | null;
}

/**
 * Opens every part of a backup: hashes, the database from one end to the other, the keys when there is a passphrase for them.
 * Nothing is changed, and nothing is left beside it.
 * @param what of people's files: `all` reads every one of them, `new` only those that share no content with an earlier backup
 * and looks for the others
 * @param open opens the keys in the place of a passphrase
 * @throws BackupProblem that says which part is not what was written
 */
export async function verifyBackup(
  folder: string,
  {
    passphrase,
    open,
    course,
    what = 'all',
  }: { passphrase?: string | undefined; open?: (text: string) => KeyFiles; course: Course; what?: 'all' | 'new' },
): Promise<Verified> {
  try {
    const manifest = await readManifest(folder);
    course.begin('verifying', manifest.files?.bytes ?? manifest.database.bytes);
    for (const part of partsOf(manifest)) await checkPart(folder, part, course);
    await checkDatabase(join(folder, DATABASE));
    const keys = manifest.keys === null ? null : await openKeys(join(folder, KEYS), passphrase, open);
    if (manifest.files !== null) await checkFiles(folder, manifest, course, what);
    return { manifest, keys };
  } catch (error) {
    throw writeProblem(error, folder);
  }
}

async function checkPart(folder: string, { file, bytes, sha256 }: Part, along: Along): Promise<void> {
  const path = join(folder, ...segmentsOf(file));
  const found = await hashFile(path, { signal: along.signal, onBytes: () => undefined }).catch((error) => {
    along.signal.throwIfAborted();
    throw new BackupProblem(`The backup ${folder} is damaged: ${file} is missing or cannot be read.`, { cause: error });
  });
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw new BackupProblem(`The backup ${folder} is damaged: ${file} is not what was written.`);
}

async function checkDatabase(path: string): Promise<void> {
  const snapshot = await openSnapshot(path);
  try {
    const problem = await snapshotProblem(snapshot);
    if (problem !== null) throw new BackupProblem(`The database ${path} ${problem}.`);
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

async function checkFiles(folder: string, manifest: Manifest, course: Course, what: 'all' | 'new'): Promise<void> {
  const list = manifest.files?.list.file ?? '';
  for await (const entry of entriesIn(join(folder, list))) {
    course.signal.throwIfAborted();
    const path = join(folder, FILES, ...segmentsOf(entry.path));
    if ('folder' in entry) {
      // Also so that no link leads out of the backup: every folder on the way to a file is one of these.
      if ((await plainStat(path))?.kind !== 'folder')
        throw new BackupProblem(`The backup ${folder} is damaged: the folder ${path} is missing.`);
    } else if ('sha256' in entry) await checkFile(folder, path, entry, course, what === 'all' || entry.linked !== true);
  }
}

async function checkFile(
  folder: string,
  path: string,
  { size, sha256 }: FileEntry,
  course: Course,
  reads: boolean,
): Promise<void> {
  const stats = await plainStat(path);
  const damaged = (how: string) => new BackupProblem(`The backup ${folder} is damaged: ${path} ${how}.`);
  if (stats?.kind !== 'file') throw damaged('is missing');
  if (stats.size !== size) throw damaged('is not what was written');
  if (reads) {
    const found = await hashFile(path, course).catch((error: Error) => {
      course.signal.throwIfAborted();
      throw damaged(`cannot be read (${error.message})`);
    });
    if (found.sha256 !== sha256) throw damaged('is not what was written');
  } else course.spared(size);
  course.file();
}

import type { FilesDatabase } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import type { ImportContext } from './context.ts';
import { isMedia } from './exports/entries.ts';
import type { ImportArchive, ImportRecord } from './imports.ts';
import type { Note } from './reasons.ts';
import { type Numbering, readDiskFolder } from './sources/disk-folder.ts';
import type { ReadSource } from './sources/part.ts';
import type { WalkedFile } from './sources/walk-folder.ts';

/** Files that one statement of the database takes. */
const FILES = 10_000;

/**
 * Reads the folder of an import. What an earlier run has read keeps its numbers; what is no longer there is noted.
 * @throws as `readDiskFolder`; also ApiError `invalid_path` for a folder that has become one of the household's, and
 * `storage_offline` when nothing of what was there before is left
 */
export async function readRecordedFolder(
  context: ImportContext,
  { id, folderIdentity }: Pick<ImportRecord, 'id' | 'folderIdentity'>,
  folder: string,
  signal: AbortSignal,
): Promise<ReadSource> {
  const { imports, database } = context;
  const own = await context.ownPlace(folder);
  if (own !== null) throw new ApiError('invalid_path', t(`api.imports.folder.${own}`));
  const before = await imports.archives(id);
  const found = new Set<number>();
  const names = new Set<string>();
  const paths = new Set<string>();
  const numbering: Numbering = {
    async archive(name, digest) {
      const known = before.find((one) => one.name === name && isSame(one.digest, digest));
      const number = known?.number ?? (await addArchive(database, id, name, digest));
      found.add(number);
      names.add(name);
      return number;
    },
    knowsSome: (files) => knowsSome(database, id, files),
    async files(files) {
      for (const { path } of files) paths.add(path);
      return numberFiles(database, id, files);
    },
  };
  const source = await readDiskFolder(context, { folder, known: folderIdentity }, numbering, signal);
  const lost = before.filter(({ number }) => !found.has(number));
  // An empty folder is what a disk that is not connected leaves.
  if (before.length > 0 && !before.some(({ name }) => names.has(name))) {
    throw new ApiError('storage_offline', t('api.imports.folderAway'));
  }
  const changed = lost.map(({ name }: ImportArchive): Note => ({ entry: name, reason: 'changed' }));
  const gone = (await openFiles(database, id)).filter((path) => isMedia(path) && !paths.has(path));
  for (const entry of gone) changed.push({ entry, reason: 'changed' });
  return { ...source, notes: [...source.notes, ...changed] };
}

/** The unpacked files that an earlier run has listed, and none has finished. */
async function openFiles(database: FilesDatabase, id: number): Promise<string[]> {
  const rows = await database.all<{ path: string }>(
    `SELECT f.path FROM import_files f WHERE f.import_id = ?1 AND NOT EXISTS (
       SELECT 1 FROM import_entries e CROSS JOIN import_archives a ON a.import_id = e.import_id AND a.archive = e.archive
       WHERE e.import_id = ?1 AND e.entry = f.entry AND e.path IS NULL AND a.digest IS NULL)`,
    [id],
  );
  return rows.map(({ path }) => path);
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}

function addArchive(database: FilesDatabase, id: number, name: string, digest: Buffer | null): Promise<number> {
  return database.write(async (tx) => {
    const row = await tx.get<{ archive: number }>(
      `INSERT INTO import_archives (import_id, archive, name, digest)
       SELECT ?1, coalesce(max(archive) + 1, 0), ?2, ?3 FROM import_archives WHERE import_id = ?1 RETURNING archive`,
      [id, name, digest],
    );
    if (row === undefined) throw new Error('the archive was not inserted');
    return row.archive;
  });
}

async function knowsSome(database: FilesDatabase, id: number, files: readonly WalkedFile[]): Promise<boolean> {
  const any = await database.get('SELECT 1 FROM import_files WHERE import_id = ? LIMIT 1', [id]);
  if (any === undefined) return true;
  for (let from = 0; from < files.length; from += FILES) {
    const known = await database.get(
      `SELECT 1 FROM json_each(?2) one CROSS JOIN import_files f
         ON f.import_id = ?1 AND f.path = one.value ->> 0 AND f.version = one.value ->> 1 LIMIT 1`,
      [id, named(files.slice(from, from + FILES))],
    );
    if (known !== undefined) return true;
  }
  return false;
}

/** Paths and versions, as JSON. */
const named = (files: readonly WalkedFile[]) =>
  JSON.stringify(files.map(({ path, size, mtime }) => [path, `${size} ${mtime}`]));

async function numberFiles(
  database: FilesDatabase,
  id: number,
  files: readonly WalkedFile[],
): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>();
  for (let from = 0; from < files.length; from += FILES) {
    const some = named(files.slice(from, from + FILES));
    const rows = await database.write(async (tx) => {
      const last = await tx.get<{ entry: number | null }>(
        'SELECT max(entry) AS entry FROM import_files WHERE import_id = ?',
        [id],
      );
      await tx.run(
        `INSERT INTO import_files (import_id, path, version, entry)
         SELECT ?1, value ->> 0, value ->> 1, ?2 + key FROM json_each(?3) WHERE true ON CONFLICT DO NOTHING`,
        [id, (last?.entry ?? -1) + 1, some],
      );
      return tx.all<{ path: string; entry: number }>(
        `SELECT f.path, f.entry FROM json_each(?2) one CROSS JOIN import_files f
           ON f.import_id = ?1 AND f.path = one.value ->> 0 AND f.version = one.value ->> 1`,
        [id, some],
      );
    });
    for (const { path, entry } of rows) numbers.set(path, entry);
  }
  return numbers;
}

import type { FilesDatabase } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import type { ImportContext } from './context.ts';
import type { ImportArchive } from './imports.ts';
import type { Note } from './reasons.ts';
import { type Numbering, readDiskFolder } from './sources/disk-folder.ts';
import type { ReadSource } from './sources/part.ts';

/** Paths that one statement of the database takes. */
const PATHS = 10_000;

/**
 * Reads the folder of an import. What an earlier run has read keeps its numbers; what is no longer there is noted.
 * @throws as `readDiskFolder`; also ApiError `storage_offline` when nothing of what was there before is left
 */
export async function readRecordedFolder(
  context: ImportContext,
  id: number,
  folder: string,
  signal: AbortSignal,
): Promise<ReadSource> {
  const { imports, database } = context;
  const before = await imports.archives(id);
  const found = new Set<number>();
  const names = new Set<string>();
  const numbering: Numbering = {
    async archive(name, digest) {
      const known = before.find((one) => one.name === name && isSame(one.digest, digest));
      const number = known?.number ?? (await addArchive(database, id, name, digest));
      found.add(number);
      names.add(name);
      return number;
    },
    files: (paths) => numberFiles(database, id, paths),
  };
  const source = await readDiskFolder(context, folder, numbering, signal);
  const lost = before.filter(({ number }) => !found.has(number));
  // An empty folder is what a disk that is not connected leaves.
  if (before.length > 0 && !before.some(({ name }) => names.has(name))) {
    throw new ApiError('storage_offline', t('api.imports.folderAway'));
  }
  const changed = lost.map(({ name }: ImportArchive): Note => ({ entry: name, reason: 'changed' }));
  return { ...source, notes: [...source.notes, ...changed] };
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

async function numberFiles(
  database: FilesDatabase,
  id: number,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>();
  for (let from = 0; from < paths.length; from += PATHS) {
    const some = JSON.stringify(paths.slice(from, from + PATHS));
    const rows = await database.write(async (tx) => {
      const last = await tx.get<{ entry: number | null }>(
        'SELECT max(entry) AS entry FROM import_files WHERE import_id = ?',
        [id],
      );
      await tx.run(
        `INSERT INTO import_files (import_id, path, entry) SELECT ?1, value, ?2 + key FROM json_each(?3) WHERE true
         ON CONFLICT DO NOTHING`,
        [id, (last?.entry ?? -1) + 1, some],
      );
      return tx.all<{ path: string; entry: number }>(
        'SELECT path, entry FROM import_files WHERE import_id = ?1 AND path IN (SELECT value FROM json_each(?2))',
        [id, some],
      );
    });
    for (const { path, entry } of rows) numbers.set(path, entry);
  }
  return numbers;
}

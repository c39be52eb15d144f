import type { FilesDatabase } from '../database/database.ts';
import { isHiddenFile } from './hidden-files.ts';
import { FILES_ROOT } from './items.ts';
import { way } from './path-query.ts';
import { CONTENTS_MISSED } from './reconcile/missing.ts';

/** The sums of what the catalogue has below a folder. */
interface FolderSum {
  readonly files: number;
  readonly bytes: number;
}

/** Everything below a folder. @param id of the folder */
export async function sumBelow(database: Pick<FilesDatabase, 'all'>, id: number): Promise<FolderSum> {
  const [row] = await database.all<{ files: number; bytes: number }>(
    `WITH RECURSIVE below (id) AS (
       SELECT ?
       UNION
       SELECT items.id FROM below CROSS JOIN items ON items.parent_id = below.id
       WHERE items.is_dir = 1 AND items.missing_since IS NULL
     ) SELECT count(*) AS files, coalesce(sum(items.size), 0) AS bytes
       FROM below CROSS JOIN items ON items.parent_id = below.id WHERE items.is_dir = 0 AND items.missing_since IS NULL`,
    [id],
  );
  return { files: row?.files ?? 0, bytes: row?.bytes ?? 0 };
}

/** Files and everything below folders, each once. @param ids of both */
export async function sumOfItems(database: Pick<FilesDatabase, 'all'>, ids: readonly number[]): Promise<FolderSum> {
  const [row] = await database.all<{ files: number; bytes: number }>(
    `WITH RECURSIVE below (id) AS (
       SELECT value FROM json_each(?)
       UNION
       SELECT items.id FROM below CROSS JOIN items ON items.parent_id = below.id WHERE items.missing_since IS NULL
     ) SELECT count(*) AS files, coalesce(sum(items.size), 0) AS bytes
       FROM below CROSS JOIN items ON items.id = below.id WHERE items.is_dir = 0`,
    [JSON.stringify(ids)],
  );
  return { files: row?.files ?? 0, bytes: row?.bytes ?? 0 };
}

/** The bytes below each folder of a folder, by their ids. @param parentId of the folder */
export async function bytesBelowEach(
  database: Pick<FilesDatabase, 'all'>,
  parentId: number,
): Promise<Map<number, number>> {
  const rows = await database.all<{ top: number; bytes: number }>(
    `WITH RECURSIVE below (top, id) AS (
       SELECT id, id FROM items WHERE parent_id = ? AND is_dir = 1 AND missing_since IS NULL
       UNION ALL
       SELECT top, items.id FROM below CROSS JOIN items ON items.parent_id = below.id
       WHERE items.is_dir = 1 AND items.missing_since IS NULL
     ) SELECT top, coalesce(sum(items.size), 0) AS bytes FROM below
       LEFT JOIN items ON items.parent_id = below.id AND items.is_dir = 0 AND items.missing_since IS NULL GROUP BY top`,
    [parentId],
  );
  return new Map(rows.map(({ top, bytes }) => [top, bytes]));
}

/**
 * The bytes below each folder of a folder, by their names. A folder is left out if not everything in it is known yet.
 * @param names on the path to the folder, from below the root of the home, as they are spelled on the disk
 */
export function knownBytesBelow(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  names: readonly string[],
): Promise<KnownBytes[]> {
  return knownBytes(database, homeId, names, 'parent_id');
}

/** The bytes below one folder; null if not everything in it is known yet. @param names on the path to it, itself included */
export async function knownBytesIn(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  names: readonly string[],
): Promise<number | null> {
  return (await knownBytes(database, homeId, names, 'id'))[0]?.bytes ?? null;
}

interface KnownBytes {
  readonly name: string;
  readonly bytes: number;
}

/** @param column by which folders belong to the last of the names */
function knownBytes(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  names: readonly string[],
  column: 'parent_id' | 'id',
): Promise<KnownBytes[]> {
  const isKnown = (table: string) => `${table}.listed IS NOT NULL AND ${table}.listed <> ?2`;
  return database.all<KnownBytes>(
    `WITH RECURSIVE ${way('?1', '?3')}, below (top, id, known) AS (
       SELECT id, id, ${isKnown('items')} FROM items WHERE ${column} = (SELECT id FROM way WHERE depth = ?4) AND is_dir = 1 AND missing_since IS NULL
       UNION ALL
       SELECT top, items.id, ${isKnown('items')} FROM below CROSS JOIN items ON items.parent_id = below.id
       WHERE items.is_dir = 1 AND items.missing_since IS NULL
     ), sums (top, bytes) AS (
       SELECT top, sum((
         SELECT coalesce(sum(size), 0) FROM items WHERE parent_id = below.id AND is_dir = 0 AND missing_since IS NULL
       )) FROM below GROUP BY top HAVING min(known) = 1
     ) SELECT items.name, sums.bytes FROM sums CROSS JOIN items ON items.id = sums.top`,
    [homeId, CONTENTS_MISSED, JSON.stringify([FILES_ROOT, ...names]), names.length],
  );
}

/**
 * The number of entries of folders, and how many are photos, by the folders' uuids. A folder whose entries are not
 * all known yet is left out.
 */
export async function entriesIn(
  database: Pick<FilesDatabase, 'all'>,
  uuids: readonly string[],
): Promise<Map<string, { readonly entries: number; readonly photos: number }>> {
  const rows = await database.all<{ uuid: string; entries: number; photos: number }>(
    `SELECT folder.uuid, count(item.id) AS entries, coalesce(sum(item.kind IN ('image', 'raw')), 0) AS photos
     FROM items folder LEFT JOIN items item ON item.parent_id = folder.id AND item.missing_since IS NULL AND NOT ${isHiddenFile('item')}
     WHERE folder.uuid IN (SELECT value FROM json_each(?)) AND folder.listed IS NOT NULL AND folder.listed <> ?
     GROUP BY folder.id`,
    [JSON.stringify(uuids), CONTENTS_MISSED],
  );
  return new Map(rows.map(({ uuid, entries, photos }) => [uuid, { entries, photos }]));
}

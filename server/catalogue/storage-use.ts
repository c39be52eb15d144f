import type { DatabaseReader, Transaction } from '../database/database.ts';
import { deletedIn, isHiddenFile } from './hidden-files.ts';
import { TRASH_ROOT } from './items.ts';

/** The bytes of a home by file type. */
export interface StorageUse {
  readonly photos: number;
  readonly video: number;
  readonly music: number;
  readonly other: number;
  /** Deleted files and versions, which take space as well. */
  readonly past: number;
  /** Files in their places that operating systems store for themselves. Their bytes are among those of the file types. */
  readonly hidden: { readonly files: number; readonly bytes: number };
}

/** The text after the last dot of a name, in lower case. */
const EXTENSION = "lower(replace(name, rtrim(name, replace(name, '.', '')), ''))";

/**
 * The sums of a home's rows.
 * @param kindOf the type of files with an extension
 */
export async function storageUse(
  database: DatabaseReader,
  homeId: string,
  kindOf: (extension: string) => 'photos' | 'video' | 'music' | 'other',
): Promise<StorageUse> {
  const rows = await database.all<{ extension: string; is_past: 0 | 1; is_hidden: 0 | 1; files: number; size: number }>(
    `WITH RECURSIVE ${deletedIn('?1')}
     SELECT ${EXTENSION} AS extension, id IN (SELECT id FROM deleted) AS is_past, ${isHiddenFile('items')} AS is_hidden,
       count(*) AS files, sum(size) AS size FROM items
     WHERE home_id = ?1 AND is_dir = 0 AND missing_since IS NULL GROUP BY 1, 2, 3`,
    [homeId],
  );
  const versions = await database.get<{ size: number }>(
    'SELECT coalesce(sum(v.size), 0) AS size FROM versions v CROSS JOIN items i ON i.id = v.item_id WHERE i.home_id = ?',
    [homeId],
  );
  const use = { photos: 0, video: 0, music: 0, other: 0, past: versions?.size ?? 0 };
  const hidden = { files: 0, bytes: 0 };
  for (const { extension, is_past: isPast, is_hidden: isHidden, files, size } of rows) {
    use[isPast === 1 ? 'past' : kindOf(extension)] += size;
    if (isHidden === 0 || isPast === 1) continue;
    hidden.files += files;
    hidden.bytes += size;
  }
  return { ...use, hidden };
}

/** The bytes of all homes on record. */
export interface TotalUse {
  /** Files in their places, and of these, the ones changed since a time. */
  readonly present: number;
  readonly changed: number;
  /** Deleted files and versions. */
  readonly past: number;
}

/** @param since milliseconds since the epoch */
export async function totalUse(database: Pick<DatabaseReader, 'all'>, since: number): Promise<TotalUse> {
  const [use] = await database.all<TotalUse>(
    `WITH RECURSIVE deleted (id) AS (
       SELECT id FROM items WHERE parent_id IS NULL AND name = ?1
       UNION ALL SELECT i.id FROM deleted CROSS JOIN items i ON i.parent_id = deleted.id),
     files (size, mtime, is_past) AS MATERIALIZED (
       SELECT size, mtime, id IN (SELECT id FROM deleted) FROM items WHERE is_dir = 0 AND missing_since IS NULL)
     SELECT coalesce(sum(size) FILTER (WHERE NOT is_past), 0) AS present,
       coalesce(sum(size) FILTER (WHERE NOT is_past AND mtime >= ?2), 0) AS changed,
       coalesce(sum(size) FILTER (WHERE is_past), 0) + (SELECT coalesce(sum(size), 0) FROM versions) AS past
     FROM files`,
    [TRASH_ROOT, since],
  );
  return use ?? { present: 0, changed: 0, past: 0 };
}

/** The running count of a home, and the sum of its rows. Bytes; equal unless the database is damaged. */
interface Count {
  readonly homeId: string;
  readonly used: number;
  readonly counted: number;
}

const ADDED_UP = `(SELECT coalesce(sum(size), 0) FROM items WHERE home_id = homes.id AND is_dir = 0 AND missing_since IS NULL)
  + (SELECT coalesce(sum(v.size), 0) FROM versions v CROSS JOIN items i ON i.id = v.item_id WHERE i.home_id = homes.id)`;

/** The homes with a wrong count. */
export function wrongCounts(database: Pick<DatabaseReader, 'all'>): Promise<Count[]> {
  return database.all<Count>(
    `SELECT id AS homeId, used, counted FROM (SELECT id, used, ${ADDED_UP} AS counted FROM homes) WHERE used <> counted`,
  );
}

/** Corrects the count of a home. */
export async function correctCount(tx: Transaction, homeId: string): Promise<void> {
  await tx.run(`UPDATE homes SET used = ${ADDED_UP} WHERE id = ?`, [homeId]);
}

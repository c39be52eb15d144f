import type { DatabaseReader, Transaction } from '../database/database.ts';
import { TRASH_ROOT } from './items.ts';

/** Bytes that a home takes, by what they are. */
export interface StorageUse {
  readonly photos: number;
  readonly video: number;
  readonly music: number;
  readonly other: number;
  /** Deleted files and earlier versions: they take room as well. */
  readonly past: number;
}

/** The text behind the last dot of a name, in lower case. */
const EXTENSION = "lower(replace(name, rtrim(name, replace(name, '.', '')), ''))";

/**
 * What is remembered of a home, added up.
 * @param kindOf what files with an extension are
 */
export async function storageUse(
  database: DatabaseReader,
  homeId: string,
  kindOf: (extension: string) => 'photos' | 'video' | 'music' | 'other',
): Promise<StorageUse> {
  const rows = await database.all<{ extension: string; is_past: number; size: number }>(
    `WITH RECURSIVE deleted (id) AS (
       SELECT id FROM items WHERE home_id = ?1 AND parent_id IS NULL AND name = ?2
       UNION ALL SELECT i.id FROM deleted CROSS JOIN items i ON i.parent_id = deleted.id)
     SELECT ${EXTENSION} AS extension, id IN (SELECT id FROM deleted) AS is_past, sum(size) AS size FROM items
     WHERE home_id = ?1 AND is_dir = 0 AND missing_since IS NULL GROUP BY 1, 2`,
    [homeId, TRASH_ROOT],
  );
  const versions = await database.get<{ size: number }>(
    'SELECT coalesce(sum(v.size), 0) AS size FROM versions v CROSS JOIN items i ON i.id = v.item_id WHERE i.home_id = ?',
    [homeId],
  );
  const use = { photos: 0, video: 0, music: 0, other: 0, past: versions?.size ?? 0 };
  for (const { extension, is_past: isPast, size } of rows) use[isPast === 1 ? 'past' : kindOf(extension)] += size;
  return use;
}

/** What the database has counted of a home along the way, and what its rows add up to. Bytes; the same unless it is damaged. */
export interface Count {
  readonly homeId: string;
  readonly used: number;
  readonly counted: number;
}

const ADDED_UP = `(SELECT coalesce(sum(size), 0) FROM items WHERE home_id = homes.id AND is_dir = 0 AND missing_since IS NULL)
  + (SELECT coalesce(sum(v.size), 0) FROM versions v CROSS JOIN items i ON i.id = v.item_id WHERE i.home_id = homes.id)`;

/** The homes of which the count is wrong. */
export function wrongCounts(database: Pick<DatabaseReader, 'all'>): Promise<Count[]> {
  return database.all<Count>(
    `SELECT id AS homeId, used, counted FROM (SELECT id, used, ${ADDED_UP} AS counted FROM homes) WHERE used <> counted`,
  );
}

/** Counts a home anew. */
export async function correctCount(tx: Transaction, homeId: string): Promise<void> {
  await tx.run(`UPDATE homes SET used = ${ADDED_UP} WHERE id = ?`, [homeId]);
}

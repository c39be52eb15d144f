import { cachedReads } from '../database/cached-reads.ts';
import type { DatabaseReader } from '../database/database.ts';
import { FILES_ROOT } from './items.ts';

/** The numbers of files and folders by the ids of their homes. */
export type ItemCounts = ReadonlyMap<string, number>;

const ALL = 'all';

/**
 * Counts the files and folders that are in their places: what is in the trash, or missing, does not count. The rows are the only
 * source: a scan counts what it has compared, which says nothing about later changes.
 * @returns a function that counts again only after a change, aside from the statements of requests: it reads every row
 */
export function createItemCounts(
  database: Pick<DatabaseReader, 'allAside' | 'unchangedSince'>,
): () => Promise<ItemCounts> {
  const counts = cachedReads<string, ItemCounts>(database, 'files', 1, () => countItems(database));
  return () => counts(ALL);
}

/** An item belongs to the home of its folder, which every chain of folders ends at. */
async function countItems(database: Pick<DatabaseReader, 'allAside'>): Promise<ItemCounts> {
  const rows = await database.allAside<{ home_id: string; items: number }>(
    `WITH RECURSIVE present (id, home_id) AS (
       SELECT id, home_id FROM items WHERE parent_id IS NULL AND name = ?
       UNION ALL
       SELECT i.id, present.home_id FROM present CROSS JOIN items i ON i.parent_id = present.id
       WHERE i.missing_since IS NULL)
     SELECT home_id, count(*) - 1 AS items FROM present GROUP BY home_id`,
    [FILES_ROOT],
  );
  return new Map(rows.map(({ home_id: homeId, items }) => [homeId, items]));
}

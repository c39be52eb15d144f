import type { FilesDatabase } from '../database/database.ts';

/** Names indexed per transaction, so that other writers do not wait long. */
const BATCH_SIZE = 2_000;

/**
 * Adds waiting names to the index. Until then they are found as well, but more slowly.
 * @returns whether there are more
 */
export async function indexNames(database: Pick<FilesDatabase, 'write' | 'get'>): Promise<boolean> {
  const row = await database.get<{ last: number | null; count: number }>(
    'SELECT max(item_id) AS last, count(*) AS count FROM (SELECT item_id FROM names_waiting ORDER BY item_id LIMIT ?)',
    [BATCH_SIZE],
  );
  if (row === undefined || row.last === null) return false;
  const { last, count } = row;
  await database.write(async (tx) => {
    await tx.run('DELETE FROM names WHERE rowid IN (SELECT item_id FROM names_waiting WHERE item_id <= ?)', [last]);
    await tx.run(
      `INSERT INTO names (rowid, fold) SELECT id, name_fold FROM items
       WHERE id IN (SELECT item_id FROM names_waiting WHERE item_id <= ?)`,
      [last],
    );
    await tx.run('DELETE FROM names_waiting WHERE item_id <= ?', [last]);
  });
  return count === BATCH_SIZE;
}

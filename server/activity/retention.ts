import type { ActivityDatabase } from '../database/database.ts';

/** Rows deleted per statement: other writes wait for it. */
const BATCH = 5_000;

/**
 * Deletes rows older than `before` (milliseconds since the epoch; null for none), and the oldest ones beyond `maxRows`.
 * @returns how many
 */
export async function expireActivity(
  database: Pick<ActivityDatabase, 'write' | 'get'>,
  { before, maxRows }: { before: number | null; maxRows: number },
): Promise<number> {
  const newest = await database.get<{ id: number | null }>('SELECT max(id) AS id FROM activity');
  const aged = before === null ? 0 : await removeAll(database, 'at < ?', before);
  // Ids are sequential, so no more than `maxRows` are above this limit.
  return aged + (await removeAll(database, 'id <= ?', (newest?.id ?? 0) - maxRows));
}

async function removeAll(
  database: Pick<ActivityDatabase, 'write'>,
  where: 'at < ?' | 'id <= ?',
  limit: number,
): Promise<number> {
  const sql = `DELETE FROM activity WHERE id IN (SELECT id FROM activity WHERE ${where} LIMIT ${BATCH})`;
  let removed = 0;
  for (;;) {
    const { changes } = await database.write((tx) => tx.run(sql, [limit]));
    removed += changes;
    if (changes < BATCH) return removed;
  }
}

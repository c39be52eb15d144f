import type { FilesDatabase, Transaction } from '../../database/database.ts';
import { type Clock, DAY } from '../../lib/clock.ts';

/** Milliseconds for which rows of missing items are kept, so that a returning item is recognized. */
export const MISSING_RETENTION = 30 * DAY;
/** Rows per transaction, so that other writers do not wait long. */
const BATCH_SIZE = 1_000;
const FOLDERS_BATCH = 200;
/** Replaces the stamp of a folder whose contents are missing, too: it is compared when it comes back. */
export const CONTENTS_MISSED = 'missing';

/**
 * When a folder disappears, only its own row is marked missing at first. Its contents are marked here, a while later: by then a
 * moved folder has been found again, with all of its rows. From then on they no longer count for quotas.
 * @param grace milliseconds that a folder has been missing at least
 */
export async function markContentsMissing(
  database: Pick<FilesDatabase, 'all' | 'write'>,
  clock: Clock,
  grace: number,
): Promise<void> {
  for (;;) {
    const gone = await database.all<{ id: number }>(
      `SELECT id FROM items WHERE missing_since <= ? AND is_dir = 1 AND listed IS NOT ? LIMIT ?`,
      [clock.now() - grace, CONTENTS_MISSED, FOLDERS_BATCH],
    );
    if (gone.length === 0) return;
    const folders = JSON.stringify(gone.map(({ id }) => id));
    // From the first of them on, the stamps are invalid: a folder that comes back now is compared.
    await database.write((tx) =>
      tx.run(
        'UPDATE items SET listed = NULL WHERE id IN (SELECT value FROM json_each(?)) AND missing_since IS NOT NULL',
        [folders],
      ),
    );
    let changes = BATCH_SIZE;
    while (changes === BATCH_SIZE) {
      // Deeper items are found in the next round, when their folder is missing.
      ({ changes } = await database.write((tx) =>
        tx.run(
          `UPDATE items SET missing_since = (SELECT missing_since FROM items above WHERE above.id = items.parent_id)
           WHERE id IN (
             SELECT child.id FROM items above CROSS JOIN items child ON child.parent_id = above.id
             WHERE above.id IN (SELECT value FROM json_each(?)) AND above.missing_since IS NOT NULL
               AND child.missing_since IS NULL LIMIT ?)`,
          [folders, BATCH_SIZE],
        ),
      ));
    }
    await database.write((tx) =>
      tx.run('UPDATE items SET listed = ? WHERE id IN (SELECT value FROM json_each(?)) AND missing_since IS NOT NULL', [
        CONTENTS_MISSED,
        folders,
      ]),
    );
  }
}

/**
 * A new folder gets the row of a missing one that had its name, though it is another folder. What was in that one is missing since
 * then, too: otherwise an item that another program has moved into the new folder would be taken for one of the old folder.
 * @param replaced the rows of such folders, while they are marked missing
 */
export async function markContentsOfReplaced(tx: Transaction, replaced: readonly number[]): Promise<void> {
  if (replaced.length === 0) return;
  const ids = JSON.stringify(replaced);
  // A copy may have the time of the folder that was compared last, and is another one all the same.
  await tx.run('UPDATE items SET listed = NULL WHERE id IN (SELECT value FROM json_each(?))', [ids]);
  await tx.run(
    `UPDATE items SET missing_since = (SELECT missing_since FROM items above WHERE above.id = items.parent_id)
     WHERE parent_id IN (SELECT value FROM json_each(?)) AND missing_since IS NULL`,
    [ids],
  );
}

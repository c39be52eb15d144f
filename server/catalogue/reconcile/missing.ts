import type { FilesDatabase } from '../../database/database.ts';
import { type Clock, DAY } from '../../lib/clock.ts';

/** Rows of vanished items are kept so long: what comes back is what it was. Milliseconds. */
export const MISSING_RETENTION = 30 * DAY;
/** Rows that are written in one transaction: others wait for it. */
const AT_ONCE = 1_000;
const FOLDERS_AT_ONCE = 200;
/** Instead of the stamp of a folder whose contents are missed as well: it is compared when it comes back. */
export const CONTENTS_MISSED = 'missing';

/**
 * A folder that vanishes takes one row to miss. What was in it is missed here, a while later: by then a folder that was
 * only moved has been found again, with all of its rows. From then on the room that it took is free.
 * @param grace milliseconds that a folder has been missing for, at least
 */
export async function missContents(
  database: Pick<FilesDatabase, 'all' | 'write'>,
  clock: Clock,
  grace: number,
): Promise<void> {
  for (;;) {
    const gone = await database.all<{ id: number }>(
      `SELECT id FROM items WHERE missing_since <= ? AND is_dir = 1 AND listed IS NOT ? LIMIT ?`,
      [clock.now() - grace, CONTENTS_MISSED, FOLDERS_AT_ONCE],
    );
    if (gone.length === 0) return;
    const folders = JSON.stringify(gone.map(({ id }) => id));
    // From the first of them on no stamp is true any more: a folder that comes back now is compared.
    await database.write((tx) =>
      tx.run(
        'UPDATE items SET listed = NULL WHERE id IN (SELECT value FROM json_each(?)) AND missing_since IS NOT NULL',
        [folders],
      ),
    );
    let changes = AT_ONCE;
    while (changes === AT_ONCE) {
      // What lies deeper is found in the next round: its folder is missing by then.
      ({ changes } = await database.write((tx) =>
        tx.run(
          `UPDATE items SET missing_since = (SELECT missing_since FROM items above WHERE above.id = items.parent_id)
           WHERE id IN (
             SELECT child.id FROM items above CROSS JOIN items child ON child.parent_id = above.id
             WHERE above.id IN (SELECT value FROM json_each(?)) AND above.missing_since IS NOT NULL
               AND child.missing_since IS NULL LIMIT ?)`,
          [folders, AT_ONCE],
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

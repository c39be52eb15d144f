import type { Home } from '../../catalogue/homes.ts';
import { MISSING_RETENTION } from '../../catalogue/reconcile/missing.ts';
import type { FilesContext } from '../context.ts';
import { eraseVersions, type ForgottenVersions, forgetVersions } from '../versions/version-limits.ts';
import { versionsOfItems } from '../versions/version-rows.ts';

/** Rows deleted per transaction: a household may have moved very many files away. */
const BATCH = 500;

/**
 * Deletes the rows of items missing for thirty days, together with their versions. Only for a home whose disk is available, since
 * nothing is known about others.
 * @returns number of files and folders
 */
export async function forgetMissing(context: FilesContext, home: Home): Promise<number> {
  const { database, clock } = context;
  for (let count = 0; ; ) {
    let forgotten: ForgottenVersions | null = null;
    const changes = await database.write(async (tx) => {
      // Deepest first, so that each folder is empty when it is deleted.
      const rows = await tx.all<{ id: number }>(
        `SELECT id FROM items WHERE is_dir IN (0, 1) AND missing_since < ? AND home_id = ?
           AND NOT EXISTS (SELECT 1 FROM items AS child WHERE child.parent_id = items.id) LIMIT ${BATCH}`,
        [clock.now() - MISSING_RETENTION, home.id],
      );
      const ids = rows.map(({ id }) => id);
      forgotten = await forgetVersions(context, tx, home.id, await versionsOfItems(tx, ids));
      await tx.run('DELETE FROM items WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)]);
      return rows.length;
    });
    if (forgotten !== null) await eraseVersions(context, home, forgotten);
    if (changes === 0) return count;
    count += changes;
  }
}

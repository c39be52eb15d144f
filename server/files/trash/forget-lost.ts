import { FILES_ROOT, rootId } from '../../catalogue/items.ts';
import type { FilesDatabase } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';

/** A version, or an item in the trash, whose content no longer exists. */
export interface LostContent {
  readonly id: string;
  readonly itemId: number;
  readonly homeId: string;
}

/**
 * Deletes the records of lost contents. The row of a version is deleted, since it only says where its content is. An item of the
 * trash becomes missing instead, so that its own versions are retained and it is recognized should it reappear.
 */
export async function forgetLost(
  { database, clock }: { readonly database: Pick<FilesDatabase, 'write'>; readonly clock: Clock },
  kind: 'versions' | 'trash',
  rows: readonly LostContent[],
): Promise<void> {
  await database.write(async (tx) => {
    if (kind === 'trash') {
      for (const { itemId, homeId } of rows) {
        // No name on a disk has a slash.
        await tx.run(
          `UPDATE items SET parent_id = ?, name = name || '/' || uuid, missing_since = coalesce(missing_since, ?) WHERE id = ?`,
          [await rootId(tx, homeId, FILES_ROOT), clock.now(), itemId],
        );
      }
    }
    await tx.run(`DELETE FROM ${kind} WHERE id IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(rows.map(({ id }) => id)),
    ]);
  });
}

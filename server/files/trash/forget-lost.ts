import { FILES_ROOT, rootId } from '../../catalogue/items.ts';
import type { FilesDatabase } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';

/** An older version, or something in the trash, whose content is not there any more. */
export interface LostContent {
  readonly id: string;
  readonly itemId: number;
  readonly homeId: string;
}

/**
 * Forgets contents that are gone for good. The row of a version says nothing but where its content is: without it, it goes. An
 * item of the trash becomes a missing one instead, so that its own older versions are kept, and it is known again should it
 * turn up.
 */
export async function forgetLost(
  { database, clock }: { readonly database: Pick<FilesDatabase, 'write'>; readonly clock: Clock },
  kind: 'versions' | 'trash',
  rows: readonly LostContent[],
): Promise<void> {
  await database.write(async (tx) => {
    if (kind === 'trash') {
      for (const { itemId, homeId } of rows) {
        // A name with a slash is one that no disk has.
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

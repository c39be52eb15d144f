import { join } from 'node:path';
import type { Home } from '../../catalogue/homes.ts';
import { FILES_ROOT, rootId } from '../../catalogue/items.ts';
import type { Transaction } from '../../database/database.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { eraseStored, storedContent } from '../../storage/content/work-area.ts';
import { flushFolder } from '../../storage/flush.ts';
import type { FilesContext, RowsContext } from '../context.ts';
import type { JournalContext } from '../journal/context.ts';
import type { JournalEntryOf } from '../journal/journal.ts';
import { eraseForgotten } from '../versions/version-limits.ts';

/**
 * Items that the catalogue has below one in the trash, though another program moved them elsewhere. Only those with versions are
 * looked for: for the others, nothing is lost that the disk does not have.
 */
export async function movedAway(
  { database }: RowsContext,
  home: Home,
  itemId: number,
  trashId: string,
): Promise<number[]> {
  const rows = await database.all<{ id: number; path: string }>(
    `WITH RECURSIVE below (id, path) AS (
       SELECT ?, '' UNION ALL
       SELECT items.id, below.path || '/' || items.name FROM items JOIN below ON items.parent_id = below.id
     ) SELECT DISTINCT below.id, path FROM below JOIN versions ON versions.item_id = below.id WHERE path <> ''`,
    [itemId],
  );
  const away: number[] = [];
  for (const { id, path } of rows) {
    if ((await storedContent(join(home.area.trash, trashId, path))) === null) away.push(id);
  }
  return away;
}

/**
 * Deletes the rows of an item and of everything below it. Items that were moved away become missing, and are recognized where
 * they are found.
 */
export async function eraseRows(
  { clock }: Pick<FilesContext, 'clock'>,
  tx: Transaction,
  homeId: string,
  itemId: number,
  away: readonly number[],
): Promise<void> {
  const root = await rootId(tx, homeId, FILES_ROOT);
  for (const id of away) {
    // No name on a disk has a slash.
    await tx.run(
      `UPDATE items SET parent_id = ?, name = name || '/' || uuid, missing_since = coalesce(missing_since, ?) WHERE id = ?`,
      [root, clock.now(), id],
    );
  }
  for (const { id } of await belowDeep(tx, itemId)) await tx.run('DELETE FROM items WHERE id = ?', [id]);
  await tx.run('DELETE FROM items WHERE id = ?', [itemId]);
}

/**
 * Items so deep that their rows must be deleted first, deepest first: SQLite cascades through 1,000 levels only, and long
 * cascades are slow.
 */
export function belowDeep(tx: Transaction, itemId: number): Promise<{ id: number }[]> {
  return tx.all<{ id: number }>(
    `WITH RECURSIVE below (id, depth) AS (
       SELECT ?, 0 UNION ALL SELECT items.id, depth + 1 FROM items JOIN below ON items.parent_id = below.id
     ) SELECT id FROM below WHERE depth > 0 AND depth % 25 = 0 ORDER BY depth DESC`,
    [itemId],
  );
}

/** Frees the space of an item that was taken out. Used after a delete, and at a start after a crash during one. */
export async function eraseContent(
  { database, journal, failPoints }: JournalContext,
  home: Home,
  { trashId, versionIds }: JournalEntryOf<'erase'>,
  journalId: number,
): Promise<void> {
  failPoint(failPoints, 'files.erase.content');
  await eraseStored(join(home.area.trash, trashId));
  await flushFolder(home.area.trash);
  failPoint(failPoints, 'files.erase.versions');
  await eraseForgotten({ database }, home, versionIds);
  failPoint(failPoints, 'files.erase.done');
  await database.write((tx) => journal.end(tx, journalId));
}

import type { Item } from '../../catalogue/items.ts';
import { relocate, rememberChild, rememberFolders } from '../../catalogue/remember.ts';
import type { Transaction } from '../../database/database.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import type { EntriesContext } from '../journal/context.ts';
import type { JournalEntryOf } from '../journal/journal.ts';
import { endLocks, inheritLock } from '../locks/locks.ts';
import { provenSha256, recordPreviousContent, recordTrashedRow } from '../publish/previous-content.ts';
import { takeIdentity } from './keep-replaced.ts';

interface MovedItem {
  readonly parents: readonly DiskEntry[];
  readonly entry: DiskEntry;
  readonly replaced: DiskEntry | null;
  /** Where it is known; see `Moved`. */
  readonly touchedBefore?: number;
  /** Whether it is a copy of the content of its row, which nobody can have changed since. */
  readonly keepsTags?: boolean;
}

type MovedRows = Pick<JournalEntryOf<'move'>, 'homeId' | 'itemId' | 'kept' | 'keepsReplaced'>;

/**
 * Writes the rows after a move: the item's own, in the home `homeId`, and those of what it replaced there. By default, metadata
 * of the replaced file stays with its content. Used after a move, and at a start after a crash during one.
 */
export async function recordMoved(
  { journal }: EntriesContext,
  tx: Transaction,
  { homeId, itemId, kept, keepsReplaced = false }: MovedRows,
  { parents, entry, replaced, touchedBefore, keepsTags }: MovedItem,
  journalId: number,
): Promise<void> {
  // RFC 4918 §7.6: a lock with a token belongs to the address that was locked.
  await endLocks(tx, homeId, itemId, 'with-token');
  if (replaced !== null) {
    const parentId = await rememberFolders(tx, homeId, parents);
    const before = await rememberChild(tx, homeId, parentId, replaced);
    await inheritLock(tx, itemId, before.id);
    if (keepsReplaced) await takeIdentity(tx, itemId, before.id);
    if (kept.as === 'trash') await recordTrashedRow(tx, homeId, before.id, kept);
    else await inheritHistory(tx, { homeId, itemId, kept }, before, replaced);
  }
  await relocate(tx, homeId, itemId, parents, entry, touchedBefore, keepsTags);
  await journal.end(tx, journalId);
}

/**
 * Gives a file the comments and the versions of another one whose content becomes its latest version. The row of that one is gone
 * then.
 * @param before the row of the other file
 * @param replaced its content, as it was
 */
export async function inheritHistory(
  tx: Transaction,
  { homeId, itemId, kept }: Pick<MovedRows, 'homeId' | 'itemId' | 'kept'>,
  before: Item,
  replaced: DiskEntry,
): Promise<void> {
  await tx.run('UPDATE comments SET item_id = ? WHERE item_id = ?', [itemId, before.id]);
  const sha256 = await provenSha256(tx, before.id);
  const version = await inheritVersions(tx, itemId, before.id);
  await recordPreviousContent(tx, homeId, { ...before, id: itemId, version }, replaced, kept, sha256);
  await tx.run('UPDATE items SET version = version + 1 WHERE id = ?', [itemId]);
}

/**
 * The item keeps its uuid; the history of the file it replaces is added to its own.
 * @returns the item's new version number
 */
async function inheritVersions(tx: Transaction, itemId: number, replacedId: number): Promise<number> {
  const { changes } = await tx.run(
    `UPDATE versions SET item_id = ?1, version = version + (SELECT version FROM items WHERE id = ?1) - 1 WHERE item_id = ?2`,
    [itemId, replacedId],
  );
  await tx.run(
    'UPDATE items SET version = max(version + ?, (SELECT coalesce(max(version) + 1, 0) FROM versions WHERE item_id = ?)) WHERE id = ?',
    [changes, itemId, itemId],
  );
  await tx.run('DELETE FROM items WHERE id = ?', [replacedId]);
  return (await tx.get<{ version: number }>('SELECT version FROM items WHERE id = ?', [itemId]))?.version ?? 1;
}

import type { Item } from '../../catalogue/items.ts';
import { rememberPath } from '../../catalogue/remember.ts';
import type { Transaction } from '../../database/database.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import { type PreviousContent, recordPreviousContent } from './previous-content.ts';

interface NewContent {
  readonly parents: readonly DiskEntry[];
  readonly entry: DiskEntry;
  readonly replaced: DiskEntry | null;
}

/**
 * Writes the row of a file's new content, and that of its previous content.
 * @param sha256 of the new content, if known
 * @returns the row, and what it was for the previous content
 */
export async function recordContent(
  tx: Transaction,
  homeId: string,
  { parents, entry, replaced }: NewContent,
  kept: PreviousContent,
  sha256?: Buffer,
): Promise<{ readonly item: Item; readonly before: Item | null }> {
  if (replaced === null) {
    const item = await rememberPath(tx, homeId, parents, { ...entry, sha256, wasWritten: true }, kept.by);
    return { item, before: null };
  }
  const before = await rememberPath(tx, homeId, parents, replaced);
  await recordPreviousContent(tx, homeId, before, replaced, kept);
  await tx.run('UPDATE items SET version = version + 1 WHERE id = ?', [before.id]);
  const item = await rememberPath(tx, homeId, parents, { ...entry, sha256, wasWritten: true }, kept.by);
  return { item: { ...item, version: before.version + 1 }, before };
}

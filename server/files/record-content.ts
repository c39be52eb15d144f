import type { Item } from '../catalogue/items.ts';
import { rememberPath } from '../catalogue/remember.ts';
import type { Transaction } from '../database/database.ts';
import type { DiskEntry } from '../storage/disk.ts';

export interface NewContent {
  readonly parents: readonly DiskEntry[];
  readonly entry: DiskEntry;
  readonly replaced: DiskEntry | null;
}

/** The row of a file that has just got its content, and the version row of the content it had before. */
export async function recordContent(
  tx: Transaction,
  homeId: string,
  { parents, entry, replaced }: NewContent,
  versionId: string,
  now: number,
): Promise<Item> {
  const before = await rememberPath(tx, homeId, parents, replaced ?? entry);
  if (replaced === null) return before;
  await tx.run('INSERT INTO versions (id, item_id, version, size, mtime, stored_at) VALUES (?, ?, ?, ?, ?, ?)', [
    versionId,
    before.id,
    before.version,
    replaced.size,
    replaced.mtime,
    now,
  ]);
  await tx.run('UPDATE items SET version = version + 1 WHERE id = ?', [before.id]);
  return { ...(await rememberPath(tx, homeId, parents, entry)), version: before.version + 1 };
}

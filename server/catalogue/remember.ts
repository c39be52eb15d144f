import type { Transaction } from '../database/database.ts';
import type { DiskEntry } from '../storage/disk.ts';
import { childByName, FILES_ROOT, type Item, insertItem, rootId, updateFromDisk } from './items.ts';

/**
 * The row of what was just found at a path, together with rows for the folders on the way. A path match wins: the
 * row of this path keeps its uuid whatever stands there now, unless a folder took the place of a file or the other
 * way round; that is another item.
 * @param parents the folders on the way as the disk has them, the root first
 */
export async function rememberPath(
  tx: Transaction,
  homeId: string,
  parents: readonly DiskEntry[],
  entry: DiskEntry,
): Promise<Item> {
  return rememberChild(tx, homeId, await rememberFolders(tx, homeId, parents), entry);
}

/** @returns the id of the last folder's row */
export async function rememberFolders(tx: Transaction, homeId: string, folders: readonly DiskEntry[]): Promise<number> {
  let parentId = await rootId(tx, homeId, FILES_ROOT);
  for (const folder of folders.slice(1)) parentId = (await rememberChild(tx, homeId, parentId, folder)).id;
  return parentId;
}

export async function rememberChild(
  tx: Transaction,
  homeId: string,
  parentId: number,
  entry: DiskEntry,
): Promise<Item> {
  const known = await childByName(tx, parentId, entry.name);
  if (known === null) return insertItem(tx, homeId, parentId, entry);
  if (known.isDir !== entry.isDir) {
    await forget(tx, known);
    return insertItem(tx, homeId, parentId, entry);
  }
  if (known.identity !== entry.identity || known.mtime !== entry.mtime || known.missingSince !== null) {
    await updateFromDisk(tx, known.id, entry);
  }
  return { ...known, ...entry, missingSince: null };
}

/** Gives an item's row its new place. A row that is still remembered there, of something missing, makes way. */
export async function relocate(
  tx: Transaction,
  homeId: string,
  itemId: number,
  parents: readonly DiskEntry[],
  entry: DiskEntry,
): Promise<void> {
  const parentId = await rememberFolders(tx, homeId, parents);
  const inTheWay = await childByName(tx, parentId, entry.name);
  if (inTheWay !== null && inTheWay.id !== itemId) await forget(tx, inTheWay);
  await tx.run('UPDATE items SET parent_id = ?, name = ? WHERE id = ?', [parentId, entry.name, itemId]);
  await updateFromDisk(tx, itemId, entry);
}

/** Moves a row out of the way of another item with its path: it is missing from now on, under a name no disk has. */
async function forget(tx: Transaction, item: Item): Promise<void> {
  await tx.run('UPDATE items SET name = ?, missing_since = coalesce(missing_since, unixepoch() * 1000) WHERE id = ?', [
    `${item.name}/${item.uuid}`,
    item.id,
  ]);
}

import type { FilesDatabase } from '../database/database.ts';
import { systemFailure } from '../http/system-failure.ts';
import type { Found } from '../storage/disk/disk.ts';
import { FILES_ROOT, ITEM_COLUMNS, type Item, type ItemRow, isUpToDate, itemOf } from './items.ts';
import { way } from './path-query.ts';
import { rememberPath } from './remember.ts';

/** The item of an entry just found at a path. Nothing is written when its row says what was found. */
export async function itemFound(database: FilesDatabase, homeId: string, found: Found): Promise<Item> {
  const { parents, entry } = found;
  const item = await knownItem(database, homeId, found);
  const isKnown = item?.identity === entry.identity && item.isDir === entry.isDir;
  if (isKnown && (entry.isDir || isUpToDate(item, entry))) return item;
  const remembering = database.write((tx) => rememberPath(tx, homeId, parents, entry));
  if (!isKnown) return remembering;
  // A file that was only touched is known, also while nothing can be written down.
  return remembering.catch((error) => {
    if (systemFailure(error) === null) throw error;
    return item;
  });
}

/** The catalogue's item for an entry just found at a path; null when there is none, or it is missing. */
export async function knownItem(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  found: Found,
): Promise<Item | null> {
  return (await knownContent(database, homeId, found))?.item ?? null;
}

/** An item, and the recorded SHA-256 of its content if known. Of an unproven content, it is that of the content it had. */
export interface FoundItem {
  readonly item: Item;
  readonly sha256: Buffer | null;
}

/** The same with the recorded SHA-256. */
export function knownContent(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  { parents, entry }: Found,
): Promise<FoundItem | null> {
  const folders = parents.slice(1).map(({ name }) => name);
  return itemInFolder(database, homeId, folders, entry.name);
}

/** The same by its uuid, wherever it is; null when there is none. */
export async function contentOfUuid(database: Pick<FilesDatabase, 'all'>, uuid: string): Promise<FoundItem | null> {
  const [row] = await database.all<ItemRow & { sha256: Buffer | null }>(
    `SELECT ${ITEM_COLUMNS}, sha256 FROM items WHERE uuid = ?`,
    [uuid],
  );
  return row === undefined ? null : { item: itemOf(row), sha256: row.sha256 };
}

/** The same by the names on the path, from below the root of the home. */
export async function itemInFolder(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  folders: readonly string[],
  name: string,
): Promise<FoundItem | null> {
  const [row] = await database.all<ItemRow & { sha256: Buffer | null }>(
    `WITH RECURSIVE ${way('?1', '?2')}
     SELECT ${ITEM_COLUMNS}, sha256 FROM items WHERE parent_id = (SELECT id FROM way WHERE depth = ?3) AND name = ?4
       AND missing_since IS NULL`,
    [homeId, JSON.stringify([FILES_ROOT, ...folders]), folders.length, name],
  );
  return row === undefined ? null : { item: itemOf(row), sha256: row.sha256 };
}

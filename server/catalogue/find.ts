import type { FilesDatabase } from '../database/database.ts';
import type { Found } from '../storage/disk/disk.ts';
import { ITEM_COLUMNS, type Item, type ItemRow, itemOf } from './items.ts';
import { way } from './path-query.ts';
import { rememberPath } from './remember.ts';

/** The item of an entry just found at a path. Nothing is written when its row is up to date. */
export async function itemFound(database: FilesDatabase, homeId: string, found: Found): Promise<Item> {
  const { parents, entry } = found;
  const item = await knownItem(database, homeId, found);
  if (item?.identity === entry.identity && item.isDir === entry.isDir) return item;
  return database.write((tx) => rememberPath(tx, homeId, parents, entry));
}

/** The catalogue's item for an entry just found at a path; null when there is none, or it is missing. */
export async function knownItem(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  found: Found,
): Promise<Item | null> {
  return (await knownContent(database, homeId, found))?.item ?? null;
}

/** The same with the recorded SHA-256 of its content, or null. */
export async function knownContent(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  { parents, entry }: Found,
): Promise<{ readonly item: Item; readonly sha256: Buffer | null } | null> {
  const [row] = await database.all<ItemRow & { sha256: Buffer | null }>(
    `WITH RECURSIVE ${way('?1', '?2')}
     SELECT ${ITEM_COLUMNS}, sha256 FROM items WHERE parent_id = (SELECT id FROM way WHERE depth = ?3) AND name = ?4
       AND missing_since IS NULL`,
    [homeId, JSON.stringify(parents.map(({ name }) => name)), parents.length - 1, entry.name],
  );
  return row === undefined ? null : { item: itemOf(row), sha256: row.sha256 };
}

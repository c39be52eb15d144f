import type { FilesDatabase } from '../database/database.ts';
import { ITEM_COLUMNS, type Item, type ItemRow, itemOf } from './items.ts';
import { type ItemLocation, locationsOfItems } from './places.ts';

export interface LocatedItem {
  readonly item: Item;
  readonly location: ItemLocation;
}

export interface NewestItem extends LocatedItem {
  /** When it was taken, if known, otherwise its last change, in milliseconds. */
  readonly at: number;
}

interface NewestRow extends ItemRow {
  at: number;
}

/** The file types in the index of newest items. */
export type NewestKind = 'image' | 'raw' | 'audio' | 'video';

/** The newest files of some types in a home: photos by the time when they were taken. @param most how many */
export async function newestOf(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  kinds: readonly NewestKind[],
  most: number,
): Promise<NewestItem[]> {
  const newest: NewestItem[] = [];
  for (const kind of kinds) newest.push(...(await newestOfKind(database, homeId, kind, most)));
  return newestFirst(newest, most);
}

/** Each item once. */
export function newestFirst(items: readonly NewestItem[], most: number): NewestItem[] {
  const each = new Map(items.map((placed) => [placed.item.id, placed]));
  return [...each.values()].sort((a, b) => b.at - a.at || b.item.id - a.item.id).slice(0, most);
}

/** The same among some items and everything below them. @param ids of files and folders */
export async function newestBelow(
  database: Pick<FilesDatabase, 'all'>,
  ids: readonly number[],
  kinds: readonly NewestKind[],
  most: number,
): Promise<NewestItem[]> {
  const columns = ITEM_COLUMNS.split(', ').map((column) => `items.${column}`);
  const rows = await database.all<NewestRow>(
    `WITH RECURSIVE below (id) AS (
       SELECT value FROM json_each(?1)
       UNION
       SELECT items.id FROM below CROSS JOIN items ON items.parent_id = below.id WHERE items.missing_since IS NULL
     ) SELECT ${columns}, coalesce(items.taken, items.mtime) AS at FROM below CROSS JOIN items ON items.id = below.id
       WHERE items.kind IN (SELECT value FROM json_each(?2)) AND items.missing_since IS NULL
       ORDER BY at DESC, items.id DESC LIMIT ?3`,
    [JSON.stringify(ids), JSON.stringify(kinds), most],
  );
  const items = rows.map(itemOf);
  const places = await locationsOfItems(database, items);
  return items.flatMap((item, index) => {
    const [location, row] = [places.get(item.id), rows[index]];
    return location?.state === 'there' && row !== undefined ? [{ item, location, at: row.at }] : [];
  });
}

async function newestOfKind(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  kind: NewestKind,
  most: number,
): Promise<NewestItem[]> {
  const found: NewestItem[] = [];
  let last = { at: Number.MAX_SAFE_INTEGER, id: 0 };
  while (found.length < most) {
    const rows = await database.all<NewestRow>(
      // The condition as in the index, which contains only these types, so that it is used.
      `SELECT ${ITEM_COLUMNS}, coalesce(taken, mtime) AS at FROM items
       WHERE home_id = ?1 AND kind = ?2 AND kind IN ('image', 'raw', 'audio', 'video') AND coalesce(taken, mtime) <= ?3
         AND (coalesce(taken, mtime) < ?3 OR id < ?4) AND missing_since IS NULL
       ORDER BY coalesce(taken, mtime) DESC, id DESC LIMIT ?5`,
      [homeId, kind, last.at, last.id, most],
    );
    const items = rows.map(itemOf);
    const places = await locationsOfItems(database, items);
    for (const [index, item] of items.entries()) {
      const [location, row] = [places.get(item.id), rows[index]];
      // During a move to another home, a tree temporarily has rows of both.
      const isThere = location?.state === 'there' && location.homeId === homeId && row !== undefined;
      if (isThere && found.length < most) found.push({ item, location, at: row.at });
    }
    if (rows.length < most) return found;
    last = rows.at(-1) ?? last;
  }
  return found;
}

/** Items by their ids, in this order, without those that are deleted, missing or in the trash. */
export async function itemsThere(database: Pick<FilesDatabase, 'all'>, ids: readonly number[]): Promise<LocatedItem[]> {
  const rows = await database.all<ItemRow>(
    `SELECT ${ITEM_COLUMNS} FROM items WHERE id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ids)],
  );
  const items = new Map(rows.map((row) => [row.id, itemOf(row)]));
  const places = await locationsOfItems(database, [...items.values()]);
  return ids.flatMap((id) => {
    const [item, location] = [items.get(id), places.get(id)];
    return item !== undefined && location?.state === 'there' ? [{ item, location }] : [];
  });
}

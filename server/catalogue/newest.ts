import type { Database } from '../database/database.ts';
import { ITEM_COLUMNS, type Item, type ItemRow, itemOf } from './items.ts';
import { type ItemPlace, placesOfItems } from './places.ts';

export interface PlacedItem {
  readonly item: Item;
  readonly place: ItemPlace;
}

/** What the index of newest items has: families of the file type table. */
export type NewestKind = 'image' | 'raw' | 'audio';

/** The newest files of some families in a home, by the time of their last change. @param most how many */
export async function newestOf(
  database: Pick<Database, 'all'>,
  homeId: string,
  kinds: readonly NewestKind[],
  most: number,
): Promise<PlacedItem[]> {
  const newest: PlacedItem[] = [];
  for (const kind of kinds) newest.push(...(await newestOfKind(database, homeId, kind, most)));
  return newestFirst(newest, most);
}

/** Each item once. */
export function newestFirst(items: readonly PlacedItem[], most: number): PlacedItem[] {
  const each = new Map(items.map((placed) => [placed.item.id, placed]));
  return [...each.values()].sort((a, b) => b.item.mtime - a.item.mtime || b.item.id - a.item.id).slice(0, most);
}

/** The same among some items and everything below them. @param ids of files and folders */
export async function newestBelow(
  database: Pick<Database, 'all'>,
  ids: readonly number[],
  kinds: readonly NewestKind[],
  most: number,
): Promise<PlacedItem[]> {
  const columns = ITEM_COLUMNS.split(', ').map((column) => `items.${column}`);
  const rows = await database.all<ItemRow>(
    `WITH RECURSIVE below (id) AS (
       SELECT value FROM json_each(?1)
       UNION
       SELECT items.id FROM below CROSS JOIN items ON items.parent_id = below.id WHERE items.missing_since IS NULL
     ) SELECT ${columns} FROM below CROSS JOIN items ON items.id = below.id
       WHERE items.kind IN (SELECT value FROM json_each(?2)) AND items.missing_since IS NULL
       ORDER BY items.mtime DESC, items.id DESC LIMIT ?3`,
    [JSON.stringify(ids), JSON.stringify(kinds), most],
  );
  const items = rows.map(itemOf);
  const places = await placesOfItems(database, items);
  return items.flatMap((item) => {
    const place = places.get(item.id);
    return place?.state === 'there' ? [{ item, place }] : [];
  });
}

async function newestOfKind(
  database: Pick<Database, 'all'>,
  homeId: string,
  kind: NewestKind,
  most: number,
): Promise<PlacedItem[]> {
  const found: PlacedItem[] = [];
  let last = { mtime: Number.MAX_SAFE_INTEGER, id: 0 };
  while (found.length < most) {
    const rows = await database.all<ItemRow>(
      // The list in the words of the index, which has these families only, so that it is known to have the rows.
      `SELECT ${ITEM_COLUMNS} FROM items WHERE home_id = ? AND kind = ? AND kind IN ('image', 'raw', 'audio')
         AND (mtime, id) < (?, ?) AND missing_since IS NULL ORDER BY mtime DESC, id DESC LIMIT ?`,
      [homeId, kind, last.mtime, last.id, most],
    );
    const items = rows.map(itemOf);
    const places = await placesOfItems(database, items);
    for (const item of items) {
      const place = places.get(item.id);
      // A tree on its way into another home has rows of either for a moment.
      if (place?.state === 'there' && place.homeId === homeId && found.length < most) found.push({ item, place });
    }
    if (rows.length < most) return found;
    last = rows.at(-1) ?? last;
  }
  return found;
}

/** Items by their ids, in the order of these, without those that are gone, missing or in the trash. */
export async function itemsThere(database: Pick<Database, 'all'>, ids: readonly number[]): Promise<PlacedItem[]> {
  const rows = await database.all<ItemRow>(
    `SELECT ${ITEM_COLUMNS} FROM items WHERE id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ids)],
  );
  const items = new Map(rows.map((row) => [row.id, itemOf(row)]));
  const places = await placesOfItems(database, [...items.values()]);
  return ids.flatMap((id) => {
    const [item, place] = [items.get(id), places.get(id)];
    return item !== undefined && place?.state === 'there' ? [{ item, place }] : [];
  });
}

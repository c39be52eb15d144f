import type { FilesDatabase } from '../database/database.ts';
import { isHiddenName } from '../lib/names/hidden-names.ts';
import { ITEM_COLUMNS, type Item, type ItemRow, itemOf } from './items.ts';
import { type ItemLocation, locationsOfItems } from './places.ts';

export interface LocatedItem {
  readonly item: Item;
  readonly location: ItemLocation;
}

export interface NewestItem extends LocatedItem {
  /** The time that it is sorted by, in the unit of its index. */
  readonly at: number;
}

interface NewestRow extends ItemRow {
  at: number;
}

/** The file types in the index of newest items. */
export type NewestKind = 'image' | 'raw' | 'audio' | 'video';

/** An index of files by a time. Lists made of it leave out hidden files. */
interface TimeIndex {
  /** The condition as in the index, so that it is used. */
  readonly where: string;
  readonly at: string;
}

/** By when they were taken, if that is known, otherwise by their last change, in milliseconds. */
const timesOf = (kind: NewestKind): TimeIndex => ({
  where: `kind = '${kind}' AND kind IN ('image', 'raw', 'audio', 'video')`,
  at: 'coalesce(taken, mtime)',
});

/** By when they came to this disk, or were last changed there, in microseconds. */
const RECENT: TimeIndex = { where: 'is_dir = 0 AND touched IS NOT NULL', at: 'abs(touched)' };

/** The newest files of some types in a home: photos by the time when they were taken. @param most how many */
export async function newestOf(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  kinds: readonly NewestKind[],
  most: number,
): Promise<NewestItem[]> {
  const newest: NewestItem[] = [];
  for (const kind of kinds) newest.push(...(await newestIn(database, homeId, timesOf(kind), most)));
  return newestFirst(newest, most);
}

/** The files of a home that came to its disk, or were changed there, last. @param most how many */
export function recentOf(database: Pick<FilesDatabase, 'all'>, homeId: string, most: number): Promise<NewestItem[]> {
  return newestIn(database, homeId, RECENT, most);
}

/** Each item once. */
export function newestFirst(items: readonly NewestItem[], most: number): NewestItem[] {
  const each = new Map(items.map((placed) => [placed.item.id, placed]));
  return [...each.values()].sort((a, b) => b.at - a.at || b.item.id - a.item.id).slice(0, most);
}

/** The newest files of some types among some items and everything below them. @param ids of files and folders */
export function newestBelow(
  database: Pick<FilesDatabase, 'all'>,
  ids: readonly number[],
  kinds: readonly NewestKind[],
  most: number,
): Promise<NewestItem[]> {
  const list = kinds.map((kind) => `'${kind}'`).join(', ');
  return below(database, ids, { where: `items.kind IN (${list})`, at: 'coalesce(items.taken, items.mtime)' }, most);
}

/** The files among some items and everything below them that came, or were changed, last. @param ids of files and folders */
export function recentBelow(
  database: Pick<FilesDatabase, 'all'>,
  ids: readonly number[],
  most: number,
): Promise<NewestItem[]> {
  return below(database, ids, RECENT, most);
}

async function below(
  database: Pick<FilesDatabase, 'all'>,
  ids: readonly number[],
  { where, at }: TimeIndex,
  most: number,
): Promise<NewestItem[]> {
  const columns = ITEM_COLUMNS.split(', ').map((column) => `items.${column}`);
  const rows = await database.all<NewestRow>(
    `WITH RECURSIVE below (id) AS (
       SELECT value FROM json_each(?1)
       UNION
       SELECT items.id FROM below CROSS JOIN items ON items.parent_id = below.id WHERE items.missing_since IS NULL
     ) SELECT ${columns}, ${at} AS at FROM below CROSS JOIN items ON items.id = below.id
       WHERE ${where} AND items.missing_since IS NULL
       ORDER BY at DESC, items.id DESC LIMIT ?2`,
    [JSON.stringify(ids), most],
  );
  const items = rows.map(itemOf);
  const places = await locationsOfItems(database, items);
  return items.flatMap((item, index) => {
    const [location, row] = [places.get(item.id), rows[index]];
    if (location?.state !== 'there' || row === undefined || isHiddenName(item.name)) return [];
    return [{ item, location, at: row.at }];
  });
}

async function newestIn(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  { where, at }: TimeIndex,
  most: number,
): Promise<NewestItem[]> {
  const found: NewestItem[] = [];
  let last = { at: Number.MAX_SAFE_INTEGER, id: 0 };
  while (found.length < most) {
    const rows = await database.all<NewestRow>(
      `SELECT ${ITEM_COLUMNS}, ${at} AS at FROM items
       WHERE home_id = ?1 AND ${where} AND ${at} <= ?2
         AND (${at} < ?2 OR id < ?3) AND missing_since IS NULL
       ORDER BY ${at} DESC, id DESC LIMIT ?4`,
      [homeId, last.at, last.id, most],
    );
    const items = rows.map(itemOf);
    const places = await locationsOfItems(database, items);
    for (const [index, item] of items.entries()) {
      const [location, row] = [places.get(item.id), rows[index]];
      // During a move to another home, a tree temporarily has rows of both.
      const isThere = location?.state === 'there' && location.homeId === homeId && row !== undefined;
      if (isThere && !isHiddenName(item.name) && found.length < most) found.push({ item, location, at: row.at });
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

/** When files came to this disk or were last changed there, in milliseconds, by uuid; none for a file that was not read yet. */
export async function recentTimesOf(
  database: Pick<FilesDatabase, 'all'>,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database.all<{ uuid: string; at: number }>(
    `SELECT uuid, ${RECENT.at} AS at FROM items WHERE uuid IN (SELECT value FROM json_each(?)) AND ${RECENT.where}`,
    [JSON.stringify(uuids)],
  );
  return new Map(rows.map(({ uuid, at }) => [uuid, at / 1000]));
}

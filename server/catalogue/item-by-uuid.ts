import type { FilesDatabase } from '../database/database.ts';
import { ITEM_COLUMNS, type ItemRow, itemOf } from './items.ts';
import type { LocatedItem } from './newest.ts';
import { way } from './path-query.ts';
import { locationsOf } from './places.ts';

/** @returns null for an item that is not in the files of a home: an unknown, missing or deleted one */
export async function itemByUuid(database: Pick<FilesDatabase, 'all'>, uuid: string): Promise<LocatedItem | null> {
  const [row] = await database.all<ItemRow>(`SELECT ${ITEM_COLUMNS} FROM items WHERE uuid = ?`, [uuid]);
  if (row === undefined) return null;
  const item = itemOf(row);
  const location = (await locationsOf(database, [item.id])).get(item.id);
  return location?.state === 'there' ? { item, location } : null;
}

/** Whether the catalogue has an item at a path, in exactly this spelling. The root of a home counts. */
export async function isKnownAt(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  segments: readonly string[],
): Promise<boolean> {
  const name = segments.at(-1);
  if (name === undefined) return true;
  const rows = await database.all(
    `WITH RECURSIVE ${way('?1', '?2')}
     SELECT id FROM items WHERE parent_id = (SELECT id FROM way WHERE depth = ?3) AND name = ?4 AND missing_since IS NULL`,
    [homeId, JSON.stringify(['', ...segments.slice(0, -1)]), segments.length - 1, name],
  );
  return rows.length > 0;
}

/** The uuid of the item whose uuid begins like this; null unless there is exactly one. @param beginnings with whole groups of digits */
export async function uuidLike(
  database: Pick<FilesDatabase, 'all'>,
  beginnings: readonly string[],
): Promise<string | null> {
  const rows = await database.all<{ uuid: string }>(
    "SELECT uuid FROM json_each(?) CROSS JOIN items ON items.uuid >= value AND items.uuid < value || '~' LIMIT 2",
    [JSON.stringify(beginnings)],
  );
  return rows.length === 1 ? (rows[0]?.uuid ?? null) : null;
}

import type { FilesDatabase } from '../database/database.ts';
import { FILES_ROOT, type Item, TRASH_ROOT } from './items.ts';

/** The location of an item in the catalogue. */
export interface ItemLocation {
  readonly homeId: string;
  /** Below the root of the home's files, the item's own name last. For the trash, below its root. */
  readonly segments: readonly string[];
  /** The ids of the folders on the path, the root first. */
  readonly folders: readonly number[];
  /** `missing`: it, or a folder above it, is missing. */
  readonly state: 'there' | 'missing' | 'trashed';
}

interface UpRow {
  id: number;
  parent_id: number | null;
  home_id: string;
  name: string;
  missing_since: number | null;
}

/**
 * The locations of many items, with one statement: every parent folder is read once.
 * @returns by id, without items that are not in the catalogue
 */
export async function locationsOf(
  database: Pick<FilesDatabase, 'all'>,
  ids: readonly number[],
): Promise<Map<number, ItemLocation>> {
  const rows = await database.all<UpRow>(
    `WITH RECURSIVE up (id, parent_id, home_id, name, missing_since) AS (
       SELECT id, parent_id, home_id, name, missing_since FROM items WHERE id IN (SELECT value FROM json_each(?))
       UNION
       SELECT items.id, items.parent_id, items.home_id, items.name, items.missing_since
       FROM up CROSS JOIN items ON items.id = up.parent_id
     ) SELECT * FROM up`,
    [JSON.stringify(ids)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const known = new Map<number, ItemLocation>();

  function placeOf(row: UpRow): ItemLocation {
    const found = known.get(row.id);
    if (found !== undefined) return found;
    const parent = row.parent_id === null ? undefined : byId.get(row.parent_id);
    const location = parent === undefined ? rootPlace(row) : placeBelow(parent.id, placeOf(parent), row);
    known.set(row.id, location);
    return location;
  }

  const places = new Map<number, ItemLocation>();
  for (const id of ids) {
    const row = byId.get(id);
    if (row !== undefined) places.set(id, placeOf(row));
  }
  return places;
}

function rootPlace({ home_id: homeId, name }: UpRow): ItemLocation {
  const state = name === FILES_ROOT ? 'there' : name === TRASH_ROOT ? 'trashed' : 'missing';
  return { homeId, segments: [], folders: [], state };
}

function placeBelow(
  parentId: number,
  { homeId, segments, folders, state }: ItemLocation,
  row: Pick<UpRow, 'name' | 'missing_since'>,
): ItemLocation {
  return {
    homeId,
    segments: [...segments, row.name],
    folders: [...folders, parentId],
    state: state === 'there' && row.missing_since !== null ? 'missing' : state,
  };
}

/** The locations of items whose rows are given: only the parent folders are read. */
export async function locationsOfItems(
  database: Pick<FilesDatabase, 'all'>,
  items: readonly Pick<Item, 'id' | 'parentId' | 'name' | 'missingSince'>[],
): Promise<Map<number, ItemLocation>> {
  const parents = await locationsOf(database, [...new Set(items.flatMap(({ parentId }) => parentId ?? []))]);
  const places = new Map<number, ItemLocation>();
  for (const { id, parentId, name, missingSince } of items) {
    const above = parentId === null ? undefined : parents.get(parentId);
    if (above !== undefined && parentId !== null) {
      places.set(id, placeBelow(parentId, above, { name, missing_since: missingSince }));
    }
  }
  return places;
}

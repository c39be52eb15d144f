import { IS_PROVEN } from '../catalogue/items.ts';
import { locationsOf } from '../catalogue/places.ts';
import type { Database } from '../database/database.ts';
import type { SearchFolder } from './find-by-name.ts';

/** A content, as its size and digest. */
export interface Content {
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** How many copies of contents are located with one statement. */
const GROUP = 1_000;

/**
 * Which of some contents are in files below a folder. Files whose content is not known, or no longer proven, are left out, as are
 * those in the trash.
 */
export async function contentsBelow<Wanted extends Content>(
  database: Pick<Database, 'all'>,
  folder: Pick<SearchFolder, 'homeId' | 'itemId'>,
  requested: readonly Wanted[],
): Promise<Set<Wanted>> {
  return new Set((await located(database, folder, requested, { most: 1, areProven: true })).keys());
}

/**
 * Where copies of some contents are below a folder, those first whose content is proven. Others may have been changed since.
 * @param most of each content
 * @returns their names below the root of the home
 */
export async function copiesBelow<Wanted extends Content>(
  database: Pick<Database, 'all'>,
  folder: Pick<SearchFolder, 'homeId' | 'itemId'>,
  requested: readonly Wanted[],
  most: number,
): Promise<Map<Wanted, (readonly string[])[]>> {
  return located(database, folder, requested, { most, areProven: false });
}

async function located<Wanted extends Content>(
  database: Pick<Database, 'all'>,
  { homeId, itemId }: Pick<SearchFolder, 'homeId' | 'itemId'>,
  requested: readonly Wanted[],
  { most, areProven }: { most: number; areProven: boolean },
): Promise<Map<Wanted, (readonly string[])[]>> {
  const copies = await database.all<{ id: number; place: number; is_proven: number }>(
    `SELECT items.id, requested.key AS place, ${IS_PROVEN} AS is_proven
     FROM json_each(?) AS requested CROSS JOIN items
       ON items.sha256 = unhex(requested.value->>0) AND items.is_dir = 0 AND items.missing_since IS NULL
     WHERE items.size = requested.value->>1 AND items.home_id = ?${areProven ? ` AND ${IS_PROVEN}` : ''}`,
    [JSON.stringify(requested.map(({ sha256, size }) => [sha256, size])), homeId],
  );
  copies.sort((a, b) => b.is_proven - a.is_proven);
  const folderId = await itemId;
  const found = new Map<number, (readonly string[])[]>();
  for (let start = 0; start < copies.length; start += GROUP) {
    // Of most contents, the first copy is below the folder.
    const group = copies.slice(start, start + GROUP).filter(({ place }) => (found.get(place)?.length ?? 0) < most);
    const locations = await locationsOf(
      database,
      group.map(({ id }) => id),
    );
    for (const { id, place } of group) {
      const location = locations.get(id);
      if (location?.state !== 'there' || !location.folders.includes(folderId)) continue;
      found.set(place, [...(found.get(place) ?? []), location.segments]);
    }
  }
  return new Map(
    requested.flatMap((one, place) => {
      const places = found.get(place);
      return places === undefined ? [] : [[one, places.slice(0, most)] as const];
    }),
  );
}

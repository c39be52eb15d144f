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
  { homeId, itemId }: Pick<SearchFolder, 'homeId' | 'itemId'>,
  wanted: readonly Wanted[],
): Promise<Set<Wanted>> {
  const copies = await database.all<{ id: number; place: number }>(
    `SELECT items.id, wanted.key AS place
     FROM json_each(?) AS wanted CROSS JOIN items
       ON items.sha256 = unhex(wanted.value->>0) AND items.is_dir = 0 AND items.missing_since IS NULL
     WHERE items.size = wanted.value->>1 AND items.home_id = ? AND ${IS_PROVEN}`,
    [JSON.stringify(wanted.map(({ sha256, size }) => [sha256, size])), homeId],
  );
  const folderId = await itemId;
  const found = new Set<number>();
  for (let start = 0; start < copies.length; start += GROUP) {
    // Of most contents, the first copy is below the folder.
    const group = copies.slice(start, start + GROUP).filter(({ place }) => !found.has(place));
    const locations = await locationsOf(
      database,
      group.map(({ id }) => id),
    );
    for (const { id, place } of group) {
      const location = locations.get(id);
      if (location?.state === 'there' && location.folders.includes(folderId)) found.add(place);
    }
  }
  return new Set(wanted.filter((_, place) => found.has(place)));
}

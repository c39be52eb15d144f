import type { DatabaseReader } from '../database/database.ts';

/** Where the film in a photo is: bytes from the beginning of the file, as it was when it was read. */
interface PhotoFilm {
  readonly start: number;
  readonly length: number;
}

/** Those of some items that are photos with a film inside, by their uuids. */
export async function filmsInside(
  database: Pick<DatabaseReader, 'all'>,
  uuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (uuids.length === 0) return new Set();
  const rows = await database.all<{ uuid: string }>(
    `SELECT i.uuid FROM json_each(?1) w CROSS JOIN items i ON i.uuid = w.value
     CROSS JOIN embedded_films f ON f.item_id = i.id`,
    [JSON.stringify(uuids)],
  );
  return new Set(rows.map(({ uuid }) => uuid));
}

/** The film in a photo; null if it has none. The file may have changed since. */
export async function filmInside(database: Pick<DatabaseReader, 'all'>, itemId: number): Promise<PhotoFilm | null> {
  const [row] = await database.all<PhotoFilm>('SELECT start, length FROM embedded_films WHERE item_id = ?', [itemId]);
  return row ?? null;
}

import { cachedReads } from '../database/cached-reads.ts';
import type { FilesDatabase } from '../database/database.ts';
import { DAY } from '../lib/clock.ts';
import { itemsThere, type LocatedItem } from './newest.ts';
import { locationsOf } from './places.ts';

/** A month in which photos or films of a home were taken. */
export interface PhotoMonth {
  /** `2024-03`, on the clock where they were taken, or that of the household if a file does not say it. */
  readonly month: string;
  readonly photos: number;
  readonly films: number;
}

/** What is known of the photos and films of a home without reading their rows: from sums that are kept by folder. */
export interface PhotoTimeline {
  /** The newest first, without empty ones. */
  readonly months: readonly PhotoMonth[];
  /** Photos and films of all months. */
  readonly total: number;
  /** Folders that have photos but are not in their place: in the trash, or missing. */
  readonly elsewhere: readonly number[];
}

/** Photos and films with what the clock said when they were taken, in milliseconds as if it were UTC. */
export interface DatedItem extends LocatedItem {
  readonly local: number;
}

/** Homes whose months are kept in memory. */
const KEPT = 200;

/** The months of a home, kept until the next change of any file, or of what is known of photos. */
export function createPhotoTimelines(
  database: Pick<FilesDatabase, 'all' | 'unchangedSince'>,
): (homeId: string) => Promise<PhotoTimeline> {
  return cachedReads(database, 'photos', KEPT, (homeId: string) => photoTimeline(database, homeId));
}

/** The months of a home. They sum what each of its folders has, so they take as long as there are folders with photos. */
export async function photoTimeline(database: Pick<FilesDatabase, 'all'>, homeId: string): Promise<PhotoTimeline> {
  const folders = await database.all<{ folder_id: number; months: string }>(
    `SELECT folder_id, json_group_array(json_array(month, photos, films)) AS months FROM photo_counts
     WHERE home_id = ? GROUP BY folder_id`,
    [homeId],
  );
  const places = await locationsOf(
    database,
    folders.map(({ folder_id: id }) => id),
  );
  const elsewhere: number[] = [];
  const sums = new Map<number, { photos: number; films: number }>();
  for (const { folder_id: id, months } of folders) {
    const place = places.get(id);
    // During a move to another home, a tree temporarily has rows of both.
    if (place?.state !== 'there' || place.homeId !== homeId) {
      elsewhere.push(id);
      continue;
    }
    for (const [month, photos, films] of JSON.parse(months) as [number, number, number][]) {
      const sum = sums.get(month) ?? { photos: 0, films: 0 };
      sums.set(month, { photos: sum.photos + photos, films: sum.films + films });
    }
  }
  const months = [...sums]
    .sort(([a], [b]) => b - a)
    .map(([month, { photos, films }]) => ({ month: monthText(month), photos, films }));
  return { months, total: months.reduce((sum, { photos, films }) => sum + photos + films, 0), elsewhere };
}

/**
 * Photos and films of a home, the newest first, by the clock where they were taken. Reads the index of a month and those rows, so
 * every month is found equally fast.
 * @param start how many newer ones there are @param limit how many at most; fewer if some have just disappeared
 */
export async function photosFrom(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  { months, elsewhere }: PhotoTimeline,
  start: number,
  limit: number,
): Promise<DatedItem[]> {
  let before = 0;
  const first = months.find(({ photos, films }) => {
    const isWithin = start < before + photos + films;
    if (!isWithin) before += photos + films;
    return isWithin;
  });
  if (first === undefined) return [];
  const rows = await database.all<{ item_id: number; local: number }>(
    `SELECT item_id, local FROM photos WHERE home_id = ?1 AND local < ?2 AND ${SHOWN}
     ORDER BY local DESC, item_id DESC LIMIT ?4 OFFSET ?5`,
    [homeId, monthAfter(first.month), JSON.stringify(elsewhere), limit, start - before],
  );
  return dated(database, rows);
}

async function dated(
  database: Pick<FilesDatabase, 'all'>,
  rows: readonly { readonly item_id: number; readonly local: number }[],
): Promise<DatedItem[]> {
  const times = new Map(rows.map(({ item_id: id, local }) => [id, local]));
  const there = await itemsThere(database, [...times.keys()]);
  return there.map((placed) => ({ ...placed, local: times.get(placed.item.id) ?? 0 }));
}

/** What the clock said when photos and films were taken, in milliseconds as if it were UTC, by uuid. */
export async function localTimesOf(
  database: Pick<FilesDatabase, 'all'>,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database.all<{ uuid: string; local: number }>(
    `SELECT items.uuid, local FROM items JOIN photos ON item_id = items.id
     WHERE items.uuid IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(uuids)],
  );
  return new Map(rows.map(({ uuid, local }) => [uuid, local]));
}

/**
 * How many photos and films of a home are newer than an item; -1 if it is none of them. What is part of another one is where that
 * one is.
 */
export async function photoIndexOf(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  { months, elsewhere }: PhotoTimeline,
  itemId: number,
): Promise<number> {
  const [photo] = await database.all<{ item_id: number; local: number; folder_id: number }>(
    `WITH RECURSIVE whole (id) AS (
       SELECT ?1 UNION SELECT part_of FROM whole CROSS JOIN photos ON item_id = whole.id WHERE part_of IS NOT NULL
     ) SELECT item_id, local, folder_id FROM whole CROSS JOIN photos ON item_id = whole.id
       WHERE home_id = ?2 AND part_of IS NULL`,
    [itemId, homeId],
  );
  if (photo === undefined || elsewhere.includes(photo.folder_id)) return -1;
  const own = monthAt(photo.local);
  const newer = months.reduce((sum, { month, photos, films }) => (month > own ? sum + photos + films : sum), 0);
  const [inMonth] = await database.all<{ count: number }>(
    `SELECT count(*) AS count FROM photos WHERE home_id = ?1 AND local >= ?2 AND local < ?4 AND ${SHOWN}
       AND (local > ?2 OR item_id > ?5)`,
    [homeId, photo.local, JSON.stringify(elsewhere), monthAfter(own), photo.item_id],
  );
  return newer + (inMonth?.count ?? 0);
}

/**
 * Photos and films that were taken on a calendar day, for several years at once.
 * @param days the beginnings of days, in milliseconds as if they were in UTC @param most of each day
 * @returns for each of these days on which there are any: how many, and the last of them
 */
export async function photosOfDays(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  { elsewhere }: Pick<PhotoTimeline, 'elsewhere'>,
  days: readonly number[],
): Promise<{ readonly day: number; readonly photos: number; readonly films: number; readonly last: LocatedItem }[]> {
  const rows = await database.all<{ day: number; photos: number; films: number; last: number }>(
    `SELECT day.value AS day, count(*) - sum(is_film) AS photos, sum(is_film) AS films, max(local), item_id AS last
     FROM json_each(?2) day CROSS JOIN photos
     WHERE home_id = ?1 AND local >= day.value AND local < day.value + ${DAY} AND ${SHOWN}
     GROUP BY day.value ORDER BY day.value DESC`,
    [homeId, JSON.stringify(days), JSON.stringify(elsewhere)],
  );
  const lasts = await itemsThere(
    database,
    rows.map(({ last }) => last),
  );
  const byId = new Map(lasts.map((placed) => [placed.item.id, placed]));
  return rows.flatMap(({ day, photos, films, last }) => {
    const placed = byId.get(last);
    return placed === undefined ? [] : [{ day, photos, films, last: placed }];
  });
}

/** A photo or film that is shown as one with another: the film of a Live Photo, or a photo of a burst. */
export interface PhotoPart {
  /** The name of its file, which is in the same folder; otherwise the path for its caller. */
  readonly name: string;
  readonly isFilm: boolean;
  /** Of a film: the name of its photo. */
  readonly filmOf: string | null;
  /** The name as it is shown, if `name` is a path. */
  readonly label?: string;
  /** Whether it is a photo with a film inside of its file. */
  readonly hasFilm: boolean;
}

/** What is part of photos, by the ids of those that stand for them: photos in the order in which they were taken, then films. */
export async function partsOfPhotos(
  database: Pick<FilesDatabase, 'all'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly PhotoPart[]>> {
  const rows = await database.all<{ whole: number; name: string; film: number; still: string; inside: number }>(
    `WITH RECURSIVE parts (whole, id, of, is_film, local) AS (
       SELECT part_of, item_id, part_of, is_film, local FROM json_each(?) CROSS JOIN photos ON part_of = value
       UNION ALL
       SELECT whole, p.item_id, p.part_of, p.is_film, p.local FROM parts CROSS JOIN photos p ON p.part_of = parts.id
     ) SELECT whole, own.name, is_film AS film, still.name AS still,
         EXISTS (SELECT 1 FROM embedded_films f WHERE f.item_id = own.id) AS inside
       FROM parts CROSS JOIN items own ON own.id = parts.id CROSS JOIN items still ON still.id = parts.of
       ORDER BY whole, is_film, local, parts.id`,
    [JSON.stringify(ids)],
  );
  const parts = new Map<number, PhotoPart[]>();
  for (const { whole, name, film, still, inside } of rows) {
    const part = { name, isFilm: film === 1, filmOf: film === 1 ? still : null, hasFilm: film === 0 && inside === 1 };
    parts.set(whole, [...(parts.get(whole) ?? []), part]);
  }
  return parts;
}

/** What a photo or film is part of. */
interface PartOf {
  /** The id of the photo that stands for it. */
  readonly whole: number;
  /** Of a film: the id of its photo, which may itself be part of a burst. */
  readonly filmOf: number | null;
}

/**
 * Of some photos and films, those that are part of another one of them: photos of a burst, and films of Live Photos.
 * @param ids of items
 */
export async function partsAmong(
  database: Pick<FilesDatabase, 'all'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PartOf>> {
  const rows = await database.all<{ id: number; of: number; film: number }>(
    `WITH own (id) AS (SELECT value FROM json_each(?1))
     SELECT part.item_id AS id, part.part_of AS of, part.is_film AS film
     FROM own CROSS JOIN photos part ON part.item_id = own.id CROSS JOIN photos still ON still.item_id = part.part_of
     WHERE still.is_film = 0 AND still.item_id IN (SELECT id FROM own)`,
    [JSON.stringify(ids)],
  );
  const burst = new Map(rows.flatMap(({ id, of, film }) => (film === 0 ? [[id, of]] : [])));
  return new Map(rows.map(({ id, of, film }) => [id, { whole: burst.get(of) ?? of, filmOf: film === 0 ? null : of }]));
}

/** A Live Photo: the names of the photo and its films, which are in one folder. Empty for anything else. @param id of any of these */
export async function livePhotoOf(database: Pick<FilesDatabase, 'all'>, id: number): Promise<readonly string[]> {
  const rows = await database.all<{ name: string }>(
    `WITH whole (id) AS (
       SELECT CASE WHEN is_film = 1 THEN part_of ELSE item_id END FROM photos WHERE item_id = ?1
     ), films (id, still) AS (
       SELECT p.item_id, whole.id FROM whole CROSS JOIN photos p ON p.part_of = whole.id AND p.is_film = 1
     ) SELECT items.name FROM (SELECT DISTINCT still AS id, 0 AS film FROM films UNION ALL SELECT id, 1 FROM films) own
       CROSS JOIN items ON items.id = own.id ORDER BY film, own.id`,
    [id],
  );
  return rows.map(({ name }) => name);
}

/**
 * What is shown by itself, and not as a part of another one. Leaves out folders that are not in their place; the parameter 3 has
 * their ids.
 */
const SHOWN = 'part_of IS NULL AND folder_id NOT IN (SELECT value FROM json_each(?3))';

/** @param month since the year 0 */
function monthText(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
}

function monthAt(local: number): string {
  return new Date(local).toISOString().slice(0, 7);
}

/** The beginning of the month after one, as if in UTC. */
function monthAfter(text: string): number {
  const [year = 0, month = 1] = text.split('-').map(Number);
  return Date.UTC(year, month, 1);
}

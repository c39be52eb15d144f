import { cachedReads } from '../database/cached-reads.ts';
import type { FilesDatabase } from '../database/database.ts';
import { itemsThere } from './newest.ts';
import type { DatedItem, PhotoTimeline } from './photos.ts';

/** A part of the map, in degrees. It may go beyond 180° east or west, and is at most as wide as the world. */
export interface MapArea {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Photos and films near each other. */
export interface PhotoCluster {
  readonly count: number;
  /** The least area with all of them. */
  readonly area: MapArea;
  /** The middle of where they were taken, in degrees; the longitude is one of the area that was asked for. */
  readonly latitude: number;
  readonly longitude: number;
  /** The one that was recorded last. */
  readonly last: number;
}

type ClusterRow = Omit<PhotoCluster, 'area'> & MapArea;

/** Clusters of an area, which are so many at most. */
const MAX_CLUSTERS = 200;

/** Views that are kept in memory, of all homes together. */
const KEPT = 100;

/** @returns the clusters of a home in an area, by cells of a size in degrees */
export type PhotoMap = (homeId: string, area: MapArea, cell: number) => Promise<readonly PhotoCluster[]>;

/**
 * The clusters of views, kept until the next change of any file, or of what is known of photos. They are of a home, whoever looks at it,
 * so callers have to be allowed to see all of it.
 * @param timelineOf as of `createPhotoTimelines`: read together with them, so that both are of the same state
 */
export function createPhotoMap(
  database: Pick<FilesDatabase, 'all' | 'unchangedSince'>,
  timelineOf: (homeId: string) => Promise<PhotoTimeline>,
): PhotoMap {
  const clustersOf = cachedReads(database, 'photos', KEPT, async (key: string) => {
    const [homeId, area, cell] = JSON.parse(key) as [string, MapArea, number];
    return photoClusters(database, homeId, await timelineOf(homeId), area, cell);
  });
  return (homeId, { west, south, east, north }, cell) =>
    clustersOf(JSON.stringify([homeId, { west, south, east, north }, cell]));
}

/**
 * The photos and films of a home in an area, by the cells of a grid that is the same wherever the area is.
 * @param cell the width and height of a cell, in degrees
 */
export async function photoClusters(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  { elsewhere }: Pick<PhotoTimeline, 'elsewhere'>,
  { west, south, east, north }: MapArea,
  cell: number,
): Promise<PhotoCluster[]> {
  const rows = await database.all<ClusterRow>(
    `SELECT count(*) AS count, avg(latitude) AS latitude, avg(shown) AS longitude, max(item_id) AS last,
       min(latitude) AS south, max(latitude) AS north, min(shown) AS west, max(shown) AS east
     FROM (SELECT item_id, latitude, CASE WHEN longitude < ?5 THEN longitude + 360
         WHEN longitude > ?6 THEN longitude - 360 ELSE longitude END AS shown
       FROM photo_places WHERE ${WITHIN})
     GROUP BY CAST((latitude + 90) / ?7 AS INTEGER), CAST((shown + 540) / ?7 AS INTEGER)
     ORDER BY count DESC, last DESC LIMIT ${MAX_CLUSTERS}`,
    [homeId, JSON.stringify(elsewhere), south, north, west, east, cell],
  );
  return rows.map(({ count, latitude, longitude, last, ...area }) => ({ count, latitude, longitude, last, area }));
}

/** Photos and films that were taken in an area, the newest first. @param limit how many at most */
export async function photosWithin(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  { elsewhere }: Pick<PhotoTimeline, 'elsewhere'>,
  { west, south, east, north }: MapArea,
  limit: number,
): Promise<DatedItem[]> {
  const rows = await database.all<{ id: number; local: number }>(
    `SELECT photos.item_id AS id, local FROM (SELECT item_id FROM photo_places WHERE ${WITHIN}) AS placed
     CROSS JOIN photos ON photos.item_id = placed.item_id ORDER BY local DESC, id DESC LIMIT ?7`,
    [homeId, JSON.stringify(elsewhere), south, north, west, east, limit],
  );
  const times = new Map(rows.map(({ id, local }) => [id, local]));
  const there = await itemsThere(database, [...times.keys()]);
  return there.map((placed) => ({ ...placed, local: times.get(placed.item.id) ?? 0 }));
}

const WITHIN = `home_id = ?1 AND latitude BETWEEN ?3 AND ?4
  AND (longitude BETWEEN ?5 AND ?6 OR longitude + 360 BETWEEN ?5 AND ?6 OR longitude - 360 BETWEEN ?5 AND ?6)
  AND folder_id NOT IN (SELECT value FROM json_each(?2))`;

import type { FilesDatabase } from '../database/database.ts';
import { itemsThere } from './newest.ts';
import type { DatedItem, PhotoTimeline } from './photos.ts';

/** A part of the map, in degrees. It does not go beyond 180° east or west. */
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
  /** The middle of where they were taken, in degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** The one that was recorded last. */
  readonly last: number;
}

type ClusterRow = Omit<PhotoCluster, 'area'> & MapArea;

/** Clusters of an area, which are so many at most. */
const MAX_CLUSTERS = 200;

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
    `SELECT count(*) AS count, avg(latitude) AS latitude, avg(longitude) AS longitude, max(item_id) AS last,
       min(latitude) AS south, max(latitude) AS north, min(longitude) AS west, max(longitude) AS east
     FROM photo_places WHERE ${WITHIN}
     GROUP BY CAST((latitude + 90) / ?7 AS INTEGER), CAST((longitude + 180) / ?7 AS INTEGER)
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

const WITHIN = `home_id = ?1 AND latitude BETWEEN ?3 AND ?4 AND longitude BETWEEN ?5 AND ?6
  AND folder_id NOT IN (SELECT value FROM json_each(?2))`;

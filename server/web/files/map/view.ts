import type { MapArea } from '../../../catalogue/photo-places.ts';
import { heightOf } from './scale.ts';

/** What the map shows: its middle in degrees, and how often the width of the world was halved. */
export interface MapView {
  readonly latitude: number;
  readonly longitude: number;
  readonly zoom: number;
}

/** Where the outline of the land is still of use. */
const MAX_ZOOM = 10;
/** Cells along the width of the map: on a phone, they are about as large as the pictures of places. */
const COLUMNS = 10;

/** The width of a view, in degrees. */
const widthOf = (zoom: number): number => 360 / 2 ** zoom;

/** Where tiles are still sharp: a tile has 256 pixels, and the map about four times as many. */
export const maxZoomOf = (tiles: { readonly zoom: number } | null): number =>
  tiles === null ? MAX_ZOOM : Math.max(1, tiles.zoom - 2);

/**
 * A view that does not go beyond the poles. The whole world is shown from 180° W to 180° E; nearer views go on beyond that. Anything but
 * numbers is the whole world.
 */
export function viewOf(latitude: number, longitude: number, zoom: number, most = MAX_ZOOM): MapView {
  const level = within(zoom, 0, most);
  const width = widthOf(level);
  const height = heightOf(within(latitude, -90, 90), width);
  return {
    latitude: within(latitude, -90 + height / 2, 90 - height / 2),
    longitude: level === 0 || !Number.isFinite(longitude) ? 0 : aroundWorld(longitude),
    zoom: level,
  };
}

/** Around places that are near each other: their country, not their street. */
const NEAREST = 6;
/** The part of the width and height that places take: their pictures stand out beyond them. */
const FILLED = 0.7;
/** Near the poles, the height of places in degrees says little about their distance. */
const LEAST_SHAPE = 0.2;

/** The view that shows all of these areas; without any, the whole world. @param most the largest zoom of the map */
export function viewAround(areas: readonly MapArea[], most = MAX_ZOOM): MapView {
  if (areas.length === 0) return viewOf(0, 0, 0);
  const [west, east] = narrowest(areas);
  const [south, north] = [Math.min(...areas.map((one) => one.south)), Math.max(...areas.map((one) => one.north))];
  // As high as places in the shape of the land need, which is most.
  const shape = Math.max(LEAST_SHAPE, Math.cos((((south + north) / 2) * Math.PI) / 180));
  const width = Math.max(east - west, ((north - south) * 2) / shape) / FILLED;
  const zoom = Math.min(most, NEAREST, width === 0 ? NEAREST : Math.log2(360 / width));
  // A little less than the world is no help.
  return zoom < 1 ? viewOf(0, 0, 0) : viewOf((south + north) / 2, (west + east) / 2, zoom, most);
}

/** The narrowest part of the way around the world with all of these areas, from west to east: it may go beyond 180° E. */
function narrowest(areas: readonly MapArea[]): [west: number, east: number] {
  const sorted = [...areas].sort((a, b) => a.west - b.west);
  const first = sorted[0]?.west ?? 0;
  let reached = first;
  let found: { readonly gap: number; readonly west: number; readonly east: number } | null = null;
  for (const { west, east } of sorted) {
    const gap = west - reached;
    if (gap > (found?.gap ?? 0)) found = { gap, west, east: reached };
    reached = Math.max(reached, east);
  }
  // What is left of the world goes on from its eastern to its western edge.
  if (found === null || found.gap <= first + 360 - reached) return [first, reached];
  return [found.west, found.east + 360];
}

/** A longitude from 180° W to 180° E. */
export function aroundWorld(longitude: number): number {
  return Math.abs(longitude) <= 180 ? longitude : longitude - 360 * Math.round(longitude / 360);
}

/** The same longitude as an area has it, which may go beyond 180° E or W; outside of all others as it is. */
export function shownAt(longitude: number, { west, east }: Pick<MapArea, 'west' | 'east'>): number {
  if (longitude < west && longitude + 360 <= east) return longitude + 360;
  return longitude > east && longitude - 360 >= west ? longitude - 360 : longitude;
}

export function areaOf({ latitude, longitude, zoom }: MapView): MapArea {
  const width = widthOf(zoom);
  const height = heightOf(latitude, width);
  return {
    west: longitude - width / 2,
    east: longitude + width / 2,
    south: latitude - height / 2,
    north: latitude + height / 2,
  };
}

/** Width and height of the cells, in degrees: the same for all views of a whole level. */
export const cellOf = ({ zoom }: MapView): number => widthOf(Math.floor(zoom)) / COLUMNS;

function within(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : Math.max(0, least);
}

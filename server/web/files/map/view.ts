import type { MapArea } from '../../../catalogue/photo-places.ts';
import { heightOf } from './scale.ts';

/** What the map shows: its middle in degrees, and how often the width of the world was halved. */
export interface MapView {
  readonly latitude: number;
  readonly longitude: number;
  readonly zoom: number;
}

/** Where the outline of the land is still of use. */
export const MAX_ZOOM = 10;
/** Cells along the width of the map: on a phone, they are about as large as the pictures of places. */
const COLUMNS = 10;

/** The width of a view, in degrees. */
const widthOf = (zoom: number): number => 360 / 2 ** zoom;

/** Where tiles are still sharp: a tile has 256 pixels, and the map about four times as many. */
export const maxZoomOf = (tiles: { readonly zoom: number } | null): number =>
  tiles === null ? MAX_ZOOM : Math.max(1, tiles.zoom - 2);

/** A view that does not go beyond the edges of the world. Anything but numbers is the whole world. */
export function viewOf(latitude: number, longitude: number, zoom: number, most = MAX_ZOOM): MapView {
  const level = within(zoom, 0, most);
  const width = widthOf(level);
  const height = heightOf(within(latitude, -90, 90), width);
  return {
    latitude: within(latitude, -90 + height / 2, 90 - height / 2),
    longitude: within(longitude, -180 + width / 2, 180 - width / 2),
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
  const [west, east] = [Math.min(...areas.map((one) => one.west)), Math.max(...areas.map((one) => one.east))];
  const [south, north] = [Math.min(...areas.map((one) => one.south)), Math.max(...areas.map((one) => one.north))];
  // As high as places in the shape of the land need, which is most.
  const shape = Math.max(LEAST_SHAPE, Math.cos((((south + north) / 2) * Math.PI) / 180));
  const width = Math.max(east - west, ((north - south) * 2) / shape) / FILLED;
  const zoom = Math.min(most, NEAREST, width === 0 ? NEAREST : Math.log2(360 / width));
  // A little less than the world is no help.
  return zoom < 1 ? viewOf(0, 0, 0) : viewOf((south + north) / 2, (west + east) / 2, zoom, most);
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

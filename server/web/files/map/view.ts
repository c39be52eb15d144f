import type { MapArea } from '../../../catalogue/photo-places.ts';

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

/** The width of a view, in degrees. Its height is half of that. */
const widthOf = (zoom: number): number => 360 / 2 ** zoom;

/** Where tiles are still sharp: a tile has 256 pixels, and the map about four times as many. */
export const maxZoomOf = (tiles: { readonly zoom: number } | null): number =>
  tiles === null ? MAX_ZOOM : Math.max(1, tiles.zoom - 2);

/** A view that does not go beyond the edges of the world. Anything but numbers is the whole world. */
export function viewOf(latitude: number, longitude: number, zoom: number, most = MAX_ZOOM): MapView {
  const level = within(zoom, 0, most);
  const half = widthOf(level) / 2;
  return {
    latitude: within(latitude, -90 + half / 2, 90 - half / 2),
    longitude: within(longitude, -180 + half, 180 - half),
    zoom: level,
  };
}

export function areaOf({ latitude, longitude, zoom }: MapView): MapArea {
  const half = widthOf(zoom) / 2;
  return {
    west: longitude - half,
    east: longitude + half,
    south: latitude - half / 2,
    north: latitude + half / 2,
  };
}

/** Width and height of the cells, in degrees: the same for all views of a whole level. */
export const cellOf = ({ zoom }: MapView): number => widthOf(Math.floor(zoom)) / COLUMNS;

function within(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : Math.max(0, least);
}

// The tiles of an outside source, which the owner has set, below the places of the map. They are of the Mercator projection, and the map
// is not: each is put between its own latitudes, so that all of its edges are where they belong. Nearer than a continent, its shape
// stays nearly what it is.

import { make } from '../lib/dom.ts';

/** Pixels of the side of a tile. */
const SIDE = 256;
/** Milliseconds after the last movement, when further tiles are requested. */
const SETTLED = 200;
/** Milliseconds until a tile that failed is requested again. */
const AGAIN = 30_000;
/** Where the Mercator projection of tiles ends, in degrees. */
const END = 85.051;

/** The part of the world that the map shows, in degrees from 180° W and 90° N. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Latitude of the northern edge of a row, in degrees. */
const latitudeOf = (row: number, level: number): number =>
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** level))) * 180) / Math.PI;

function rowOf(latitude: number, level: number): number {
  const angle = (Math.min(END, Math.max(-END, latitude)) * Math.PI) / 180;
  return ((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * 2 ** level;
}

/** A column of the world, for one that is further around it. */
const around = (column: number, count: number): number => ((column % count) + count) % count;

/**
 * @param view the element of the map
 * @param template of the addresses, with `{z}`, `{x}` and `{y}`
 * @param most the largest level
 * @returns shows the tiles of a part of the world
 */
export function attachTiles(view: HTMLElement, template: string, most: number): (box: Box) => void {
  const layer = make('div', { class: 'map-tiles', 'aria-hidden': 'true' });
  view.querySelector('.map-places')?.before(layer);
  const tiles = new Map<string, HTMLImageElement>();
  /** When they failed. The outline below stays visible there. */
  const failed = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: Box | null = null;

  function put(tile: HTMLImageElement, box: Box): void {
    const [level = 0, column = 0, row = 0] = (tile.dataset.tile ?? '').split('/').map(Number);
    const width = 360 / 2 ** level;
    const [north, south] = [latitudeOf(row, level), latitudeOf(row + 1, level)];
    const part = (value: number, whole: number) => `${(value / whole) * 100}%`;
    tile.style.left = part(column * width - box.x, box.width);
    tile.style.width = part(width, box.width);
    tile.style.top = part(90 - north - box.y, box.height);
    tile.style.height = part(north - south, box.height);
  }

  function load(box: Box): void {
    const pixels = (view.clientWidth * 360) / box.width;
    const level = Math.min(most, Math.max(0, Math.round(Math.log2(pixels / SIDE))));
    const last = 2 ** level - 1;
    const first = (value: number) => Math.min(last, Math.max(0, Math.floor(value)));
    // The view may go on beyond 180° east and west.
    const columnAt = (x: number) => (x / 360) * 2 ** level;
    const [west, east] = [Math.floor(columnAt(box.x)), Math.ceil(columnAt(box.x + box.width)) - 1];
    const rows = [first(rowOf(90 - box.y, level)), first(rowOf(90 - box.y - box.height, level))] as const;
    const wanted = new Set<string>();
    for (let column = west; column <= east; column += 1)
      for (let row = rows[0]; row <= rows[1]; row += 1) wanted.add(`${level}/${column}/${row}`);
    for (const [key, tile] of tiles) {
      if (wanted.has(key)) continue;
      tile.remove();
      tiles.delete(key);
    }
    for (const key of wanted) if (!tiles.has(key) && Date.now() - (failed.get(key) ?? 0) >= AGAIN) add(key, box);
  }

  function add(key: string, box: Box): void {
    const [z = '', x = '', y = ''] = key.split('/');
    const tile = make('img', { alt: '', 'data-tile': key, draggable: 'false' });
    // Without cookies; and large sources refuse requests that do not say from which site they come, so they get the origin alone.
    tile.crossOrigin = 'anonymous';
    tile.referrerPolicy = 'strict-origin';
    tile.decoding = 'async';
    tile.addEventListener('error', () => {
      failed.set(key, Date.now());
      tile.remove();
      tiles.delete(key);
    });
    tile.src = template
      .replace('{z}', z)
      .replace('{x}', String(around(Number(x), 2 ** Number(z))))
      .replace('{y}', y);
    put(tile, box);
    tiles.set(key, tile);
    layer.append(tile);
  }

  return (box) => {
    for (const tile of tiles.values()) put(tile, box);
    const isFirst = shown === null;
    shown = box;
    clearTimeout(timer);
    if (isFirst) load(box);
    else timer = setTimeout(() => shown !== null && view.isConnected && load(shown), SETTLED);
  };
}

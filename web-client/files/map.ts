// The map of photos: moved and enlarged by mouse, touch and keys. The server finds the places of each view.

import { heightOf } from '../../server/web/files/map/scale.ts';
import { elements, required } from '../lib/dom.ts';
import { shownAddress, showsNow } from './list/page-address.ts';
import { main } from './page.ts';

/** Degrees of the whole world. */
const WORLD = { width: 360 };
/** Enlargement of a key, and per pixel of the wheel. */
const KEY_ZOOM = 2;
const WHEEL = 0.002;
/** The part of the view by which a key moves it. */
const STEP = 0.25;
/** Milliseconds after the last movement, when the places of the view are requested. */
const SETTLED = 250;
/** Pixels after which a press is a movement, and no click. */
const MOVED = 6;

/** The north-west corner, in degrees from 180° W and 90° N, and the sides. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What is around the map, of each of its pages. */
const AROUND = ['.head', '.map-zoom', '.listing'];

type ShowPage = (
  address: string,
  options: { readonly isPushed: false; readonly isRefresh: true; readonly top: number; readonly announced: string },
) => Promise<void>;

/**
 * The map itself stays, with the pointers, the focus and the view that it has by then; only what it shows is replaced.
 *
 * @param showPage replaces the page by that of an address
 * @returns shows another page of the map, whose elements it takes; false if this is not the page of a map, or the map
 * is no longer there
 */
export function attachMap(section: HTMLElement, showPage: ShowPage): (fresh: ParentNode) => boolean {
  const view = required<HTMLElement>(section, '.map-view');
  const world = required<SVGSVGElement>(section, '.world');
  const least = WORLD.width / 2 ** Number(section.dataset.max);
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Of the places that are there. */
  let known = boxOf(world);
  let box = known;
  /** The address of the page that the map shows or has requested. */
  let current = shownAddress();

  let drawTiles: ((shown: Box) => void) | null = null;
  const { tiles: template, tileZoom } = section.dataset;
  if (template !== undefined) {
    void import('./map-tiles.ts').then(({ attachTiles }) => {
      drawTiles = attachTiles(view, template, Number(tileZoom));
      drawTiles(box);
    });
  }

  section.classList.add('live-map');
  view.tabIndex = 0;
  view.role = 'group';
  view.ariaLabel = section.ariaLabel;
  view.setAttribute('aria-describedby', 'map-keys');
  draw();

  function draw(): void {
    const { x, y, width, height } = box;
    world.setAttribute('viewBox', [x, y, width, height].map((one) => String(one * 10)).join(' '));
    drawTiles?.(box);
    // The places that are there move along, until those of the new view come.
    const part = (value: number, whole: number) => `${(value / whole) * 100}%`;
    for (const place of elements<HTMLElement>(view, '.map-labels li, .map-places li')) {
      place.style.left = part(known.x + Number(place.dataset.x) * known.width - x, width);
      place.style.top = part(known.y + Number(place.dataset.y) * known.height - y, height);
    }
  }

  function replace(fresh: ParentNode): boolean {
    const next = fresh.querySelector<HTMLElement>('.photo-map');
    if (!section.isConnected || next === null) return false;
    const isPlaceFocused = required(view, '.map-places').contains(document.activeElement);
    const focused = document.activeElement?.closest<HTMLElement>('[data-zoom]')?.dataset.zoom;
    known = boxOf(required(next, '.world'));
    // A view that was requested from here may have been moved since.
    if (current !== shownAddress()) {
      clearTimeout(timer);
      current = shownAddress();
      box = known;
    }
    // The same places, as near to the view as they are around the world.
    known = turned(known, Math.round((box.x - known.x) / WORLD.width));
    for (const list of ['.map-labels', '.map-places']) required(view, list).replaceWith(required(next, list));
    draw();
    for (const part of AROUND) {
      const [old, other] = [main.querySelector(part), fresh.querySelector(part)];
      if (old === null && other !== null) main.append(other);
      else if (other === null) old?.remove();
      else old?.replaceWith(other);
    }
    if (focused !== undefined) main.querySelector<HTMLElement>(`[data-zoom="${focused}"]`)?.focus();
    else if (isPlaceFocused) view.focus({ preventScroll: true });
    return true;
  }

  const widthFor = (width: number) => Math.min(WORLD.width, Math.max(least, width));
  const centre = () => ({ latitude: 90 - box.y - box.height / 2, longitude: box.x + box.width / 2 - 180 });

  /** @param latitude of the middle; it stays within the world @param longitude of the middle, around the world */
  function show(latitude: number, longitude: number, width: number): void {
    const room = 90 - heightOf(within(latitude, 90), width) / 2;
    const middle = within(latitude, Math.max(0, room));
    const height = heightOf(middle, width);
    // Where the world ends on one side, it goes on from the other one.
    const turns = width === WORLD.width ? 0 : Math.round(longitude / WORLD.width);
    const x = width === WORLD.width ? 0 : longitude - turns * WORLD.width + 180 - width / 2;
    const y = 90 - middle - height / 2;
    known = turned(known, -turns);
    if (x === box.x && y === box.y && width === box.width) return;
    box = { x, y, width, height };
    draw();
    clearTimeout(timer);
    timer = setTimeout(() => void settle(), SETTLED);
  }

  /** @param at the point that stays where it is, as parts of the view */
  function zoom(by: number, { x, y }: Point = { x: 0.5, y: 0.5 }): void {
    const width = widthFor(box.width / by);
    const [right, down] = [box.x + box.width * x - 180, 90 - box.y - box.height * y];
    // The height depends on the middle, which depends on the height.
    const near = down + heightOf(centre().latitude, width) * (y - 0.5);
    show(down + heightOf(near, width) * (y - 0.5), right + width * (0.5 - x), width);
  }

  function move(x: number, y: number): void {
    const { latitude, longitude } = centre();
    show(latitude - y * box.height, longitude + x * box.width, box.width);
  }

  /** Requests the places, and shows the page with them. */
  async function settle(): Promise<void> {
    if (!section.isConnected || pointers.size > 0) return;
    const level = Math.log2(WORLD.width / box.width);
    const address = new URL(section.dataset.address ?? '', location.href);
    if (level > 0) {
      const { latitude, longitude } = centre();
      address.searchParams.set('lat', latitude.toFixed(7));
      address.searchParams.set('lon', longitude.toFixed(7));
    }
    address.searchParams.set('zoom', String(Number(level.toFixed(2))));
    current = address.href;
    showsNow(address.href);
    await showPage(address.href, { isPushed: false, isRefresh: true, top: scrollY, announced: '.heading .meta' });
  }

  const inView = ({ clientX, clientY }: MouseEvent): Point => {
    const area = view.getBoundingClientRect();
    return { x: (clientX - area.left) / area.width, y: (clientY - area.top) / area.height };
  };

  const pointers = new Map<number, Point>();
  let moved = 0;
  view.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, inView(event));
  });
  view.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = inView(event);
    moved += Math.hypot((now.x - before.x) * view.clientWidth, (now.y - before.y) * view.clientHeight);
    if (moved < MOVED) return;
    // From then on, places are no links, and nothing leaves the map.
    if (!view.hasPointerCapture(event.pointerId)) view.setPointerCapture(event.pointerId);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    if (other === undefined) return move(before.x - now.x, before.y - now.y);
    const apart = (point: Point) => Math.hypot(point.x - other.x, (point.y - other.y) / 2);
    zoom(apart(now) / Math.max(0.01, apart(before)), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  });
  for (const name of ['pointerup', 'pointercancel'] as const) {
    view.addEventListener(name, ({ pointerId }) => {
      if (!pointers.delete(pointerId) || moved < MOVED) return;
      clearTimeout(timer);
      timer = setTimeout(() => void settle(), SETTLED);
    });
  }
  view.addEventListener('dragstart', (event) => event.preventDefault());
  view.addEventListener(
    'click',
    (event) => {
      if (moved < MOVED) return;
      event.preventDefault();
      event.stopPropagation();
      moved = 0;
    },
    { capture: true },
  );
  view.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * WHEEL), inView(event));
    },
    { passive: false },
  );

  const KEYS: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(-STEP, 0),
    ArrowRight: () => move(STEP, 0),
    ArrowUp: () => move(0, -STEP),
    ArrowDown: () => move(0, STEP),
    '+': () => zoom(KEY_ZOOM),
    '-': () => zoom(1 / KEY_ZOOM),
    '0': () => show(0, 0, WORLD.width),
  };
  view.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const run = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (run === undefined || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  });
  // The buttons are replaced with each view.
  section.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-zoom]');
    if (button === null) return;
    event.preventDefault();
    event.stopPropagation();
    zoom(button.dataset.zoom === '1' ? KEY_ZOOM : 1 / KEY_ZOOM);
  });
  return replace;
}

/** The part of the world that a page shows. */
function boxOf(world: Element): Box {
  const sides = (world.getAttribute('viewBox') ?? '').split(' ').map((one) => Number(one) / 10);
  const [x = 0, y = 0, width = 0, height = 0] = sides;
  return { x, y, width, height };
}

/** The same part of the world after some turns around it. */
function turned(box: Box, turns: number): Box {
  return { ...box, x: box.x + turns * WORLD.width };
}

/** Not further from zero than that. */
function within(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}

// Photos by time: all months on one page, of which only the photos near the window are in the document.

import { t } from 'virtual:messages/files';
import { elements, make, required } from '../../lib/dom.ts';
import { throttled } from '../../lib/schedule.ts';
import type { Block } from '../list/blocks.ts';
import type { LongList, Place } from '../list/long-list.ts';
import { shownAddress, showsNow } from '../list/page-address.ts';
import { createLayout } from '../tiles/layout.ts';
import { pictureShape } from '../tiles/shapes.ts';
import { openTileWindow, putTiles } from '../tiles/tile-window.ts';
import type { Month } from './months.ts';
import { createScrubber } from './scrubber.ts';

/** CSS pixels: of a heading, and below a month. */
const HEAD = 44;
const BELOW = 24;
/** Milliseconds between two changes of the address. */
const ADDRESS = 300;
/** The least height of rows by the width of the window, as in `photos.css`. */
const ROWS = [
  { from: 1_200, row: 156 },
  { from: 720, row: 136 },
  { from: 0, row: 96 },
];

/** Where the timeline was last, and its address then: it is shown there again after a refresh. */
let last: { readonly address: string; readonly place: Place } | null = null;

/** The months as the links of the page name them. */
function monthsIn(nav: HTMLElement): Month[] {
  let start = 0;
  return elements<HTMLAnchorElement>(nav, 'a[data-month]').map(({ title, dataset: { month = '', sums = '' } }) => {
    const [photos = 0, films = 0] = sums.split(' ').map(Number);
    const count = photos + films;
    start += count;
    return { id: month, name: title, photos, films, start: start - count, count };
  });
}

interface Section {
  readonly element: HTMLElement;
  readonly list: HTMLElement;
}

/** @param prepare called for each row once @param mark called for a row whenever it comes into the document */
export function openTimeline(
  table: HTMLElement,
  blocks: readonly Block[],
  prepare: (row: HTMLElement) => void,
  mark: (row: HTMLElement) => void,
): LongList {
  const frame = required(table.closest('.timeline') ?? document, '.scrubber');
  const months = monthsIn(frame);
  const total = months.reduce((sum, { count }) => sum + count, 0);
  const layout = createLayout(months, total, { head: HEAD, below: BELOW });
  const start = Number(table.dataset.start);
  const sections = new Map<number, Section>();
  /** The month that was gone to last, and where the window was then: at the end of the page, it may not be at the top. */
  let chosen: { month: number; top: number } | null = null;

  const isChosenShown = () => chosen !== null && Math.abs(chosen.top - scrollY) <= 4;

  const tiles = openTileWindow({
    ...{ table, layout, head: HEAD, total, start, blocks, prepare, mark },
    address: new URL(table.dataset.photos ?? '', location.href),
    measure: () => ({
      width: table.clientWidth,
      row: ROWS.find(({ from }) => innerWidth >= from)?.row ?? 0,
      ...{ plain: 4 / 3, folders: { across: 1, width: 0 } },
    }),
    shapeOf: pictureShape,
    put,
    relayout(run) {
      const wasThere = isChosenShown();
      // Not someone, but the layout has moved the window.
      if (run() && wasThere && chosen !== null) chosen.top = scrollY;
    },
    updated() {
      scrubber.show(current());
      note();
    },
    scrolled: () => address(),
  });

  table.replaceChildren();
  table.classList.add('placed');
  const scrubber = createScrubber(frame, months, (month) => {
    chosen = { month, top: Number.NaN };
    tiles.goTo({ section: month, index: null, below: 16 });
    chosen = { month, top: scrollY };
  });

  /** The month that the window shows. */
  function current(): number {
    if (!Number.isNaN(chosen?.top) && !isChosenShown()) chosen = null;
    return chosen?.month ?? layout.sectionAt(Math.max(0, tiles.offset()) + innerHeight / 4);
  }

  function sectionOf(month: number): Section {
    const there = sections.get(month);
    if (there !== undefined) return there;
    const one = months[month];
    const id = `month-${one?.id}`;
    const sums = t('photos.sums', { photos: one?.photos ?? 0, films: one?.films ?? 0 });
    const list = make('ul', { class: 'items', 'aria-labelledby': id });
    const head = make('div', { class: 'month-head' }, make('h2', { id }, one?.name ?? ''), make('p', {}, sums));
    const element = make('section', { class: 'month', 'aria-labelledby': id }, head, list);
    sections.set(month, { element, list });
    return { element, list };
  }

  function put(byMonth: ReadonlyMap<number, readonly HTMLElement[]>): void {
    for (const [month, { element }] of sections) {
      if (byMonth.has(month)) continue;
      element.remove();
      sections.delete(month);
    }
    let next = table.firstElementChild;
    for (const [month, wanted] of byMonth) {
      const { element, list } = sectionOf(month);
      element.style.top = `${layout.topOf(month)}px`;
      putTiles(list, wanted, mark);
      if (element === next) next = next.nextElementSibling;
      else table.insertBefore(element, next);
    }
  }

  /** Remembers where the timeline is. */
  function note(): void {
    const now = tiles.placeNow();
    last = now === null ? null : { address: shownAddress(), place: now };
  }

  const address = throttled(() => {
    if (!tiles.isShown) return;
    const now = new URL(shownAddress());
    for (const name of ['month', 'start', 'limit', 'done']) now.searchParams.delete(name);
    const month = months[current()];
    if (tiles.offset() > 0 && month !== undefined) now.searchParams.set('month', month.id);
    showsNow(now.href);
    note();
  }, ADDRESS);

  tiles.update();
  table.dataset.ready = '';

  return {
    ...tiles,
    close() {
      tiles.close();
      scrubber.close();
    },
    restore() {
      const { searchParams, href } = new URL(shownAddress());
      if (!searchParams.has('month')) return;
      if (last?.address === href) tiles.goTo(last.place);
      else tiles.goTo({ section: layout.sectionOf(start), index: searchParams.has('start') ? start : null, below: 16 });
    },
  };
}

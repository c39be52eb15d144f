// Photos by time: all months on one page, of which only the photos near the window are in the document.

import { t } from 'virtual:messages/files';
import { closest, elements, make, required } from '../../lib/dom.ts';
import { oncePerFrame, throttled } from '../../lib/schedule.ts';
import type { Block } from '../list/blocks.ts';
import { followDraggedRow } from '../list/dragged-row.ts';
import { createKnownRows, type RowRange } from '../list/known-rows.ts';
import type { LongList } from '../list/long-list.ts';
import { shownAddress, showsNow } from '../list/page-address.ts';
import { createLayout, GAP, HEAD, type Line, type Month } from './layout.ts';
import { createScrubber } from './scrubber.ts';

/** Heights of the window above and below it, in which photos are in the document, and are requested. */
const BESIDE = 0.75;
const AHEAD = 2;
/** Photos per request: about as many as a window shows, so that any month is there at once. */
const BLOCK = 60;
/** Milliseconds between two changes of the address. */
const ADDRESS = 300;
/** The least height of rows by the width of the window, as in `photos.css`. */
const ROWS = [
  { from: 1_200, row: 156 },
  { from: 720, row: 136 },
  { from: 0, row: 96 },
];

/** A place in the timeline: a photo, or the heading of a month if there is none, and how far below the window's top edge it is. */
interface Place {
  readonly month: number;
  readonly index: number | null;
  readonly below: number;
}

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

/** Width to height, as the digits of the classes say it (`fitted.css`). */
function ratioIn(classes: string | undefined): number | null {
  const [, ...digits] = /\br(\d) r-(\d) r--(\d) r---(\d)/.exec(classes ?? '') ?? [];
  return digits.length === 0 ? null : Number(digits.join('')) / 1_000;
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
  const layout = createLayout(months, total);
  const start = Number(table.dataset.start);
  const fresh: RowRange[] = [];
  const known = createKnownRows({
    address: new URL(table.dataset.photos ?? '', location.href),
    total,
    size: BLOCK,
    page: { rows: elements(table, '.item'), start },
    blocks,
    make(item) {
      // In the document of a template, addresses are not resolved.
      const row = document.adoptNode(item as HTMLElement);
      prepare(row);
      return row;
    },
    loaded: () => update(),
    added: (range) => fresh.push(range),
  });
  fresh.push({ from: start, to: start + elements(table, '.item').length - 1 });
  const sections = new Map<number, Section>();
  const waiting = new Map<number, HTMLElement>();
  const dragged = followDraggedRow(table);

  table.replaceChildren();
  table.classList.add('placed');
  /** The month that was gone to last, and where the window was then: at the end of the page, it may not be at the top. */
  let chosen: { month: number; top: number } | null = null;
  const scrubber = createScrubber(frame, months, (month) => {
    chosen = { month, top: Number.NaN };
    goTo({ month, index: null, below: 16 });
    chosen = { month, top: scrollY };
  });

  function takeRatios(): void {
    for (const { from, to } of fresh.splice(0)) {
      for (let index = from; index <= to; index += 1) {
        const ratio = ratioIn(known.classesAt(index));
        if (ratio !== null) layout.setRatio(index, ratio);
      }
    }
  }

  const offset = () => -table.getBoundingClientRect().top;

  /** What is at the top edge of the window; null above the first month. */
  function placeNow(): Place | null {
    const y = offset();
    if (y < 0 || layout.height() === 0) return null;
    const month = layout.monthAt(y);
    const inMonth = y - layout.topOf(month);
    const line = layout.lines(month).find(({ top, height }) => top + height > inMonth);
    // Below the last photo of a month, the next month is what is in sight.
    if (line === undefined) return { month: month + 1, index: null, below: layout.topOf(month + 1) - y };
    if (inMonth < HEAD) return { month, index: null, below: -inMonth };
    return { month, index: line.from, below: line.top - inMonth };
  }

  function topOf({ month, index }: Place): number {
    if (index === null) return layout.topOf(month);
    const at = layout.lineOf(index);
    return layout.topOf(at.month) + (at.line?.top ?? 0);
  }

  function goTo(place: Place): void {
    const top =
      place.month === 0 && place.index === null && place.below >= 0
        ? 0
        : topOf(place) - place.below + scrollY - offset();
    scrollTo(0, top);
    update();
  }

  /** Lays out what has changed; what is in the window stays where it is. */
  function place(): void {
    const before = placeNow();
    const wasThere = isChosenShown();
    takeRatios();
    const row = ROWS.find(({ from }) => innerWidth >= from)?.row ?? 0;
    layout.measure({ width: table.clientWidth, row });
    if (!layout.update()) return;
    table.style.height = `${layout.height()}px`;
    if (before !== null) {
      const moved = topOf(before) - before.below - offset();
      if (Math.abs(moved) >= 1) scrollBy(0, moved);
    }
    // Not someone, but the layout has moved the window.
    if (wasThere && chosen !== null) chosen.top = scrollY;
  }

  const isChosenShown = () => chosen !== null && Math.abs(chosen.top - scrollY) <= 4;

  /** The month that the window shows. */
  function current(): number {
    if (!Number.isNaN(chosen?.top) && !isChosenShown()) chosen = null;
    return chosen?.month ?? layout.monthAt(Math.max(0, offset()) + innerHeight / 4);
  }

  /** The indexes of the photos in the window, and so many heights of it around. */
  function inSight(beside: number): RowRange {
    const y = offset();
    const [top, bottom] = [y - beside * innerHeight, y + (1 + beside) * innerHeight];
    const [first, end] = [layout.monthAt(top), layout.monthAt(bottom)];
    const lineAt = (month: number, at: number) => {
      const all = layout.lines(month);
      return all.find((line) => layout.topOf(month) + line.top + line.height > at) ?? all.at(-1);
    };
    return { from: lineAt(first, top)?.from ?? 0, to: (lineAt(end, bottom)?.to ?? total) - 1 };
  }

  /** Photos that stay wherever the window is: with the focus, as the tab stop, and what is dragged. */
  function kept(): number[] {
    const stop = closest<HTMLElement>(table.querySelector('.open[tabindex="0"]'), '.item');
    const active = closest<HTMLElement>(document.activeElement, '.item');
    return [stop, active, dragged.current]
      .map((row) => (row === null ? -1 : known.indexOf(row.dataset.path ?? '')))
      .filter((index) => index >= 0);
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

  /** An empty tile, until the photo has come. */
  function waitingAt(index: number): HTMLElement {
    const there = waiting.get(index) ?? make('li', { class: 'to-come', 'aria-hidden': 'true' });
    waiting.set(index, there);
    return there;
  }

  function setBox(element: HTMLElement, line: Line, index: number): void {
    let left = 0;
    for (let other = line.from; other < index; other += 1) left += layout.ratioOf(other) * line.height + GAP;
    const { style } = element;
    style.left = `${left}px`;
    style.top = `${line.top - HEAD}px`;
    style.width = `${layout.ratioOf(index) * line.height}px`;
    style.height = `${line.height}px`;
  }

  function put(list: HTMLElement, wanted: readonly HTMLElement[]): void {
    const staying = new Set<Element>(wanted);
    for (const child of [...list.children]) if (!staying.has(child)) child.remove();
    let next = list.firstElementChild;
    for (const row of wanted) {
      if (row === next) next = next.nextElementSibling;
      else {
        if (row.matches('.item')) mark(row);
        list.insertBefore(row, next);
      }
    }
  }

  function draw(more: readonly number[]): void {
    const { from, to } = inSight(BESIDE);
    const indexes = new Set([...kept(), ...more]);
    for (let index = from; index <= to; index += 1) indexes.add(index);
    const byMonth = new Map<number, HTMLElement[]>();
    for (const index of [...indexes].sort((a, b) => a - b)) {
      const { month, line } = layout.lineOf(index);
      const row = known.rowAt(index) ?? waitingAt(index);
      if (line !== undefined) setBox(row, line, index);
      byMonth.set(month, [...(byMonth.get(month) ?? []), row]);
    }
    for (const index of waiting.keys())
      if (!indexes.has(index) || known.rowAt(index) !== undefined) waiting.delete(index);
    for (const [month, { element }] of sections) {
      if (byMonth.has(month)) continue;
      element.remove();
      sections.delete(month);
    }
    let next = table.firstElementChild;
    for (const [month, wanted] of byMonth) {
      const { element, list } = sectionOf(month);
      element.style.top = `${layout.topOf(month)}px`;
      put(list, wanted);
      if (element === next) next = next.nextElementSibling;
      else table.insertBefore(element, next);
    }
  }

  function update(more: readonly number[] = []): void {
    if (!known.isOpen) return;
    place();
    draw(more);
    known.requestAhead([inSight(0), inSight(AHEAD)]);
    scrubber.show(current());
    note();
  }

  /** Remembers where the timeline is. */
  function note(): void {
    const now = placeNow();
    last = now === null ? null : { address: shownAddress(), place: now };
  }

  const address = throttled(() => {
    if (!known.isOpen || !table.isConnected) return;
    const now = new URL(shownAddress());
    for (const name of ['month', 'start', 'limit', 'done']) now.searchParams.delete(name);
    const month = months[current()];
    if (offset() > 0 && month !== undefined) now.searchParams.set('month', month.id);
    showsNow(now.href);
    note();
  }, ADDRESS);

  const soon = oncePerFrame(() => update());
  const onScroll = () => {
    known.retry();
    address();
    soon();
  };
  addEventListener('scroll', onScroll, { passive: true });
  // The width changes with the window, and once the styles are there.
  const resized = new ResizeObserver(() => update());
  resized.observe(table);
  update();
  table.dataset.ready = '';

  return {
    ...known,
    reveal(row) {
      const index = known.indexOf(row.dataset.path ?? '');
      if (index >= 0) update([index]);
    },
    request: (paths) => known.request(inSight(BESIDE), paths),
    forget() {
      known.forget();
      update();
    },
    close() {
      known.close();
      resized.disconnect();
      scrubber.close();
      removeEventListener('scroll', onScroll);
      dragged.close();
    },
    restore() {
      const { searchParams, href } = new URL(shownAddress());
      if (!searchParams.has('month')) return;
      if (last?.address === href) goTo(last.place);
      else goTo({ month: layout.monthOf(start), index: searchParams.has('start') ? start : null, below: 16 });
    },
  };
}

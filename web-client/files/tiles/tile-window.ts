// Tiles of which only those near the window are in the document. Their sizes become known as they are loaded; what is in the window
// stays where it is then.

import { closest, elements, make } from '../../lib/dom.ts';
import { oncePerFrame } from '../../lib/schedule.ts';
import type { Block } from '../list/blocks.ts';
import { followDraggedRow } from '../list/dragged-row.ts';
import { createKnownRows, type RowRange } from '../list/known-rows.ts';
import type { LongList, Place } from '../list/long-list.ts';
import type { Layout, Line, Measures, Shape } from './layout.ts';

/** Heights of the window above and below it, in which tiles are in the document, and are requested. */
const BESIDE = 0.75;
const AHEAD = 2;
/** Tiles per request: about as many as a window shows, so that any place is there at once. */
const BLOCK = 60;

interface TilesOptions {
  /** The element with all of the tiles. */
  readonly table: HTMLElement;
  readonly layout: Layout;
  /** CSS pixels: the height of the headings. */
  readonly head: number;
  /** Of the tiles that the script requests. */
  readonly address: URL;
  readonly total: number;
  /** The index of the first tile of the page. */
  readonly start: number;
  readonly blocks: readonly Block[];
  measure(): Measures;
  /** What a tile shows, by its classes. */
  shapeOf(classes: string): Shape;
  /** Called for each tile once. */
  prepare(row: HTMLElement): void;
  /** Called for a tile whenever it comes into the document. */
  mark(row: HTMLElement): void;
  /** Puts tiles of sections into the document, and nothing else. */
  put(tiles: ReadonlyMap<number, readonly HTMLElement[]>): void;
  /** Calls a function that may move the window, and returns whether it did. */
  relayout?(run: () => boolean): void;
  /** Called after each change. */
  updated?(): void;
  scrolled?(): void;
}

interface Tiles extends LongList {
  /** Whether it is still shown. */
  readonly isShown: boolean;
  /** How far the window is below the upper edge of the tiles, in CSS pixels. */
  offset(): number;
  placeNow(): Place | null;
  goTo(place: Place): void;
  update(more?: readonly number[]): void;
  /** Leaves the tiles to the styles. @param draw called now and whenever others become known */
  toPaper(draw: (rowsOf: KnownRowsOf) => void): void;
  /** Places the tiles again. */
  toScreen(): void;
}

/** The known tiles near the place where the window was: those of one page without the script, which has so many. */
type KnownRowsOf = (count: number) => readonly HTMLElement[];

/** Makes the tiles of a list those that are wanted, in this order. */
export function putTiles(list: HTMLElement, wanted: readonly HTMLElement[], mark: (row: HTMLElement) => void): void {
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

export function openTileWindow(options: TilesOptions): Tiles {
  const { table, layout, head, total, start } = options;
  const first = elements(table, '.item');
  const fresh: RowRange[] = [{ from: start, to: start + first.length - 1 }];
  const known = createKnownRows({
    address: options.address,
    total,
    size: BLOCK,
    page: { rows: first, start },
    blocks: options.blocks,
    make(item, index) {
      // In the document of a template, addresses are not resolved.
      const row = document.adoptNode(item as HTMLElement);
      options.prepare(row);
      const section = layout.sections[layout.sectionOf(index)];
      row.setAttribute('aria-setsize', String(section?.count ?? total));
      row.setAttribute('aria-posinset', String(index - (section?.start ?? 0) + 1));
      return row;
    },
    loaded: () => update(),
    added: (range) => fresh.push(range),
  });
  const waiting = new Map<number, HTMLElement>();
  const dragged = followDraggedRow(table);
  /** Where the window was brought. It stays there while the tiles before it change their sizes, until someone scrolls. */
  let held: { readonly place: Place; top: number } | null = null;

  /** What draws the tiles on paper, and where the window was before. */
  let onPaper: (() => void) | null = null;
  let beforePaper: Place | null = null;

  function takeShapes(): void {
    for (const { from, to } of fresh.splice(0)) {
      for (let index = from; index <= to; index += 1) {
        const classes = known.classesAt(index);
        if (classes !== undefined) layout.setShape(index, options.shapeOf(classes));
      }
    }
  }

  const offset = () => -table.getBoundingClientRect().top;

  function placeNow(): Place | null {
    const y = offset();
    if (y < 0 || layout.height() === 0) return null;
    if (held !== null && Math.abs(held.top - scrollY) <= 1) return held.place;
    const section = layout.sectionAt(y);
    const inSection = y - layout.topOf(section);
    const line = layout.lineBelow(section, inSection);
    // Below the last tile of a section, the next section is what is in sight.
    if (line === undefined) return { section: section + 1, index: null, below: layout.topOf(section + 1) - y };
    if (inSection < head) return { section, index: null, below: -inSection };
    return { section, index: line.from, below: line.top - inSection };
  }

  function topOf({ section, index }: Place): number {
    if (index === null) return layout.topOf(section);
    const at = layout.lineOf(index);
    return layout.topOf(at.section) + (at.line?.top ?? 0);
  }

  function goTo(place: Place): void {
    const isStart = place.section === 0 && place.index === null && place.below >= 0;
    scrollTo(0, isStart ? 0 : topOf(place) - place.below + scrollY - offset());
    held = isStart ? null : { place, top: scrollY };
    update();
  }

  /** Lays out what has changed. @returns whether anything has */
  function relayout(): boolean {
    const before = placeNow();
    const isHeld = held !== null && before === held.place;
    takeShapes();
    layout.measure(options.measure());
    if (!layout.update()) return false;
    table.style.height = `${layout.height()}px`;
    if (before !== null) {
      const moved = topOf(before) - before.below - offset();
      if (Math.abs(moved) >= 1) scrollBy(0, moved);
      if (isHeld) held = { place: before, top: scrollY };
    }
    return true;
  }

  /** The indexes of the tiles in the window, and so many heights of it around. @param y the upper edge of the window */
  function around(y: number, beside: number): RowRange {
    const [top, bottom] = [y - beside * innerHeight, y + (1 + beside) * innerHeight];
    const lineAt = (height: number) => {
      const section = layout.sectionAt(height);
      return layout.lineBelow(section, height - layout.topOf(section)) ?? layout.lastLine(section);
    };
    return { from: lineAt(top)?.from ?? 0, to: (lineAt(bottom)?.to ?? total) - 1 };
  }

  /** Tiles that stay wherever the window is: with the focus, as the tab stop, and what is dragged. */
  function kept(): number[] {
    const stop = closest<HTMLElement>(table.querySelector('.open[tabindex="0"]'), '.item');
    const active = closest<HTMLElement>(document.activeElement, '.item');
    return [stop, active, dragged.current]
      .map((row) => (row === null ? -1 : known.indexOf(row.dataset.path ?? '')))
      .filter((index) => index >= 0);
  }

  /** An empty tile, until what it is for has come. */
  function waitingAt(index: number): HTMLElement {
    const there = waiting.get(index) ?? make('li', { class: 'to-come', 'aria-hidden': 'true' });
    waiting.set(index, there);
    return there;
  }

  function setBox({ style }: HTMLElement, line: Line, index: number): void {
    const { left, top, width, height } = layout.boxIn(line, index);
    style.left = `${left}px`;
    style.top = `${top - head}px`;
    style.width = `${width}px`;
    style.height = `${height}px`;
  }

  function draw(y: number, more: readonly number[]): void {
    const { from, to } = around(y, BESIDE);
    const indexes = new Set([...kept(), ...more]);
    for (let index = from; index <= to; index += 1) indexes.add(index);
    const tiles = new Map<number, HTMLElement[]>();
    for (const index of [...indexes].sort((a, b) => a - b)) {
      const { section, line } = layout.lineOf(index);
      const row = known.rowAt(index) ?? waitingAt(index);
      if (line !== undefined) setBox(row, line, index);
      const own = tiles.get(section);
      if (own === undefined) tiles.set(section, [row]);
      else own.push(row);
    }
    for (const index of waiting.keys())
      if (!indexes.has(index) || known.rowAt(index) !== undefined) waiting.delete(index);
    options.put(tiles);
  }

  function update(more: readonly number[] = []): void {
    if (!known.isOpen) return;
    if (onPaper !== null) {
      onPaper();
      return;
    }
    if (options.relayout === undefined) relayout();
    else options.relayout(relayout);
    // Read before anything is changed, so that the browser lays out the page once.
    const y = offset();
    draw(y, more);
    known.requestAhead([around(y, 0), around(y, AHEAD)]);
    options.updated?.();
  }

  const soon = oncePerFrame(() => update());
  const onScroll = () => {
    known.retry();
    options.scrolled?.();
    soon();
  };
  addEventListener('scroll', onScroll, { passive: true });
  // The width changes with the window, and once the styles are there.
  const resized = new ResizeObserver(() => update());
  resized.observe(table);

  return {
    ...known,
    get isShown() {
      return known.isOpen && table.isConnected;
    },
    offset,
    placeNow,
    goTo,
    update,
    beside: (index, direction) => layout.beside(index, direction),
    reveal(row) {
      const index = known.indexOf(row.dataset.path ?? '');
      if (index < 0) return;
      update([index]);
      const { section } = layout.lineOf(index);
      const place = { section, index, below: 0 };
      held = { place: { ...place, below: topOf(place) - offset() }, top: scrollY };
    },
    request: (paths) => known.request(around(offset(), BESIDE), paths),
    forget() {
      known.forget();
      update();
    },
    close() {
      known.close();
      resized.disconnect();
      removeEventListener('scroll', onScroll);
      dragged.close();
    },
    toPaper(drawRows) {
      beforePaper = placeNow();
      const top = layout.lineBelow(0, offset())?.from ?? 0;
      const rowsOf = (count: number) => {
        const rows: HTMLElement[] = [];
        const from = Math.floor(top / count) * count;
        const to = Math.min(total, from + count) - 1;
        known.requestAhead([{ from, to }]);
        for (let index = from; index <= to; index += 1) {
          const row = known.rowAt(index);
          row?.removeAttribute('style');
          if (row !== undefined) rows.push(row);
        }
        return rows;
      };
      table.style.height = '';
      onPaper = () => drawRows(rowsOf);
      onPaper();
    },
    toScreen() {
      onPaper = null;
      table.style.height = `${layout.height()}px`;
      // The page was shorter meanwhile.
      if (beforePaper !== null) goTo(beforePaper);
      else update();
      beforePaper = null;
    },
  };
}

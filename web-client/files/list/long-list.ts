// A list of which only the rows near the window are in the document. Rows have one height, so the height of the whole is known.

import { closest, elements } from '../../lib/dom.ts';
import { oncePerFrame, throttled } from '../../lib/schedule.ts';
import type { Block } from './blocks.ts';
import { followDraggedRow } from './dragged-row.ts';
import { asGrid, asGridRow } from './grid.ts';
import type { Item } from './item.ts';
import { createKnownRows } from './known-rows.ts';

/** Rows in the document above and below the window, and up to which rows are requested before they come into sight. */
const BESIDE = 12;
const AHEAD = 60;
/** Rows per request, as many as further rows without the script. */
const BLOCK = 300;
/** Longer lists would be higher than browsers can lay out. */
const MOST = 200_000;

/** A place in a list whose height changes while it is loaded: an entry, or the heading of a section if there is none, and how far below
 * the upper edge of the window it is, in CSS pixels. */
export interface Place {
  readonly section: number;
  readonly index: number | null;
  readonly below: number;
}

export interface LongList {
  readonly total: number;
  /** The entries by their indexes, as far as they are known; their rows need not be in the document. */
  readonly items: readonly (Item | undefined)[];
  /** -1 for an entry that is not known */
  indexOf(path: string): number;
  /** The row of an entry; undefined if it is not known. */
  rowAt(index: number): HTMLElement | undefined;
  /** Requests entries, unless they are known. @returns whether all of them are known now */
  loadItems(from: number, to: number): Promise<boolean>;
  /** The same with their rows. */
  load(from: number, to: number): Promise<boolean>;
  /** A row, which is requested first if needed; undefined if there is none. */
  at(index: number): Promise<HTMLElement | undefined>;
  /** Requests the rows around an entry. @returns its row; null if it is not in the list */
  find(path: string): Promise<HTMLElement | null>;
  /** Puts a row into the document, and the others around the window. */
  reveal(row: HTMLElement): void;
  /** What is in sight, and the rows of these paths, as they are now. @throws RequestError */
  request(paths: readonly (string | null)[]): Promise<readonly Block[]>;
  /** Whether these rows look different. */
  differs(blocks: readonly Block[]): boolean;
  /** Keeps only rows that are in the document, because others may have changed. */
  forget(): void;
  close(): void;
  /** Where the window is, for lists whose height changes while they are loaded; null above the first entry. */
  place?(): Place | null;
  /** Scrolls to where the list was, or to what its address names; for these lists. */
  restore?(place: Place | null): void;
  /** The index of the nearest entry in the line above or below, for lists with several entries in a line; -1 if there is none. */
  beside?(index: number, direction: 1 | -1): number;
}

/** The table of the page that can be shown in part; null if there is none. */
export function longTable(): HTMLElement | null {
  const table = document.querySelector<HTMLElement>('.table[data-rows]');
  const total = totalOf(table);
  return table === null || total === 0 || total > MOST ? null : table;
}

/** How many entries a list has, also those that are not in the document. */
export const totalOf = (table: HTMLElement | null): number => Number(closest(table, '.listing')?.dataset.total ?? 0);

/**
 * @param blocks rows that are known already, besides those of the page
 * @param prepare called for each row once @param mark called for a row whenever it comes into the document
 */
export function openLongList(
  table: HTMLElement,
  blocks: readonly Block[],
  prepare: (row: HTMLElement) => void,
  mark: (row: HTMLElement) => void,
): LongList {
  const total = totalOf(table);
  const first = elements(table, '.item');
  const list = asGrid(table, total);
  const known = createKnownRows({
    address: new URL(table.dataset.rows ?? '', location.href),
    total,
    size: BLOCK,
    page: { rows: first, start: 0 },
    blocks,
    make: (item, index) => asGridRow(item, index, prepare),
    loaded: () => update(),
  });
  let isPrinting = false;
  let isScrolled = false;
  /** The index of the first row in the window; on paper, rows are elsewhere. */
  let top = 0;
  const dragged = followDraggedRow(list);

  /** The indexes of the rows in the window, and so many beside it. */
  function inSight(beside: number): { from: number; to: number } {
    const box = list.getBoundingClientRect();
    const height = box.height / total;
    // A list that is not displayed has no height.
    if (height === 0) return { from: 0, to: Math.min(beside, total - 1) };
    const clamp = (index: number) => Math.max(0, Math.min(total - 1, index));
    return {
      from: clamp(Math.floor(-box.top / height) - beside),
      to: clamp(Math.ceil((innerHeight - box.top) / height) + beside),
    };
  }

  /** Rows that stay wherever the window is: with the focus, as the tab stop, and what is dragged. */
  function kept(): number[] {
    const stop = closest<HTMLElement>(list.querySelector('.open[tabindex="0"]'), '.item');
    const active = closest<HTMLElement>(document.activeElement, '.item');
    return [stop, active, dragged.current]
      .map((row) => (row === null ? -1 : known.indexOf(row.dataset.path ?? '')))
      .filter((index) => index >= 0);
  }

  function update(more: readonly number[] = []): void {
    if (!known.isOpen) return;
    if (!isPrinting) top = inSight(0).from;
    const { from, to } = isPrinting ? printed() : inSight(BESIDE);
    const wanted = new Set([...kept(), ...more]);
    for (let index = from; index <= to; index += 1) wanted.add(index);
    const rows = [...wanted].sort((a, b) => a - b).flatMap((index) => known.rowAt(index) ?? []);
    const staying = new Set<Element>(rows);
    for (const child of [...list.children]) if (!staying.has(child)) child.remove();
    let next = list.firstElementChild;
    for (const row of rows) {
      if (row === next) next = next.nextElementSibling;
      else {
        mark(row);
        list.insertBefore(row, next);
      }
    }
    if (!isPrinting) requestAhead();
  }

  /** On paper: the known rows of the page without the script that begins above the window. */
  function printed(): { from: number; to: number } {
    const from = known.blockOf(top);
    return { from, to: Math.min(total, from + BLOCK) - 1 };
  }

  function requestAhead(): void {
    // A page that is only opened costs no more than that of a short list.
    // What is in sight comes first.
    known.requestAhead([inSight(0), inSight(isScrolled ? AHEAD : 0)]);
  }

  const soon = oncePerFrame(() => update());
  const onScroll = () => {
    known.retry();
    isScrolled = true;
    soon();
  };
  const onResize = throttled(() => update(), 100);
  const paper = matchMedia('print');
  const onPrint = () => {
    isPrinting = paper.matches;
    update();
  };
  const onBeforePrint = () => {
    isPrinting = true;
    update();
  };
  addEventListener('scroll', onScroll, { passive: true });
  addEventListener('resize', onResize);
  paper.addEventListener('change', onPrint);
  addEventListener('beforeprint', onBeforePrint);
  addEventListener('afterprint', onPrint);
  update();

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
      removeEventListener('scroll', onScroll);
      removeEventListener('resize', onResize);
      dragged.close();
      paper.removeEventListener('change', onPrint);
      removeEventListener('beforeprint', onBeforePrint);
      removeEventListener('afterprint', onPrint);
    },
  };
}

// A list of which only the rows near the window are in the document. Rows have one height, so the height of the whole is known.

import { closest, elements } from '../../lib/dom.ts';
import { throttled } from '../../lib/schedule.ts';
import { afterChange } from '../changes.ts';
import { BLOCK, type Block, MOST_ITEMS, requestBlock, requestBlockAround, requestItems } from './blocks.ts';
import { asGrid, asGridRow } from './grid.ts';
import { type Item, itemOf } from './item.ts';

/** Rows in the document above and below the window, and up to which rows are requested before they come into sight. */
const BESIDE = 12;
const AHEAD = 60;
/** Requests at a time while scrolling. */
const AT_ONCE = 2;
/** Longer lists would be higher than browsers can lay out. */
const MOST = 200_000;

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
}

/** The table of the page that can be shown in part; null if there is none. */
export function longTable(): HTMLElement | null {
  const table = document.querySelector<HTMLElement>('.table[data-rows]');
  const total = totalOf(table);
  return table === null || total === 0 || total > MOST ? null : table;
}

const totalOf = (table: HTMLElement | null): number => Number(closest(table, '.listing')?.dataset.total ?? 0);

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
  const address = new URL(table.dataset.rows ?? '', location.href);
  const total = totalOf(table);
  /** The rows as the server has sent them, and as elements once they are needed. */
  const texts: (string | undefined)[] = [];
  const made: (HTMLElement | undefined)[] = [];
  const items: (Item | undefined)[] = [];
  const indexes = new Map<string, number>();
  const pending = new Map<number, Promise<boolean>>();
  const first = elements(table, '.item');
  const list = asGrid(table, total);
  /** Blocks that could not be loaded; they are requested again when the list is scrolled. */
  const failed = new Set<number>();
  let isOpen = true;
  let isPrinting = false;
  let isScrolled = false;
  /** The index of the first row in the window; on paper, rows are elsewhere. */
  let top = 0;
  /** What has to stay in the document while it is dragged. */
  let dragged: HTMLElement | null = null;

  for (const [index, item] of first.entries()) make(item, index);
  for (const block of blocks) if (block.total === total) add(block);

  function add({ start, rows }: Block): void {
    for (const [offset, { item, html }] of rows.entries()) {
      const index = start + offset;
      if (html !== null) texts[index] ??= html;
      items[index] ??= item;
      indexes.set(item.path, index);
    }
  }

  function make(item: Element, index: number): HTMLElement {
    const row = asGridRow(item, index, prepare);
    made[index] = row;
    const own = itemOf(row);
    items[index] = own;
    indexes.set(own.path, index);
    return row;
  }

  function rowAt(index: number): HTMLElement | undefined {
    const known = made[index];
    const text = texts[index];
    if (known !== undefined || text === undefined) return known;
    const template = document.createElement('template');
    template.innerHTML = text;
    const item = template.content.firstElementChild;
    return item === null ? undefined : make(item, index);
  }

  const isKnownAt = (index: number) => made[index] !== undefined || texts[index] !== undefined;

  const isKnown = (from: number, to: number): boolean => {
    for (let index = from; index <= to; index += 1) if (!isKnownAt(index)) return false;
    return true;
  };

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
    return [stop, active, dragged].flatMap((row) => (row === null ? [] : (indexes.get(row.dataset.path ?? '') ?? [])));
  }

  function update(more: readonly number[] = []): void {
    if (!isOpen) return;
    if (!isPrinting) top = inSight(0).from;
    const { from, to } = isPrinting ? printed() : inSight(BESIDE);
    const wanted = new Set([...kept(), ...more]);
    for (let index = from; index <= to; index += 1) wanted.add(index);
    const rows = [...wanted].sort((a, b) => a - b).flatMap((index) => rowAt(index) ?? []);
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
    const from = blockOf(top);
    return { from, to: Math.min(total, from + BLOCK) - 1 };
  }

  function requestAhead(): void {
    // A page that is only opened costs no more than that of a short list.
    const { from, to } = inSight(isScrolled ? AHEAD : 0);
    const { from: first, to: last } = inSight(0);
    // What is in sight comes first.
    for (const [a, b] of [
      [first, last],
      [from, to],
    ] as const) {
      for (let start = blockOf(a); start <= b; start += BLOCK) {
        if (pending.size >= AT_ONCE || failed.has(start)) continue;
        if (!isKnown(Math.max(a, start), Math.min(b, start + BLOCK - 1))) void loadBlock(start);
      }
    }
  }

  function loadBlock(start: number): Promise<boolean> {
    const running = pending.get(start);
    if (running !== undefined) return running;
    const loading = requestBlock(address, start)
      .then(
        (block) => take(block),
        () => {
          failed.add(start);
          return false;
        },
      )
      .finally(() => {
        pending.delete(start);
        update();
      });
    pending.set(start, loading);
    return loading;
  }

  /** @returns whether it is of the list as it is shown */
  function take(block: Block): boolean {
    if (!isOpen) return false;
    if (block.total === total) {
      add(block);
      return true;
    }
    // Something was added or removed, so other rows have moved as well.
    void afterChange();
    return false;
  }

  const blockOf = (index: number): number => Math.floor(index / BLOCK) * BLOCK;

  async function load(from: number, to: number): Promise<boolean> {
    for (let start = blockOf(from); start <= to; start += BLOCK) {
      const isThere = isKnown(Math.max(from, start), Math.min(to, start + BLOCK - 1, total - 1));
      if (!isThere && !(await loadBlock(start))) return false;
    }
    return isOpen;
  }

  async function loadItems(from: number, to: number): Promise<boolean> {
    for (let index = from; index <= to; index += 1) {
      if (items[index] !== undefined) continue;
      const block = await requestItems(address, Math.min(index, Math.max(0, total - MOST_ITEMS))).catch(() => null);
      if (block === null || !take(block) || items[index] === undefined) return false;
    }
    return isOpen;
  }

  const rowOfPath = (path: string): HTMLElement | undefined => {
    const index = indexes.get(path);
    return index === undefined ? undefined : rowAt(index);
  };

  let isPlanned = false;
  const onScroll = () => {
    failed.clear();
    isScrolled = true;
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      update();
    });
  };
  const onResize = throttled(() => update(), 100);
  const onDrag = ({ target }: Event) => {
    dragged = closest<HTMLElement>(target, '.item');
  };
  const onDragEnd = () => {
    dragged = null;
  };
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
  list.addEventListener('dragstart', onDrag);
  addEventListener('dragend', onDragEnd);
  paper.addEventListener('change', onPrint);
  addEventListener('beforeprint', onBeforePrint);
  addEventListener('afterprint', onPrint);
  update();

  return {
    total,
    items,
    indexOf: (path) => indexes.get(path) ?? -1,
    rowAt,
    loadItems,
    load,
    async at(index) {
      if (index < 0 || index >= total) return undefined;
      await load(index, index);
      return rowAt(index);
    },
    async find(path) {
      const there = rowOfPath(path);
      if (there !== undefined) return there;
      const block = await requestBlockAround(address, path).catch(() => null);
      if (block !== null && !take(block)) return null;
      return rowOfPath(path) ?? null;
    },
    reveal(row) {
      const index = indexes.get(row.dataset.path ?? '');
      if (index !== undefined) update([index]);
    },
    async request(paths) {
      const { from, to } = inSight(BESIDE);
      const starts = new Set([blockOf(from), blockOf(to)]);
      const blocks: Block[] = [];
      for (const start of starts) blocks.push(await requestBlock(address, start));
      for (const path of paths) {
        const index = path === null ? undefined : indexes.get(path);
        if (path === null || (index !== undefined && starts.has(blockOf(index)))) continue;
        blocks.push(await requestBlockAround(address, path));
      }
      return blocks;
    },
    differs: (blocks) =>
      blocks.some(
        (block) =>
          block.total !== total ||
          // Rows of the page itself are compared with it.
          block.rows.some(
            ({ html }, offset) => block.start + offset >= first.length && texts[block.start + offset] !== html,
          ),
      ),
    forget() {
      for (let index = first.length; index < total; index += 1) {
        if (made[index]?.isConnected === true) continue;
        texts[index] = undefined;
        made[index] = undefined;
        items[index] = undefined;
      }
      for (const [path, index] of indexes) if (items[index]?.path !== path) indexes.delete(path);
      update();
    },
    close() {
      isOpen = false;
      removeEventListener('scroll', onScroll);
      removeEventListener('resize', onResize);
      removeEventListener('dragend', onDragEnd);
      paper.removeEventListener('change', onPrint);
      removeEventListener('beforeprint', onBeforePrint);
      removeEventListener('afterprint', onPrint);
    },
  };
}

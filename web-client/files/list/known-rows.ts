// The rows of a list that are known, of which only some are in the document.

import { afterChange } from '../actions/changes.ts';
import { type Block, MAX_ITEMS, requestBlock, requestBlockAround, requestItems } from './blocks.ts';
import { type Item, itemOf } from './item.ts';

/** Requests at a time while scrolling. */
const CONCURRENCY = 2;

interface KnownRowsOptions {
  /** Of the list's rows. */
  readonly address: URL;
  /** Rows of the whole list. */
  readonly total: number;
  /** Rows per request. */
  readonly size: number;
  /** The rows of the page, and the index of the first of them. */
  readonly page: { readonly rows: readonly Element[]; readonly start: number };
  /** Rows that are known already, besides those of the page. */
  readonly blocks: readonly Block[];
  /** Makes an entry a row of the list; called for each once. */
  make(item: Element, index: number): HTMLElement;
  /** A request has ended, and rows may have come. */
  loaded(): void;
  /** Rows have become known. */
  added?(range: RowRange): void;
}

/** Indexes, both included. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

export function createKnownRows({ address, total, size, page, blocks, make, loaded, added }: KnownRowsOptions) {
  /** The rows as the server has sent them, and as elements once they are needed. */
  const texts: (string | undefined)[] = [];
  const made: (HTMLElement | undefined)[] = [];
  const items: (Item | undefined)[] = [];
  const indexes = new Map<string, number>();
  const pending = new Map<number, Promise<boolean>>();
  /** Blocks that could not be loaded; they are requested again when the list is scrolled. */
  const failed = new Set<number>();
  let isOpen = true;

  const blockOf = (index: number): number => Math.floor(index / size) * size;

  const isOfPage = (index: number) => index >= page.start && index < page.start + page.rows.length;

  for (const [offset, item] of page.rows.entries()) makeAt(item, page.start + offset);
  for (const block of blocks) if (block.total === total) add(block);

  function add({ start, rows }: Block): void {
    for (const [offset, { item, html }] of rows.entries()) {
      const index = start + offset;
      if (html !== null) texts[index] ??= html;
      items[index] ??= item;
      indexes.set(item.path, index);
    }
    added?.({ from: start, to: start + rows.length - 1 });
  }

  function makeAt(item: Element, index: number): HTMLElement {
    const row = make(item, index);
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
    return item === null ? undefined : makeAt(item, index);
  }

  const isKnown = (from: number, to: number): boolean => {
    for (let index = from; index <= to; index += 1)
      if (made[index] === undefined && texts[index] === undefined) return false;
    return true;
  };

  function loadBlock(start: number): Promise<boolean> {
    const running = pending.get(start);
    if (running !== undefined) return running;
    const loading = requestBlock(address, start, size)
      .then(
        (block) => {
          const isTaken = take(block);
          // Something may have disappeared since it was counted.
          if (!isKnown(start, Math.min(total, start + size) - 1)) failed.add(start);
          return isTaken;
        },
        () => {
          failed.add(start);
          return false;
        },
      )
      .finally(() => {
        pending.delete(start);
        loaded();
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

  async function load(from: number, to: number): Promise<boolean> {
    for (let start = blockOf(from); start <= to; start += size) {
      const isThere = isKnown(Math.max(from, start), Math.min(to, start + size - 1, total - 1));
      if (!isThere && !(await loadBlock(start))) return false;
    }
    return isOpen;
  }

  async function loadItems(from: number, to: number): Promise<boolean> {
    for (let index = from; index <= to; index += 1) {
      if (items[index] !== undefined) continue;
      const block = await requestItems(address, Math.min(index, Math.max(0, total - MAX_ITEMS))).catch(() => null);
      if (block === null || !take(block) || items[index] === undefined) return false;
    }
    return isOpen;
  }

  const rowOfPath = (path: string): HTMLElement | undefined => {
    const index = indexes.get(path);
    return index === undefined ? undefined : rowAt(index);
  };

  return {
    total,
    items,
    get isOpen() {
      return isOpen;
    },
    blockOf,
    indexOf: (path: string): number => indexes.get(path) ?? -1,
    rowAt,
    load,
    loadItems,
    /** The classes of an entry; undefined if its row is not known. */
    classesAt: (index: number): string | undefined =>
      made[index]?.className ?? /class="([^"]*)"/.exec(texts[index] ?? '')?.[1],
    async at(index: number): Promise<HTMLElement | undefined> {
      if (index < 0 || index >= total) return undefined;
      await load(index, index);
      return rowAt(index);
    },
    async find(path: string): Promise<HTMLElement | null> {
      const there = rowOfPath(path);
      if (there !== undefined) return there;
      const block = await requestBlockAround(address, path, size).catch(() => null);
      if (block !== null && !take(block)) return null;
      return rowOfPath(path) ?? null;
    },
    /** Requests what is not known of these ranges, the first of them first. */
    requestAhead(ranges: readonly RowRange[]): void {
      for (const { from, to } of ranges) {
        for (let start = blockOf(from); start <= to; start += size) {
          if (pending.size >= CONCURRENCY || failed.has(start)) continue;
          if (!isKnown(Math.max(from, start), Math.min(to, start + size - 1))) void loadBlock(start);
        }
      }
    },
    /** Blocks that could not be loaded may be requested again. */
    retry: (): void => failed.clear(),
    /** What is in a range, and the rows of these paths, as they are now. @throws RequestError */
    async request({ from, to }: RowRange, paths: readonly (string | null)[]): Promise<readonly Block[]> {
      const starts = new Set<number>();
      for (let start = blockOf(from); start <= to; start += size) starts.add(start);
      const fresh: Block[] = [];
      for (const start of starts) fresh.push(await requestBlock(address, start, size));
      for (const path of paths) {
        const index = path === null ? undefined : indexes.get(path);
        if (path === null || (index !== undefined && starts.has(blockOf(index)))) continue;
        fresh.push(await requestBlockAround(address, path, size));
      }
      return fresh;
    },
    differs: (others: readonly Block[]): boolean =>
      others.some(
        (block) =>
          block.total !== total ||
          // Rows of the page itself are compared with it.
          block.rows.some(
            ({ html }, offset) => !isOfPage(block.start + offset) && texts[block.start + offset] !== html,
          ),
      ),
    /** Keeps only rows that are in the document, because others may have changed. */
    forget(): void {
      for (let index = 0; index < total; index += 1) {
        if (isOfPage(index) || made[index]?.isConnected === true) continue;
        texts[index] = undefined;
        made[index] = undefined;
        items[index] = undefined;
      }
      for (const [path, index] of indexes) if (items[index]?.path !== path) indexes.delete(path);
    },
    close(): void {
      isOpen = false;
    },
  };
}

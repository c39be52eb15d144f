// The entries of the shown list.

import { closest, elements } from '../../lib/dom.ts';
import { main } from '../page.ts';
import { type Item, itemOf, partsOf, pathOf } from './item.ts';
import type { LongList } from './long-list.ts';

export const listing = (): HTMLElement | null => document.querySelector<HTMLElement>('.listing');

/** The allowed actions in the list. */
export const abilities = (): readonly string[] => listing()?.dataset.can?.split(' ') ?? [];

let long: LongList | null = null;

/** The list, if only a part of it is in the document. */
export const longList = (): LongList | null => long;

export function setLongList(list: LongList | null): void {
  long?.close();
  long = list;
}

/** The rows in the document. */
export const rows = (): HTMLElement[] => elements(document, '.items .item');
/** The entries by their indexes; undefined for those of a long list that are not known. */
export const allItems = (): readonly (Item | undefined)[] => long?.items ?? rows().map(itemOf);
/** All rows of the list that can be reached with `rowAt`. */
export const countRows = (): number => long?.total ?? rows().length;
/** The index of an entry; -1 if it is not known. */
export const indexOf = (path: string): number => long?.indexOf(path) ?? rows().findIndex((row) => pathOf(row) === path);
export const rowAt = async (index: number): Promise<HTMLElement | undefined> =>
  long === null ? rows()[index] : long.at(index);
export const rowOf = (target: EventTarget | null): HTMLElement | null => closest(target, '.item');
/** The row of a known entry, which need not be in the document. */
export const rowFor = (path: string): HTMLElement | null =>
  (long === null ? rows().find((row) => pathOf(row) === path) : long.rowAt(long.indexOf(path))) ?? null;

export const linkOf = (row: HTMLElement | undefined): HTMLAnchorElement | null =>
  row?.querySelector<HTMLAnchorElement>('.open') ?? null;

export const isInGallery = (row: HTMLElement): boolean => row.closest('.gallery') !== null;

/** The item of an item page; null on a list page. */
export const facts = (): HTMLElement | null => main.querySelector<HTMLElement>('.facts');

export function itemOfFacts(shown: HTMLElement): Item {
  const { path = '', name = '' } = shown.dataset;
  const isDir = shown.querySelector('[data-do=download].primary') === null;
  const isStarred = shown.querySelector('[data-do=unstar]') !== null;
  return { path, name, isDir, isStarred, isClosed: false, isText: true, cannot: [], parts: partsOf(shown) };
}

/** The list is one tab stop. */
export function setTabStop(row: HTMLElement): void {
  for (const link of elements(document, '.items .open[tabindex="0"]')) link.tabIndex = -1;
  const link = linkOf(row);
  if (link !== null) link.tabIndex = 0;
}

/** Inside of the list, arrow keys move the focus. */
export function focusRow(row: HTMLElement): void {
  long?.reveal(row);
  setTabStop(row);
  linkOf(row)?.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
  long?.reveal(row);
}

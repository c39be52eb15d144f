// The entries of the shown list.

import { closest, elements } from '../../lib/dom.ts';
import { main } from '../page.ts';

export interface Item {
  readonly path: string;
  readonly name: string;
  readonly isDir: boolean;
  readonly isStarred: boolean;
  /** Whether it cannot be opened. */
  readonly isClosed: boolean;
  /** Actions of the list that its share does not allow. */
  readonly cannot: readonly string[];
}

export const listing = (): HTMLElement | null => document.querySelector<HTMLElement>('.listing');

/** The allowed actions in the list. */
export const abilities = (): readonly string[] => listing()?.dataset.can?.split(' ') ?? [];

export const rows = (): HTMLElement[] => elements(document, '.items .item');
export const rowOf = (target: EventTarget | null): HTMLElement | null => closest(target, '.item');
export const rowFor = (path: string): HTMLElement | null => rows().find((row) => pathOf(row) === path) ?? null;

/** Empty before the row was prepared. */
export const pathOf = (row: HTMLElement): string => row.dataset.path ?? '';
export const nameOf = (row: HTMLElement): string => row.querySelector('.name')?.textContent ?? '';
export const linkOf = (row: HTMLElement | undefined): HTMLAnchorElement | null =>
  row?.querySelector<HTMLAnchorElement>('.open') ?? null;

export const isInGallery = (row: HTMLElement): boolean => row.closest('.gallery') !== null;

export function itemOf(row: HTMLElement): Item {
  return {
    path: pathOf(row),
    name: nameOf(row),
    isDir: row.classList.contains('dir'),
    isStarred: row.dataset.starred !== undefined,
    isClosed: row.dataset.closed !== undefined,
    cannot: row.dataset.cannot?.split(' ') ?? [],
  };
}

/** The item of an item page; null on a list page. */
export const facts = (): HTMLElement | null => main.querySelector<HTMLElement>('.facts');

export function itemOfFacts(shown: HTMLElement): Item {
  const { path = '', name = '' } = shown.dataset;
  const isDir = shown.querySelector('[data-do=download].primary') === null;
  const isStarred = shown.querySelector('[data-do=unstar]') !== null;
  return { path, name, isDir, isStarred, isClosed: false, cannot: [] };
}

/** The list is one tab stop; inside, arrow keys move the focus. */
export function focusRow(row: HTMLElement): void {
  for (const link of elements(document, '.items .open[tabindex="0"]')) link.tabIndex = -1;
  const link = linkOf(row);
  if (link !== null) {
    link.tabIndex = 0;
    link.focus({ preventScroll: true });
  }
  row.scrollIntoView({ block: 'nearest' });
}

// The selection of entries, and its display.

import { t } from 'virtual:messages/files';
import { announce, elements, required } from '../../lib/dom.ts';
import { type Item, itemOf, listing, nameOf, pathOf, rows } from './items.ts';

const selected = new Set<string>();
/** The start of a range. */
let anchor: string | null = null;

/** All entries of the list, including those not loaded yet. */
const totalCount = () => Number(listing()?.dataset.total);

export const isSelected = (path: string): boolean => selected.has(path);
export const hasSelection = (): boolean => selected.size > 0;
export const isAllSelected = (): boolean => selected.size >= totalCount();

export const selection = (): Item[] =>
  rows()
    .filter((row) => selected.has(pathOf(row)))
    .map(itemOf);

/** Initializes the selection of a list. @param isKept whether existing items stay selected */
export function resetSelection(isKept: boolean): void {
  const there = new Set(rows().map(pathOf));
  for (const path of selected) if (!isKept || !there.has(path)) selected.delete(path);
}

export function markRow(row: HTMLElement): void {
  const isMarked = selected.has(pathOf(row));
  row.classList.toggle('selected', isMarked);
  required<HTMLInputElement>(row, '.pick input').checked = isMarked;
}

function change(row: HTMLElement, isMarked: boolean): void {
  if (isMarked) selected.add(pathOf(row));
  else selected.delete(pathOf(row));
  markRow(row);
}

/** @param isRange whether to select everything since the last one */
export function toggle(row: HTMLElement, isRange = false): void {
  const all = rows();
  const from = all.findIndex((one) => pathOf(one) === anchor);
  const to = all.indexOf(row);
  if (isRange && from >= 0) {
    for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1)) change(one, true);
  } else {
    change(row, !selected.has(pathOf(row)));
    anchor = pathOf(row);
  }
  showSelection();
  const values = { name: nameOf(row), count: selected.size, total: totalCount() };
  const isAdded = selected.has(pathOf(row));
  announce(isAdded ? t('files.selection.added', values) : t('files.selection.removed', values));
}

/** Selects everything between the anchor and a row. @param from the anchor, if there is none yet */
export function extendTo(row: HTMLElement, from: HTMLElement): void {
  anchor ??= pathOf(from);
  if (!selected.has(anchor)) toggle(from);
  toggle(row, true);
}

export function selectRows(all: readonly HTMLElement[]): void {
  for (const row of all) change(row, true);
  showSelection();
  announce(countText());
}

export function clearSelection(): void {
  if (selected.size === 0) return;
  selected.clear();
  for (const row of rows()) markRow(row);
  showSelection();
  announce(t('files.selection.cleared'));
}

const countText = () => document.getElementById('count')?.textContent ?? '';

/** Shows the selection, and the bar with its actions. */
export function showSelection(): void {
  const bar = document.querySelector<HTMLElement>('.selection');
  if (bar === null) return;
  const count = selected.size;
  const total = totalCount();
  bar.hidden = count === 0;
  for (const table of elements(document, '.table')) table.classList.toggle('selecting', count > 0);
  required(document, '#count').textContent = t('files.selection.count', { count, total });
  for (const box of elements<HTMLInputElement>(document, '#all, #picked')) {
    box.checked = count > 0 && count === total;
    box.indeterminate = count > 0 && count < total;
  }
  const items = selection();
  for (const button of elements(bar, '[data-do]')) button.hidden = !isAllowed(button.dataset.do ?? '', items);
  showStar(bar);
}

/** Whether the shares of all items allow an action of the list. */
export const isAllowed = (action: string, items: readonly Item[]): boolean =>
  items.every(({ cannot }) => !cannot.includes(action));

/** One button for both directions: it removes the star if all items have it. */
function showStar(bar: HTMLElement): void {
  const star = bar.querySelector<HTMLElement>('[data-do=star], [data-do=unstar]');
  if (star === null) return;
  const menu = required<HTMLTemplateElement>(document, '#menu').content;
  const action = selected.size > 0 && selection().every(({ isStarred }) => isStarred) ? 'unstar' : 'star';
  star.dataset.do = action;
  required(star, 'span').textContent = required(menu, `[data-do=${action}] span`).textContent;
}

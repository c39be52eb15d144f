// The selection of entries, and its display.

import { t } from 'virtual:messages/files';
import { announce, elements, required } from '../../lib/dom.ts';
import { type Item, itemOf, nameOf, pathOf } from './item.ts';
import { abilities, allItems, indexOf, listing, longList, rows } from './items.ts';

/** Items that one link can open; the server decides. */
const MAX_LINKED = 300;

/** The selected items by their paths; their rows need not be in the document, or loaded again after a change. */
const selected = new Map<string, Item>();
/** The start of a range. */
let anchor: string | null = null;

/** All entries of the list, including those not loaded yet. */
const totalCount = () => Number(listing()?.dataset.total);

export const hasSelection = (): boolean => selected.size > 0;
export const isAllSelected = (): boolean => selected.size >= totalCount();

/** In the order of the list, as far as its rows are known. */
export function selection(): Item[] {
  if (selected.size < 2) return [...selected.values()];
  const known = allItems().flatMap((item) => selected.get(item?.path ?? '') ?? []);
  const paths = new Set(known.map(({ path }) => path));
  return [...known, ...[...selected.values()].filter(({ path }) => !paths.has(path))];
}

/** Initializes the selection of a list. @param isKept whether existing items stay selected */
export function resetSelection(isKept: boolean): void {
  if (!isKept) selected.clear();
  if (selected.size === 0) return;
  const there = itemsByPath();
  for (const path of selected.keys()) {
    const item = there.get(path);
    if (item !== undefined) selected.set(path, item);
    // What is not known of a long list may still be there.
    else if (longList() === null) selected.delete(path);
  }
}

const itemsByPath = (): ReadonlyMap<string, Item> =>
  new Map(allItems().flatMap((item) => (item === undefined ? [] : [[item.path, item] as const])));

/** Deselects what is gone, once all entries are known. */
export function dropGone(): void {
  const there = itemsByPath();
  for (const path of selected.keys()) if (!there.has(path)) selected.delete(path);
  showSelection();
}

/** Whether an item is selected that is not known to be in the list. */
export function hasUnknown(): boolean {
  if (selected.size === 0) return false;
  const there = itemsByPath();
  return [...selected.keys()].some((path) => !there.has(path));
}

/** The paths of the items that the next key or click begins at. */
export const anchorPath = (): string | null => anchor;

export function markRow(row: HTMLElement): void {
  const isMarked = selected.has(pathOf(row));
  row.classList.toggle('selected', isMarked);
  if (row.role === 'row') row.setAttribute('aria-selected', String(isMarked));
  required<HTMLInputElement>(row, '.pick input').checked = isMarked;
}

function markRows(): void {
  for (const row of rows()) markRow(row);
}

/** @param isRange whether to select everything since the last one */
export async function toggle(row: HTMLElement, isRange = false): Promise<void> {
  const start = isRange && anchor !== null ? indexOf(anchor) : -1;
  const end = indexOf(pathOf(row));
  if (start >= 0) {
    const [from, to] = [Math.min(start, end), Math.max(start, end)];
    await longList()?.loadItems(from, to);
    for (const item of allItems().slice(from, to + 1)) if (item !== undefined) selected.set(item.path, item);
    markRows();
  } else {
    if (!selected.delete(pathOf(row))) selected.set(pathOf(row), itemOf(row));
    markRow(row);
    anchor = pathOf(row);
  }
  showSelection();
  const values = { name: nameOf(row), count: selected.size, total: totalCount() };
  const isAdded = selected.has(pathOf(row));
  announce(isAdded ? t('files.selection.added', values) : t('files.selection.removed', values));
}

/** Selects everything between the anchor and a row. @param from the anchor, if there is none yet */
export async function extendTo(row: HTMLElement, from: HTMLElement): Promise<void> {
  anchor ??= pathOf(from);
  if (!selected.has(anchor)) await toggle(from);
  await toggle(row, true);
}

export function selectItems(all: readonly (Item | undefined)[]): void {
  for (const item of all) if (item !== undefined) selected.set(item.path, item);
  markRows();
  showSelection();
  announce(countText());
}

export function clearSelection(): void {
  if (selected.size === 0) return;
  selected.clear();
  markRows();
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
  const files = [...selected.values()].reduce((sum, { parts }) => sum + 1 + parts.length, 0);
  required(document, '#count').textContent =
    files > count ? t('photos.selected', { count, total, files }) : t('files.selection.count', { count, total });
  for (const box of elements<HTMLInputElement>(document, '#all, #picked')) {
    box.checked = count > 0 && count === total;
    box.indeterminate = count > 0 && count < total;
  }
  const items = [...selected.values()];
  for (const button of elements(bar, '[data-do]')) button.hidden = !isAllowed(button.dataset.do ?? '', items);
  showStar(bar);
}

/** Whether an action of the list is allowed for all items: by their shares, and by rights that depend on what they are. */
export const isAllowed = (action: string, items: readonly Item[]): boolean =>
  items.every(({ cannot }) => !cannot.includes(action)) &&
  (action !== 'link' || canLink(items)) &&
  (action !== 'download' || items.every(canDownload));

/** Folders are downloaded as archives, which is a right of its own. */
const canDownload = ({ isDir, isClosed }: Item): boolean =>
  !isClosed && (!isDir || abilities().includes('downloadFolders'));

/** One link opens several items only if all of them are the person's own. One to a folder can be a file request. */
function canLink(items: readonly Item[]): boolean {
  if (items.length === 1 && items[0]?.isDir === true) return true;
  if (!abilities().includes('linkFiles')) return false;
  return items.length < 2 || (items.length <= MAX_LINKED && items.every(({ path }) => path.startsWith('/ROOT/HOME/')));
}

/** One button for both directions: it removes the star if all items have it. */
function showStar(bar: HTMLElement): void {
  const star = bar.querySelector<HTMLElement>('[data-do=star], [data-do=unstar]');
  if (star === null) return;
  const menu = required<HTMLTemplateElement>(document, '#menu').content;
  const action = selected.size > 0 && [...selected.values()].every(({ isStarred }) => isStarred) ? 'unstar' : 'star';
  star.dataset.do = action;
  required(star, 'span').textContent = required(menu, `[data-do=${action}] span`).textContent;
}

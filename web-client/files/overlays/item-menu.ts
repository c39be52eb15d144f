// The menu of an entry: actions for it, or for the selection.

import { perform } from '../actions/actions.ts';
import { type Item, itemOf } from '../list/item.ts';
import { linkOf, rowFor, setTabStop } from '../list/items.ts';
import { showPage } from '../list/navigation.ts';
import { clearSelection, isAllowed, selection, toggle } from '../list/selection.ts';
import { base } from '../page.ts';
import { chooseVersion } from '../uploads/upload-choice.ts';
import { entriesOfTemplate, type MenuAnchor, showMenu } from './menu.ts';

/** The items of an action: the selection, if it contains the entry or there is no entry. */
export function subjectsOf(row: HTMLElement | null): readonly Item[] {
  const selected = selection();
  if (row === null) return selected;
  const own = itemOf(row);
  return selected.some(({ path }) => path === own.path) ? selected : [own];
}

/** Actions that have pages of their own. */
const ON_PAGES: ReadonlySet<string> = new Set(['details', 'edit', 'versions']);

export async function act(action: string, items: readonly Item[]): Promise<void> {
  const [first] = items;
  const row = first === undefined ? null : rowFor(first.path);
  if (action === 'open') linkOf(row ?? undefined)?.click();
  else if (ON_PAGES.has(action) && first !== undefined) {
    const page = action === 'details' ? 'item' : action;
    await showPage(`${base}/${page}?path=${encodeURIComponent(first.path)}`);
  } else if (action === 'replace' && first !== undefined) chooseVersion(first);
  else if (action === 'select') {
    if (row !== null) await toggle(row);
  } else if (action === 'clear') clearSelection();
  else await perform(action, items);
}

const isOne = (items: readonly Item[]) => items.length === 1;

/** Whether an action applies to these items; those not listed always do. */
const FITS: Readonly<Record<string, (items: readonly Item[]) => boolean>> = {
  open: isOne,
  details: isOne,
  edit: (items) => isOne(items) && items[0]?.isText === true,
  rename: isOne,
  versions: (items) => isOne(items) && items[0]?.isDir === false,
  replace: (items) => isOne(items) && items[0]?.isDir === false,
  star: (items) => items.some(({ isStarred }) => !isStarred),
  unstar: (items) => items.every(({ isStarred }) => isStarred),
};

/** Actions that the photo viewer has buttons for, or that are of the list below it. */
const NOT_IN_VIEWER: ReadonlySet<string> = new Set([
  ...['open', 'details', 'select', 'download', 'star', 'unstar', 'share'],
]);

/** @param button in the photo viewer that opened it; null in the list */
export function openItemMenu(row: HTMLElement, place: MenuAnchor, button: HTMLElement | null = null): void {
  const template = document.querySelector<HTMLTemplateElement>('#menu');
  if (template === null) return;
  const items = button === null ? subjectsOf(row) : [itemOf(row)];
  const isOffered = (action: string) => button === null || !NOT_IN_VIEWER.has(action);
  const entries = entriesOfTemplate(template).filter(
    ({ dataset: { do: action } }) =>
      action === undefined || (isOffered(action) && isAllowed(action, items) && (FITS[action]?.(items) ?? true)),
  );
  // It gets the focus back, also after scrolling in a long list.
  if (button === null) setTabStop(row);
  showMenu(entries, place, button ?? linkOf(row), (action) => void act(action, items));
}

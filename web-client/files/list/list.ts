// The list of a folder: prepares rows for the script, and loads more near the end.

import { t } from 'virtual:messages/files';
import { elements, make, matches, parseHtml, required, sprite } from '../../lib/dom.ts';
import { throttled } from '../../lib/schedule.ts';
import { syncViewer } from '../open-viewer.ts';
import { root } from '../page.ts';
import { requestPage } from '../requests.ts';
import type { Block } from './blocks.ts';
import { requestFolderSizes, requestMoreSizes, showFolderSize } from './folder-sizes.ts';
import { nameOf, pathOf } from './item.ts';
import {
  allItems,
  countRows,
  focusRow,
  linkOf,
  longList,
  rowFor,
  rowOf,
  rows,
  setLongList,
  setTabStop,
} from './items.ts';
import { longTable, openLongList } from './long-list.ts';
import { placeIn } from './page-address.ts';
import {
  clearSelection,
  isAllSelected,
  markRow,
  resetSelection,
  selectItems,
  showSelection,
  toggle,
} from './selection.ts';

/** Rows per request when all are requested. */
const MAX_ROWS = 2_000;

let loading: Promise<boolean> | null = null;

const observer = new IntersectionObserver(
  (entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) void loadMore();
  },
  { rootMargin: '800px' },
);

/** Rows that a new request of the page has to contain; a long list requests its rows itself. */
export const rowCount = (): number => (longList() === null ? rows().length : 0);

interface Attached {
  /** Whether existing items stay selected. */
  readonly isKept?: boolean;
  /** The path of a row. */
  readonly focus?: string | null;
  /** Rows of a long list that are known already. */
  readonly blocks?: readonly Block[];
}

/** Initializes the list of a page. */
export function attachList({ isKept = false, focus = null, blocks = [] }: Attached = {}): void {
  loading = null;
  setLongList(null);
  const [table, tiles] = [longTable(), document.querySelector<HTMLElement>(TILES)];
  const isTiled = tiles !== null && (tiles.matches('.by-month') || tiles === table);
  if (isTiled && openTiles !== null) setLongList(openTiles(tiles, blocks, prepareRow, comeIntoView));
  else if (isTiled || table === null) for (const row of rows()) prepareRow(row);
  else setLongList(openLongList(table, blocks, prepareRow, comeIntoView));
  if (longList() !== null) document.querySelector('.more-rows')?.remove();
  tilesLoaded = isTiled && openTiles === null ? loadTiles(tiles) : null;
  resetSelection(isKept);
  for (const row of elements(document, '.items .item')) markRow(row);
  // What follows is requested by the tiles, once their script is there.
  if (isTiled) observer.disconnect();
  else watchEnd();
  showSelection();
  const requested = focus === null ? null : rowFor(focus);
  if (requested !== null) focusRow(requested);
  else {
    const [first] = elements(document, '.items .item');
    if (first !== undefined) setTabStop(first);
  }
  syncViewer();
  void requestFolderSizes();
}

const requestSizesSoon = throttled(() => void requestMoreSizes(), 150);

function comeIntoView(row: HTMLElement): void {
  markRow(row);
  if (row.classList.contains('dir')) requestSizesSoon();
}

/** Lists whose entries are tiles, of which only those near the window are in the document. */
const TILES = '.by-month, .gallery[data-rows]';

let tilesLoaded: Promise<void> | null = null;

/** Waits until all entries of the list can be reached: until the script of tiles has come, only the first ones are known. */
export async function untilWhole(): Promise<void> {
  await tilesLoaded;
}

let openTiles: typeof import('../tiles/open.ts').openTiles | null = null;

/** Tiles have scripts of their own. Until they are there, and without them, the page is that of the first entries. */
async function loadTiles(tiles: HTMLElement): Promise<void> {
  const loaded = await import('../tiles/open.ts').catch(() => null);
  if (!tiles.isConnected) return;
  if (loaded === null) return watchEnd();
  ({ openTiles } = loaded);
  // Tiles that are taken out of the document make it shorter for a moment.
  const top = scrollY;
  attachList({ isKept: true, focus: pathOf(rowOf(document.activeElement) ?? tiles) || null });
  const place = placeIn(history.state).place ?? null;
  scrollTo(0, top);
  // Also without a place: photos by time begin with the month of the address.
  longList()?.restore?.(place);
}

/** The list is one tab stop. The box that selects a row is only for use without the script. */
function prepareRow(row: HTMLElement): void {
  const link = linkOf(row);
  if (row.dataset.path === undefined && link !== null) {
    row.dataset.path = new URL(link.href).searchParams.get('path') ?? '';
    const box = make('input', { type: 'checkbox', 'aria-label': t('files.row.select', { name: nameOf(row) }) });
    row.prepend(make('label', { class: 'pick' }, box));
    if (row.querySelector('.more') === null) {
      const more = { class: 'more', href: link.href, 'aria-label': t('files.row.more', { name: nameOf(row) }) };
      row.append(make('a', more, sprite('dots')));
    }
  }
  for (const element of elements(row, 'a, input')) element.tabIndex = -1;
  markRow(row);
  showFolderSize(row);
}

function watchEnd(): void {
  observer.disconnect();
  const end = document.querySelector('.more-rows');
  if (end !== null) observer.observe(end);
}

/** @returns whether there were more */
export function loadMore(limit?: number): Promise<boolean> {
  const link = document.querySelector<HTMLAnchorElement>('.more-rows a');
  if (link === null) return Promise.resolve(false);
  loading ??= fetchMore(link, limit).finally(() => {
    loading = null;
  });
  return loading;
}

async function fetchMore(link: HTMLAnchorElement, limit?: number): Promise<boolean> {
  const list = required(document, '.items');
  const address = new URL(link.href);
  if (limit !== undefined) address.searchParams.set('limit', String(limit));
  try {
    const page = parseHtml((await requestPage(address.href)).main);
    if (!list.isConnected) return false;
    const more = elements(page, '.items > li');
    for (const row of more) if (row.matches('.item')) prepareRow(row);
    list.append(...more);
    void requestMoreSizes();
    const end = page.querySelector('.more-rows');
    if (end === null) link.parentElement?.remove();
    else link.parentElement?.replaceWith(end);
    watchEnd();
    return true;
  } catch {
    // The link stays available.
    return false;
  }
}

let loadingAll: Promise<unknown> | null = null;

/** Makes all entries known. */
export async function loadAll(): Promise<void> {
  loadingAll ??= (longList()?.loadItems(0, countRows() - 1) ?? Promise.resolve()).finally(() => {
    loadingAll = null;
  });
  await loadingAll;
}

/** The row of an entry, which is loaded first if needed; null if it is not in the list. */
export async function findRow(path: string): Promise<HTMLElement | null> {
  const long = longList();
  if (long !== null) return long.find(path);
  while (rowFor(path) === null) if (!(await loadMore(MAX_ROWS))) break;
  return rowFor(path);
}

export async function selectAll(): Promise<void> {
  await loadAll();
  while (document.querySelector('.more-rows') !== null) if (!(await loadMore(MAX_ROWS))) break;
  selectItems(allItems());
}

root.addEventListener('click', ({ target, shiftKey }) => {
  const row = rowOf(target);
  if (target instanceof HTMLInputElement && target.matches('#all, #picked')) {
    const isWanted = target.id === 'all' ? target.checked : !isAllSelected();
    if (isWanted) void selectAll();
    else clearSelection();
  } else if (row !== null && (matches(target, '.pick input') || !isInLink(target))) {
    void toggle(row, shiftKey);
  }
});

const isInLink = (target: EventTarget | null) => target instanceof Element && target.closest('a, label') !== null;

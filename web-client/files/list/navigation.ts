// Replaces pages in place, so that uploads continue and the list keeps its position.

import { pages } from 'virtual:file-pages';
import { t } from 'virtual:messages/files';
import { announce, required } from '../../lib/dom.ts';
import { RequestError } from '../../lib/requests.ts';
import { handleChanges } from '../actions/changes.ts';
import { showFailure } from '../failure.ts';
import { closeViewer, followRenamed, showViewerEntry, viewedPath, viewerEntryIn } from '../open-viewer.ts';
import { closeMenu } from '../overlays/menu.ts';
import { base, fileNav, main } from '../page.ts';
import { requestPage } from '../requests.ts';
import { showStorage } from '../storage.ts';
import { isUploading, offerUploads } from '../uploads/upload-choice.ts';
import type { Block } from './blocks.ts';
import { draggedItems } from './dragged.ts';
import { requestFolderSizes } from './folder-sizes.ts';
import { pathOf } from './item.ts';
import { countRows, facts, focusRow, indexOf, longList, rowAt, rowOf } from './items.ts';
import { attachList, loadAll, rowCount } from './list.ts';
import type { Place } from './long-list.ts';
import { type LeftAt, placeIn, setShownAddress, shownAddress } from './page-address.ts';
import { anchorPath, dropGone, hasUnknown } from './selection.ts';

/** Rows loaded at first, and at most. */
const FIRST_ROWS = 30;
const MAX_ROWS = 2_000;
/** Milliseconds between attempts to refresh a page that is in use. */
const IN_USE = 1_500;

interface ShowOptions {
  /** Whether to add a history entry. */
  readonly isPushed?: boolean;
  /** At least as many rows as were loaded. */
  readonly rows?: number;
  readonly top?: number;
  /** Where the list was, if its height changes while it is loaded. */
  readonly place?: Place | null;
  /** Whether the selection stays. */
  readonly isSelectionKept?: boolean;
  /** The path of the row that gets the focus. */
  readonly focus?: string | null;
  /** Whether it is a refresh of the same page: entered text stays, and the focus. */
  readonly isRefresh?: boolean;
  /** Whether the user is typing in the search: the page replaces one of the same search. */
  readonly isTyped?: boolean;
  /** The element of the page whose text is announced. The focus stays where it is, instead of going to the page. */
  readonly announced?: string;
}

let latest = 0;
/** Whether a page that the user asked for is on its way. A refresh of the page before it waits, so that it cannot prevent it. */
let isLeaving = false;
let isRefreshWaiting = false;
let shownMain = '';

/** Whether an address is one of the pages shown here. */
export const isOwnPage = ({ origin, pathname }: URL): boolean =>
  origin === location.origin && pages.includes(pathname.slice(base.length)) && pathname.startsWith(base);

export async function showPage(address: string, options: ShowOptions = {}): Promise<void> {
  // The browser asks first whether to leave it.
  if (main.querySelector('.photo-backup') !== null || hasUnsavedText()) {
    location.href = address;
    return;
  }
  const { isPushed = true, rows: count = 0, isRefresh = false, isTyped = false, focus = null } = options;
  if (isRefresh && isLeaving) {
    isRefreshWaiting = true;
    return;
  }
  const turn = ++latest;
  isLeaving = !isRefresh;
  const requested = new URL(address, location.href);
  if (count > FIRST_ROWS) requested.searchParams.set('limit', String(Math.min(count, MAX_ROWS)));
  main.classList.add('busy');
  try {
    const page = await requestPage(requested.href);
    // The policy of a document stays: a map with an outside source is a page of its own, and so is what follows it.
    // While files are sent, the map is the outline instead: another document would end the upload.
    if (turn === latest && !isUploading() && tilesIn(parsed(page.main)) !== tilesIn(main)) {
      if (isPushed) location.href = page.address;
      else location.replace(page.address);
      return;
    }
    // Requested before the page is replaced, so that rows do not disappear in between.
    const blocks = isRefresh ? ((await longList()?.request([focus, anchorPath(), viewedPath()])) ?? []) : [];
    if (turn !== latest) return;
    // The user began to use the page while the reply was on its way, so it is not replaced.
    if (isRefresh && isInUse()) {
      void refresh(focus);
      return;
    }
    closeMenu();
    const shown = new URL(page.address);
    if (count > FIRST_ROWS) shown.searchParams.delete('limit');
    if (isPushed && shown.href !== location.href) {
      rememberPlace();
      if (isTyped && isSearch(location)) history.replaceState({}, '', shown.href);
      else history.pushState({}, '', shown.href);
    }
    setShownAddress(shown.href);
    document.title = page.title;
    replacePage(page, options, blocks);
  } catch (error) {
    if (turn !== latest || !(error instanceof RequestError)) throw error;
    // The server's error page would end running uploads.
    if (isRefresh || error.status === 0 || isUploading()) showFailure(error);
    else location.href = requested.href;
  } finally {
    if (turn === latest) arrive();
  }
}

function arrive(): void {
  main.classList.remove('busy');
  isLeaving = false;
  if (!isRefreshWaiting) return;
  // The page may have been read before the change.
  isRefreshWaiting = false;
  void refresh();
}

function replacePage(
  page: { title: string; nav: string; main: string },
  options: ShowOptions,
  blocks: readonly Block[],
): void {
  const { isRefresh = false, announced, isSelectionKept = false, focus = null, top = 0, place = null } = options;
  const active = document.activeElement;
  const action = active instanceof HTMLElement ? active.dataset.do : undefined;
  const isSame = isRefresh && page.main === shownMain && longList()?.differs(blocks) !== true;
  if (!isSame || focus !== null) {
    const total = countRows();
    const typed = isRefresh ? (commentBox()?.value ?? '') : '';
    fileNav.innerHTML = page.nav;
    replaceMain(page.main);
    const box = commentBox();
    if (typed !== '' && box !== null) box.value = typed;
    preparePage();
    attachList({ isKept: isSelectionKept, focus, blocks });
    if (isSelectionKept && countRows() < total && hasUnknown()) void loadAll().then(dropGone);
  } else {
    longList()?.forget();
    showStorage(page.nav);
    void requestFolderSizes();
  }
  shownMain = page.main;
  scrollTo(0, top);
  longList()?.restore?.(place);
  if (focus !== null) return;
  if (isRefresh && action !== undefined) focusAction(action);
  if (announced !== undefined) announce(document.querySelector(announced)?.textContent ?? page.title);
  else if (!isRefresh) {
    main.focus({ preventScroll: true });
    announce(document.querySelector('h1')?.textContent ?? page.title);
  }
}

const commentBox = () => main.querySelector<HTMLTextAreaElement>('.comment-form textarea');

/** Shows another page of the same map in place; false if it is none. */
let replaceMap: ((fresh: ParentNode) => boolean) | null = null;

function parsed(text: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = text;
  return template.content;
}

/** The outside source of the map of a page. */
const tilesIn = (page: ParentNode): string | undefined => page.querySelector<HTMLElement>('.photo-map')?.dataset.tiles;

/** The viewer of a file, and the page around it, to be compared: not the path to it, nor what the page says of it. */
function shownIn(page: ParentNode): string | null {
  const shown = page.querySelector<HTMLElement>('.shown');
  if (shown === null) return null;
  const around = [...page.querySelectorAll('link[rel=stylesheet], .older')].map(({ outerHTML }) => outerHTML);
  return [page.querySelector('.viewer')?.className, ...around, shown.dataset.content, shown.innerHTML].join('\n');
}

/** Keeps the map, and the viewer of the same file, which may be in use. */
function replaceMain(text: string): void {
  const fresh = parsed(text);
  if (replaceMap?.(fresh) === true) return;
  const [old, next] = [shownIn(main), shownIn(fresh)];
  if (old === null || old !== next) main.replaceChildren(fresh);
  else for (const part of ['.item-nav', '.facts']) required(main, part).replaceWith(required(fresh, part));
}

/** Focuses the pressed button, or its replacement. */
function focusAction(action: string): void {
  const isStar = action === 'star' || action === 'unstar';
  const same = isStar ? '[data-do=star], [data-do=unstar]' : `[data-do="${action}"]`;
  main.querySelector<HTMLElement>(`.facts :is(${same})`)?.focus();
}

let retry: ReturnType<typeof setTimeout> | undefined;

/** Whether the user types in the page, or has a menu of it open. */
const isInUse = () =>
  isEditing() ||
  draggedItems().length > 0 ||
  document.activeElement?.matches('.comment-form textarea, .menu *') === true;

/** Whether the page edits a text, which no refresh replaces. */
const isEditing = () => main.querySelector('.text-editor') !== null;
const withoutFragment = (address: string): string => address.replace(/#.*/, '');
const hasUnsavedText = () => main.querySelector('.text-editor.changed') !== null;

/** Refreshes the page, unless it is in use. */
function refresh(focus: string | null = null): Promise<void> {
  clearTimeout(retry);
  if (isEditing()) {
    if (isLeaving) isRefreshWaiting = true;
    return Promise.resolve();
  }
  if (isInUse()) {
    retry = setTimeout(() => void refresh(focus), IN_USE);
    return Promise.resolve();
  }
  const { activeElement: active } = document;
  // The selection bar disappears, so the list gets the focus.
  const isInBar = active?.closest('.selection') != null;
  const stop = isInBar ? document.querySelector('.items .open[tabindex="0"]') : active;
  return showPage(shownAddress(), {
    isPushed: false,
    rows: rowCount(),
    top: scrollY,
    place: longList()?.place?.() ?? null,
    isSelectionKept: true,
    focus: focus ?? rowOf(stop)?.dataset.path ?? null,
    isRefresh: true,
  });
}

handleChanges({
  opened: (address) => showPage(address),
  async changed(path = null) {
    const shown = facts();
    if (shown !== null && path !== null && path !== shown.dataset.path) {
      const address = new URL(location.href);
      address.searchParams.set('path', path);
      history.replaceState({}, '', address.href);
      setShownAddress(address.href);
    }
    if (path !== null && shown === null) followRenamed(path);
    await refresh(path);
  },
  async removed() {
    const shown = facts();
    if (shown !== null) {
      await showPage(`${base}/?path=${encodeURIComponent(shown.dataset.back ?? '')}`);
      return;
    }
    const active = rowOf(document.activeElement);
    const index = active === null ? 0 : Math.max(0, indexOf(pathOf(active)));
    await refresh();
    // A long list stays where it is.
    if (active === null && longList() !== null) return;
    const next = await rowAt(Math.min(index, countRows() - 1));
    const isLost = document.activeElement === document.body || document.activeElement === main;
    if (next !== undefined && isLost) focusRow(next);
  },
});

/** Whether an address is that of the search. */
export const isSearch = ({ pathname }: Pick<URL, 'pathname'>): boolean => pathname === `${base}/search`;

const shownListeners: (() => void)[] = [];

/** Calls a listener for each page that is shown. */
export function onPageShown(listener: () => void): void {
  shownListeners.push(listener);
}

/** Adds the elements that need the script. */
function preparePage(): void {
  const map = main.querySelector<HTMLElement>('.photo-map');
  if (map !== null && !map.matches('.live-map')) {
    void import('../map.ts').then(({ attachMap }) => (replaceMap = attachMap(map, showPage)));
  }
  const editor = main.querySelector<HTMLFormElement>('.text-editor form');
  if (editor !== null) void import('../editing.ts').then(({ attachEditor }) => attachEditor(editor));
  for (const listener of shownListeners) listener();
  offerUploads();
}

export function rememberPlace(): void {
  // The entry of an item in the viewer is not the place of the list.
  if (viewerEntryIn(history.state) === null) history.replaceState(leftAt(), '');
}

const leftAt = (): LeftAt => ({ rows: rowCount(), top: scrollY, place: longList()?.place?.() ?? null });

/** Initializes the page sent by the server. */
export function startNavigation(): void {
  addEventListener('popstate', ({ state }) => {
    // A link within the page, such as the one that skips to the content.
    if (isEditing() && withoutFragment(location.href) === withoutFragment(shownAddress())) return;
    // The address is that of the other page already.
    if (hasUnsavedText()) {
      if (!confirm(t('editing.leave'))) {
        history.pushState({}, '', shownAddress());
        return;
      }
      required(main, '.text-editor').classList.remove('changed');
    }
    const wasOpen = closeViewer();
    const entry = viewerEntryIn(state);
    if (entry !== null) {
      showViewerEntry(entry);
      return;
    }
    // The list below the viewer is still there, where it was.
    if (wasOpen && location.href === shownAddress()) return;
    const { rows: count = 0, top = 0, place = null } = placeIn(state);
    void showPage(location.href, { isPushed: false, rows: count, top, place });
  });
  addEventListener('pagehide', rememberPlace);
  history.scrollRestoration = 'manual';
  preparePage();
  attachList();
  const { top = 0 } = placeIn(history.state);
  if (top > 0) scrollTo(0, top);
}

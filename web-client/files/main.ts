// The scripts of the file pages, which also work without them. All actions are in the links and forms of the pages.

import { bestEffort } from '../../server/lib/async/settled.ts';
import { closest } from '../lib/dom.ts';
import type { ReceivedCache } from '../lib/received.ts';
import { openLinkToSeveral, perform } from './actions/actions.ts';
import { startDragging } from './list/dragging.ts';
import { abilities, facts, itemOfFacts, listing, rowAt, rowOf, rows } from './list/items.ts';
import { loadMore } from './list/list.ts';
import { isOwnPage, showPage, startNavigation } from './list/navigation.ts';
import { startShortcuts } from './list/shortcuts.ts';
import { act, openItemMenu, subjectsOf } from './overlays/item-menu.ts';
import { fileNav, main, root } from './page.ts';
import { forgetSearches, startSearch } from './search.ts';
import { chooseFiles, startUploadChoice } from './uploads/upload-choice.ts';
import { openFromPage, openFromRow, startViewerEntries } from './viewer-entries.ts';

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0) return;
  closeDropDowns(event.target);
  const target = closest<HTMLAnchorElement | HTMLButtonElement>(event.target, 'a, button');
  if (target === null || target.closest('.menu') !== null) return;
  if (!main.contains(target) && !fileNav.contains(target)) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (press(target)) event.preventDefault();
});

function closeDropDowns(target: EventTarget | null): void {
  for (const open of document.querySelectorAll<HTMLDetailsElement>('.drop[open]')) {
    const isInside = target instanceof Node && open.contains(target);
    if (!isInside || closest(target, 'a') !== null) open.open = false;
  }
}

/** @returns whether the script handles the link or button */
function press(target: HTMLAnchorElement | HTMLButtonElement): boolean {
  const { do: action } = target.dataset;
  const row = rowOf(target);
  if (row !== null && target.matches('.more')) openItemMenu(row, target);
  else if (action === 'upload') chooseFiles(false);
  else if (action === 'link-several' && target instanceof HTMLAnchorElement) void openLinkToSeveral(target.href);
  else if (action === 'forget-searches') forgetSearches();
  else if (action === 'slide-show') void startSlideShow();
  else if (action === 'album-form' && target instanceof HTMLAnchorElement) void openAlbumForm(target.href);
  else if (action === 'create-folder') void createIn(action);
  else if (action !== undefined) {
    const shown = closest(target, '.facts');
    void act(action, shown === null ? subjectsOf(null) : [itemOfFacts(shown)]);
  } else if (row !== null && target.matches('.open') && abilities().includes('restore')) {
    // Items in the trash cannot be opened, so their menu is shown.
    openItemMenu(row, row.querySelector('.more') ?? row);
  } else if (row?.dataset.view !== undefined && target.matches('.open')) void openFromRow(row);
  else if (target.matches('.enlarge') && facts()?.dataset.view !== undefined) void openFromPage();
  else return follow(target);
  return true;
}

/** Creates a folder or file in the shown folder. */
const createIn = (action: string): Promise<void> => perform(action, [{ path: listing()?.dataset.path ?? '' }]);

async function startSlideShow(): Promise<void> {
  // In a long list, the first row need not be in the document.
  const all = [await rowAt(0), ...rows()];
  const first = all.find((row) => row?.dataset.view !== undefined);
  if (first !== undefined) await openFromRow(first, true);
}

async function openAlbumForm(address: string): Promise<void> {
  await (await import('./albums.ts')).openAlbumForm(address);
}

function follow(target: HTMLAnchorElement | HTMLButtonElement): boolean {
  if (!(target instanceof HTMLAnchorElement) || target.href === '') return false;
  if (target.rel === 'next' && target.closest('.more-rows') !== null) void loadMore();
  else if (target.target === '' && isOwnPage(new URL(target.href))) void showPage(target.href);
  else return false;
  return true;
}

main.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement)) return;
  if (form.matches('.album-form')) {
    event.preventDefault();
    void import('./albums.ts').then(({ submitAlbumForm }) => submitAlbumForm(form));
  }
  if (form.closest('.comments') !== null && submitter instanceof HTMLButtonElement) {
    event.preventDefault();
    void import('./comments.ts').then(({ submitComment }) => submitComment(form, submitter));
  }
});

main.addEventListener('contextmenu', (event) => {
  const row = rowOf(event.target);
  if (row === null || event.shiftKey) return;
  event.preventDefault();
  const { clientX: x, clientY: y } = event;
  // The context menu key has no position on the screen.
  const isKey = (x === 0 && y === 0) || !('pointerType' in event) || event.pointerType === '';
  openItemMenu(row, (isKey ? row.querySelector('.more') : null) ?? { x, y });
});

startShortcuts();
startDragging();
startUploadChoice(() => void createIn('create-file'));
startSearch();
document.documentElement.classList.add('js');
startNavigation();
startViewerEntries();
keepPageForOutages();
void showShared();
if (main.querySelector('.import-page') !== null) void import('./import.ts').then(({ followImport }) => followImport());
root.dataset.ready = '';

/** Where it is not possible, as on a device that does not trust the certificate, the browser shows its own page instead. */
function keepPageForOutages(): void {
  const { worker } = root.dataset;
  if (worker !== undefined) void bestEffort(navigator.serviceWorker?.register(worker));
}

/** What other apps have shared with this one: see `received.ts`. Browsers have no caches where they do not trust the certificate. */
async function showShared(): Promise<void> {
  const name: ReceivedCache = 'larder-received';
  if (!('caches' in globalThis) || !(await caches.has(name))) return;
  const { showReceived } = await import('./uploads/received.ts');
  await showReceived();
}

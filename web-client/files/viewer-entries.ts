// Opens the photo viewer: for an entry of a list, for an address, and for an entry of the history.

import { pathOf } from './list/item.ts';
import { facts, linkOf } from './list/items.ts';
import { findRow } from './list/list.ts';
import { showPage } from './list/navigation.ts';
import { shownAddress } from './list/page-address.ts';
import { handleViewerEntries, type ViewerEntry, viewerEntryIn } from './open-viewer.ts';
import { base } from './page.ts';

/** Windows in which a photo, film or music is shown by the viewer only. */
const PHONE = '(max-width: 719px) and (pointer: coarse)';

/** The viewer is loaded when it is first used; without it, the page of the file is shown. */
export async function openFromRow(row: HTMLElement, isSlideShow = false): Promise<void> {
  const photos = await import('./photos.ts').catch(() => null);
  if (photos !== null) photos.openPhotos(pathOf(row), true, isSlideShow);
  else await showPage(linkOf(row)?.href ?? location.href);
}

/** After going back or forward in the history, or reloading: over the list that it was opened from. */
async function showEntry({ viewer: path, below }: ViewerEntry): Promise<void> {
  if (shownAddress() !== below) await showPage(below, { isPushed: false });
  if ((await findRow(path))?.dataset.view === undefined) return showPage(location.href, { isPushed: false });
  (await import('./photos.ts')).openPhotos(path, false);
}

/** The entry of the item whose page is shown, over the list that contains it; null for what has no viewer. */
function entryOfPage(): ViewerEntry | null {
  const { path, back, view } = facts()?.dataset ?? {};
  if (view === undefined || path === undefined) return null;
  return { viewer: path, below: new URL(`${base}/?path=${encodeURIComponent(back ?? '')}`, location.href).href };
}

/** From the page of the item, to which the way leads back. */
export async function openFromPage(): Promise<void> {
  const entry = entryOfPage();
  if (entry === null) return;
  history.pushState(entry, '', location.href);
  await showEntry(entry);
}

/** On a phone, the page of a photo, film or music is the viewer, over the list that contains it. */
async function showOnPhone(): Promise<void> {
  const entry = matchMedia(PHONE).matches ? entryOfPage() : null;
  if (entry === null) return;
  const item = location.href;
  history.replaceState({}, '', entry.below);
  history.pushState(entry, '', item);
  await showEntry(entry);
}

/** Initializes the page sent by the server. */
export function startViewerEntries(): void {
  handleViewerEntries((entry) => void showEntry(entry));
  const entry = viewerEntryIn(history.state);
  if (entry === null) void showOnPhone();
  else void showEntry(entry);
}

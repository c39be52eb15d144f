// Opens the photo viewer: for an entry of a list, for an address, and for an entry of the history.

import { facts, linkOf, pathOf, rowFor } from './list/items.ts';
import { loadMore } from './list/list.ts';
import { shownAddress, showPage } from './list/navigation.ts';
import { handleViewerEntries, type ViewerEntry, viewerEntryIn } from './open-viewer.ts';
import { base } from './page.ts';

/** Windows in which a photo, film or music is shown by the viewer only. */
const PHONE = '(max-width: 719px) and (pointer: coarse)';
/** Rows per request until the item is found. */
const MAX_ROWS = 2_000;

/** The viewer is loaded when it is first used; without it, the page of the file is shown. */
export async function openFromRow(row: HTMLElement): Promise<void> {
  const photos = await import('./photos.ts').catch(() => null);
  if (photos !== null) photos.openPhotos(pathOf(row));
  else await showPage(linkOf(row)?.href ?? location.href);
}

/** After going back or forward in the history, or reloading: over the list that it was opened from. */
async function showEntry({ viewer: path, below }: ViewerEntry): Promise<void> {
  if (shownAddress() !== below) await showPage(below, { isPushed: false });
  while (rowFor(path) === null) if (!(await loadMore(MAX_ROWS))) break;
  if (rowFor(path)?.dataset.view === undefined) return showPage(location.href, { isPushed: false });
  (await import('./photos.ts')).openPhotos(path, false);
}

/** On a phone, the page of a photo, film or music is the viewer, over the list that contains it. */
async function showOnPhone(): Promise<void> {
  const { path, back, view } = facts()?.dataset ?? {};
  if (view === undefined || path === undefined || !matchMedia(PHONE).matches) return;
  const item = location.href;
  const below = new URL(`${base}/?path=${encodeURIComponent(back ?? '')}`, item).href;
  history.replaceState({}, '', below);
  history.pushState({ viewer: path, below }, '', item);
  await showEntry({ viewer: path, below });
}

/** Initializes the page sent by the server. */
export function startViewerEntries(): void {
  handleViewerEntries((entry) => void showEntry(entry));
  const entry = viewerEntryIn(history.state);
  if (entry === null) void showOnPhone();
  else void showEntry(entry);
}

// Opens the photo viewer: by a click, and for an entry of the history.

import { closest } from '../lib/dom.ts';

type Photos = typeof import('./photos.ts');
type PageBelow = import('./photos.ts').PageBelow;

/**
 * The viewer is loaded when it is first used; without it, the link is followed.
 * @param area contains what opens it @param opener the clicked file, if it is shown in the viewer
 */
export function startViewer(
  area: HTMLElement,
  opener: (target: EventTarget | null) => HTMLElement | null,
  below: (photos: Photos) => PageBelow,
): void {
  const page = location.href;
  area.addEventListener('click', (event) => {
    const row = opener(event.target);
    const isOwn = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0;
    if (row === null || isOwn) return;
    event.preventDefault();
    const address = closest<HTMLAnchorElement>(event.target, 'a')?.href ?? page;
    import('./photos.ts').then(
      (photos) => photos.openPhotos(below(photos), row),
      () => location.assign(address),
    );
  });
  addEventListener('popstate', async ({ state }) => {
    const photos = await import('./photos.ts');
    const wasOpen = photos.closePhotos();
    const path = viewedIn(state);
    const under = below(photos);
    const row = under.rows().find(({ dataset }) => dataset.path === path);
    if (row !== undefined) photos.openPhotos(under, row, false);
    else if (!wasOpen && location.search !== new URL(page).search) location.reload();
  });
}

function viewedIn(state: unknown): string | null {
  return typeof state === 'object' && state !== null && 'viewer' in state ? String(state.viewer) : null;
}

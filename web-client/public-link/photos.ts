// The photo viewer over a linked folder: it requests previews only, and a film once it is played.

import { elements, make, parseHtml } from '../lib/dom.ts';
import { detailsContent } from '../photo-viewer/details.ts';
import type { ViewerItem, ViewerSource } from '../photo-viewer/source.ts';
import { openViewer, type PhotoViewer } from '../photo-viewer/viewer.ts';
import { loadMore } from './more.ts';

let viewer: PhotoViewer | null = null;

/** @returns whether it was open */
export function closePhotos(): boolean {
  if (viewer?.isOpen !== true) return false;
  viewer.close();
  return true;
}

/** @param row of the entry that is shown first @param isPushed whether to add a history entry */
export function openPhotos(form: HTMLFormElement, row: HTMLElement, isPushed = true): void {
  const path = row.dataset.path ?? '';
  if (isPushed) history.pushState({ viewer: path }, '', linkOf(row)?.href);
  viewer = openViewer(source(form, path), path);
}

const linkOf = (row: HTMLElement | undefined): HTMLAnchorElement | null => row?.querySelector('a') ?? null;

/** @param opener the path of the entry it was opened from */
function source(form: HTMLFormElement, opener: string): ViewerSource {
  const rows = () => elements(form, '[data-view]');
  const rowFor = (path: string) => rows().find(({ dataset }) => dataset.path === path);
  return {
    items: () => rows().map(itemIn),
    hasMore: () => form.querySelector('.more-rows') !== null,
    loadMore: () => loadMore(form),
    preview({ path }, width) {
      const row = rowFor(path);
      const known = row?.dataset.thumbnail ?? row?.querySelector<HTMLImageElement>('.photo')?.src;
      if (known === undefined) return null;
      const address = new URL(known, location.href);
      if (width === 400) address.searchParams.delete('width');
      else address.searchParams.set('width', String(width));
      return address.href;
    },
    // The file itself would be needed.
    moving: () => null,
    icon: ({ kind }) => `${form.dataset.icons}/${kind === 'picture' ? 'image' : kind}.svg`,
    media: ({ path }) => rowFor(path)?.dataset.play ?? '',
    isPlayedOnDemand: true,
    playNote: form.dataset.counted ?? '',
    can: (action) => action === 'download',
    async perform(_action, { path }) {
      const field = make('input', { type: 'hidden', name: 'path', value: path });
      const away = make('form', { method: 'post', action: form.action, hidden: true }, field);
      document.body.append(away);
      away.submit();
      away.remove();
    },
    showMenu: () => undefined,
    details: ({ path }) => detailsOf(linkOf(rowFor(path))?.href ?? location.href),
    moved: ({ path }) => history.replaceState({ viewer: path }, '', linkOf(rowFor(path))?.href),
    leave: () => history.back(),
    closed(item) {
      const link = item === null ? null : linkOf(rowFor(item.path));
      link?.focus({ preventScroll: true });
      // The page stays where it is, unless another entry was shown last, which is not in sight.
      if (item?.path !== opener) link?.scrollIntoView({ block: 'nearest' });
    },
  };
}

function itemIn({ dataset }: HTMLElement): ViewerItem {
  const { path = '', name = '', view, when = '' } = dataset;
  return { path, name, kind: view === 'video' || view === 'audio' ? view : 'picture', when, isStarred: false };
}

/** The details of the page of the file, which requests nothing of its content. */
async function detailsOf(address: string): Promise<Node | null> {
  const response = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (response?.ok !== true) return null;
  const facts = parseHtml(await response.text()).querySelector('.facts');
  for (const extra of facts === null ? [] : elements(facts, ':scope > form, .safe')) extra.remove();
  return facts === null ? null : detailsContent(facts);
}

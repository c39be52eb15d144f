// The photo viewer over a linked folder, and over the page of a linked photo: it requests previews only, and a film once it is
// played.

import { elements, make, parseHtml } from '../lib/dom.ts';
import { detailsContent } from '../photo-viewer/details.ts';
import type { ViewerItem, ViewerSource } from '../photo-viewer/source.ts';
import { openViewer, type PhotoViewer } from '../photo-viewer/viewer.ts';
import { loadMore } from './more.ts';

/** The page below the viewer. */
export interface PageBelow {
  /** Has the address of the icons, and what to say before something is played. */
  readonly data: DOMStringMap;
  /** The elements of the files that the viewer shows. */
  rows(): HTMLElement[];
  /** What leads from there to the viewer. */
  link(row: HTMLElement): HTMLElement | null;
  /** The address of the page of a file. */
  address(row: HTMLElement): string;
  hasMore(): boolean;
  loadMore(): Promise<boolean>;
  download(path: string): void;
}

let viewer: PhotoViewer | null = null;

/** @returns whether it was open */
export function closePhotos(): boolean {
  if (viewer?.isOpen !== true) return false;
  viewer.close();
  return true;
}

/** @param row of the file that is shown first @param isPushed whether to add a history entry */
export function openPhotos(below: PageBelow, row: HTMLElement, isPushed = true): void {
  const path = row.dataset.path ?? '';
  if (isPushed) history.pushState({ viewer: path }, '', below.address(row));
  viewer = openViewer(source(below, path), path);
}

export function folderBelow(form: HTMLFormElement): PageBelow {
  const link = (row: HTMLElement) => row.querySelector('a');
  return {
    data: form.dataset,
    rows: () => elements(form, '[data-view]'),
    link,
    address: (row) => link(row)?.href ?? location.href,
    hasMore: () => form.querySelector('.more-rows') !== null,
    loadMore: () => loadMore(form),
    download(path) {
      const field = make('input', { type: 'hidden', name: 'path', value: path });
      const away = make('form', { method: 'post', action: form.action, hidden: true }, field);
      document.body.append(away);
      away.submit();
      away.remove();
    },
  };
}

/** @param photo the link around the photo of the page */
export function fileBelow(photo: HTMLElement): PageBelow {
  return {
    data: photo.dataset,
    rows: () => [photo],
    link: () => photo,
    address: () => location.href,
    hasMore: () => false,
    loadMore: () => Promise.resolve(false),
    download: () => document.querySelector<HTMLElement>('.facts form button[name="all"]')?.click(),
  };
}

/** @param opener the path of the file it was opened from */
function source(below: PageBelow, opener: string): ViewerSource {
  const { icons, counted } = below.data;
  const rowFor = (path: string) => below.rows().find(({ dataset }) => dataset.path === path);
  const inBurst = (path: string) =>
    below
      .rows()
      .flatMap(burstOf)
      .find(([own]) => own === path);
  const addressFor = (path: string) => {
    const row = rowFor(path);
    return row === undefined ? (inBurst(path)?.[3] ?? location.href) : below.address(row);
  };
  return {
    items: () => below.rows().map(itemIn),
    hasMore: () => below.hasMore(),
    loadMore: () => below.loadMore(),
    preview({ path }, width) {
      const row = rowFor(path);
      const own = row?.dataset.thumbnail ?? row?.querySelector<HTMLImageElement>('.photo')?.src;
      const known = own ?? inBurst(path)?.[2];
      if (known === undefined || known === '') return null;
      const address = new URL(known, location.href);
      if (width === 400) address.searchParams.delete('width');
      else address.searchParams.set('width', String(width));
      return address.href;
    },
    // The file itself would be needed.
    moving: () => null,
    icon: ({ kind }) => `${icons}/${kind === 'picture' ? 'image' : kind}.svg`,
    media: ({ path }) => rowFor(path)?.dataset.play ?? '',
    isPlayedOnDemand: true,
    playNote: counted ?? '',
    can: (action) => action === 'download',
    perform: async (_action, { path }) => below.download(path),
    performOnOne: async () => undefined,
    showMenu: () => undefined,
    details: ({ path }) => detailsOf(addressFor(path)),
    moved: ({ path }) => history.replaceState({ viewer: path }, '', addressFor(path)),
    leave: () => history.back(),
    closed(item) {
      const row = item === null ? undefined : rowFor(item.path);
      const link = row === undefined ? null : below.link(row);
      link?.focus({ preventScroll: true });
      // The page stays where it is, unless another entry was shown last, which is not in sight.
      if (item?.path !== opener) link?.scrollIntoView({ block: 'nearest' });
    },
  };
}

/** Another photo of a burst: its path, its name, and the addresses of its preview, its page and its film. */
type BurstPhoto = readonly [path: string, name: string, preview: string, page: string, film: string];

const burstOf = ({ dataset }: HTMLElement): readonly BurstPhoto[] => JSON.parse(dataset.burst ?? '[]');

function itemIn(row: HTMLElement): ViewerItem {
  const { dataset } = row;
  const { path = '', name = '', view, when = '' } = dataset;
  const kind = view === 'video' || view === 'audio' ? view : 'picture';
  const item = { path, name, kind, mark: null, when, isStarred: false, film: dataset.film ?? null, burst: [] } as const;
  const burst = burstOf(row).map(([own, called, , , film]) => ({
    ...{ ...item, path: own, name: called },
    film: film === '' ? null : film,
  }));
  return { ...item, burst };
}

/** The details of the page of the file, which requests nothing of its content. */
async function detailsOf(address: string): Promise<Node | null> {
  const response = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (response?.ok !== true) return null;
  const facts = parseHtml(await response.text()).querySelector('.facts');
  for (const extra of facts === null ? [] : elements(facts, ':scope > form, .safe')) extra.remove();
  return facts === null ? null : detailsContent(facts);
}

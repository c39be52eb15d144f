import { DEFAULT_SIDE, type PictureSide } from '../../media/thumbnails/sides.ts';
import type { OpenLink } from '../../weblinks/open-link.ts';

/** Views of folders. */
export const LINK_VIEWS = ['gallery', 'list'] as const;
export type LinkView = (typeof LINK_VIEWS)[number];

/** The addresses of the pages of one link. Paths begin at the linked item: it is `/`. */
export interface LinkAddresses {
  readonly base: string;
  page(path: string, more?: Record<string, string | number>): string;
  /** The content of a file, for holders of a view ticket. */
  content(path: string): string;
  /** A thumbnail of a file, with the same ticket. */
  thumbnail(path: string, side?: PictureSide): string;
  /** The document that shows a file in a frame. */
  view(path: string): string;
  /** Leads to the content of a film or music, once it is played. */
  play(path: string): string;
  /** Form actions. */
  form(name: 'open' | 'accept' | 'get' | 'send' | 'comment', path?: string): string;
  upload(path: string): string;
  /** The address of a download, for holders of a download ticket. @param downloadId distinguishes it from other downloads */
  download(path: string, downloadId: string): string;
}

/** @param ticket null where nothing is shown @param sessionId of the recipient, if known */
export function linkAddresses(
  basePath: string,
  { link }: OpenLink,
  ticket: string | null = null,
  sessionId: number | null = null,
): LinkAddresses {
  const base = `${basePath}/wl/`;
  const to = (page: string, values: Record<string, string | number | null>) => {
    const all: Record<string, string | number | null> = { id: link.id, ...values };
    const query = Object.entries(all)
      .filter((entry): entry is [string, string | number] => entry[1] !== null)
      .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed()).replaceAll('%2F', '/')}`);
    return `${base}${page}?${query.join('&')}`;
  };
  const at = (path: string) => (path === '' || path === '/' ? null : path);
  return {
    base,
    page: (path, more = {}) => to('', { path: at(path), ...more }),
    content: (path) => to('content', { path: at(path), as: sessionId, ticket }),
    thumbnail: (path, side = DEFAULT_SIDE) =>
      to('thumbnail', { path: at(path), width: side === DEFAULT_SIDE ? null : side, as: sessionId, ticket }),
    view: (path) => to('view', { path: at(path), as: sessionId, ticket }),
    play: (path) => to('play', { path: at(path), as: sessionId, ticket }),
    form: (name, path = '') => to(name, { path: at(path) }),
    upload: (path) => to('upload', { path: at(path) }),
    download: (path, downloadId) => to('get', { path: at(path), turn: downloadId, as: sessionId, ticket }),
  };
}

/** A path as used in addresses; empty for the linked item. */
export function pathText(path: readonly string[]): string {
  return path.length === 0 ? '' : `/${path.join('/')}`;
}

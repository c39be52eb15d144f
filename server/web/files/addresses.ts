import { DEFAULT_SIDE, type PictureSide } from '../../media/thumbnails/sides.ts';
import type { PictureAddress } from '../shell/pictures.ts';
import { SEEN_TYPES } from '../shell/thumbnail-image.ts';
import type { Row } from './context.ts';
import { defaultLook, type Look } from './listing/look.ts';
import type { SearchQuery } from './search/query.ts';

/** A file with a picture of its content. */
type Pictured = Pick<Row, 'path' | 'size' | 'version' | 'modifiedAt'>;

export interface FilesLinks {
  /** A folder or list. */
  folder(path: string, look?: Partial<Look>, more?: Record<string, string | number>): string;
  /** Chooses how a folder or list is shown, from now on. */
  look(path: string, look: Look): string;
  /** The results of a search. */
  search(query: Partial<SearchQuery>): string;
  /** @param from the list it was opened from, if that is not its folder */
  item(path: string, from?: string | null): string;
  /** @param version of an earlier content, here and below; null for the present one */
  download(path: string, version?: number | null): string;
  /** The content for a preview. */
  content(row: Pictured, version?: number | null): string;
  /** The film inside of a photo. */
  film(path: string): string;
  /** The document of the sandboxed frame for files that could run something. */
  view(path: string, version?: number | null): string;
  /** The same content for such a frame, which requests it without cookies. */
  framed(path: string, sessionId: number, ticket: string, version?: number | null): string;
  /** The versions of a file, one of them shown. */
  versions(path: string, version?: number | null): string;
  /** An earlier version of a text beside the present one. */
  comparison(path: string, version: number): string;
  /** The page that edits a text. */
  edit(path: string): string;
  /** The page that shows whom it is shared with. */
  share(path: string): string;
  /** The page of its web link. */
  link(path: string): string;
  /** The same form, to request files. */
  requestFiles(path: string): string;
  /** The page with the form of an action, and the address of that form. */
  act(action: string, path?: string, more?: Record<string, string>): string;
  /**
   * The picture of a file among many: the only place that decides it.
   * @returns null where only the icon of its type can be shown
   */
  picture(row: Row): PictureAddress | null;
  /** The same of a deleted file. */
  deletedPicture(row: Row): PictureAddress | null;
  /** A thumbnail of its content, of any type. */
  thumbnail(row: Pictured, side?: PictureSide): string;
  /** All albums. */
  readonly albums: string;
  /** The photos of an album, by its uuid. */
  album(album: string, more?: Record<string, string | number>): string;
  /** The form that adds, changes or deletes an album. */
  albumForm(form: 'add' | 'edit' | 'delete' | 'folder' | 'share' | 'leave' | 'undo', album?: string): string;
  /** The page of the web link to an album. */
  albumLink(album: string): string;
  /** The page that backs up the photos of a phone. */
  readonly photoBackup: string;
  /** The map of photos. */
  readonly map: string;
  /** The page that imports photos from other services. */
  readonly imports: string;
  /** The report of an import, by its uuid. */
  importReport(name: string): string;
  /** Where a form about imports is sent. */
  importForm(form: 'add' | 'cancel' | 'resume'): string;
  readonly base: string;
}

export function filesLinks(basePath: string): FilesLinks {
  const base = `${basePath}/files`;
  const to = (page: string, values: Record<string, string | number | null | undefined>) => {
    const query = Object.entries(values)
      .filter((entry): entry is [string, string | number] => entry[1] !== undefined && entry[1] !== null)
      .map(([name, value]) => `${name}=${encoded(String(value))}`)
      .join('&');
    return `${base}/${page}${query === '' ? '' : `?${query}`}`;
  };
  const thumbnail = (row: Pictured, side: PictureSide = DEFAULT_SIDE) =>
    to('thumbnail', { path: row.path, width: side === DEFAULT_SIDE ? null : side, v: contentMark(row) });
  return {
    base,
    folder(path, look = {}, more = {}) {
      const usual = defaultLook(path);
      const unusual = Object.entries(look).filter(([name, value]) => value !== usual[name as keyof Look]);
      return to('', { path, ...Object.fromEntries(unusual), ...more });
    },
    look: (path, { view, sort, order }) => to('', { path, view, sort, order, keep: 1 }),
    search: ({ words, kind, time, inside, from, personId, group }) =>
      to('search', {
        q: words,
        kind: kind === 'everything' ? null : kind,
        time: time === 'any' ? null : time,
        in: inside,
        from,
        who: personId,
        group,
      }),
    item: (path, from) => to('item', { path, from }),
    download: (path, version) => to('download', { path, version }),
    content: (row, version = null) =>
      to('download', { path: row.path, version, openInBrowser: 1, v: version === null ? contentMark(row) : null }),
    film: (path) => to('film', { path }),
    view: (path, version) => to('view', { path, version }),
    framed: (path, session, ticket, version) => to('content', { session, path, version, ticket }),
    versions: (path, version) => to('versions', { path, version }),
    comparison: (path, version) => to('versions/compare', { path, version }),
    edit: (path) => to('edit', { path }),
    share: (path) => to('share', { path }),
    link: (path) => to('link', { path }),
    requestFiles: (path) => to('link', { path, request: '1' }),
    act: (action, path, more = {}) => to(`do/${action}`, { path, ...more }),
    picture: (row) => (row.hasThumbnail && SEEN_TYPES.has(row.type) ? (side) => thumbnail(row, side) : null),
    deletedPicture: ({ uuid, type }) =>
      uuid !== null && SEEN_TYPES.has(type) ? (side) => to('thumbnail', { uuid, type, width: side }) : null,
    thumbnail,
    albums: to('albums', {}),
    album: (album, more = {}) => to('album', { album, ...more }),
    albumForm: (form, album) => to(`albums/${form}`, { album }),
    albumLink: (album) => to('link/several', { album }),
    photoBackup: to('photo-backup', {}),
    map: to('map', {}),
    imports: to('imports', {}),
    importReport: (name) => to('import', { import: name }),
    importForm: (form) => to(`imports/${form}`, {}),
  };
}

/**
 * Changes when a file gets another content, unless a program leaves both size and time as they were. Within a page, browsers show the
 * picture of an address again without asking whether it has changed.
 */
export function contentMark({ size, version, modifiedAt }: Omit<Pictured, 'path'>): string | null {
  if (size === null) return null;
  const parts = [size, Math.floor((modifiedAt ?? 0) / 1_000), version ?? 1];
  return parts.map((part) => part.toString(36)).join('.');
}

/** A slash has no meaning in a query, so it stays readable. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%2F', '/');
}

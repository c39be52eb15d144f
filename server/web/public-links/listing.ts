import { accountRights, isPermitted } from '../../access/rights.ts';
import { entriesIn, sumBelow, sumOfItems } from '../../catalogue/folder-sums.ts';
import { lengthsOf, type PictureSize, pictureSizesOf } from '../../fields/sizes-and-lengths.ts';
import { ApiError } from '../../http/errors.ts';
import type { FileType } from '../../lib/names/file-types.ts';
import { browse } from '../../listing/browse/browse.ts';
import { browseLinked, type Joining, type LinkedPart, type LinkedParts } from '../../listing/browse/linked.ts';
import type { ListedItem } from '../../listing/details.ts';
import { t } from '../../messages/messages.ts';
import type { OpenLink } from '../../weblinks/open-link.ts';
import { picturedIn, SEEN_TYPES } from '../shell/thumbnail-image.ts';
import { photoViewerKindOf } from '../viewer/kinds.ts';
import { allowsThumbnails, type LinkRequest } from './context.ts';

/** An entry of a linked folder. */
export interface LinkRow {
  readonly name: string;
  readonly isDir: boolean;
  /** Below the linked item. */
  readonly path: string;
  readonly type: FileType;
  /** Milliseconds since the epoch. */
  readonly changedAt: number | null;
  readonly size: number | null;
  /** For a folder: number of its entries; null where hidden. */
  readonly entries: { readonly entries: number; readonly photos: number } | null;
  /** Whether a thumbnail may be shown. */
  readonly hasThumbnail: boolean;
  /** Null if unknown. */
  readonly pixels: PictureSize | null;
  /** Of a film or music, such as `3:45`; null where unknown. */
  readonly length: string | null;
  /** Whether it is shown by its thumbnail in a gallery. */
  readonly isPicture: boolean;
  /** The other photos of a burst, which are one with it. */
  readonly burst: readonly LinkRow[];
  /** The path of the film of a Live Photo, which is one with it. */
  readonly film: string | null;
}

export interface LinkFolder {
  readonly path: string;
  readonly name: string;
  readonly rows: readonly LinkRow[];
  readonly total: number;
  /** Including everything below; null if not requested. */
  readonly bytes: number | null;
  readonly files: number;
}

interface Listed {
  readonly start: number;
  readonly limit: number;
  /** Whether bursts and Live Photos of an album are one photo each. */
  readonly arePhotosWhole?: boolean;
}

/** A page of a folder. @throws ApiError `not_found`, also for a file */
export async function listLinkFolder(
  { listing, open, files, caller }: LinkRequest,
  path: readonly string[],
  { start, limit, arePhotosWhole = false }: Listed,
): Promise<LinkFolder> {
  const details = ['uuid', 'mdate', 'fileSize', 'type', 'hasThumb'] as const;
  const options = { itemType: 'any', sort: 'name', order: 'asc', details, address: '' } as const;
  const listed = await entriesAt(
    listing,
    { open, caller },
    path,
    { ...options, start, limit },
    arePhotosWhole ? joiningFor(open) : null,
  );
  const folders = listed.files.flatMap(({ is_dir: isDir, uuid }) => (isDir && uuid !== undefined ? [uuid] : []));
  const inside = await entriesIn(files.database, folders);
  const seen = allowsThumbnails(open) ? listed.files : [];
  const sizes = await pictureSizesOf(files.database, picturedIn(seen));
  const played = seen.filter(({ type }) => type === 'video' || type === 'audio');
  const lengths = await lengthsOf(
    files.database,
    played.flatMap(({ uuid }) => uuid ?? []),
  );
  const sum = await sumOf(files, listed.path, { open, caller }, path);
  return {
    path: listed.path,
    name: listed.name,
    total: listed.total,
    rows: listed.files.map((item) => {
      const parts = listed.parts.get(item.path) ?? [];
      return {
        ...rowOf(item, inside, allowsThumbnails(open)),
        pixels: sizes.get(item.uuid ?? '') ?? null,
        length: lengths.get(item.uuid ?? '') ?? null,
        film: filmOf(item, parts),
        burst: parts.flatMap((part) =>
          part.filmOf === null
            ? [{ ...rowOf(part.item, inside, allowsThumbnails(open)), film: filmOf(part.item, parts) }]
            : [],
        ),
      };
    }),
    bytes: sum?.bytes ?? null,
    files: sum?.files ?? 0,
  };
}

/** A film is part of its photo where the photo viewer shows that and may play it; otherwise it is an entry of its own. */
function joiningFor(open: OpenLink): Joining {
  const { downloadLimit, forceSave } = open.link;
  const mayPlay = downloadLimit === 0 && !forceSave && linkAbilities({ open }).download;
  const isShown = (still: ListedItem) => photoViewerKindOf(rowOf(still, new Map(), allowsThumbnails(open))) !== null;
  return { playsFilm: (still) => mayPlay && isShown(still) };
}

function filmOf({ path }: ListedItem, parts: readonly LinkedPart[]): string | null {
  return parts.find((part) => part.filmOf === path)?.item.path ?? null;
}

const NO_PARTS: LinkedParts = new Map();

/** What is in a folder of a link, or the items of a link to several, which are in no folder of their own. */
async function entriesAt(
  listing: LinkRequest['listing'],
  { open, caller }: Pick<LinkRequest, 'open' | 'caller'>,
  path: readonly string[],
  options: Omit<Parameters<typeof browse>[3], 'recursive'>,
  joining: Joining | null,
) {
  if (path.length === 0 && open.items !== null) {
    const { files, total, parts } = await browseLinked(
      listing,
      caller,
      { items: open.items, album: open.album },
      { ...options, recursive: false },
      joining,
    );
    return { path: '', name: linkName(open), files, total, parts };
  }
  const listed = await browse(listing, caller, path, { ...options, recursive: false });
  if (!('meta' in listed)) throw new Error('only a recursive listing is streamed');
  const { meta, files } = listed;
  return {
    path: meta.path,
    name: meta.folderName,
    files,
    total: meta.total ?? files.length,
    parts: NO_PARTS,
  };
}

/** Items of an album that were chosen on its page, with what is one with them there. */
export async function withParts(
  linkRequest: LinkRequest,
  paths: readonly (readonly string[])[],
): Promise<readonly (readonly string[])[]> {
  if (linkRequest.open.album === null) return paths;
  const { rows } = await listLinkFolder(linkRequest, [], { start: 0, limit: 100_000, arePhotosWhole: true });
  const partsOf = new Map(
    rows.map(({ path, film, burst }) => [path, [film, ...burst.flatMap((one) => [one.path, one.film])]]),
  );
  return paths.flatMap((path) => [
    path,
    ...(partsOf.get(`/${path.join('/')}`) ?? []).flatMap((part) => (part === null ? [] : [[part.slice(1)]])),
  ]);
}

/** What a link is called: like its album or item, or by the number of its items. */
export function linkName({ grant, items, album }: OpenLink): string {
  if (album !== null) return album;
  if (items !== null) return t('files.count.items', { count: items.length });
  return grant.alias === '' ? (grant.location.segments.at(-1) ?? '') : grant.alias;
}

/** @param path to a file @throws ApiError `not_found` */
export async function findLinkFile(
  linkRequest: LinkRequest,
  path: readonly string[],
): Promise<{ row: LinkRow; siblings: readonly LinkRow[] }> {
  const { rows } = await listLinkFolder(linkRequest, path.slice(0, -1), { start: 0, limit: 100_000 });
  const row = rows.find((one) => one.path === `/${path.join('/')}` && !one.isDir);
  if (row === undefined) throw new ApiError('not_found', t('api.access.notFound'));
  return { row, siblings: rows.filter(({ isDir }) => !isDir) };
}

async function sumOf(
  files: LinkRequest['files'],
  path: string,
  { open, caller }: Pick<LinkRequest, 'open' | 'caller'>,
  segments: readonly string[],
): Promise<{ files: number; bytes: number } | null> {
  const database = { all: files.database.allAside };
  if (segments.length === 0 && open.items !== null) {
    return sumOfItems(
      database,
      open.items.map(({ grant }) => grant.itemId),
    );
  }
  if (segments.length === 0) return sumBelow(database, open.grant.itemId);
  const target = await files.access.resolveItem(caller, segments, 'files/browse');
  const [row] = await files.database.all<{ id: number }>(WAY_DOWN, [
    target.share?.itemId ?? open.grant.itemId,
    JSON.stringify(target.segments.slice(target.top)),
  ]);
  return row === undefined || path === '' ? null : sumBelow(database, row.id);
}

/** The item at the end of a path below another. */
const WAY_DOWN = `WITH RECURSIVE way (id, depth) AS (
  SELECT ?1, 0
  UNION ALL
  SELECT items.id, depth + 1 FROM way CROSS JOIN items ON items.parent_id = way.id
  WHERE items.name = (?2 ->> depth)
) SELECT id FROM way WHERE depth = json_array_length(?2)`;

function rowOf(
  { filename: name, is_dir: isDir, path, type, mdate, fileSize, uuid, hasThumb }: ListedItem,
  inside: Awaited<ReturnType<typeof entriesIn>>,
  isSeen: boolean,
): Omit<LinkRow, 'film'> {
  const size = fileSize ?? null;
  const hasThumbnail = isSeen && hasThumb === true;
  return {
    name,
    isDir,
    path,
    type: (type as FileType | undefined) ?? (isDir ? 'folder' : 'other'),
    changedAt: mdate === undefined ? null : Date.parse(mdate),
    size,
    entries: isDir && uuid !== undefined ? (inside.get(uuid) ?? null) : null,
    hasThumbnail,
    isPicture: hasThumbnail && SEEN_TYPES.has(type ?? ''),
    pixels: null,
    length: null,
    burst: [],
  };
}

/** What a visitor may do here. Every button depends on it. */
export function linkAbilities({ open }: Pick<LinkRequest, 'open'>) {
  const { grant, creator } = open;
  const may = (action: 'files/download' | 'files/download:folder' | 'files/upload') =>
    isPermitted(accountRights(creator), grant, action);
  return {
    download: may('files/download'),
    downloadFolders: may('files/download:folder'),
    upload: may('files/upload'),
  };
}

import { isTop, LINKS_BASE } from '../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { folderPermissions } from '../../access/rights.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { AlbumChangesContext } from '../../albums/change-albums.ts';
import type { AlbumSharingContext } from '../../albums/share-album.ts';
import { recentTimesOf } from '../../catalogue/newest.ts';
import type { PhotoMap } from '../../catalogue/photo-places.ts';
import type { PhotoTimeline } from '../../catalogue/photos.ts';
import type { CommentsContext } from '../../comments/context.ts';
import type { ContentContext } from '../../files/content-context.ts';
import { listTrash } from '../../files/trash/trash-rows.ts';
import type { ActiveResponses } from '../../http/connection/active-responses.ts';
import { ApiError } from '../../http/errors.ts';
import type { ImportChangesContext } from '../../imports/change-imports.ts';
import type { Clock } from '../../lib/clock.ts';
import { browse } from '../../listing/browse/browse.ts';
import type { BrowseContext, BrowseOptions, Listing } from '../../listing/listing.ts';
import type { ReceiptContext } from '../../listing/receipt.ts';
import type { Thumbnails } from '../../media/thumbnails/thumbnails.ts';
import { t } from '../../messages/messages.ts';
import type { MetadataContext } from '../../metadata/context.ts';
import type { SharingContext } from '../../sharing/context.ts';
import type { Stars } from '../../stars/stars.ts';
import type { WeblinksContext } from '../../weblinks/context.ts';
import type { ContentTickets } from '../shell/content-tickets.ts';
import type { PageContext } from '../shell/page-context.ts';
import type { Looks } from './listing/looks.ts';
import { ofSharedItem, type PagePermissions, type ReshareRights, reshareOf } from './listing/shared-roots.ts';
import type { MapTiles } from './map/tiles.ts';
import type { Row } from './row.ts';
import { rowsOf } from './rows-of.ts';

export type { Row } from './row.ts';

/** The parts that the file pages use. */
export interface FilesPagesParts extends PageContext {
  /** Whether browsers may keep a page for when the server cannot be reached. */
  readonly keepsPages: () => boolean;
  /** The outside source of the map that the owner has set; null for none. */
  readonly mapTiles: () => MapTiles | null;
  readonly files: ContentContext;
  readonly listing: BrowseContext & ReceiptContext;
  readonly thumbnails: Thumbnails;
  readonly stars: Stars;
  readonly albumsContext: AlbumChangesContext & AlbumSharingContext;
  readonly importsContext: ImportChangesContext;
  readonly looks: Looks;
  readonly photoTimeline: (homeId: string) => Promise<PhotoTimeline>;
  readonly photoMap: PhotoMap;
  readonly commentsContext: CommentsContext;
  readonly metadataContext: MetadataContext;
  readonly activeResponses: ActiveResponses;
  readonly sharing: SharingContext;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly contentTickets: ContentTickets;
  readonly weblinks: WeblinksContext;
  readonly clock: Clock;
  readonly trashDays: () => number;
}

export interface Listed {
  readonly meta: Omit<Listing['meta'], 'perms'> & { readonly perms: PagePermissions };
  readonly rows: readonly Row[];
  /** On all pages together. */
  readonly total: number;
  /** Files in the trash that the page leaves out. */
  readonly hidden: number;
  readonly reshare: ReshareRights;
}

/** A name and its path. */
export interface NamedPath {
  readonly name: string;
  readonly path: string;
}

/** The details of which rows are made. */
export const ROW_DETAILS = [
  ...(['uuid', 'mdate', 'fileSize', 'type', 'hasThumb'] as const),
  ...(['isLocked', 'isShared', 'hasWebLink', 'label', 'version'] as const),
] as const;
/** Pages need to know whether there are links, not their addresses. */
export const NO_ADDRESS = '';
const PLAIN: BrowseOptions = {
  itemType: 'any',
  sort: 'name',
  order: 'asc',
  details: [],
  address: NO_ADDRESS,
  recursive: false,
  withFilms: true,
};

const TRASH = '/TRASH';
const RECENT = '/RECENT';
const TOP = '/ROOT';

export type Wanted = Partial<Pick<BrowseOptions, 'sort' | 'order' | 'start' | 'limit' | 'itemType'>>;

/** A page of a folder or list. @throws ApiError `not_found`, also for a file; `storage_offline` */
export async function listFolder(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: readonly string[],
  requested: Wanted = {},
): Promise<Listed> {
  const isOfLinks = `/${path.join('/')}` === LINKS_BASE;
  const details = isOfLinks ? ([...ROW_DETAILS, 'weblink-full'] as const) : ROW_DETAILS;
  const options = { ...PLAIN, ...requested, details, start: requested.start ?? 0 };
  const [listing, starred] = await Promise.all([browseWhole(parts, caller, path, options), starsOf(parts, caller)]);
  const deleted = listing.meta.path === TRASH ? await deletions(parts, caller) : new Map<string, Row['deleted']>();
  const listed = await rowsOf(parts, caller, listing.files, { starred, deleted });
  const rows = listing.meta.path === RECENT ? await withRecentTimes(parts, listed) : listed;
  const { perms, reshare } = await rightsIn(parts, caller, path, listing.meta.perms);
  const total = listing.meta.total ?? rows.length;
  return { meta: { ...listing.meta, perms }, rows, total, hidden: Math.max(0, deleted.size - total), reshare };
}

/**
 * The permissions for the listed items: each share has its own. A list of shares offers what any of them allows; the server
 * refuses what the chosen one does not.
 */
export async function rightsIn(
  { files }: Pick<FilesPagesParts, 'files'>,
  caller: AccountCaller,
  path: readonly string[],
  perms: Listing['meta']['perms'],
): Promise<{ perms: PagePermissions; reshare: ReshareRights }> {
  const { account } = caller;
  const target = await files.access.resolve(caller, path);
  if (target.kind === 'item') return { perms, reshare: reshareOf(caller, target.item.share) };
  if (target.kind !== 'shared' && target.kind !== 'sharer') {
    // In a list from many folders nothing can be added, but its files may get other contents.
    return { perms: { ...perms, replace: perms.alter }, reshare: reshareOf(caller, null) };
  }
  const grants = target.kind === 'sharer' ? target.grants : await files.access.shared.grantsOf(account);
  const all = grants.map((grant) => folderPermissions(rightsOf(caller), grant));
  const each = grants.map((grant) => reshareOf(caller, grant));
  return {
    perms: {
      ...perms,
      download: all.some(({ download }) => download),
      replace: all.some(({ upload, alter }) => upload && alter),
    },
    reshare: { share: each.some(({ share }) => share), link: each.some(({ link }) => link) },
  };
}

/** The top-level entries: what `/ROOT` lists for the account. */
export async function rootsFor(parts: FilesPagesParts, caller: AccountCaller): Promise<NamedPath[]> {
  const { files } = await browseWhole(parts, caller, ['ROOT'], PLAIN);
  return files.map(({ filename: name, path }) => ({ name, path }));
}

/** The folders on the path to one, itself included, by their names for the caller. */
export async function breadcrumbsOf(
  parts: FilesPagesParts,
  caller: AccountCaller,
  roots: readonly NamedPath[],
  { path, parentPath, folderName }: Pick<Listing['meta'], 'path' | 'parentPath' | 'folderName'>,
): Promise<NamedPath[]> {
  const own: NamedPath = { name: folderName, path };
  const place = roots.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  if (place !== undefined) {
    const below = segmentsOf(path.slice(place.path.length));
    return [
      place,
      ...below.map((name, index) => ({ name, path: [place.path, ...below.slice(0, index + 1)].join('/') })),
    ];
  }
  // The segments of this path are not names, so each folder is asked for its own.
  if (parentPath === null || parentPath === TOP) return [own];
  const above = await metaOrNull(parts, caller, parentPath);
  return above === null ? [own] : [...(await breadcrumbsOf(parts, caller, roots, above)), own];
}

/**
 * One file or folder, and the list that contains it.
 * @param from the list the page was opened from, if not the folder
 * @throws ApiError `not_found`
 */
export async function findItem(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: string,
  from: string | null,
): Promise<{ row: Row; list: Listed }> {
  const parent = `/${segmentsOf(path).slice(0, -1).join('/')}`;
  const roots = from === null ? [parent, '/ROOT/SHARED'] : [from, parent, '/ROOT/SHARED'];
  for (const place of roots) {
    const list = await orNotThere(listFolder(parts, caller, segmentsOf(place)));
    const row = list?.rows.find((one) => one.path === path);
    if (list === null || row === undefined) continue;
    const target = await orNotThere(parts.files.access.resolve(caller, segmentsOf(path)));
    if (target?.kind !== 'item' || target.item.share === null) return { row, list };
    const allowed = folderPermissions(rightsOf(caller), target.item.share);
    const perms = isTop(target.item) ? ofSharedItem(allowed) : allowed;
    const reshare = reshareOf(caller, target.item.share);
    return { row, list: { ...list, meta: { ...list.meta, perms }, reshare } };
  }
  throw new ApiError('not_found', t('api.access.notFound'));
}

/** The names that exist in a folder, as spelled there. */
export async function namesIn(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: readonly string[],
): Promise<string[]> {
  return (await browseWhole(parts, caller, path, PLAIN)).files.map(({ filename }) => filename);
}

/**
 * Where an entry is in a folder or list.
 * @returns its index; -1 if it is not there
 * @throws ApiError like `listFolder`
 */
export async function indexIn(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: readonly string[],
  entry: string,
  requested: Pick<Wanted, 'sort' | 'order'>,
): Promise<number> {
  const { files } = await browseWhole(parts, caller, path, { ...PLAIN, ...requested });
  return files.findIndex((one) => one.path === entry);
}

export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

async function browseWhole(
  { listing }: Pick<FilesPagesParts, 'listing'>,
  caller: AccountCaller,
  path: readonly string[],
  options: BrowseOptions,
): Promise<Listing> {
  const listed = await browse(listing, caller, path, options);
  if ('meta' in listed) return listed;
  throw new Error('only a recursive listing is streamed');
}

async function metaOrNull(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: string,
): Promise<Listing['meta'] | null> {
  const listing = await orNotThere(browseWhole(parts, caller, segmentsOf(path), { ...PLAIN, limit: 1 }));
  return listing?.meta ?? null;
}

export async function orNotThere<T>(looking: Promise<T>): Promise<T | null> {
  return looking.catch((error) => {
    if (error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_path')) return null;
    throw error;
  });
}

export async function starsOf(
  { stars }: Pick<FilesPagesParts, 'stars'>,
  { account }: AccountCaller,
): Promise<ReadonlySet<string>> {
  return new Set(await stars.uuidsOf(account.id));
}

/** When items in the trash were deleted, by path. */
async function deletions({ files }: FilesPagesParts, caller: AccountCaller): Promise<Map<string, Row['deleted']>> {
  const home = await files.access.homeOf(caller);
  const items = await listTrash(files, home);
  return new Map(items.map(({ id, deletedAt: at, originalPath: from }) => [`${TRASH}/${id}`, { at, from }]));
}

/** Photos of years ago that came today are recent: the rows say when they came. */
async function withRecentTimes({ listing }: FilesPagesParts, rows: readonly Row[]): Promise<Row[]> {
  const uuids = rows.flatMap(({ uuid }) => (uuid === null ? [] : [uuid]));
  const times = await recentTimesOf(listing.database, uuids);
  return rows.map((row) => ({ ...row, changedAt: times.get(row.uuid ?? '') ?? row.changedAt }));
}

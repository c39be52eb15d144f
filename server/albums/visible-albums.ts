import { shownName } from '../access/access.ts';
import { type AccountCaller, rightsOf } from '../access/caller.ts';
import { type FileAction, permit } from '../access/rights.ts';
import { itemsThere } from '../catalogue/newest.ts';
import { locationsOf } from '../catalogue/places.ts';
import { ApiError } from '../http/errors.ts';
import { describe, type ListedItem } from '../listing/details.ts';
import type { BrowseContext, RequestedDetails } from '../listing/listing.ts';
import { describedFrom, type Reach, reachOf } from '../listing/reach.ts';
import { t } from '../messages/messages.ts';
import type { AlbumMember, AlbumOrder, AlbumRecord, Albums } from './albums.ts';

export type AlbumsContext = BrowseContext & { readonly albums: Albums };
/** What albums are looked up with. */
export type Lookup = Pick<AlbumsContext, 'access' | 'database' | 'albums'>;

/** What names the album of starred photos and films, which always exists. */
export const FAVOURITES = 'favourites';

/** An album as its account sees it now: everything in it that the account may not see, or that is in the trash, is left out. */
export interface VisibleAlbum {
  /** Its uuid, or `favourites`. */
  readonly album: string;
  /** Null for favourites. */
  readonly record: AlbumRecord | null;
  readonly kind: 'list' | 'folder' | 'favourites';
  readonly title: string;
  readonly order: AlbumOrder;
  readonly photos: number;
  readonly films: number;
  /** What is in it, in its order. */
  readonly members: readonly AlbumMember[];
  /** The id of the chosen cover if it is in the album now, otherwise of the first photo or film; null for an empty album. */
  readonly coverId: number | null;
  /** The path of the folder that the album shows; null for a list. */
  readonly folder: string | null;
}

/**
 * The albums of an account, favourites first, then the newest. An album of a folder that the account no longer reaches is left out.
 * @throws ApiError `not_found` for a credential that is limited to a folder
 */
export async function visibleAlbums(context: Lookup, caller: AccountCaller): Promise<VisibleAlbum[]> {
  permit(rightsOf(caller), 'albums/list');
  checkUnlimited(caller);
  const { id } = caller.account;
  const reach = await reachOf(context, caller);
  const records = await context.albums.of(id);
  const all = [...(await context.albums.favourites(id)), ...(await context.albums.members(id))];
  const byAlbum = new Map<number, AlbumMember[]>();
  for (const member of await within(context, reach, all)) {
    const own = byAlbum.get(member.album);
    if (own === undefined) byAlbum.set(member.album, [member]);
    else own.push(member);
  }
  const folders = await foldersOf(context, reach, records);
  const own = records.flatMap((record) => albumFrom(record, byAlbum.get(record.id) ?? [], folders) ?? []);
  return [favouritesFrom(byAlbum.get(0) ?? []), ...own];
}

/** @param action what is done with it @throws ApiError `not_found` alike for albums that do not exist and for those of others */
export async function visibleAlbum(
  context: Lookup,
  caller: AccountCaller,
  album: string,
  action: FileAction = 'albums/items',
): Promise<VisibleAlbum> {
  permit(rightsOf(caller), action);
  checkUnlimited(caller);
  const { id } = caller.account;
  const reach = await reachOf(context, caller);
  if (album === FAVOURITES) {
    return favouritesFrom(await within(context, reach, await context.albums.favourites(id)));
  }
  const record = await context.albums.byUuid(id, album);
  if (record === null) throw albumNotFound();
  const members = await within(context, reach, await context.albums.members(id, record.id));
  const found = albumFrom(record, members, await foldersOf(context, reach, [record]));
  if (found === null) throw albumNotFound();
  return found;
}

/** A photo or film of an album. */
export interface AlbumItem extends ListedItem {
  readonly id: number;
  /** What the clock said when it was taken, in milliseconds as if it were UTC. */
  readonly local: number;
}

/** Some of these photos and films, as in a listing, in the same order. */
export async function describedMembers(
  context: BrowseContext,
  caller: AccountCaller,
  members: readonly Pick<AlbumMember, 'item' | 'local'>[],
  requested: RequestedDetails,
): Promise<AlbumItem[]> {
  const times = new Map(members.map(({ item, local }) => [item, local]));
  const items = await itemsThere(context.database, [...times.keys()]);
  const reach = await reachOf(context, caller);
  const described = await describedFrom(context, caller, reach.of(items), requested);
  const now = context.clock.now();
  return described.map((one) => {
    const id = one.item?.id ?? 0;
    return { ...describe(one, requested.details, now), id, local: times.get(id) ?? 0 };
  });
}

/** The covers of albums. An empty album has none. */
export async function coversOf(
  context: BrowseContext,
  caller: AccountCaller,
  albums: readonly VisibleAlbum[],
  requested: RequestedDetails,
): Promise<ReadonlyMap<VisibleAlbum, AlbumItem>> {
  const covers = albums.flatMap(({ members, coverId }) => members.find(({ item }) => item === coverId) ?? []);
  const items = await describedMembers(context, caller, covers, requested);
  const byId = new Map(items.map((item) => [item.id, item]));
  const found = albums.map((album) => [album, byId.get(album.coverId ?? 0)] as const);
  return new Map(found.filter((entry): entry is [VisibleAlbum, AlbumItem] => entry[1] !== undefined));
}

/** Throws for a caller whose credential is limited to a folder: albums are lists from everywhere, just as `/STARRED`, which it does not have either. */
export function checkUnlimited({ credential }: Pick<AccountCaller, 'credential'>): void {
  if ((credential?.rootUuid ?? null) !== null) throw albumNotFound();
}

export function albumNotFound(): ApiError {
  return new ApiError('not_found', t('api.albums.notFound'));
}

/** Those that the caller may see now. */
async function within(
  { database }: Pick<BrowseContext, 'database'>,
  reach: Reach,
  members: readonly AlbumMember[],
): Promise<AlbumMember[]> {
  const folders = await locationsOf(database, [...new Set(members.map(({ folder }) => folder))]);
  return members.filter(({ folder, item }) => {
    const location = folders.get(folder);
    return location !== undefined && reach.hasIn(location, folder, item);
  });
}

/** A folder, as the caller sees it. */
interface SeenFolder {
  readonly name: string;
  readonly path: string;
}

async function foldersOf(
  { database }: Pick<BrowseContext, 'database'>,
  reach: Reach,
  records: readonly AlbumRecord[],
): Promise<ReadonlyMap<number, SeenFolder>> {
  const items = await itemsThere(
    database,
    records.flatMap(({ folderId }) => folderId ?? []),
  );
  return new Map(
    reach
      .of(items)
      .map(({ item, target }) => [
        item.id,
        { name: shownName(target, item.name), path: [target.base, ...target.segments.slice(target.top)].join('/') },
      ]),
  );
}

/** @returns null for the album of a folder that the caller does not reach */
function albumFrom(
  record: AlbumRecord,
  members: readonly AlbumMember[],
  folders: ReadonlyMap<number, SeenFolder>,
): VisibleAlbum | null {
  const { uuid: album, order, folderId } = record;
  const folder = folderId === null ? undefined : folders.get(folderId);
  if (folderId !== null && folder === undefined) return null;
  return {
    ...contentOf(sorted(members, order), record.coverId),
    ...{ album, record, order },
    kind: folderId === null ? 'list' : 'folder',
    title: folder?.name ?? record.title,
    folder: folder?.path ?? null,
  };
}

function favouritesFrom(members: readonly AlbumMember[]): VisibleAlbum {
  return {
    ...contentOf(sorted(members, 'hand'), null),
    ...{ album: FAVOURITES, record: null, kind: 'favourites', order: 'hand', folder: null },
    title: t('albums.favourites'),
  };
}

function contentOf(members: readonly AlbumMember[], chosen: number | null) {
  const films = members.filter(({ isFilm }) => isFilm).length;
  const cover = members.find(({ item }) => item === chosen) ?? members[0];
  return { members, films, photos: members.length - films, coverId: cover?.item ?? null };
}

function sorted(members: readonly AlbumMember[], order: AlbumOrder): AlbumMember[] {
  const by = order === 'taken' ? 'local' : 'place';
  return [...members].sort((a, b) => a[by] - b[by] || a.item - b.item);
}

import { shownName, targetIn } from '../access/access.ts';
import { type AlbumReach, isShownBy } from '../access/album-grants.ts';
import { type AccountCaller, rightsOf } from '../access/caller.ts';
import { type FileAction, permit } from '../access/rights.ts';
import type { Grant } from '../access/shared.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import { itemsThere, type LocatedItem } from '../catalogue/newest.ts';
import { locationsOf } from '../catalogue/places.ts';
import { ApiError } from '../http/errors.ts';
import { describe, type ListedItem } from '../listing/details.ts';
import type { BrowseContext, RequestedDetails } from '../listing/listing.ts';
import { describedFrom, type Reach, type Reached, reachOf } from '../listing/reach.ts';
import { t } from '../messages/messages.ts';
import type { AlbumMember, AlbumOrder, AlbumRecord, Albums } from './albums.ts';

export type AlbumsContext = BrowseContext & { readonly albums: Albums };
/** What albums are looked up with. */
export type Lookup = Pick<AlbumsContext, 'access' | 'database' | 'albums'>;

/** What names the album of starred photos and films, which always exists. */
const FAVOURITES = 'favourites';

/** A member as an account sees it. */
export interface SeenMember extends AlbumMember {
  /** Whether everyone who has the album sees it: the one who added it has it in the own home. */
  readonly isForAll: boolean;
}

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
  readonly members: readonly SeenMember[];
  /** The id of the chosen cover if it is in the album now, otherwise of the first photo or film; null for an empty album. */
  readonly coverId: number | null;
  /** The path of the folder that the album shows; null for a list. */
  readonly folder: string | null;
  /** What the account may do with it, and what it shows beside what the account reaches anyway. */
  readonly reach: AlbumReach;
}

/**
 * The albums of an account, favourites first, then the newest. An album of a folder that the account no longer reaches is left out.
 * @throws ApiError `not_found` for a credential that is limited to a folder
 */
export async function visibleAlbums(context: Lookup, caller: AccountCaller): Promise<VisibleAlbum[]> {
  permit(rightsOf(caller), 'albums/list');
  checkUnlimited(caller);
  const { account } = caller;
  const { albums, access } = context;
  const records = [...(await albums.of(account.id)), ...(await albums.sharedWith(account.id))];
  records.sort((a, b) => b.id - a.id);
  const through = await access.shared.albums.reaching(account, records);
  const reach = await reachOf(context, caller);
  const all = [...(await albums.favourites(account.id)), ...(await albums.members([...through.keys()]))];
  const byAlbum = new Map<number, SeenMember[]>();
  for (const member of await within(context, { account, reach, through }, all)) {
    const own = byAlbum.get(member.album);
    if (own === undefined) byAlbum.set(member.album, [member]);
    else own.push(member);
  }
  const folders = await foldersOf(context, reach, records);
  const own = records.flatMap(
    (record) => albumFrom(record, through.get(record.id), byAlbum.get(record.id) ?? [], folders) ?? [],
  );
  return [favouritesFrom(account, byAlbum.get(0) ?? []), ...own];
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
  const { account } = caller;
  const reach = await reachOf(context, caller);
  if (album === FAVOURITES) {
    const starred = await context.albums.favourites(account.id);
    return favouritesFrom(account, await within(context, { account, reach, through: new Map() }, starred));
  }
  const record = await context.albums.byUuid(album);
  if (record === null) throw albumNotFound();
  // The album of a folder is seen by its owner only.
  const isSeen = record.folderId === null || record.accountId === account.id;
  const through = await context.access.shared.albums.reaching(account, isSeen ? [record] : []);
  const members = await within(context, { account, reach, through }, await context.albums.members([...through.keys()]));
  const found = albumFrom(record, through.get(record.id), members, await foldersOf(context, reach, [record]));
  if (found === null) throw albumNotFound();
  return found;
}

/** A photo or film of an album. */
export interface AlbumItem extends ListedItem {
  readonly id: number;
  /** What the clock said when it was taken, in milliseconds as if it were UTC. */
  readonly local: number;
  /** The account that added it, if that is known. */
  readonly addedBy: number | null;
  /** What the account reaches it through, if that is the album. */
  readonly grant: Grant | null;
}

/** An album, and some of its members. */
interface Part extends Pick<VisibleAlbum, 'record' | 'reach'> {
  readonly members: readonly AlbumMember[];
}

/** These photos and films, as in a listing, in the same order. One of several albums is described once. */
export async function describedMembers(
  context: BrowseContext,
  caller: AccountCaller,
  parts: readonly Part[],
  requested: RequestedDetails,
): Promise<AlbumItem[]> {
  const known = new Map<number, { readonly part: Part; readonly member: AlbumMember }>();
  for (const part of parts) {
    for (const member of part.members) if (!known.has(member.item)) known.set(member.item, { part, member });
  }
  const reach = await reachOf(context, caller);
  const reached: Reached[] = [];
  for (const located of await itemsThere(context.database, [...known.keys()])) {
    const [directly] = reach.of([located]);
    const through = known.get(located.item.id);
    if (directly !== undefined) reached.push(directly);
    else if (through !== undefined) {
      const grant = await grantOf(context, caller.account, through.part, through.member, located);
      if (grant !== null) reached.push({ ...located, target: targetIn(grant, []) });
    }
  }
  const described = await describedFrom(context, caller, reached, requested);
  const now = context.clock.now();
  return described.map((one, index) => {
    const id = one.item?.id ?? 0;
    const share = reached[index]?.target.share ?? null;
    const { local = 0, addedBy = null } = known.get(id)?.member ?? {};
    const grant = share?.only === undefined ? null : share;
    return { ...describe(one, requested.details, now), id, local, addedBy, grant };
  });
}

async function grantOf(
  { access }: Pick<BrowseContext, 'access'>,
  account: AccountRecord,
  { record, reach }: Part,
  { addedBy, addedAt }: AlbumMember,
  { item, location }: LocatedItem,
): Promise<Grant | null> {
  if (record === null) return null;
  const added = { itemId: item.id, uuid: item.uuid, addedBy, addedAt };
  return access.shared.albums.grantIn(account, record, reach, added, location);
}

/** The covers of albums. An empty album has none. */
export async function coversOf(
  context: BrowseContext,
  caller: AccountCaller,
  albums: readonly VisibleAlbum[],
  requested: RequestedDetails,
): Promise<ReadonlyMap<VisibleAlbum, AlbumItem>> {
  const covers = albums.map((album) => ({
    ...album,
    members: album.members.filter(({ item }) => item === album.coverId),
  }));
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

/** Those that the caller may see now: directly, or through the album. */
async function within(
  { database }: Pick<BrowseContext, 'database'>,
  { account, reach, through }: Sight,
  members: readonly AlbumMember[],
): Promise<SeenMember[]> {
  const folders = await locationsOf(database, [...new Set(members.map(({ folder }) => folder))]);
  return members.flatMap((member) => {
    const { album, folder, item, addedBy } = member;
    const location = folders.get(folder);
    if (location === undefined) return [];
    const adder = addedBy === account.id ? account : through.get(album)?.grantors.get(addedBy ?? 0);
    const isForAll = adder !== undefined && isShownBy(adder, location);
    const isSeen = reach.hasIn(location, folder, item) || (isForAll && addedBy !== account.id);
    return isSeen ? [{ ...member, isForAll }] : [];
  });
}

/** What an account sees things through. */
interface Sight {
  readonly account: AccountRecord;
  readonly reach: Reach;
  readonly through: ReadonlyMap<number, AlbumReach>;
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

/** @returns null for an album that the caller does not have, and for that of a folder that the caller does not reach */
function albumFrom(
  record: AlbumRecord,
  reach: AlbumReach | undefined,
  members: readonly SeenMember[],
  folders: ReadonlyMap<number, SeenFolder>,
): VisibleAlbum | null {
  const { uuid: album, order, folderId } = record;
  const folder = folderId === null ? undefined : folders.get(folderId);
  if (reach === undefined || (folderId !== null && folder === undefined)) return null;
  return {
    ...contentOf(sorted(members, order), record.coverId),
    ...{ album, record, order, reach },
    kind: folderId === null ? 'list' : 'folder',
    title: folder?.name ?? record.title,
    folder: folder?.path ?? null,
  };
}

function favouritesFrom(owner: AccountRecord, members: readonly SeenMember[]): VisibleAlbum {
  return {
    ...contentOf(sorted(members, 'hand'), null),
    ...{ album: FAVOURITES, record: null, kind: 'favourites', order: 'hand', folder: null },
    reach: { role: 'owner', owner, isShared: false, grantors: new Map() },
    title: t('albums.favourites'),
  };
}

function contentOf(members: readonly SeenMember[], chosen: number | null) {
  const films = members.filter(({ isFilm }) => isFilm).length;
  const cover = members.find(({ item }) => item === chosen) ?? members[0];
  return { members, films, photos: members.length - films, coverId: cover?.item ?? null };
}

function sorted(members: readonly SeenMember[], order: AlbumOrder): SeenMember[] {
  const by = order === 'taken' ? 'local' : 'place';
  return [...members].sort((a, b) => a[by] - b[by] || a.item - b.item);
}

import { type AccountCaller, rightsOf } from '../access/caller.ts';
import { type ItemName, namedItem } from '../access/item-name.ts';
import { permit } from '../access/rights.ts';
import { itemByUuid } from '../catalogue/item-by-uuid.ts';
import type { Item } from '../catalogue/items.ts';
import { itemsThere } from '../catalogue/newest.ts';
import type { ChangesContext, FilesContext, RowsContext } from '../files/context.ts';
import { withItem } from '../files/with-file.ts';
import { ApiError } from '../http/errors.ts';
import { actorOf } from '../lib/events.ts';
import { type FileType, fileKind } from '../lib/names/file-types.ts';
import { reachOf } from '../listing/reach.ts';
import { t } from '../messages/messages.ts';
import type { AlbumMember, AlbumOrder, AlbumRecord } from './albums.ts';
import { type AlbumsContext, checkUnlimited, type Lookup, type VisibleAlbum, visibleAlbum } from './visible-albums.ts';

export type AlbumChangesContext = AlbumsContext & ChangesContext;

/** Characters of a title. */
export const MAX_TITLE = 200;
/** Items that one request adds or removes. */
export const MAX_ITEMS = 1_000;

/** @throws ApiError `invalid_parameter` for a title that is empty or too long; `conflict` */
export async function addAlbum(
  { albums }: Pick<AlbumsContext, 'albums'>,
  caller: AccountCaller,
  title: string,
): Promise<AlbumRecord> {
  permit(rightsOf(caller), 'albums/add');
  checkUnlimited(caller);
  return albums.add(caller.account.id, checkedTitle(title));
}

/** Shows a folder as an album, unless it is shown already. @throws ApiError `not_found`; `invalid_path` for a file or the home itself */
export async function showFolder(
  context: AlbumChangesContext,
  caller: AccountCaller,
  folder: ItemName,
): Promise<AlbumRecord> {
  checkUnlimited(caller);
  const target = await context.access.resolveItem(caller, folder, 'albums/folder');
  if (target.segments.length === 0) throw new ApiError('invalid_path', t('api.albums.home'));
  return withItem(context, target, async ({ entry, item }) => {
    if (!entry.isDir) throw new ApiError('invalid_path', t('api.albums.notFolder'));
    return context.albums.ofFolder(caller.account.id, item.id);
  });
}

interface AlbumChanges {
  readonly title?: string | undefined;
  readonly order?: AlbumOrder | undefined;
  /** The uuid of a photo or film of the album; null for the first one. */
  readonly cover?: string | null | undefined;
}

/** @throws ApiError `not_found`; `permission_denied` for the album of another; `invalid_parameter` for what it cannot have */
export async function editAlbum(
  context: AlbumsContext & RowsContext,
  caller: AccountCaller,
  name: string,
  { title, order, cover }: AlbumChanges,
): Promise<void> {
  const album = await visibleAlbum(context, caller, name, 'albums/edit');
  const record = ownRecord(album);
  if (album.kind === 'folder' && (title !== undefined || order !== undefined)) {
    throw new ApiError('invalid_parameter', t('api.albums.ofFolder'));
  }
  const coverId = cover === undefined || cover === null ? cover : await coverIn(context, album, cover);
  await context.albums.edit(record.id, {
    ...(title === undefined ? {} : { title: checkedTitle(title) }),
    ...(order === undefined ? {} : { order }),
    ...(coverId === undefined ? {} : { coverId }),
  });
}

/** @throws ApiError `invalid_parameter` unless it is in the album */
async function coverIn({ database }: RowsContext, { members }: VisibleAlbum, uuid: string): Promise<number> {
  const found = await itemByUuid(database, uuid);
  const member = members.find(({ item }) => item === found?.item.id);
  if (member === undefined) throw new ApiError('invalid_parameter', t('api.albums.cover'));
  return member.item;
}

/** The photos and films stay. @throws ApiError `not_found`; `permission_denied`, `invalid_parameter` for favourites */
export async function deleteAlbum(context: Lookup, caller: AccountCaller, name: string): Promise<void> {
  await context.albums.remove(ownRecord(await visibleAlbum(context, caller, name, 'albums/delete')).id);
}

/**
 * Adds photos and films that the caller may see; those that are in the album already stay there. All or none are added.
 * @param before the uuid of a photo or film of the album: puts them before it, in an album that is sorted by hand
 * @throws ApiError `not_found` for the album or any of the items; `invalid_parameter`, `conflict`
 */
export async function addToAlbum(
  context: AlbumChangesContext,
  caller: AccountCaller,
  name: string,
  items: readonly ItemName[],
  before?: string,
): Promise<void> {
  const album = await visibleAlbum(context, caller, name, 'albums/items/add');
  const record = listRecord(album);
  const { role, isShared } = album.reach;
  if (role === 'view') throw notOwner();
  // It shows the items to all who have the album, or its link. Without the permission, no link of the account opens anything.
  if (isShared) permit(rightsOf(caller), 'albums/share');
  const mayLink = role === 'owner' && record.isLinked;
  if (mayLink && caller.account.permissions.weblink) permit(rightsOf(caller), 'files/weblink');
  if (before !== undefined) checkOwn(album);
  const next = before === undefined ? null : await coverIn(context, album, before);
  const known = await knownItems(context, caller, items);
  const ids: number[] = [];
  for (const named of items) {
    const item = known.get(uuidAlone(named) ?? '');
    if (item !== undefined) {
      checkPhoto(item);
      ids.push(item.id);
      continue;
    }
    const target = await context.access.resolveItem(caller, named, 'albums/items/add');
    ids.push(
      await withItem(context, target, async ({ entry, item }) => {
        checkPhoto(entry);
        return item.id;
      }),
    );
  }
  await context.albums.addItems(record.id, caller.account.id, ids, { before: next, mayShare: isShared, mayLink });
  const there = new Set(album.members.map(({ item }) => item));
  const added = new Set(ids.filter((id) => !there.has(id))).size;
  if (isShared && added > 0) context.events.emit('album.added', { ...ofAlbum(caller, album), items: added });
}

/**
 * Those that are named by their uuids alone, by uuid, with one lookup for all. One that the catalogue does not have, or that the
 * caller does not reach, is left out.
 */
async function knownItems(
  context: AlbumChangesContext,
  caller: AccountCaller,
  items: readonly ItemName[],
): Promise<ReadonlyMap<string, Item>> {
  const uuids = items.flatMap((named) => uuidAlone(named) ?? []);
  const there = await itemsThere(context.database, await idsOf(context, uuids));
  const reach = await reachOf(context, caller);
  return new Map(reach.of(there).map(({ item }) => [item.uuid, item]));
}

async function idsOf(
  { database }: Pick<AlbumsContext, 'database'>,
  uuids: readonly string[],
): Promise<readonly number[]> {
  const rows = await database.all<{ id: number }>(
    'SELECT id FROM items WHERE uuid IN (SELECT value FROM json_each(?))',
    [JSON.stringify(uuids)],
  );
  return rows.map(({ id }) => id);
}

function uuidAlone(name: ItemName): string | undefined {
  const { path, uuid } = namedItem(name);
  return path === undefined ? uuid : undefined;
}

function checkPhoto({ name, isDir }: Pick<Item, 'name' | 'isDir'>): void {
  if (!isPhotoType(fileKind(name, isDir).type)) {
    throw new ApiError('invalid_parameter', t('api.albums.notPhoto'));
  }
}

/**
 * What is not in the album stays as it is. Of the album of another, what the caller added: anything else is left in it.
 * @throws ApiError `not_found` for the album; `permission_denied`, `invalid_parameter`
 */
export async function removeFromAlbum(
  context: AlbumsContext & Pick<FilesContext, 'events'>,
  caller: AccountCaller,
  name: string,
  uuids: readonly string[],
): Promise<void> {
  const album = await visibleAlbum(context, caller, name, 'albums/items/remove');
  const record = listRecord(album);
  const { role, isShared } = album.reach;
  const ids = new Set(await idsOf(context, uuids));
  const removed = album.members.filter(({ item }) => ids.has(item));
  const isMine = ({ addedBy }: AlbumMember) => addedBy === caller.account.id;
  if (role !== 'owner' && !removed.every(isMine)) throw notOwner();
  await context.albums.removeItems(record.id, uuids, role === 'owner' ? null : caller.account.id);
  const items = removed.length;
  if (isShared && items > 0) context.events.emit('album.removed', { ...ofAlbum(caller, album), items });
}

/** What events say of an album. */
export function ofAlbum(caller: AccountCaller, { title, reach }: VisibleAlbum) {
  const { role, owner } = reach;
  const actor = actorOf(caller, caller.account);
  return { actor, title, ...(role === 'owner' ? {} : { owner: owner.username }) };
}

/** Whether an album can have files of a type. */
export function isPhotoType(type: FileType): boolean {
  return type === 'image' || type === 'raw' || type === 'video';
}

/** @throws ApiError `permission_denied` for the album of another; `invalid_parameter` for favourites */
function ownRecord(album: VisibleAlbum): AlbumRecord {
  checkOwn(album);
  if (album.record === null) throw new ApiError('invalid_parameter', t('api.albums.builtIn'));
  return album.record;
}

/** @throws ApiError `permission_denied` */
export function checkOwn({ reach }: VisibleAlbum): void {
  if (reach.role !== 'owner') throw notOwner();
}

function notOwner(): ApiError {
  return new ApiError('permission_denied', t('api.albums.ofOther'), { details: { permission: 'owner' } });
}

/** @throws ApiError `invalid_parameter` for what is not a list */
export function listRecord(album: VisibleAlbum): AlbumRecord {
  const { record } = album;
  if (record === null) throw new ApiError('invalid_parameter', t('api.albums.builtIn'));
  if (album.kind === 'folder') throw new ApiError('invalid_parameter', t('api.albums.ofFolder'));
  return record;
}

function checkedTitle(written: string): string {
  const title = written.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a title must not have
  if (title === '' || /[\u0000-\u001f\u007f]/.test(title)) {
    throw new ApiError('invalid_parameter', t('api.albums.title'), { details: { parameter: 'title' } });
  }
  if (title.length > MAX_TITLE) {
    throw new ApiError('invalid_parameter', t('api.albums.titleLength', { max: MAX_TITLE }), {
      details: { parameter: 'title' },
    });
  }
  return title;
}

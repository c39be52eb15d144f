import type { AccountRecord } from '../accounts/accounts.ts';
import { blockReason } from '../accounts/permissions/account-status.ts';
import type { Homes } from '../catalogue/homes.ts';
import { type ItemLocation, locationsOf } from '../catalogue/places.ts';
import type { FilesDatabase } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { type AlbumMembership, type AlbumRole, membershipsOf } from '../shares/album-shares.ts';
import { SHARE_FLAGS, type ShareFlags } from '../shares/share-record.ts';
import type { Grant } from './grant.ts';
import type { FileAction } from './rights.ts';

/** An album, as far as access depends on it. */
interface SharedAlbum {
  readonly id: number;
  readonly uuid: string;
  /** The account that it belongs to. */
  readonly accountId: number;
}

/** What an album gives an account at the moment. */
export interface AlbumReach {
  readonly role: 'owner' | AlbumRole;
  readonly owner: AccountRecord;
  /** Whether it is shared with anyone. */
  readonly isShared: boolean;
  /** Those who show the account what they added from their own homes, by id. The account itself is not among them. */
  readonly grantors: ReadonlyMap<number, AccountRecord>;
}

/** An item of an album, with who added it and when. */
interface AddedItem {
  readonly itemId: number;
  readonly uuid: string;
  readonly addedBy: number | null;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
}

/**
 * Items that are reached through albums. An album shows to those it is shared with what its owner and they themselves added from
 * their own homes: nobody passes on what others share with them. It gives nothing but reading of exactly these files.
 */
export interface AlbumGrants {
  /** By album, without those that the account does not have. */
  reaching(account: AccountRecord, albums: readonly SharedAlbum[]): Promise<ReadonlyMap<number, AlbumReach>>;
  /** @param album and @param item their uuids @returns null for anything the caller may not know of */
  grant(account: AccountRecord, album: string, item: string): Promise<Grant | null>;
  /** The same for an item whose location is known. */
  grantIn(
    account: AccountRecord,
    album: SharedAlbum,
    reach: AlbumReach,
    item: AddedItem,
    location: ItemLocation,
  ): Promise<Grant | null>;
}

/** All that can be done with an item that is reached through an album. */
const READING: ReadonlySet<FileAction> = new Set<FileAction>(['files/browse', 'files/download', 'files/thumbnail']);

export const ALBUMS_TREE = 'ALBUMS';

interface ItemRow {
  id: number;
  uuid: string;
  account_id: number;
  item_id: number;
  added_by: number | null;
  added_at: number;
}

interface Parts {
  readonly account: (id: number) => Promise<AccountRecord | null>;
  readonly homes: Pick<Homes, 'byId'>;
  readonly database: Pick<FilesDatabase, 'all'>;
  readonly clock: Clock;
}

export function createAlbumGrants({ account: accountOf, homes, database, clock }: Parts): AlbumGrants {
  /** @returns null for someone who shares nothing at the moment */
  async function sharer(id: number): Promise<AccountRecord | null> {
    const found = await accountOf(id);
    if (found === null || found.type === 'guest' || blockReason(found, clock.now()) !== null) return null;
    return found.permissions.share ? found : null;
  }

  async function reaching(account: AccountRecord, albums: readonly SharedAlbum[]): Promise<Map<number, AlbumReach>> {
    const memberships = await membershipsOf(
      database,
      albums.map(({ id }) => id),
    );
    const byAlbum = new Map<number, AlbumMembership[]>();
    for (const one of memberships) byAlbum.set(one.album, [...(byAlbum.get(one.album) ?? []), one]);
    const reaches = new Map<number, AlbumReach>();
    for (const { id, accountId } of albums) {
      const members = byAlbum.get(id) ?? [];
      const isOwn = accountId === account.id;
      const owner = isOwn ? account : await sharer(accountId);
      const roles = members.flatMap((one) => (one.account === account.id ? [one.role] : []));
      // Guests belong to one person, whatever groups they are in: they see what that person shares with them.
      if (owner === null || (!isOwn && (roles.length === 0 || account.type === 'guest'))) continue;
      const grantors = new Map<number, AccountRecord>();
      for (const one of new Set([accountId, ...members.map((member) => member.account)])) {
        const grantor = one === account.id ? null : await sharer(one);
        if (grantor !== null) grantors.set(one, grantor);
      }
      const role = isOwn ? 'owner' : roles.includes('contribute') ? 'contribute' : 'view';
      reaches.set(id, { role, owner, grantors, isShared: members.length > 0 });
    }
    return reaches;
  }

  async function grantIn(
    account: AccountRecord,
    album: SharedAlbum,
    { owner, grantors }: AlbumReach,
    { itemId, uuid, addedBy, addedAt }: AddedItem,
    location: ItemLocation,
  ): Promise<Grant | null> {
    const grantor = grantors.get(addedBy ?? 0);
    if (grantor === undefined || !isShownBy(grantor, location) || location.homeId === account.homeId) return null;
    const home = await homes.byId(location.homeId);
    if (home === null) return null;
    const chain = owner.id === account.id || owner.id === grantor.id ? [grantor] : [grantor, owner];
    const grant: Grant = {
      id: itemId,
      itemId,
      home,
      location,
      sharer: grantor,
      alias: '',
      since: addedAt,
      flags: readingFlags(chain.every(({ permissions }) => permissions.download)),
      grantors: chain,
      owner: grantor,
      hidden: new Set(),
      path: `/${ALBUMS_TREE}/${album.uuid}/${uuid}`,
      only: READING,
      isUnchanged: async () => {
        const now = await grantAt(account, album.uuid, uuid);
        if (now === null || now.home.id !== home.id) return false;
        // No name has a slash, so the joined paths are unambiguous.
        if (now.location.segments.join('/') !== location.segments.join('/')) return false;
        return SHARE_FLAGS.every((flag) => now.flags[flag] || !grant.flags[flag]);
      },
    };
    return grant;
  }

  async function grantAt(account: AccountRecord, album: string, item: string): Promise<Grant | null> {
    // Only what is a photo or film now: a name may have changed.
    const [row] = await database.all<ItemRow>(
      `SELECT a.id, a.uuid, a.account_id, m.item_id, m.added_by, m.added_at FROM items i
         CROSS JOIN photos p ON p.item_id = i.id CROSS JOIN albums a ON a.uuid = ?2
         CROSS JOIN album_items m ON m.album_id = a.id AND m.item_id = i.id
       WHERE i.uuid = ?1 AND a.folder_id IS NULL`,
      [item, album],
    );
    if (row === undefined) return null;
    const shared = { id: row.id, uuid: row.uuid, accountId: row.account_id };
    const reach = (await reaching(account, [shared])).get(row.id);
    const location = (await locationsOf(database, [row.item_id])).get(row.item_id);
    if (reach === undefined || location === undefined) return null;
    const added = { itemId: row.item_id, uuid: item, addedBy: row.added_by, addedAt: row.added_at };
    return grantIn(account, shared, reach, added, location);
  }

  return { reaching, grant: grantAt, grantIn };
}

/** Whether an item, or one in this folder, is in the home of the one who added it. */
export function isShownBy(
  { homeId }: Pick<AccountRecord, 'homeId'>,
  location: Pick<ItemLocation, 'homeId' | 'state'>,
): boolean {
  return location.state === 'there' && location.homeId === homeId;
}

function readingFlags(download: boolean): ShareFlags {
  return { upload: false, download, comment: false, read_comments: false, alter: false, share: false };
}

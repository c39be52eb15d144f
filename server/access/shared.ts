import type { AccountRecord, Accounts } from '../accounts/accounts.ts';
import { blockReason } from '../accounts/permissions/account-status.ts';
import type { Permissions } from '../accounts/permissions/permissions.ts';
import type { Home, Homes } from '../catalogue/homes.ts';
import { type ItemLocation, locationsOf } from '../catalogue/places.ts';
import { cachedReads } from '../database/cached-reads.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { bothFlags, joinFlags, SHARE_FLAGS, type ShareFlags, type ShareRecord } from '../shares/share-record.ts';
import type { Shares } from '../shares/shares.ts';
import { type AlbumGrants, createAlbumGrants } from './album-grants.ts';
import type { Grant } from './grant.ts';

export type { Grant } from './grant.ts';

export interface SharedAccess {
  /** Everything shared with an account, oldest share first. */
  grantsOf(account: AccountRecord): Promise<Grant[]>;
  /** Resolves a path. @param sharerId null for anonymous shares @returns null for anything the caller may not know of */
  grant(account: AccountRecord, sharerId: number | null, shareId: number): Promise<Grant | null>;
  /** What an account shares: one entry for each existing item. */
  sharedBy(account: AccountRecord): Promise<ShareRecord[]>;
  /** The items of a home that anyone shares. */
  sharedIn(home: Pick<Home, 'id'>): Promise<Set<number>>;
  /** What is reached through albums. */
  readonly albums: AlbumGrants;
}

interface ResolvedShare {
  readonly share: ShareRecord;
  readonly location: ItemLocation;
  readonly flags: ShareFlags;
  readonly sharer: AccountRecord;
  /** The account whose home it is. */
  readonly owner: AccountRecord;
  /** Both, and everyone between them, each once. */
  readonly grantors: ReadonlyMap<number, AccountRecord>;
  readonly hidden: ReadonlySet<number>;
}

/** Number of accounts cached between two writes to the database. */
const KNOWN_ACCOUNTS = 500;

/** Lookups that are made once per request, however many shares need them. */
interface Lookups {
  account(id: number): Promise<AccountRecord | null>;
  location(itemId: number): Promise<ItemLocation | null>;
  /** By share id: many shares may derive from one. */
  readonly resolved: Map<number, Promise<ResolvedShare | null>>;
}

export function createSharedAccess({
  shares,
  accounts,
  homes,
  database,
  clock,
}: {
  readonly shares: Shares;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly homes: Pick<Homes, 'byId'>;
  readonly database: Pick<Database, 'all' | 'unchangedSince'>;
  readonly clock: Clock;
}): SharedAccess {
  // The same sharers are looked up repeatedly.
  const accountOf = cachedReads(database, 'accounts', KNOWN_ACCOUNTS, (id: number) => accounts.byId(id));

  /** @param caller already loaded; null where no account makes the request */
  async function lookups(caller: AccountRecord | null, records: readonly ShareRecord[]): Promise<Lookups> {
    const people = new Map<number, Promise<AccountRecord | null>>(
      caller === null ? [] : [[caller.id, Promise.resolve(caller)]],
    );
    for (const { sharerId } of records) if (!people.has(sharerId)) people.set(sharerId, accountOf(sharerId));
    const itemIds = [...new Set(records.map(({ itemId }) => itemId))];
    const [places] = await Promise.all([locationsOf(database, itemIds), ...people.values()]);
    return {
      resolved: new Map(),
      account(id) {
        const found = people.get(id) ?? accountOf(id);
        people.set(id, found);
        return found;
      },
      async location(itemId) {
        const known = places.get(itemId);
        if (known !== undefined) return known;
        const found = (await locationsOf(database, [itemId])).get(itemId) ?? null;
        if (found !== null) places.set(itemId, found);
        return found;
      },
    };
  }

  /** Follows a share through its chain to the home of the item. @returns null for a share that has ended */
  function resolve(share: ShareRecord, look: Lookups): Promise<ResolvedShare | null> {
    const known = look.resolved.get(share.id) ?? followed(share, look);
    look.resolved.set(share.id, known);
    return known;
  }

  async function followed(share: ShareRecord, look: Lookups): Promise<ResolvedShare | null> {
    const [location, sharer] = [await look.location(share.itemId), await look.account(share.sharerId)];
    if (location?.state !== 'there' || sharer === null || blockReason(sharer, clock.now()) !== null) return null;
    if (!sharer.permissions.share) return null;
    const own = flagsOf(sharer.permissions);
    const hiding = share.isAnonymous ? [sharer.id] : [];
    const { recipient } = share;
    const guest = recipient.uid === null ? null : await look.account(recipient.uid);
    const isForGuest = guest?.type === 'guest';
    if (share.viaId === null) {
      if (sharer.homeId !== location.homeId || (isForGuest && !sharer.permissions.share_guests)) return null;
      const grantors = new Map([[sharer.id, sharer]]);
      return {
        share,
        location,
        flags: bothFlags(share.flags, own),
        sharer,
        owner: sharer,
        grantors,
        hidden: new Set(hiding),
      };
    }
    const via = await shares.reachingWith(sharer.id, share.viaId);
    const above = via === null || !isMeantFor(sharer, via) ? null : await resolve(via, look);
    const isWithin = via?.itemId === share.itemId || (via !== null && location.folders.includes(via.itemId));
    if (above === null || !isWithin || !above.flags.share) return null;
    const grantors = new Map([[sharer.id, sharer], ...above.grantors]);
    if (isForGuest && !mayReachGuests(grantors)) return null;
    return {
      share,
      location,
      flags: bothFlags(bothFlags(share.flags, own), above.flags),
      sharer,
      owner: above.owner,
      grantors,
      hidden: new Set([...hiding, ...above.hidden]),
    };
  }

  /**
   * @param records all of one item by one person, named or not, the oldest first
   * @param requestedId the id in the path, if it is not the oldest valid one
   */
  async function grantFrom(
    account: AccountRecord,
    records: readonly ShareRecord[],
    look: Lookups,
    requestedId?: number,
  ): Promise<Grant | null> {
    const resolved: ResolvedShare[] = [];
    for (const record of records) {
      const one = isMeantFor(account, record) ? await resolve(record, look) : null;
      if (one !== null && (account.type !== 'guest' || mayReachGuests(one.grantors))) resolved.push(one);
    }
    const [first] = resolved;
    // Items of the caller's own home are never listed as shared with them.
    if (first === undefined || first.location.homeId === account.homeId) return null;
    const home = await homes.byId(first.location.homeId);
    if (home === null) return null;
    const sharer = first.share.isAnonymous ? null : first.sharer;
    const grantors = new Map(resolved.flatMap((one) => [...one.grantors]));
    const grant = {
      id: requestedId ?? first.share.id,
      itemId: first.share.itemId,
      home,
      location: first.location,
      sharer,
      alias: resolved.find(({ share }) => share.alias !== '')?.share.alias ?? '',
      since: Math.min(...resolved.map(({ share }) => share.createdAt)),
      flags: joinFlags(resolved.map(({ flags }) => flags)),
      grantors: [...grantors.values()],
      owner: first.owner,
      hidden: new Set(resolved.flatMap(({ hidden }) => [...hidden])),
    };
    return { ...grant, isUnchanged: () => isUnchanged(account, grant) };
  }

  async function grantAt(account: AccountRecord, sharerId: number | null, shareId: number): Promise<Grant | null> {
    const all = await shares.reachingLike(account.id, shareId);
    const requested = all.find(({ id }) => id === shareId);
    if (requested === undefined || requested.isAnonymous !== (sharerId === null)) return null;
    if (sharerId !== null && requested.sharerId !== sharerId) return null;
    const alike = all.filter((other) => keyOf(other) === keyOf(requested));
    // Paths below keep the id of the request.
    return grantFrom(account, alike, await lookups(account, alike), shareId);
  }

  async function thatStand(records: readonly ShareRecord[], caller: AccountRecord | null): Promise<ShareRecord[]> {
    const look = await lookups(caller, records);
    const resolved = await Promise.all(records.map((record) => resolve(record, look)));
    return records.filter((_, index) => resolved[index] !== null);
  }

  async function isUnchanged(account: AccountRecord, before: Omit<Grant, 'isUnchanged'>): Promise<boolean> {
    const now = await grantAt(account, before.sharer?.id ?? null, before.id);
    if (now === null || now.home.id !== before.home.id) return false;
    // Neither may have a slash in it.
    if (now.location.segments.join('/') !== before.location.segments.join('/')) return false;
    return SHARE_FLAGS.every((flag) => now.flags[flag] || !before.flags[flag]);
  }

  return {
    async grantsOf(account) {
      const records = await shares.reaching(account.id);
      const look = await lookups(account, records);
      const groups = new Map<string, ShareRecord[]>();
      for (const record of records) groups.set(keyOf(record), [...(groups.get(keyOf(record)) ?? []), record]);
      const grants = await Promise.all([...groups.values()].map((group) => grantFrom(account, group, look)));
      return grants.filter((grant) => grant !== null);
    },

    grant: grantAt,
    albums: createAlbumGrants({ account: accountOf, homes, database, clock }),

    sharedBy: async (account) => thatStand(await shares.by(account.id), account),
    sharedIn: async ({ id }) => new Set((await thatStand(await shares.inHome(id), null)).map(({ itemId }) => itemId)),
  };
}

function keyOf({ itemId, sharerId, isAnonymous }: ShareRecord): string {
  return `${itemId}/${sharerId}/${isAnonymous}`;
}

/** A guest belongs to one person, whatever groups they are in. */
function isMeantFor({ type, guestOf }: AccountRecord, { sharerId }: ShareRecord): boolean {
  return type !== 'guest' || sharerId === guestOf;
}

/** Everyone in the chain must be allowed to share with guests. */
function mayReachGuests(grantors: ReadonlyMap<number, AccountRecord>): boolean {
  return [...grantors.values()].every(({ permissions }) => permissions.share_guests);
}

/** The most an account can allow in what it shares. */
function flagsOf(permissions: Permissions): ShareFlags {
  const alter = !permissions.readonly;
  return {
    upload: alter && permissions.upload,
    download: permissions.download,
    comment: permissions.write_comments,
    read_comments: permissions.read_comments,
    alter,
    share: permissions.share,
  };
}

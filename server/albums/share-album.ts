import { notFound } from '../access/access.ts';
import { type AccountCaller, rightsOf } from '../access/caller.ts';
import { permit } from '../access/rights.ts';
import { displayName } from '../accounts/account-record.ts';
import { sees } from '../accounts/permissions/administration.ts';
import type { Transaction } from '../database/database.ts';
import { ApiError, invalidParameter, missingParameter } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import type { AlbumRole, AlbumShares } from '../shares/album-shares.ts';
import type { Recipient } from '../shares/share-record.ts';
import type { SharingContext } from '../sharing/context.ts';
import { mailRecipients } from '../sharing/notices.ts';
import {
  groupToShareWith,
  type NamedRecipient,
  namedRecipient,
  recipientFor,
  userToShareWith,
} from '../sharing/recipients.ts';
import { checkOwn, listRecord, ofAlbum } from './change-albums.ts';
import { type AlbumItem, type Lookup, type VisibleAlbum, visibleAlbum } from './visible-albums.ts';

export type AlbumSharingContext = Lookup & { readonly albumShares: AlbumShares; readonly sharing: SharingContext };

/** A recipient as it is named in a request: exactly one of the two. */
interface AlbumRecipient {
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

/** Someone whom an album is shared with. */
export interface AlbumMemberName {
  readonly to: NamedRecipient;
  readonly role: AlbumRole;
}

/**
 * Shares an album with a person or group, or changes what they may do. From then on they see what its owner added from the own home,
 * and what others who contribute to it added from theirs: see `access/album-grants.ts`.
 * @throws ApiError `not_found`, `permission_denied`, `missing_parameter`, `invalid_parameter`
 */
export async function shareAlbum(
  context: AlbumSharingContext,
  caller: AccountCaller,
  name: string,
  { uid, gid, role }: AlbumRecipient & { readonly role: AlbumRole },
): Promise<void> {
  const album = await visibleAlbum(context, caller, name, 'albums/share');
  checkOwn(album);
  const { id } = listRecord(album);
  const recipient = oneRecipient({ uid, gid });
  const { sharing, albumShares } = context;
  if (recipient.uid === null) await groupToShareWith(sharing, caller.account, recipient.gid);
  else {
    const { type } = await userToShareWith(sharing, caller.account, recipient.uid);
    if (type === 'guest') throw invalidParameter('uid', t('api.albums.guest'));
  }
  const { title } = album;
  await sharing.accountsDatabase.write(async (tx) => {
    const isNew = await albumShares.put(tx, id, { recipient, role }).catch(goneMeanwhile);
    if (!isNew) return;
    const notice = { recipient, by: displayName(caller.account), name: title, page: albumPage(album.album) };
    await mailRecipients(sharing, caller, notice, tx);
  });
  const to = await namedRecipient(sharing, recipient);
  if (to !== null) {
    sharing.events.emit('album.shared', { ...ofAlbum(caller, album), to: to.name, kind: to.kind, role });
  }
}

/**
 * Ends the sharing of an album with a person or group. What they added leaves it. Others than its owner can only leave it
 * themselves: also one that they have through a group, until it is shared anew.
 * @throws ApiError `not_found`, `not_shared`, `permission_denied`, `missing_parameter`, `invalid_parameter`
 */
export async function unshareAlbum(
  context: AlbumSharingContext,
  caller: AccountCaller,
  name: string,
  named: AlbumRecipient,
): Promise<void> {
  const album = await visibleAlbum(context, caller, name, 'albums/unshare');
  const { id } = listRecord(album);
  const recipient = oneRecipient(named);
  if (recipient.uid !== caller.account.id) checkOwn(album);
  const { sharing, albumShares } = context;
  const isLeaving = recipient.uid === caller.account.id && album.reach.role !== 'owner';
  const end = (tx: Transaction) =>
    isLeaving ? albumShares.leave(tx, id, caller.account.id) : albumShares.remove(tx, id, recipient);
  if (!(await sharing.accountsDatabase.write(end))) {
    throw new ApiError('not_shared', t('api.albums.notShared'));
  }
  const to = await namedRecipient(sharing, recipient);
  if (to === null) return;
  sharing.events.emit('album.unshared', {
    ...ofAlbum(caller, album),
    to: to.name,
    kind: to.kind,
    hasLeft: isLeaving,
  });
}

/**
 * Whom an album is shared with, as far as the caller may know of them.
 * @throws ApiError `not_found`, `invalid_parameter` for what cannot be shared
 */
export async function albumSharesOf(
  context: AlbumSharingContext,
  caller: AccountCaller,
  name: string,
): Promise<AlbumMemberName[]> {
  permit(rightsOf(caller), 'albums/shares');
  const { id } = listRecord(await visibleAlbum(context, caller, name, 'albums/shares'));
  const members: AlbumMemberName[] = [];
  for (const { recipient, role } of await context.albumShares.of(id)) {
    const to = await recipientFor(context.sharing, caller.account, recipient);
    if (to !== null) members.push({ to, role });
  }
  return members;
}

/** Below the address of the household. */
const albumPage = (uuid: string) => `/files/album?album=${uuid}`;

function oneRecipient({ uid, gid }: AlbumRecipient): Recipient {
  if (uid !== undefined && gid !== undefined)
    throw invalidParameter('gid', t('api.parameters.notTogether', { parameter: 'uid', other: 'gid' }));
  if (uid !== undefined) return { uid, gid: null };
  if (gid !== undefined) return { uid: null, gid };
  throw missingParameter('uid');
}

/** The album or the recipient may have been deleted since it was looked up. */
function goneMeanwhile(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'SQLITE_CONSTRAINT' && message.includes('FOREIGN KEY')) throw notFound();
  throw error;
}

/** A person of a shared album. */
export interface AlbumPerson {
  readonly id: number;
  readonly name: string;
}

/** Who added these items to a shared album, by account, as far as the caller may know of them. */
export async function addersOf(
  { sharing }: Pick<AlbumSharingContext, 'sharing'>,
  { account }: AccountCaller,
  { reach, kind }: Pick<VisibleAlbum, 'reach' | 'kind'>,
  items: readonly Pick<AlbumItem, 'addedBy'>[],
): Promise<ReadonlyMap<number, AlbumPerson>> {
  const people = new Map<number, AlbumPerson>();
  if (kind !== 'list' || !reach.isShared) return people;
  for (const id of new Set(items.flatMap(({ addedBy }) => addedBy ?? []))) {
    const adder = id === reach.owner.id ? reach.owner : await sharing.accounts.byId(id);
    if (adder === null) continue;
    const isKnown = id === reach.owner.id || sees(account, { ...adder, groupIds: await sharing.groups.idsOf(id) });
    if (isKnown) people.set(id, { id, name: displayName(adder) });
  }
  return people;
}

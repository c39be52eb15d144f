import { displayName } from '../accounts/account-record.ts';
import { type AccountRow, accountOf, SELECT_ACCOUNTS } from '../accounts/account-rows.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import { groupIdsOf } from '../accounts/group-rows.ts';
import { sees, seesGroup } from '../accounts/permissions/administration.ts';
import type { AccountsTransaction } from '../database/database.ts';
import { invalidParameter } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import type { Recipient } from '../shares/share-record.ts';
import type { SharingContext } from './context.ts';

/** The recipient of a share, with details to recognize them. */
export interface NamedRecipient {
  readonly recipient: Recipient;
  readonly kind: 'user' | 'group' | 'guest';
  readonly name: string;
}

/**
 * A member to share with. Accounts the sharer may not know of are treated as nonexistent.
 * @throws ApiError `invalid_parameter`
 */
export async function userToShareWith(
  context: SharingContext,
  sharer: AccountRecord,
  uid: number,
): Promise<AccountRecord> {
  if (uid === sharer.id) throw invalidParameter('uid', t('api.sharing.self'));
  const user = await context.accounts.byId(uid);
  if (user === null || !(await maySee(context, sharer, user))) {
    throw invalidParameter('uid', t('api.sharing.unknownUser'));
  }
  return user;
}

/** @throws ApiError `invalid_parameter` */
export async function groupToShareWith(
  context: SharingContext,
  sharer: AccountRecord,
  gid: number,
): Promise<{ readonly id: number; readonly name: string }> {
  const group = await context.groups.byId(gid);
  const ownIds = await context.groups.idsOf(sharer.id);
  if (group === null || !seesGroup(sharer, group.id, ownIds)) {
    throw invalidParameter('gid', t('api.sharing.unknownGroup'));
  }
  return group;
}

/** A guest belongs to one person: nobody else can share with them, even if they see them. */
async function maySee(context: SharingContext, sharer: AccountRecord, other: AccountRecord): Promise<boolean> {
  if (other.type === 'guest' && other.guestOf !== sharer.id) return false;
  return sees(sharer, { ...other, groupIds: await context.groups.idsOf(other.id) });
}

/** All people and groups that an account can share with, by name. */
export async function recipientsFor(context: SharingContext, sharer: AccountRecord): Promise<NamedRecipient[]> {
  const rows = await context.database.all<AccountRow>(
    `${SELECT_ACCOUNTS} WHERE a.id <> ? AND (a.guest_of IS NULL OR a.guest_of = ?) ORDER BY a.name, a.last_name, a.id`,
    [sharer.id, sharer.id],
  );
  const groupIds = await groupIdsOf(context.database, [sharer.id, ...rows.map(({ id }) => id)]);
  const users = rows
    .map(accountOf)
    .filter((user) => sees(sharer, { ...user, groupIds: groupIds.get(user.id) ?? [] }))
    .map((user): NamedRecipient => {
      const kind = user.type === 'guest' ? 'guest' : 'user';
      return { recipient: { uid: user.id, gid: null }, kind, name: displayName(user) };
    });
  const ownIds = groupIds.get(sharer.id) ?? [];
  const groups = (await context.groups.list())
    .filter(({ id }) => seesGroup(sharer, id, ownIds))
    .map(({ id, name }) => ({ recipient: { uid: null, gid: id }, kind: 'group', name }) as const);
  return [...groups, ...users];
}

/**
 * The same for viewing: the account may have shared by address with someone it may not know of, and others may share its items
 * further.
 */
export async function recipientFor(
  context: SharingContext,
  caller: AccountRecord,
  recipient: Recipient,
): Promise<NamedRecipient | null> {
  const named = await namedRecipient(context, recipient);
  if (named === null) return null;
  return (await mayKnow(context, caller, recipient)) ? named : { ...named, name: 'Somebody' };
}

async function mayKnow(context: SharingContext, caller: AccountRecord, { uid, gid }: Recipient): Promise<boolean> {
  if (uid === null) return seesGroup(caller, gid, await context.groups.idsOf(caller.id));
  const other = await context.accounts.byId(uid);
  return other !== null && sees(caller, { ...other, groupIds: await context.groups.idsOf(uid) });
}

/** The names of known recipients. */
export async function namedRecipient(
  context: SharingContext,
  recipient: Recipient,
  within?: AccountsTransaction,
): Promise<NamedRecipient | null> {
  if (recipient.uid === null) {
    const group = await context.groups.byId(recipient.gid, within);
    return group === null ? null : { recipient, kind: 'group', name: group.name };
  }
  const user = await context.accounts.byId(recipient.uid, within);
  if (user === null) return null;
  return { recipient, kind: user.type === 'guest' ? 'guest' : 'user', name: displayName(user) };
}

import { type AccountRow, accountOf, SELECT_ACCOUNTS } from '../accounts/account-record.ts';
import type { AccountRecord, PreparedAccount } from '../accounts/accounts.ts';
import type { Permissions } from '../accounts/permissions/permissions.ts';
import { requirePermission } from '../accounts/permissions/require-permission.ts';
import type { AccountsTransaction } from '../database/database.ts';
import { ApiError, invalidParameter } from '../http/errors.ts';
import { DAY } from '../lib/clock.ts';
import { type Actor, actorOf } from '../lib/events.ts';
import { randomAlphanumeric } from '../lib/random.ts';
import { isEmailAddress } from '../lib/text/email-address.ts';
import { t } from '../messages/messages.ts';
import type { SharingContext } from './context.ts';

/** Who is invited, as somebody typed it. */
export interface Invitation {
  readonly name: string;
  readonly email: string;
}

/** Whom an invitation reaches, and the private link if one was made: it is event this once. */
export interface Invited {
  readonly account: AccountRecord;
  readonly link: { readonly token: string; readonly expiresAt: number } | null;
}

/** Guests of one person. */
const MOST_GUESTS = 500;
const MAX_NAME = 100;

/** A guest sees what is shared, and does with it what the share says; nothing else. */
const GUEST_PERMISSIONS: Partial<Permissions> = {
  email: false,
  weblink: false,
  share: false,
  share_guests: false,
  change_pass: false,
  edit_profile: false,
  users_may_see: '',
};

/** An invitation that was looked at, and the account that it takes when there is none. */
export interface PreparedInvitation extends Invitation {
  readonly prepared: PreparedAccount;
}

/** @param everybody the sharer, and everybody through whom the sharer has it @throws ApiError `permission_denied` */
export function requireGuests(everybody: readonly AccountRecord[]): void {
  for (const one of everybody) requirePermission(one, 'share_guests');
}

/**
 * Outside of the transaction.
 * @param sharer who invites
 * @param grantors through whom the sharer has what is shared: what they may not do, nobody does through them
 * @throws ApiError `permission_denied`, `invalid_parameter`
 */
export async function prepareInvitation(
  { accounts }: Pick<SharingContext, 'accounts'>,
  [sharer, ...grantors]: readonly [AccountRecord, ...AccountRecord[]],
  given: Invitation,
): Promise<PreparedInvitation> {
  requireGuests([sharer, ...grantors]);
  const [name, email] = [given.name.trim(), given.email.trim()];
  if (name === '') throw invalidParameter('name', t('api.guests.nameMissing'));
  if ([...name].length > MAX_NAME || !name.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw invalidParameter('name', t('api.guests.name', { max: MAX_NAME }));
  }
  if (!isEmailAddress(email) || /\p{Cc}/u.test(email)) throw invalidParameter('email', t('api.guests.email'));
  if (email.toLowerCase() === sharer.email.toLowerCase()) throw invalidParameter('email', t('api.guests.ownEmail'));
  const username = `guest-${randomAlphanumeric(10).toLowerCase()}`;
  const prepared = await accounts.prepare({ type: 'guest', username, name, homeId: null, passwordHash: null });
  return { name, email, prepared };
}

/**
 * The account that an address stands for: that of somebody of the household, who is shared with like anybody, or a guest of
 * the sharer, who is made when there is none. A guest who was away is back, with a new link.
 */
export async function invite(
  context: SharingContext,
  sharer: AccountRecord,
  by: Actor,
  { email, prepared }: PreparedInvitation,
  tx: AccountsTransaction,
): Promise<Invited> {
  const { accounts } = context;
  const [known] = await tx.all<AccountRow>(
    `${SELECT_ACCOUNTS} WHERE lower(a.email) = lower(?1) AND (a.guest_of IS NULL OR a.guest_of = ?2) AND a.id <> ?2
     ORDER BY a.guest_of IS NOT NULL, a.activated = 0, a.id LIMIT 1`,
    [email, sharer.id],
  );
  if (known !== undefined) {
    const account = accountOf(known);
    return account.type === 'guest' ? receive(context, account, by, tx) : { account, link: null };
  }
  const count = await tx.get<{ count: number }>('SELECT count(*) AS count FROM accounts WHERE guest_of = ?', [
    sharer.id,
  ]);
  if ((count?.count ?? 0) >= MOST_GUESTS) throw new ApiError('conflict', t('api.guests.tooMany', { max: MOST_GUESTS }));
  const { id } = await accounts.add(prepared, by, tx);
  await accounts.write(id, { email, permissions: GUEST_PERMISSIONS, receiveNotifications: true }, tx);
  await tx.run('UPDATE accounts SET guest_of = ? WHERE id = ?', [sharer.id, id]);
  const account = await accounts.byId(id, tx);
  if (account === null) throw new Error('the guest that was just added is not there');
  return { account, link: await makeLink(context, account, by, tx) };
}

/** A guest whom one has had before, with a new link where the old one opens nothing any more. */
export async function receive(
  context: SharingContext,
  guest: AccountRecord,
  by: Actor,
  tx: AccountsTransaction,
): Promise<Invited> {
  if (!guest.isSwitchedOff && (await context.guestLinks.isOpen(guest.id, tx))) return { account: guest, link: null };
  await welcomeBack(context, guest, by, tx);
  return { account: guest, link: await makeLink(context, guest, by, tx) };
}

async function welcomeBack(
  context: SharingContext,
  guest: AccountRecord,
  by: Actor,
  tx: AccountsTransaction,
): Promise<void> {
  if (!guest.isSwitchedOff) return;
  await context.accounts.write(guest.id, { activated: true }, tx);
  await tx.run('UPDATE accounts SET guest_idle_since = NULL WHERE id = ?', [guest.id]);
  const { id: accountId, username } = guest;
  tx.afterCommit(() => context.events.emit('account.activated', { actor: by, accountId, username }));
}

async function makeLink(context: SharingContext, guest: AccountRecord, by: Actor, tx: AccountsTransaction) {
  tx.afterCommit(() => context.events.emit('guest-link.made', linkMade(by, guest)));
  return context.guestLinks.renew(tx, guest.id);
}

function linkMade(actor: Actor, { id: accountId, username, name }: AccountRecord) {
  return { actor, accountId, username, name };
}

/**
 * A new private link for one's guest; the one before opens nothing any more, and whoever came with it is signed out, of apps
 * as well.
 * @throws ApiError `not_found` for anybody who is no guest of the sharer's
 */
export async function renewGuestLink(
  context: SharingContext,
  sharer: AccountRecord,
  by: Actor,
  guestId: number,
): Promise<Invited> {
  requirePermission(sharer, 'share_guests');
  return context.accountsDatabase.write(async (tx) => {
    const guest = await context.accounts.byId(guestId, tx);
    if (guest === null || guest.guestOf !== sharer.id) throw new ApiError('not_found', t('api.guests.notFound'));
    if (guest.isSwitchedOff) throw new ApiError('conflict', t('api.guests.nothingShared'));
    await signOut(context, guest.id, tx);
    return { account: guest, link: await makeLink(context, guest, actorOf(by, by.account), tx) };
  });
}

/** Whoever was in as this guest is out, in browsers and in apps: also when the guest comes back one day. */
async function signOut(
  { sessions, tokens }: Pick<SharingContext, 'sessions' | 'tokens'>,
  guestId: number,
  tx: AccountsTransaction,
): Promise<void> {
  await sessions.endOthers(guestId, null, tx);
  await tokens.revokeAll(guestId, null, tx);
}

/**
 * Deactivates guests with whom nothing is shared any more, and removes those of whom that has been so for long.
 * @param keptDays 0: they stay, deactivated
 */
export async function tidyGuests(
  context: Pick<SharingContext, 'accountsDatabase' | 'events' | 'clock' | 'sessions' | 'tokens'>,
  keptDays: number,
  by: Actor,
): Promise<void> {
  const { accountsDatabase, events, clock } = context;
  const now = clock.now();
  const idle = `type = 'guest' AND guest_of IS NOT NULL AND NOT EXISTS (SELECT 1 FROM shares WHERE uid IS NOT NULL AND uid = accounts.id)`;
  const some = await accountsDatabase.get(`SELECT 1 FROM accounts WHERE ${idle} LIMIT 1`);
  if (some === undefined) return;
  await accountsDatabase.write(async (tx) => {
    const ended = await tx.all<{ id: number; username: string }>(
      `UPDATE accounts SET activated = 0, deactivated_reason = 'administrator' WHERE ${idle} AND activated = 1 RETURNING id, username`,
    );
    await tx.run(`UPDATE accounts SET guest_idle_since = ? WHERE ${idle} AND guest_idle_since IS NULL`, [now]);
    for (const { id: accountId, username } of ended) {
      await signOut(context, accountId, tx);
      const event = { actor: by, accountId, username, reason: 'administrator' };
      tx.afterCommit(() => events.emit('account.deactivated', event));
    }
    if (keptDays === 0) return;
    const removed = await tx.all<{ id: number; username: string }>(
      `DELETE FROM accounts WHERE ${idle} AND guest_idle_since <= ? RETURNING id, username`,
      [now - keptDays * DAY],
    );
    for (const { id: accountId, username } of removed) {
      tx.afterCommit(() => events.emit('account.deleted', { actor: by, accountId, username }));
    }
  });
}

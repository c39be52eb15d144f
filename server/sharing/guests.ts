import { type AccountRow, accountOf, SELECT_ACCOUNTS } from '../accounts/account-rows.ts';
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

/** An invitation as typed. */
interface Invitation {
  readonly name: string;
  readonly email: string;
}

/** The invited account, and the private link if one was created, which is returned only this time. */
export interface Invited {
  readonly account: AccountRecord;
  readonly link: { readonly token: string; readonly expiresAt: number } | null;
}

/** Most guests of one person. */
const MAX_GUESTS = 500;
const MAX_NAME = 100;

/** A guest can use what is shared with them, and nothing else. */
const GUEST_PERMISSIONS: Partial<Permissions> = {
  email: false,
  weblink: false,
  share: false,
  share_guests: false,
  change_pass: false,
  edit_profile: false,
  users_may_see: '',
};

/** A checked invitation, and the account to create if there is none. */
interface PreparedInvitation extends Invitation {
  readonly prepared: PreparedAccount;
}

/** @param everybody the sharer, and everyone in the chain of shares before @throws ApiError `permission_denied` */
export function requireGuests(everybody: readonly AccountRecord[]): void {
  for (const one of everybody) requirePermission(one, 'share_guests');
}

/**
 * Called outside of the transaction.
 * @param sharer who invites
 * @param grantors the chain of shares through which the sharer has the item: nothing is allowed through them that they may not do
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
 * The account with an address: a member of the household, treated like any recipient, or a guest of the sharer, created if there
 * is none. A deactivated guest is activated again, with a new link.
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
  if ((count?.count ?? 0) >= MAX_GUESTS) throw new ApiError('conflict', t('api.guests.tooMany', { max: MAX_GUESTS }));
  const { id } = await accounts.add(prepared, by, tx);
  await accounts.write(id, { email, permissions: GUEST_PERMISSIONS, receiveNotifications: true }, tx);
  await tx.run('UPDATE accounts SET guest_of = ? WHERE id = ?', [sharer.id, id]);
  const account = await accounts.byId(id, tx);
  if (account === null) throw new Error('the guest that was just added is not there');
  return { account, link: await makeLink(context, account, by, tx) };
}

/** An existing guest of the sharer, with a new link if the old one has ended. */
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
 * Renews the private link of the sharer's guest; the previous one ends, and sessions and apps that used it are signed out.
 * @throws ApiError `not_found` for any other account
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

/** Ends the guest's sessions and authorizations, also for the case that the guest is invited again. */
async function signOut(
  { sessions, tokens }: Pick<SharingContext, 'sessions' | 'tokens'>,
  guestId: number,
  tx: AccountsTransaction,
): Promise<void> {
  await sessions.endOthers(guestId, null, tx);
  await tokens.revokeAll(guestId, {}, tx);
}

/**
 * Deactivates guests without shares, and deletes those without shares for long.
 * @param keptDays 0: they stay, deactivated
 */
export async function removeUnusedGuests(
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

import type { AccountCaller } from '../access/caller.ts';
import { displayName } from '../accounts/account-record.ts';
import { type AccountRow, accountOf, accountsByIds, SELECT_ACCOUNTS } from '../accounts/account-rows.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import { blockReason } from '../accounts/permissions/account-status.ts';
import type { AccountsTransaction } from '../database/database.ts';
import { invitationMail, shareMail } from '../mail/mails.ts';
import type { Recipient, ShareRecord } from '../shares/share-record.ts';
import type { SharingContext } from './context.ts';
import type { Invited } from './guests.ts';

interface Notice {
  readonly share: ShareRecord;
  /** The item's name for the recipients. */
  readonly name: string;
  readonly invited: Invited | null;
}

/** The address of the guest's link, below that of the household. */
export function guestLinkPath(token: string): string {
  return `/guest/?id=${token}`;
}

type NoticesContext = Pick<SharingContext, 'mails' | 'mailLimit' | 'settings' | 'clock'>;

/** Queues mails to the recipients of a share who want them: in the transaction of the share. */
export async function mailNotices(
  context: NoticesContext,
  caller: AccountCaller,
  { share, name, invited }: Notice,
  tx: AccountsTransaction,
): Promise<void> {
  const { recipient, isAnonymous } = share;
  const by = isAnonymous ? null : displayName(caller.account);
  const path = `/ROOT/${isAnonymous ? 0 : share.sharerId}/${share.id}`;
  // A guest with a new link gets the mail that contains it.
  const except = invited !== null && invited.link !== null ? invited.account.id : null;
  await mailRecipients(
    context,
    caller,
    { recipient, by, name, page: `/files/?path=${encodeURIComponent(path)}`, except },
    tx,
  );
}

/** What recipients are told of: who shares it, its name for them, and its page below the address of the household. */
interface SharedThing extends Pick<ShareRecord, 'recipient'> {
  readonly by: string | null;
  readonly name: string;
  readonly page: string;
  /** An account that gets no mail. */
  readonly except?: number | null;
}

/** The same for anything that is shared. */
export async function mailRecipients(
  { mails, mailLimit, settings, clock }: NoticesContext,
  caller: AccountCaller,
  { recipient, by, name, page, except = null }: SharedThing,
  tx: AccountsTransaction,
): Promise<void> {
  const { householdName: household, baseUrl } = settings.values;
  const url = baseUrl === '' ? null : `${withoutSlash(baseUrl)}${page}`;
  for (const account of await recipientsOf(recipient, tx)) {
    if (account.id === caller.account.id || account.id === except) continue;
    if (!account.receiveNotifications || account.email === '' || blockReason(account, clock.now()) !== null) continue;
    if (!mailLimit.take(caller.account.id)) return;
    await mails.post(tx, shareMail({ to: account.email, greeting: account.name, by, name, household, url }));
  }
}

async function recipientsOf(recipient: Recipient, tx: AccountsTransaction): Promise<AccountRecord[]> {
  if (recipient.uid !== null) return accountsByIds(tx, [recipient.uid]);
  const sql = `${SELECT_ACCOUNTS} JOIN group_members m ON m.account_id = a.id WHERE m.group_id = ? ORDER BY a.id`;
  return (await tx.all<AccountRow>(sql, [recipient.gid])).map(accountOf);
}

/**
 * The invitation of a guest, with the private link, which is not stored. The link has the address the owner configured, never
 * that of the request.
 * @returns whether it will be sent
 */
export function mailInvitation(
  { mailer, mailLimit, settings }: Pick<SharingContext, 'mailer' | 'mailLimit' | 'settings'>,
  { account }: AccountCaller,
  { share, name, invited }: Notice,
): boolean {
  const { householdName: household, baseUrl } = settings.values;
  const isPossible = mailer.isSetUp() && baseUrl !== '' && account.permissions.email;
  if (invited === null || invited.link === null || !isPossible) return false;
  if (!mailLimit.take(account.id)) return false;
  const { account: guest, link } = invited;
  mailer.send(
    invitationMail({
      to: guest.email,
      greeting: guest.name,
      by: share.isAnonymous ? null : displayName(account),
      name,
      household,
      url: `${withoutSlash(baseUrl)}${guestLinkPath(link.token)}`,
    }),
  );
  return true;
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}

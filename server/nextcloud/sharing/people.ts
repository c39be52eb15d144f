import type { AccountCaller } from '../../access/caller.ts';
import { type AccountRecord, displayName } from '../../accounts/account-record.ts';
import { sees, seesGroup } from '../../accounts/permissions/administration.ts';
import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import type { Recipient } from '../../shares/share-record.ts';
import type { SharingContext } from '../../sharing/context.ts';
import { recipientsFor, userToShareWith } from '../../sharing/recipients.ts';

/** Someone as an app knows them: an id, and a name to show. */
export interface ShownPerson {
  readonly id: string;
  readonly name: string;
}

/** Of whom the caller may know nothing. */
function somebody(): ShownPerson {
  return { id: '', name: t('api.nextcloud.shares.somebody') };
}

export async function shownAccount(
  { groups }: Pick<SharingContext, 'groups'>,
  { account: own }: AccountCaller,
  other: AccountRecord | null,
): Promise<ShownPerson> {
  const isKnown =
    other !== null && (other.id === own.id || sees(own, { ...other, groupIds: await groups.idsOf(other.id) }));
  return isKnown ? { id: other.username, name: displayName(other) } : somebody();
}

/** A group is known to apps by its number: its name may be that of another one. */
export async function shownRecipient(
  context: Pick<SharingContext, 'accounts' | 'groups'>,
  caller: AccountCaller,
  { uid, gid }: Recipient,
): Promise<ShownPerson> {
  if (uid !== null) return shownAccount(context, caller, await context.accounts.byId(uid));
  const group = await context.groups.byId(gid);
  const isKnown = group !== null && seesGroup(caller.account, gid, await context.groups.idsOf(caller.account.id));
  return isKnown ? { id: String(group.id), name: group.name } : somebody();
}

/**
 * Whom an app wants to share with: a user name, or the number or the name of a group. A guest is invited on the pages only, where
 * the private link is shown.
 * @throws ApiError `not_found` alike for those who do not exist and those that the caller may not know of; `permission_denied` for
 * the caller
 */
export async function recipientNamed(
  context: SharingContext,
  { account }: AccountCaller,
  text: string,
  isGroup: boolean,
): Promise<Recipient> {
  if (isGroup) {
    const found = await groupNamed(context, account, text);
    if (found === null) throw new ApiError('not_found', t('api.nextcloud.shares.group'));
    return { uid: null, gid: found };
  }
  const user = text === '' ? null : await context.accounts.byUsername(text);
  if (user?.id === account.id) throw new ApiError('permission_denied', t('api.sharing.self'));
  const isFound = user !== null && user.type !== 'guest' && (await isKnown(userToShareWith(context, account, user.id)));
  if (!isFound) throw new ApiError('not_found', t('api.nextcloud.shares.user'));
  return { uid: user.id, gid: null };
}

async function groupNamed(context: SharingContext, account: AccountRecord, text: string): Promise<number | null> {
  const known = await recipientsFor(context, account);
  const groups = known.flatMap(({ recipient: { gid }, name }) => (gid === null ? [] : [{ gid, name }]));
  const byNumber = groups.find(({ gid }) => String(gid) === text);
  if (byNumber !== undefined) return byNumber.gid;
  const [first, ...others] = groups.filter(({ name }) => name === text);
  return first === undefined || others.length > 0 ? null : first.gid;
}

async function isKnown(found: Promise<unknown>): Promise<boolean> {
  try {
    await found;
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_parameter') return false;
    throw error;
  }
}

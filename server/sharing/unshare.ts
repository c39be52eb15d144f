import { type ItemTarget, notFound } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { withItem } from '../files/with-file.ts';
import { ApiError, invalidParameter, missingParameter } from '../http/errors.ts';
import { type Actor, actorOf } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import type { ShareRecord } from '../shares/share-record.ts';
import type { SharingContext } from './context.ts';
import { removeUnusedGuests } from './guests.ts';
import { namedRecipient } from './recipients.ts';
import { emitShareEvent } from './share.ts';

/**
 * Ends the sharing with one person or group. The owner of the file also ends shares made by others.
 * @throws ApiError `not_shared`, `not_found`, `missing_parameter`, `invalid_parameter`, `permission_denied`
 */
export async function unshareItem(
  context: SharingContext,
  caller: AccountCaller,
  named: ItemName,
  { uid, gid }: { readonly uid?: number | undefined; readonly gid?: number | undefined },
): Promise<void> {
  const target = await context.access.resolveItem(caller, named, 'files/unshare');
  if (uid === undefined && gid === undefined) throw missingParameter('uid');
  if (uid !== undefined && gid !== undefined)
    throw invalidParameter('gid', t('api.parameters.notTogether', { parameter: 'uid', other: 'gid' }));
  const isWithThem = ({ recipient }: ShareRecord) =>
    uid === undefined ? recipient.gid === gid : recipient.uid === uid;
  if (!(await end(context, caller, target, isWithThem))) throw new ApiError('not_shared', t('api.sharing.notShared'));
}

/**
 * Ends one share, and the reshares based on it: one that the caller made, or one of an item in the caller's own home.
 * @throws ApiError `not_found` once it has ended; `permission_denied`
 */
export async function endShare(
  context: SharingContext,
  caller: AccountCaller,
  named: ItemName,
  id: number,
): Promise<void> {
  const target = await context.access.resolveItem(caller, named, 'files/unshare');
  if (!(await end(context, caller, target, (share) => share.id === id))) throw notFound();
}

/** @returns whether there was one */
async function end(
  context: SharingContext,
  caller: AccountCaller,
  target: ItemTarget,
  fits: (share: ShareRecord) => boolean,
): Promise<boolean> {
  return withItem(context, target, async ({ item }) => {
    const isOwn = target.share === null;
    const removed = await context.accountsDatabase.write(async (tx) => {
      const ended = (await context.shares.of(item.id, tx)).filter(
        (share) => (isOwn || share.sharerId === caller.account.id) && fits(share),
      );
      for (const { id } of ended) await context.shares.remove(tx, id);
      return ended;
    });
    const [first] = removed;
    if (first === undefined) return false;
    const to = await namedRecipient(context, first.recipient);
    emitShareEvent(context, caller, target, item.id, 'share.removed', { share: first, to });
    await endGuests(context, caller, removed);
    return true;
  });
}

/** A guest is removed with their last share. */
async function endGuests(
  context: SharingContext,
  caller: AccountCaller,
  removed: readonly ShareRecord[],
): Promise<void> {
  const actor: Actor = actorOf(caller, caller.account);
  if (removed.some(({ recipient }) => recipient.uid !== null)) {
    await removeUnusedGuests(context, context.settings.values.guestsKeptDays, actor);
  }
}

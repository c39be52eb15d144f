import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { withItem } from '../files/with-file.ts';
import { ApiError, invalidParameter, missingParameter } from '../http/errors.ts';
import { type Actor, actorOf } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import type { ShareRecord } from '../shares/share-record.ts';
import type { SharingContext } from './context.ts';
import { tidyGuests } from './guests.ts';
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
  await withItem(context, target, async ({ item }) => {
    const isOwn = target.share === null;
    const removed = await context.accountsDatabase.write(async (tx) => {
      const ended = (await context.shares.of(item.id, tx)).filter(
        ({ sharerId, recipient }) =>
          (isOwn || sharerId === caller.account.id) &&
          (uid === undefined ? recipient.gid === gid : recipient.uid === uid),
      );
      for (const { id } of ended) await context.shares.remove(tx, id);
      return ended;
    });
    const [first] = removed;
    if (first === undefined) throw new ApiError('not_shared', t('api.sharing.notShared'));
    const to = await namedRecipient(context, first.recipient);
    emitShareEvent(context, caller, target, item.id, 'share.removed', { share: first, to });
    await endGuests(context, caller, removed);
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
    await tidyGuests(context, context.settings.values.guestsKeptDays, actor);
  }
}

import type { AccountCaller } from '../access/caller.ts';
import { withItem } from '../files/with-file.ts';
import type { ShareRecord } from '../shares/share-record.ts';
import type { SharingContext } from './context.ts';
import { type NamedRecipient, recipientFor } from './recipients.ts';

/** A recipient of an item. */
export interface SharedWith extends Pick<ShareRecord, 'id' | 'flags' | 'isAnonymous' | 'alias'> {
  readonly to: NamedRecipient;
  /** Who shares it, if not the caller. */
  readonly by: string | null;
}

/**
 * The recipients of a file or folder: in the caller's own files of all shares, in shared items of the caller's own shares. Oldest
 * first.
 * @throws ApiError `not_found`, `permission_denied`, `invalid_path`
 */
export async function sharesOf(
  context: SharingContext,
  caller: AccountCaller,
  path: readonly string[],
): Promise<SharedWith[]> {
  const target = await context.access.resolveItem(caller, path, 'files/unshare');
  const records = await withItem(context, target, ({ item }) => context.shares.of(item.id));
  const shown: SharedWith[] = [];
  for (const { id, sharerId, flags, isAnonymous, alias, recipient } of records) {
    const isOwn = sharerId === caller.account.id;
    const to = isOwn || target.share === null ? await recipientFor(context, caller.account, recipient) : null;
    if (to === null) continue;
    const by = isOwn ? null : await recipientFor(context, caller.account, { uid: sharerId, gid: null });
    shown.push({ id, flags, isAnonymous, alias, to, by: by?.name ?? null });
  }
  return shown;
}

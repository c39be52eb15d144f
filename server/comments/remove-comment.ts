import { virtualPathOf } from '../access/access.ts';
import { type AccountCaller, rightsOf } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { isPermitted } from '../access/rights.ts';
import { usernameOf } from '../accounts/account-rows.ts';
import { emitItemEvent } from '../files/emit.ts';
import { withItem } from '../files/with-file.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import { type CommentsContext, commentedTarget } from './context.ts';

/**
 * Deletes the caller's own comment, or any on their own files.
 * @throws ApiError `permission_denied`, `not_found`, also for a comment on another item; `invalid_path`
 */
export async function removeComment(
  context: CommentsContext,
  caller: AccountCaller,
  named: ItemName,
  id: number,
): Promise<void> {
  const { account } = caller;
  const target = await commentedTarget(context, caller, named, ({ share }) =>
    share === null ? 'files/comments/delete:any' : 'files/comments/delete',
  );
  await withItem(context, target, async ({ item }) => {
    const { accountId } = await context.database.write(async (tx) => {
      const found = await context.comments.byId(tx, id);
      if (found === null || found.itemId !== item.id) throw noComment();
      if (target.share !== null && found.accountId !== account.id) {
        // Without the right to read comments, the caller must not learn that they exist.
        if (!isPermitted(rightsOf(caller), target.share, 'files/comments/list')) throw noComment();
        throw new ApiError('permission_denied', t('api.comments.notAllowed'), {
          details: { permission: 'owner' },
        });
      }
      await context.comments.remove(tx, id);
      return found;
    });
    const isOwn = accountId === null || accountId === account.id;
    const author = isOwn ? null : await usernameOf(context.database, accountId);
    const what = { itemId: item.id, path: virtualPathOf(target), commentId: id, author };
    emitItemEvent(context, 'comment.removed', caller, target, what);
  });
}

function noComment(): ApiError {
  return new ApiError('not_found', t('api.comments.notFound'));
}

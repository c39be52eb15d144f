import { virtualPathOf } from '../access/access.ts';
import type { Caller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { emitItemEvent } from '../files/emit.ts';
import { withItem } from '../files/with-file.ts';
import { checkedComment } from './comment-record.ts';
import { type CommentsContext, commentedTarget } from './context.ts';

/**
 * @returns the id of the comment
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path`, `invalid_parameter`
 */
export async function addComment(
  context: CommentsContext,
  caller: Caller,
  named: ItemName,
  text: string,
): Promise<number> {
  const target = await commentedTarget(context, caller, named, 'files/comments/add');
  const comment = checkedComment(text);
  return withItem(context, target, async ({ item }) => {
    const by = writerOf(caller);
    const id = await context.database.write((tx) => context.comments.add(tx, { itemId: item.id, ...by, comment }));
    emitItemEvent(context, 'comment.added', caller, target, {
      itemId: item.id,
      path: virtualPathOf(target),
      commentId: id,
    });
    return id;
  });
}

/** A visitor has no account here, unless they are signed in. */
function writerOf({ account, visitor }: Caller): { readonly accountId: number | null; readonly visitorName: string } {
  const id = account === undefined ? visitor.signedInAs?.id : account.id;
  return id === undefined ? { accountId: null, visitorName: visitor?.name ?? '' } : { accountId: id, visitorName: '' };
}

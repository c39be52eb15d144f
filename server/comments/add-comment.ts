import { type Asker, virtualPathOf } from '../access/access.ts';
import { tell } from '../files/tell.ts';
import { withItem } from '../files/with-file.ts';
import { checkedComment } from './comment-record.ts';
import { type CommentsContext, commentedTarget } from './context.ts';

/**
 * @returns the id of the comment
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path`, `invalid_parameter`
 */
export async function addComment(
  context: CommentsContext,
  asker: Asker,
  path: readonly string[],
  text: string,
): Promise<number> {
  const target = await commentedTarget(context, asker, path, 'files/comments/add');
  const comment = checkedComment(text);
  return withItem(context, target, async ({ item }) => {
    const by = { accountId: asker.account.id, visitorName: '' };
    const id = await context.database.write((tx) => context.comments.add(tx, { itemId: item.id, ...by, comment }));
    tell(context, 'comment.added', asker, target, { itemId: item.id, path: virtualPathOf(target), commentId: id });
    return id;
  });
}

import type { ItemTarget } from '../access/access.ts';
import { type Caller, knowsPeopleAs, responsibleId, rightsOf } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { isPermitted } from '../access/rights.ts';
import { displayName } from '../accounts/account-record.ts';
import { nameForCaller } from '../files/locks/lock-holder.ts';
import { withItem } from '../files/with-file.ts';
import type { CommentRecord } from './comment-record.ts';
import { type CommentsContext, commentedTarget } from './context.ts';

/** A comment as the caller may see it. */
export interface KnownComment extends Pick<CommentRecord, 'id' | 'comment' | 'createdAt'> {
  /** Of the author, if the caller may know of them. */
  readonly uid: number | null;
  /** If `uid` is null: the name a visitor entered; null if the author is hidden. */
  readonly name: string | null;
  readonly mayRemove: boolean;
}

/**
 * The latest comments, oldest first.
 * @param before only those older than the comment with this id
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path`
 */
export async function listComments(
  context: CommentsContext,
  caller: Caller,
  named: ItemName,
  before?: number,
): Promise<KnownComment[]> {
  const target = await commentedTarget(context, caller, named, 'files/comments/list');
  const records = await withItem(context, target, ({ item }) => context.comments.of(item.id, before));
  const names = await namesOf(context, caller, target, records);
  const mayRemoveOwn = isPermitted(rightsOf(caller), target.share, 'files/comments/delete');
  return records.map(({ id, comment, createdAt, accountId, visitorName }) => {
    const name = accountId === null ? null : (names.get(accountId) ?? null);
    return {
      ...{ id, comment, createdAt },
      ...(name === null ? { uid: null, name: visitorName === '' ? null : visitorName } : { uid: accountId, name }),
      mayRemove: target.share === null || (mayRemoveOwn && accountId === responsibleId(caller)),
    };
  });
}

/** Only accounts the caller may know of. */
async function namesOf(
  context: CommentsContext,
  caller: Caller,
  { share }: ItemTarget,
  records: readonly CommentRecord[],
): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for (const id of new Set(records.flatMap(({ accountId }) => accountId ?? []))) {
    const own = knowsPeopleAs(caller);
    const name = id === own.id ? displayName(own) : await nameForCaller(context, caller, id, share);
    if (name !== null) names.set(id, name);
  }
  return names;
}

import type { ItemTarget } from '../access/access.ts';
import type { Caller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import type { FileAction } from '../access/rights.ts';
import type { ChangesContext } from '../files/context.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import type { Comments } from './comments.ts';

/** The parts that comments use. */
export interface CommentsContext extends ChangesContext {
  readonly comments: Comments;
}

/** The target of a comment. @throws ApiError `not_found`, `permission_denied`; `invalid_path` for a home, and for lists */
export async function commentedTarget(
  { access }: Pick<CommentsContext, 'access'>,
  caller: Caller,
  named: ItemName,
  action: FileAction | ((target: ItemTarget) => FileAction),
): Promise<ItemTarget> {
  const target = await access.resolveItem(caller, named, action);
  if (target.segments.length === 0) throw new ApiError('invalid_path', t('api.comments.home'));
  return target;
}

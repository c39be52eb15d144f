import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import type { Preconditions } from '../http/request/preconditions.ts';
import { changeValues, describedTarget, type MetadataContext } from './context.ts';

/**
 * @param rating stars; null removes it
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path`, `precondition_failed`
 */
export async function setRating(
  context: MetadataContext,
  caller: AccountCaller,
  named: ItemName,
  rating: number | null,
  conditions: Preconditions | null = null,
): Promise<void> {
  const target = await describedTarget(context, caller, named, 'files/rating');
  const values = rating === null ? [] : [{ value: String(rating), color: null }];
  const { marks } = await context.definitions();
  await changeValues(context, caller, target, {
    what: 'rating',
    change: () => new Map([[marks.rating, values]]),
    conditions,
  });
}

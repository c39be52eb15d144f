import type { AccountCaller } from '../access/caller.ts';
import { changeValues, describedTarget, type MetadataContext } from './context.ts';

/**
 * @param rating stars; null removes it
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path`
 */
export async function setRating(
  context: MetadataContext,
  caller: AccountCaller,
  path: readonly string[],
  rating: number | null,
): Promise<void> {
  const target = await describedTarget(context, caller, path, 'files/rating');
  const values = rating === null ? [] : [{ value: String(rating), color: null }];
  const { marks } = await context.definitions();
  await changeValues(context, caller, target, { what: 'rating', change: () => new Map([[marks.rating, values]]) });
}

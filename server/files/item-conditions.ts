import type { ItemTarget } from '../access/access.ts';
import { type Caller, rightsOf } from '../access/caller.ts';
import { mayKnowContent } from '../access/known-content.ts';
import { isGranted } from '../access/rights.ts';
import { onStorage } from '../access/storage-failure.ts';
import { tagReader } from '../access/tag-reader.ts';
import { folderTagAt } from '../catalogue/folder-tags.ts';
import { checkPreconditions, type Preconditions } from '../http/request/preconditions.ts';
import type { Found } from '../storage/disk/disk.ts';
import { nullIfGone } from '../storage/errors.ts';
import { contentTag } from './content-tag.ts';
import type { ContentsContext } from './context.ts';

/**
 * Checks the item at a path against the conditions of a request. Call it with the path locked, or the result may be outdated at
 * once.
 * @param conditions null for none
 * @throws ApiError `precondition_failed` with `details.etag`
 */
export async function checkConditions(
  context: ContentsContext,
  caller: Caller,
  target: ItemTarget,
  conditions: Preconditions | null,
): Promise<void> {
  if (conditions === null) return;
  const { home, segments } = target;
  const found = await onStorage(() =>
    context.disk.run('stat', { homeRoot: home.homeRoot, segments }).catch(nullIfGone),
  );
  await checkItemConditions(context, caller, target, found, conditions);
}

/**
 * The same for an item that was found with the path locked.
 * @param found null when it does not exist
 * @throws ApiError `precondition_failed` with `details.etag`
 */
export async function checkItemConditions(
  context: ContentsContext,
  caller: Caller,
  target: ItemTarget,
  found: Found | null,
  conditions: Preconditions | null,
): Promise<void> {
  if (conditions === null) return;
  if (found?.entry.isDir !== true) return checkFileConditions(context, caller, target, found, conditions);
  // Its tag tells nothing about contents, but that something below it changes.
  const { account } = caller;
  const { database } = context;
  const { home, segments, share } = target;
  const isTagVisible = isGranted(rightsOf(caller), share, 'files/browse');
  const etag = account === undefined ? null : await folderTagAt(database, tagReader(account, share), home.id, segments);
  checkPreconditions(conditions, { etag, mtime: found.entry.mtime, isTagVisible });
}

/**
 * The same for a file that was found with the path locked, or is open.
 * @param target its home, and the share that it is reached through; null in the caller's own home
 * @param found null when the item does not exist
 * @throws ApiError `precondition_failed` with `details.etag`
 */
export async function checkFileConditions(
  context: ContentsContext,
  caller: Caller,
  { home, share }: Pick<ItemTarget, 'home' | 'share'>,
  found: Found | null,
  conditions: Preconditions | null,
): Promise<void> {
  if (conditions === null) return;
  const isTagVisible = mayKnowContent(caller, share);
  if (found === null) return checkPreconditions(conditions, null);
  const { entry } = found;
  // Where folders cannot be meant, they exist without a tag.
  const tag = entry.isDir ? null : await onStorage(() => contentTag(context, home, found));
  checkPreconditions(conditions, { etag: tag?.isProven ? tag.etag : null, mtime: entry.mtime, isTagVisible });
}

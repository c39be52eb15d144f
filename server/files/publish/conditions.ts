import type { ItemTarget } from '../../access/access.ts';
import type { Caller } from '../../access/caller.ts';
import { mayKnowContent } from '../../access/known-content.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { folderTagAt } from '../../catalogue/folder-tags.ts';
import { checkPreconditions, type Preconditions } from '../../http/request/preconditions.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import { etagOfIdentity } from '../../storage/disk/disk-entry.ts';
import { StorageError } from '../../storage/errors.ts';
import type { FilesContext } from '../context.ts';

/**
 * Checks the item at a path against the conditions of a request. Call it with the path locked, or the result may be outdated at
 * once.
 * @param conditions null for none
 * @throws ApiError `precondition_failed` with `details.etag`
 */
export async function checkConditions(
  { disk, database }: Pick<FilesContext, 'disk' | 'database'>,
  caller: Caller,
  target: ItemTarget,
  conditions: Preconditions | null,
): Promise<void> {
  if (conditions === null) return;
  const { home, segments } = target;
  const found = await onStorage(() =>
    disk.run('stat', { homeRoot: home.homeRoot, segments }).catch((error) => {
      if (error instanceof StorageError && error.reason === 'not-found') return null;
      throw error;
    }),
  );
  await checkItemConditions({ database }, caller, target, found?.entry ?? null, conditions);
}

/**
 * The same for an entry that was read with the path locked.
 * @param entry null when the item does not exist
 * @throws ApiError `precondition_failed` with `details.etag`
 */
export async function checkItemConditions(
  { database }: Pick<FilesContext, 'database'>,
  caller: Caller,
  target: ItemTarget,
  entry: DiskEntry | null,
  conditions: Preconditions | null,
): Promise<void> {
  if (conditions === null) return;
  if (entry?.isDir !== true) return checkEntryConditions(caller, target, entry, conditions);
  // Its tag tells nothing about contents.
  const { account } = caller;
  const etag = account === undefined ? null : await folderTagAt(database, account.id, target.home.id, target.segments);
  checkPreconditions(conditions, { etag, mtime: entry.mtime, isTagVisible: true });
}

/**
 * The same for a file that was read with the path locked, or is open.
 * @param share that the item is reached through; null in the caller's own home
 * @param entry null when the item does not exist
 * @throws ApiError `precondition_failed` with `details.etag`
 */
export function checkEntryConditions(
  caller: Caller,
  { share }: Pick<ItemTarget, 'share'>,
  entry: DiskEntry | null,
  conditions: Preconditions | null,
): void {
  if (conditions === null) return;
  const current = entry && {
    // Where folders cannot be meant, they exist without a tag.
    etag: entry.isDir ? null : etagOfIdentity(entry.identity),
    mtime: entry.mtime,
    isTagVisible: mayKnowContent(caller, share),
  };
  checkPreconditions(conditions, current);
}

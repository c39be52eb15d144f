import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { permit } from '../../access/rights.ts';
import type { Home } from '../../catalogue/homes.ts';
import { ApiError } from '../../http/errors.ts';
import type { Actor } from '../../lib/events.ts';
import type { FilesContext } from '../context.ts';
import { emitItemEvent, ownerOf } from '../emit.ts';
import { eraseTrashed } from './trash.ts';
import { listTrash, type TrashedItem } from './trash-rows.ts';

/** Deletes everything in the caller's trash permanently. @throws ApiError */
export async function emptyOwnTrash(context: FilesContext, caller: AccountCaller): Promise<void> {
  permit(rightsOf(caller), 'files/trash/empty');
  await emptyTrash(context, await context.access.homeOf(caller), Number.POSITIVE_INFINITY, caller);
}

/** Deletes permanently what went to the trash before `before` (milliseconds since the epoch). @returns number of items */
export async function emptyTrash(context: FilesContext, home: Home, before: number, by: Actor): Promise<number> {
  let items = 0;
  try {
    for (const item of await listTrash(context, home)) {
      if (item.deletedAt < before && (await eraseIfThere(context, home, item))) items += 1;
    }
  } finally {
    if (items > 0)
      emitItemEvent(
        context,
        'trash.emptied',
        by,
        { home, share: null },
        { items, username: await ownerOf(context, home) },
      );
  }
  return items;
}

/** @returns false for an item that someone else has restored or deleted meanwhile */
async function eraseIfThere(context: FilesContext, home: Home, item: TrashedItem): Promise<boolean> {
  try {
    await eraseTrashed(context, home, item);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false;
    throw error;
  }
}

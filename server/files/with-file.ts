import { checkStillShared, type ItemTarget } from '../access/access.ts';
import { onStorage } from '../access/storage-failure.ts';
import { itemFound } from '../catalogue/find.ts';
import type { Item } from '../catalogue/items.ts';
import type { Found } from '../storage/disk/disk.ts';
import { StorageError } from '../storage/errors.ts';
import { type ItemsContext, lockKey } from './context.ts';

type WithContext = ItemsContext;

interface ItemThere extends Found {
  readonly item: Item;
}

/**
 * Works with a file or folder while none of our own operations changes it. In the middle of a change, a read could give the new
 * content the old number, or create a row for a name that is about to go.
 * @throws ApiError `not_found`
 */
export function withItem<T>(
  context: WithContext,
  target: ItemTarget,
  work: (there: ItemThere) => Promise<T>,
): Promise<T> {
  return onStorage(async () => {
    await context.catalogue.ensureItemRow(target.home, target.segments);
    return context.pathLocks.run([lockKey(target.home, target.segments)], async () => {
      await checkStillShared(target);
      return work(await itemAt(context, target));
    });
  });
}

/** The same for a file. @throws ApiError also `invalid_path` for a folder */
export function withFile<T>(
  context: WithContext,
  target: ItemTarget,
  work: (file: ItemThere) => Promise<T>,
): Promise<T> {
  return withItem(context, target, (there) => work(fileOf(there)));
}

/** @throws ApiError `not_found`, `invalid_path` for a folder */
export function fileAt(context: WithContext, target: ItemTarget): Promise<ItemThere> {
  return onStorage(async () => fileOf(await itemAt(context, target)));
}

async function itemAt({ disk, database }: WithContext, { home, segments }: ItemTarget): Promise<ItemThere> {
  const found = await disk.run('stat', { homeRoot: home.homeRoot, segments });
  return { ...found, item: await itemFound(database, home.id, found) };
}

function fileOf(there: ItemThere): ItemThere {
  if (there.entry.isDir) throw new StorageError('is-a-folder');
  return there;
}

import type { ItemTarget } from '../access/access.ts';
import { onStorage } from '../access/storage-failure.ts';
import { itemFound } from '../catalogue/find.ts';
import type { Item } from '../catalogue/items.ts';
import type { DiskEntry } from '../storage/disk.ts';
import { StorageError } from '../storage/errors.ts';
import { type FilesContext, lockKey } from './context.ts';

/**
 * Works with a file while nothing changes it. Between the disk and the rows of a change that is under way, looking would
 * give the new content the old number, or a row to a name that is just going.
 */
export function withFile<T>(
  context: FilesContext,
  target: ItemTarget,
  work: (file: { item: Item; entry: DiskEntry }) => Promise<T>,
): Promise<T> {
  return onStorage(async () => {
    await context.catalogue.know(target.home, target.segments);
    return context.locks.run([lockKey(target.home, target.segments)], async () => work(await fileAt(context, target)));
  });
}

/** @throws ApiError `not_found`, `invalid_path` for a folder */
export function fileAt(
  { disk, database }: FilesContext,
  { home, segments }: ItemTarget,
): Promise<{ item: Item; entry: DiskEntry }> {
  return onStorage(async () => {
    const found = await disk.run('stat', { place: home.place, segments });
    if (found.entry.isDir) throw new StorageError('is-a-folder');
    return { item: await itemFound(database, home.id, found), entry: found.entry };
  });
}

import type { Home } from '../../catalogue/homes.ts';
import type { Item } from '../../catalogue/items.ts';
import type { Published } from '../../storage/disk/disk.ts';
import { flushAndClose } from '../../storage/flush.ts';
import type { FilesContext } from '../context.ts';

/**
 * Flushes the folder of what has just got a new name, and writes its row: both before the answer, at the same time. A row
 * without its file is one of a missing file, and no harm. Neither is under way any more when it ends.
 * @param changedBy id of the account under which the change is recorded
 * @throws what the flush or the database failed with
 */
export async function recordNew(
  { rememberNew }: Pick<FilesContext, 'rememberNew'>,
  changedBy: number,
  home: Home,
  { parents, entry, folderFd }: Published,
): Promise<Item> {
  const [flushed, recorded] = await Promise.allSettled([
    flushAndClose(folderFd),
    rememberNew({ homeId: home.id, parents, entry, changedBy }),
  ]);
  if (recorded.status === 'rejected') throw recorded.reason;
  if (flushed.status === 'rejected') throw flushed.reason;
  return recorded.value;
}

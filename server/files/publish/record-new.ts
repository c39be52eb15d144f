import type { Home } from '../../catalogue/homes.ts';
import type { Item } from '../../catalogue/items.ts';
import type { Published } from '../../storage/disk/disk.ts';
import { flushAndClose } from '../../storage/flush.ts';
import type { FilesContext } from '../context.ts';

/**
 * Flushes the folder of a new name and writes its row, both at the same time and before the reply. A row without its file is
 * harmless: that of a missing file. When it settles, nothing is in progress.
 * @param changedBy id of the account under which the change is recorded
 * @throws the error of the flush or of the database
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

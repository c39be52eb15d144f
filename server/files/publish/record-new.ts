import type { Home } from '../../catalogue/homes.ts';
import type { Item } from '../../catalogue/items.ts';
import type { Published } from '../../storage/disk/disk.ts';
import type { FilesContext } from '../context.ts';

/**
 * Flushes the folder of a new name and writes its row, both at the same time and before the reply. Concurrent uploads into one
 * folder share both. A row without its file is
 * harmless: that of a missing file. When it settles, nothing is in progress.
 * @param changedBy id of the account under which the change is recorded
 * @param sha256 of the content, if known
 * @throws the error of the flush or of the database
 */
export async function recordNew(
  { rememberNew, folderFlushes }: Pick<FilesContext, 'rememberNew' | 'folderFlushes'>,
  changedBy: number,
  home: Home,
  { parents, entry, folderFd }: Published,
  sha256?: Buffer,
): Promise<Item> {
  const [flushed, recorded] = await Promise.allSettled([
    folderFlushes.flushAndClose(folderFd, folderKey(home, parents)),
    rememberNew({ homeId: home.id, parents, entry: { ...entry, sha256, wasWritten: true }, changedBy }),
  ]);
  if (recorded.status === 'rejected') throw recorded.reason;
  if (flushed.status === 'rejected') throw flushed.reason;
  return recorded.value;
}

/** The identity alone may occur on two disks. */
function folderKey({ id }: Home, parents: Published['parents']): string {
  return [id, ...parents.map(({ name }) => name), parents.at(-1)?.identity].join('/');
}

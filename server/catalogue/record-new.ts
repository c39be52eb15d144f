import type { FilesDatabase } from '../database/database.ts';
import type { Published } from '../storage/disk/disk.ts';
import { FolderFlushes } from '../storage/folder-flushes.ts';
import type { Home } from './homes.ts';
import type { Item } from './items.ts';
import { createRememberNew } from './remember-new.ts';

/**
 * Flushes the folder of a new name and writes its row, both at the same time and before the reply. Concurrent uploads into one
 * folder share both. A row without its file is
 * harmless: that of a missing file. When it settles, nothing is in progress.
 * @param changedBy id of the account under which the change is recorded
 * @param sha256 of the content, if known
 * @throws the error of the flush or of the database
 */
export type RecordNew = (changedBy: number, home: Home, published: Published, sha256?: Buffer) => Promise<Item>;

export function createRecordNew(database: FilesDatabase): RecordNew {
  const rememberNew = createRememberNew(database);
  const folderFlushes = new FolderFlushes();
  return async (changedBy, home, { parents, entry, folderFd }, sha256) => {
    const [flushed, recorded] = await Promise.allSettled([
      folderFlushes.flushAndClose(folderFd, folderKey(home, parents)),
      rememberNew({ homeId: home.id, parents, entry: { ...entry, sha256, wasWritten: true }, changedBy }),
    ]);
    if (recorded.status === 'rejected') throw recorded.reason;
    if (flushed.status === 'rejected') throw flushed.reason;
    return recorded.value;
  };
}

/** The identity alone may occur on two disks. */
function folderKey({ id }: Home, parents: Published['parents']): string {
  return [id, ...parents.map(({ name }) => name), parents.at(-1)?.identity].join('/');
}

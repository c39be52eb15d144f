import type { ItemTarget } from '../access/access.ts';
import { knownContent } from '../catalogue/find.ts';
import { rememberPath } from '../catalogue/remember.ts';
import { setTimeAndClose } from '../storage/content/set-times.ts';
import type { DiskEntry } from '../storage/disk/disk.ts';
import { flushAndClose } from '../storage/flush.ts';
import type { ContentsContext } from './context.ts';

/** Milliseconds: how exactly every file system stores times. */
const COARSEST = 2_000;

/**
 * Sets the modification time of a file, and flushes it. Call it with the path locked, within `catalogue.changing`: the content stays
 * the same, so its row keeps its tag, its hash and the account that changed it.
 * @param time milliseconds since the epoch
 * @returns the file afterwards
 * @throws StorageError
 */
export async function setFileTime(
  { disk, database }: ContentsContext,
  { home, segments }: ItemTarget,
  time: number,
): Promise<DiskEntry> {
  const { homeRoot } = home;
  const before = await knownContent(database, home.id, await disk.run('stat', { homeRoot, segments }));
  const { fd, entry } = await disk.run('open', { homeRoot, segments });
  await disk.whileAnswering(homeRoot, () => setTimeAndClose(fd, time));
  const found = await disk.run('stat', { homeRoot, segments });
  // Another program may write meanwhile, and then the content is no longer the one that is known.
  const isOurs = found.entry.size === entry.size && Math.abs(found.entry.mtime - time) <= COARSEST;
  const isSame = isOurs && before?.item.identity === entry.identity && before.item.touched === entry.touched;
  const known = isSame
    ? { wasWritten: true as const, tag: before.item.tag, sha256: before.sha256 ?? undefined }
    : undefined;
  const changedBy = isSame ? before.item.changedBy : null;
  await database.write((tx) => rememberPath(tx, home.id, found.parents, { ...found.entry, ...known }, changedBy));
  return found.entry;
}

/**
 * Sets the modification time of a folder below the root of its home, and flushes it. Call it as `setFileTime`.
 * @param itemId of its row
 * @param time milliseconds since the epoch
 * @throws StorageError
 */
export async function setFolderTime(
  { disk, database }: ContentsContext,
  { home, segments }: ItemTarget,
  itemId: number,
  time: number,
): Promise<void> {
  const { homeRoot } = home;
  // A scan reads a folder again whose time has changed. With a time that it has had before, changes would go unnoticed.
  await database.write((tx) => tx.run('UPDATE items SET listed = NULL WHERE id = ?', [itemId]));
  const { folderFd } = await disk.run('setFolderTime', { homeRoot, segments, time });
  if (folderFd >= 0) await flushAndClose(folderFd);
  const found = await disk.run('stat', { homeRoot, segments });
  await database.write((tx) => rememberPath(tx, home.id, found.parents, found.entry));
}

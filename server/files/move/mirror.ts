import { basename, dirname, join } from 'node:path';
import { type ItemTarget, virtualPathOf } from '../../access/access.ts';
import { checkType, type Limits } from '../../access/limits.ts';
import type { Home } from '../../catalogue/homes.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { makeFolder } from '../../storage/content/copy.ts';
import { isSameTime, setFolderTime } from '../../storage/content/set-times.ts';
import { eraseStored, storedContent } from '../../storage/content/work-area.ts';
import type { Disk, DiskEntry, SeenFolder } from '../../storage/disk/disk.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import { StorageError } from '../../storage/errors.ts';
import { flushFolder } from '../../storage/flush.ts';
import type { FilesContext } from '../context.ts';
import { forEachInParallel } from '../parallel.ts';
import { copyFile } from './copy.ts';

/**
 * Makes a copy in the work area, or updates one: copies only what differs, and flushes all of it.
 * @param home in whose work area the copy is
 * @param to a missing path, or the result of an earlier call
 * @returns bytes of the copy
 * @throws StorageError, ApiError `type_not_allowed`
 */
export async function mirror(
  context: FilesContext,
  limits: Limits,
  source: ItemTarget,
  home: Home,
  to: string,
): Promise<number> {
  const { entry } = await context.disk.run('stat', { homeRoot: source.home.homeRoot, segments: source.segments });
  const copied = await storedContent(to);
  if (entry.isDir) return mirrorFolder(context, limits, { source, entry }, home, to);
  checkType(limits, entry.name);
  if (copied !== null && isSameFile(entry, copied)) return copied.size;
  if (copied !== null) await eraseStored(to);
  return copyFile(context, source, to);
}

/** Whether the copy has the content of the file, judged by size and time. */
export function isSameFile(file: DiskEntry, copy: DiskEntry): boolean {
  return !file.isDir && !copy.isDir && file.size === copy.size && isSameTime(file.mtime, copy.mtime);
}

async function mirrorFolder(
  context: FilesContext,
  limits: Limits,
  { source, entry: top }: { readonly source: ItemTarget; readonly entry: DiskEntry },
  home: Home,
  to: string,
): Promise<number> {
  let bytes = 0;
  const changed = new Set<string>();
  /** The modification times of all folders, as of the source. */
  const times = new Map([[to, top.mtime]]);
  const fileAt = (below: readonly string[]) => ({ ...source, segments: [...source.segments, ...below] });
  const erase = async (folder: string, name: string) => {
    await eraseStored(join(folder, name));
    changed.add(folder);
  };

  async function* toCopy(): AsyncGenerator<readonly string[]> {
    const waiting: (readonly string[])[] = [[]];
    for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
      const entries = await entriesOf(context, fileAt(below), below.length === 0);
      const folder = join(to, ...below);
      if (entries === null) {
        await erase(dirname(folder), basename(folder));
        times.delete(folder);
        continue;
      }
      const copied = await folderToFill(context.disk, home, folder);
      if (copied.isNew) changed.add(folder);
      for (const name of copied.entries.keys()) if (!entries.has(name)) await erase(folder, name);
      for (const [name, entry] of entries) {
        const copy = copied.entries.get(name);
        if (copy !== undefined && copy.isDir !== entry.isDir) await erase(folder, name);
        if (entry.isDir) {
          waiting.push([...below, name]);
          times.set(join(folder, name), entry.mtime);
          continue;
        }
        checkType(limits, name, virtualPathOf(fileAt([...below, name])));
        if (copy !== undefined && isSameFile(entry, copy)) {
          bytes += copy.size;
          continue;
        }
        if (copy?.isDir === false) await erase(folder, name);
        changed.add(folder);
        yield [...below, name];
      }
    }
  }

  await forEachInParallel(toCopy(), async (below) => {
    bytes += await copyFile(context, fileAt(below), join(to, ...below)).catch((error) => {
      // Files that disappear while they are copied are left out.
      if (!(error instanceof StorageError) || error.reason !== 'not-found') throw error;
      return 0;
    });
  });
  // Once everything is in them: creating an entry changes the time of its folder.
  await forEachInParallel(times, async ([folder, time]) => {
    if (await setFolderTime(folder, time)) changed.add(folder);
  });
  failPoint(context.failPoints, 'files.mirror.flush-folders');
  await forEachInParallel(changed, flushFolder);
  return bytes;
}

/** By name; null for a folder that has disappeared since its parent was read. */
async function entriesOf(
  { disk }: FilesContext,
  { home, segments }: ItemTarget,
  isTop: boolean,
): Promise<Map<string, DiskEntry> | null> {
  const listing = await disk.run('list', { homeRoot: home.homeRoot, segments }).catch((error) => {
    if (!isTop && error instanceof StorageError && error.reason === 'not-found') return null;
    throw error;
  });
  if (listing === null) return null;
  return new Map(listing.names.map((name, index) => [name, listingEntry(listing, index)]));
}

/** The folder of the copy, created if missing. */
async function folderToFill(
  disk: Disk,
  { homeRoot }: Home,
  path: string,
): Promise<Pick<SeenFolder, 'entries'> & { isNew: boolean }> {
  const { folder } = await disk.run('listStored', { homeRoot, path });
  if (folder !== null) return { entries: folder.entries, isNew: false };
  // It was a file when the copy began.
  await eraseStored(path);
  await makeFolder(path);
  return { entries: new Map(), isNew: true };
}

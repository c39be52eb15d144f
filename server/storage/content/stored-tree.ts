import { link, lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FailPoints } from '../../lib/process/fail-points.ts';
import { nullIfMissing } from '../errors.ts';
import { copyStored, secondsOf } from './copy.ts';
import { eraseStored, storedContent } from './work-area.ts';

/**
 * Erases the files of a tree in the work area, except those to be kept, and folders that are then empty. Special files stay as
 * well.
 * @param kept paths below the tree with `/` between the names; `''` is the tree itself, which may be a file
 * @returns whether anything is left
 */
export async function eraseBut(path: string, kept: ReadonlySet<string>, below = ''): Promise<boolean> {
  const stats = await lstat(path).catch(nullIfMissing);
  if (stats === null) return false;
  if (!stats.isDirectory()) {
    if (!stats.isFile() || kept.has(below)) return true;
    await unlink(path);
    return false;
  }
  for (const name of await readdir(path)) {
    // An unreadable name cannot be in the list, so its folder is not empty.
    await eraseBut(join(path, name), kept, below === '' ? name : `${below}/${name}`);
  }
  return rmdir(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return true;
      throw error;
    },
  );
}

/** Errors that mean hard links are not possible: another file system, or one without them. */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

/**
 * Puts a content of one work area into another one as well: as a hard link if both are on one disk, otherwise as a flushed copy.
 * An existing target stays.
 * @param via where the copy is made, on the disk of `to`
 * @returns false when there is no such content
 * @throws StorageError; nothing is at `to` then
 */
export async function copyStoredVia(from: string, to: string, via: string, failPoints: FailPoints): Promise<boolean> {
  const [content, there] = [await storedContent(from), await storedContent(to)];
  if (there !== null) return true;
  if (content === null) return false;
  try {
    await link(from, to);
  } catch (error) {
    if (!NO_LINK.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    try {
      await copyStored(from, via, failPoints, secondsOf(content.mtime));
      await rename(via, to);
    } finally {
      await eraseStored(via);
    }
  }
  return true;
}

import { link, lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FailPoints } from '../../lib/process/fail-points.ts';
import { copyStored, secondsOf } from './copy.ts';
import { eraseStored, storedContent } from './work-area.ts';

/**
 * Erases the files of a tree in the work area, but for those that are to stay, and the folders that are empty then. What is
 * no file and no folder stays as well.
 * @param kept paths below the tree with `/` between the names; `''` is the tree itself, which may be a file
 * @returns whether anything is left
 */
export async function eraseBut(path: string, kept: ReadonlySet<string>, below = ''): Promise<boolean> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (stats === null) return false;
  if (!stats.isDirectory()) {
    if (!stats.isFile() || kept.has(below)) return true;
    await unlink(path);
    return false;
  }
  for (const name of await readdir(path)) {
    // A name that cannot be read leads to nothing here, and keeps its folder from being empty.
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

/** Errors with which a second name cannot be given: another file system, or one without hard links. */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

/**
 * Puts a content of one work area into another one as well: by a second name where both are on one disk, otherwise as a copy,
 * which is flushed. What is there already stays.
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

import { lstat, mkdir, rename, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import { type FailPoints, failPoint } from '../../lib/process/fail-points.ts';
import { StorageError } from '../errors.ts';
import { flushEach, flushFolder } from '../flush.ts';

/** The system refuses to move a folder there, and nothing has changed. `elsewhere`: another destination may work. */
export class CannotMove extends Error {
  readonly reason: 'elsewhere' | 'in-use' | 'denied' | 'taken' | 'gone';

  constructor(reason: CannotMove['reason'], options?: ErrorOptions) {
    super(`the folder cannot be moved: ${reason}`, options);
    this.reason = reason;
  }
}

const REASONS: Record<string, CannotMove['reason']> = {
  EXDEV: 'elsewhere',
  // The root of a disk, or, on Windows, a folder with open files.
  EBUSY: 'in-use',
  EPERM: 'denied',
  EACCES: 'denied',
  EROFS: 'denied',
  EEXIST: 'taken',
  ENOTEMPTY: 'taken',
  ENOTDIR: 'taken',
  ENOENT: 'gone',
};

/**
 * Renames a whole folder on the same disk, in one step, and flushes both sides.
 * @param to must not exist; its parent folder is created, readable only by the process's user
 * @returns a failure to flush, to be reported once the rows agree with the disk, or null
 * @throws CannotMove: nothing has changed; after any other failure the next start finds out
 */
export async function moveHome(from: string, to: string, failPoints: FailPoints): Promise<unknown> {
  const parent = dirname(to);
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    // On most systems a rename silently replaces an empty folder.
    if ((await lstat(to).catch(() => null)) !== null) throw new CannotMove('taken');
    failPoint(failPoints, 'storage.home.move');
    await rename(from, to);
  } catch (error) {
    if (error instanceof CannotMove) throw error;
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
    throw reason === undefined ? error : new CannotMove(reason, { cause: error });
  }
  failPoint(failPoints, 'storage.home.moved');
  return flushEach([flushFolder(parent), flushFolder(dirname(from))]);
}

/** Whether two paths are on one disk. @throws StorageError `offline` when one of them does not exist */
export async function isSameDisk(path: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([path, other].map((at) => stat(at).catch(() => null)));
  if (!one || !two) throw new StorageError('offline');
  return one.dev === two.dev;
}

/** Removes our own folders that are empty now, innermost first. */
export async function removeEmpty(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) await ignoreFailure(rmdir(folder), 'failed to remove an empty folder');
}

/** Whether a folder exists. */
export async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}

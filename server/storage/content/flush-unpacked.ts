import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { storageError } from '../errors.ts';
import { fileTime } from './set-times.ts';

/**
 * Flushes a file that another process wrote into the work area, and sets its time.
 * @param size bytes that it must have
 * @param mtime milliseconds since the epoch; NaN leaves the present time
 * @throws StorageError; Error when the file is not as expected
 */
export async function flushUnpacked(path: string, size: number, mtime: number): Promise<void> {
  const file = await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)).catch((error) =>
    Promise.reject(storageError(error)),
  );
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size !== size) throw new Error('what was unpacked is not what it should be');
    if (!Number.isNaN(mtime)) await file.utimes(new Date(), fileTime(mtime / 1000));
    await file.sync();
  } finally {
    await file.close();
  }
}

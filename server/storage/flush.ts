import { closeSync, constants, fsync, open } from 'node:fs';
import { promisify } from 'node:util';

const fsyncAsync = promisify(fsync);
const openAsync = promisify(open);

/** Flushes a folder that is open, so that names made or removed in it survive a power cut, and closes it. */
export async function flushAndClose(fd: number): Promise<void> {
  if (fd < 0) return;
  try {
    await fsyncAsync(fd);
  } finally {
    // Nothing is left to write, so that it cannot block; asking a thread to do it costs far more than doing it.
    closeSync(fd);
  }
}

/**
 * Flushes what a change on the disk touched, all of it, whatever fails. The change is there already, so its rows are
 * written in any case; only then is the failure told.
 * @returns the first failure, or null
 */
export async function flushEach(flushes: readonly Promise<void>[]): Promise<unknown> {
  const results = await Promise.allSettled(flushes);
  const failed = results.find((result) => result.status === 'rejected');
  return failed === undefined ? null : failed.reason;
}

/** The same for a folder of the appliance's own, by its path. Windows flushes names with the files and has no such call. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform !== 'win32')
    await flushAndClose(await openAsync(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0)));
}

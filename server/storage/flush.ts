import { closeSync, constants, fsync, open } from 'node:fs';
import { promisify } from 'node:util';

const fsyncAsync = promisify(fsync);
const openAsync = promisify(open);

/** Flushes an open folder, so that names created or removed in it survive a power cut, and closes it. */
export async function flushAndClose(fd: number): Promise<void> {
  if (fd < 0) return;
  try {
    await fsyncAsync(fd);
  } finally {
    // There is nothing left to write, so this cannot block, and it is far cheaper than a call in a thread.
    closeSync(fd);
  }
}

/**
 * Flushes everything a change touched, even if one flush fails. The change has happened, so its rows are written in any case, and
 * the failure is reported afterwards.
 * @returns the first failure, or null
 */
export async function flushEach(flushes: readonly Promise<void>[]): Promise<unknown> {
  const results = await Promise.allSettled(flushes);
  const failed = results.find((result) => result.status === 'rejected');
  return failed === undefined ? null : failed.reason;
}

/** The same for one of our own folders, by path. Windows flushes names with the files and has no such call. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform !== 'win32')
    await flushAndClose(await openAsync(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0)));
}

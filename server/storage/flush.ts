import { close, fsync, open } from 'node:fs';
import { promisify } from 'node:util';

const fsyncAsync = promisify(fsync);
const closeAsync = promisify(close);
const openAsync = promisify(open);

/** Flushes a folder that is open, so that names made or removed in it survive a power cut, and closes it. */
export async function flushAndClose(fd: number): Promise<void> {
  if (fd < 0) return;
  try {
    await fsyncAsync(fd);
  } finally {
    await closeAsync(fd);
  }
}

/** The same for a folder of the appliance's own, by its path. Windows flushes names with the files and has no such call. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await flushAndClose(await openAsync(path, 'r'));
}

import { constants, fstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenedFile } from './disk.ts';
import { storageError } from './errors.ts';
import type { Place } from './folder-handle.ts';

/** An open file as another process of ours can get at it: see `archiveJobs`. */
export interface HandedOver {
  readonly paths: string[];
  readonly identity: string;
}

/**
 * By its descriptor where the system has paths for that: it leads to this file, whatever has its name by then. By its name
 * elsewhere, and where a process with capabilities hides its descriptors. Keep it open until the other process is done.
 */
export function handOver({ root }: Place, { fd, parents, entry }: OpenedFile): HandedOver {
  const { ino, size, mtimeNs } = fstatSync(fd, { bigint: true });
  const named = join(root, ...parents.slice(1).map(({ name }) => name), entry.name);
  const paths = process.platform === 'linux' ? [`/proc/${process.pid}/fd/${fd}`, named] : [named];
  return { paths, identity: `${ino}.${size}.${mtimeNs}` };
}

/**
 * Flushes a file that another process wrote into the work area, and gives it its time.
 * @param size bytes that it must have
 * @param mtime milliseconds since the epoch; NaN leaves the present time
 * @throws StorageError; Error when it is not what it should be
 */
export async function flushUnpacked(path: string, size: number, mtime: number): Promise<void> {
  const file = await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)).catch((error) =>
    Promise.reject(storageError(error)),
  );
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size !== size) throw new Error('what was unpacked is not what it should be');
    if (!Number.isNaN(mtime)) await file.utimes(new Date(), mtime / 1000);
    await file.sync();
  } finally {
    await file.close();
  }
}

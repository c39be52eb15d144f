import { lstat, readdir, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { diskEntry } from './disk-entry.ts';
import type { DiskEntry } from './disk-protocol.ts';
import { createArea } from './homes.ts';
import type { Area } from './layout.ts';

/** @returns null when nothing is there. Its identity tells whether it is the very file that also has a name in a home. */
export async function storedContent(path: string): Promise<DiskEntry | null> {
  const stats = await lstat(path, { bigint: true }).catch(() => null);
  return stats === null ? null : diskEntry(basename(path), stats);
}

/** Removes a content or a whole tree; links in it are removed, not followed. Nothing there is fine. */
export async function eraseStored(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** The names in a folder of an area; none when the folder is not there. */
export async function storedNames(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Removes uploads that never got a name, and makes what is missing of the area. A home that is offline gets none. */
export async function tidyArea(root: string, area: Area): Promise<void> {
  if ((await lstat(root).catch(() => null)) === null) return;
  await createArea(dirname(area.incoming));
  for (const name of await readdir(area.incoming)) await eraseStored(join(area.incoming, name));
}

/** Bytes that can still be written where `path` lies. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** Whether other users of this machine can read a file that is meant for one. Always false where modes mean nothing. */
export async function isExposed(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats !== null && process.platform !== 'win32' && (stats.mode & 0o077) !== 0;
}

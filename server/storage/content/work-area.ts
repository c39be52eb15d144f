import { closeSync, constants, type Dirent, fstatSync, open as openCallback } from 'node:fs';
import { lstat, open, opendir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { diskEntry, etagOf } from '../disk/disk-entry.ts';
import type { DiskEntry } from '../disk/disk-protocol.ts';
import { nullIfMissing, StorageError, storageError } from '../errors.ts';
import { createArea } from '../homes/create-area.ts';
import type { Area } from '../layout.ts';
import { fileTime } from './set-times.ts';

const openAsync = promisify(openCallback);

/** Bytes of a path that every system takes. */
const MAX_PATH = 4_096;

/** @returns null when it does not exist. Its identity shows whether the same file also has a name in a home. */
export async function storedContent(path: string): Promise<DiskEntry | null> {
  const stats = await lstat(path, { bigint: true }).catch(nullIfMissing);
  return stats === null ? null : diskEntry(basename(path), stats);
}

/** A file or folder in the work area; null when there is none, or for a link or a special file. */
export async function storedItem(path: string): Promise<DiskEntry | null> {
  const stats = await lstat(path, { bigint: true }).catch((error) => {
    const known = storageError(error);
    if (known instanceof StorageError && ['not-found', 'name-too-long'].includes(known.reason)) return null;
    throw error;
  });
  return stats?.isFile() || stats?.isDirectory() ? diskEntry(basename(path), stats) : null;
}

/**
 * Bytes of a content whose only name is in the work area.
 * @returns null when it does not exist, or has a name in a home as well, after a power cut between two steps of publishing it
 */
export async function unpublishedBytes(path: string): Promise<number | null> {
  const stats = await lstat(path).catch(nullIfMissing);
  return stats === null || !stats.isFile() || stats.nlink !== 1 ? null : stats.size;
}

/** An open content of the work area. The caller closes it. */
export interface OpenedContent {
  readonly fd: number;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
  /** Strong validator, with its quotes. */
  readonly etag: string;
  /** As in `DiskEntry`. */
  readonly identity: string;
  readonly touched: number;
}

/** @throws StorageError `not-found` */
export async function openStored(path: string): Promise<OpenedContent> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const fd = await openAsync(path, flags).catch((error) => Promise.reject(storageError(error)));
  const stats = fstatSync(fd, { bigint: true });
  if (!stats.isFile()) {
    closeSync(fd);
    throw new StorageError('not-found');
  }
  const { identity, touched } = diskEntry('', stats);
  return { fd, size: Number(stats.size), mtime: Number(stats.mtimeMs), etag: etagOf(stats), identity, touched };
}

/** The path of every file below a folder of the work area, without links and devices. */
export async function* storedFiles(folder: string, way: readonly string[] = []): AsyncGenerator<readonly string[]> {
  const entries = await opendir(join(folder, ...way)).catch((error) => Promise.reject(storageError(error)));
  for await (const entry of entries) {
    const here = [...way, entry.name];
    if (entry.isFile()) yield here;
    else if (entry.isDirectory()) yield* storedFiles(folder, here);
  }
}

/** Gives a content of the work area another name there. The caller flushes both folders. @throws StorageError */
export async function renameStored(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error) => Promise.reject(storageError(error)));
}

/** Removes a content or a whole tree; links in it are removed, not followed. A missing path is fine. */
export async function eraseStored(path: string): Promise<void> {
  for (;;) {
    try {
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENAMETOOLONG') throw error;
      await liftDeepest(path);
    }
  }
}

/** A tree that was built step by step can be deeper than a path can be long: its deep part is moved up first. */
async function liftDeepest(path: string): Promise<void> {
  let deepest = path;
  for (let found: string | undefined = path; found !== undefined && found.length < MAX_PATH / 2; ) {
    deepest = found;
    const folders: Dirent[] = (await readdir(found, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    found = folders[0] === undefined ? undefined : join(found, folders[0].name);
  }
  if (deepest === path) throw new Error(`${path} cannot be erased: a name in it is too long`);
  const lifted = `${path}.deep`;
  await rename(deepest, lifted);
  await eraseStored(lifted);
}

/** Sets the modification time of a content in the work area, in seconds since the epoch, and flushes it. */
export async function setModified(path: string, seconds: number): Promise<void> {
  const file = await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    await file.utimes(new Date(), fileTime(seconds));
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Removes uploads that were never published, except those that may be continued, and creates missing folders of the area. For an
 * offline home nothing is created.
 */
export async function cleanUpArea(root: string, area: Area, continued: ReadonlySet<string>): Promise<void> {
  if ((await lstat(root).catch(() => null)) === null) return;
  await createArea(dirname(area.incoming));
  for (const name of await readdir(area.incoming)) {
    if (!continued.has(name)) await eraseStored(join(area.incoming, name));
  }
}

/** Whether other users of this machine can read a private file. Always false where file modes have no meaning. */
export async function isExposed(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats !== null && process.platform !== 'win32' && (stats.mode & 0o077) !== 0;
}

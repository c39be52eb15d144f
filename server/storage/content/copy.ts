import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import { type FailPoints, failPoint } from '../../lib/process/fail-points.ts';
import type { OpenedFile } from '../disk/disk.ts';
import { StorageError, storageError } from '../errors.ts';
import { flushFolder } from '../flush.ts';
import { type HandleKind, platformKind } from '../paths/folder-handle.ts';
import { receive, receiveAt } from './receive.ts';
import { closeFile } from './send-bytes.ts';
import { fileTime } from './set-times.ts';
import { openStored } from './work-area.ts';

/**
 * Copies an open file into a new one with the same modification time, and flushes it. If the file system supports it, both share
 * their blocks until one is changed.
 * @throws StorageError; nothing is left then
 */
export async function copyOpened(
  { fd, entry: { size, mtime } }: Pick<OpenedFile, 'fd' | 'entry'>,
  to: string,
  failPoints: FailPoints,
  kind: HandleKind = platformKind,
): Promise<void> {
  const lastModified = secondsOf(mtime);
  if (kind === 'proc') return copyInto(`/proc/self/fd/${fd}`, to, failPoints, lastModified);
  const content = createReadStream('', {
    fd,
    autoClose: false,
    start: 0,
    end: Math.max(0, size - 1),
    highWaterMark: 1 << 20,
  });
  await receive(content, { path: to, announced: null, limit: Number.MAX_SAFE_INTEGER, lastModified, failPoints });
}

/**
 * The same for a content of the work area. Only regular files are copied, because a pipe would block.
 * @param lastModified seconds since the epoch; by default the present time
 */
export async function copyStored(
  from: string,
  to: string,
  failPoints: FailPoints,
  lastModified?: number,
): Promise<void> {
  const { fd } = await openStored(from);
  try {
    await copyInto(platformKind === 'proc' ? `/proc/self/fd/${fd}` : from, to, failPoints, lastModified);
  } finally {
    await closeFile(fd);
  }
}

async function copyInto(from: string, to: string, failPoints: FailPoints, lastModified?: number): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const file = await open(to, 'r');
    try {
      if (lastModified !== undefined) await file.utimes(new Date(), fileTime(lastModified));
      failPoint(failPoints, 'storage.copy.flush');
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      await ignoreFailure(unlink(to), 'failed to remove an incomplete copy');
    throw storageError(error);
  }
}

/**
 * Converts milliseconds for the system, which truncates to microseconds: a rounding error of the fraction would cost a
 * millisecond.
 */
export function secondsOf(milliseconds: number): number {
  return milliseconds % 1_000 === 0 ? milliseconds / 1_000 : (milliseconds + 0.001) / 1_000;
}

/** Creates a folder in the work area, and flushes its name, unless it is there. @throws StorageError `offline` without a work area */
export async function ensureFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    throw code === 'ENOENT' ? new StorageError('offline') : storageError(error);
  }
  await flushFolder(dirname(path));
}

/** Creates a folder in the work area. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch((error) => Promise.reject(storageError(error)));
}

/**
 * Appends a content of the work area, from an offset on, to another one, and flushes that.
 * @param start the first byte of the source
 * @param from bytes of the target that stay; with 0 it is created
 * @throws StorageError
 */
export async function appendStored(
  source: string,
  start: number,
  target: string,
  { from, lastModified, failPoints }: { from: number; lastModified: number | undefined; failPoints: FailPoints },
): Promise<void> {
  const content = createReadStream(source, { start, highWaterMark: 1 << 20 });
  try {
    const limit = Number.MAX_SAFE_INTEGER;
    const options = {
      path: target,
      from,
      limit,
      announced: null,
      lastModified,
      failPoints,
      onFlushed: () => undefined,
    };
    const { failure } = await receiveAt(content, options);
    if (failure !== null) throw failure;
  } finally {
    content.destroy();
  }
}

import { createHash } from 'node:crypto';
import { close, closeSync, constants, fstat, fsync, ftruncate, futimes, open, stat, unlink } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { StorageError, storageError } from '../errors.ts';
import { flushFolder } from '../flush.ts';
import { fileTime } from './set-times.ts';
import { FlushFailure, type WriteStreamOptions, writeStream } from './write-stream.ts';

const openAsync = promisify(open);
const closeAsync = promisify(close);
const fstatAsync = promisify(fstat);
const fsyncAsync = promisify(fsync);
const ftruncateAsync = promisify(ftruncate);
const futimesAsync = promisify(futimes);
const statAsync = promisify(stat);
const unlinkAsync = promisify(unlink);

interface ReceiveOptions extends Pick<WriteStreamOptions, 'limit' | 'announced' | 'admit' | 'failPoints'> {
  readonly path: string;
  /** Modification time for the file, in seconds since the epoch; by default the present time. */
  readonly lastModified?: number | undefined;
}

/** Creates a file for writing. @returns its descriptor */
export type CreateFile = (path: string) => Promise<number>;

export interface ReceivedContent {
  /** Bytes. */
  readonly size: number;
  readonly sha256: Buffer;
}

/**
 * Receives a stream into a new file, and flushes it.
 * @param create by default a call in the shared thread pool
 * @throws StorageError; the file is gone then
 */
export async function receive(
  source: Readable,
  options: ReceiveOptions,
  create: CreateFile = (path) => openAsync(path, 'wx', 0o666),
): Promise<ReceivedContent> {
  const { path, announced } = options;
  const fd = await create(path).catch((error) => notOpened(path, error));
  let isOpen = true;
  try {
    const hash = createHash('sha256');
    const size = await writeStream(source, fd, { ...options, from: 0, hash });
    if (announced !== null && size !== announced) throw new StorageError('cut-off');
    await finish(fd, options);
    // It is flushed, so this cannot block, and it is far cheaper than a call in a thread.
    // Even a failed call frees the number, which another file may have by the time of the next call.
    isOpen = false;
    closeSync(fd);
    return { size, sha256: hash.digest() };
  } catch (error) {
    if (isOpen) await ignoreFailure(closeAsync(fd), 'failed to close an incomplete upload');
    await ignoreFailure(unlinkAsync(path), 'failed to remove an incomplete upload');
    throw storageError(error instanceof FlushFailure ? error.cause : error);
  }
}

/** A missing work area means that its disk is unavailable, not that its contents are lost. */
async function notOpened(path: string, error: unknown): Promise<never> {
  const known = storageError(error);
  if (!(known instanceof StorageError) || known.reason !== 'not-found') throw known;
  throw (await statAsync(dirname(path)).catch(() => null)) === null ? new StorageError('offline') : known;
}

interface ChunkOptions extends ReceiveOptions, Pick<WriteStreamOptions, 'hash'> {
  /** Bytes of the file that stay; it is truncated after them. */
  readonly from: number;
  /** Called repeatedly meanwhile, with the number of flushed bytes of the file. */
  readonly onFlushed: (bytes: number) => void;
}

/**
 * Receives a stream into a file from `from` on. What arrived is flushed and stays, even if the stream is cut off.
 * @returns the length of the file, and the error, or null
 * @throws StorageError when the file itself cannot be opened, written or flushed; `not-found` when the bytes before `from` do not
 * exist
 */
export async function receiveAt(
  source: Readable,
  options: ChunkOptions,
): Promise<{ size: number; failure: StorageError | null }> {
  const { path, from, announced } = options;
  const fd = await openChunk(path, from).catch((error) => notOpened(path, error));
  try {
    await ftruncateAsync(fd, from);
    let taken = 0;
    let failure: StorageError | null = null;
    try {
      await writeStream(source, fd, { ...options, onWritten: (bytes) => (taken = bytes) });
      if (announced !== null && taken !== announced) failure = new StorageError('cut-off');
    } catch (error) {
      const known = storageError(error);
      if (!(known instanceof StorageError)) throw error;
      failure = known;
    }
    await finish(fd, options);
    return { size: from + taken, failure };
  } catch (error) {
    throw storageError(error instanceof FlushFailure ? error.cause : error);
  } finally {
    await closeAsync(fd);
  }
}

/**
 * The first chunk creates the file; later ones continue it. A file with a second name is refused: it was published in a home, and
 * would change there.
 */
async function openChunk(path: string, from: number): Promise<number> {
  if (from === 0) {
    await unlinkAsync(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    const created = await openAsync(path, 'wx', 0o666);
    try {
      // Before anything refers to the file: after a power cut, it would refer to a file without a name.
      await flushFolder(dirname(path));
      return created;
    } catch (error) {
      await closeAsync(created);
      throw error;
    }
  }
  const fd = await openAsync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  const stats = await fstatAsync(fd);
  if (stats.isFile() && stats.nlink === 1 && stats.size >= from) return fd;
  await closeAsync(fd);
  throw new StorageError('not-found');
}

async function finish(fd: number, { lastModified, failPoints }: ReceiveOptions): Promise<void> {
  if (lastModified !== undefined) await futimesAsync(fd, new Date(), fileTime(lastModified));
  failPoint(failPoints, 'storage.receive.flush');
  await fsyncAsync(fd);
}

import {
  close,
  closeSync,
  constants,
  fdatasync,
  fstat,
  fsync,
  ftruncate,
  futimes,
  open,
  stat,
  unlink,
  write,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type FailPoints, failPoint } from '../../lib/process/fail-points.ts';
import { StorageError, storageError } from '../errors.ts';
import { flushFolder } from '../flush.ts';

const openAsync = promisify(open);
const closeAsync = promisify(close);
const fstatAsync = promisify(fstat);
const fsyncAsync = promisify(fsync);
const fdatasyncAsync = promisify(fdatasync);
const ftruncateAsync = promisify(ftruncate);
const futimesAsync = promisify(futimes);
const statAsync = promisify(stat);
const unlinkAsync = promisify(unlink);
const writeAsync = promisify(write);

const CHUNK = 1024 * 1024;
const FIRST_CHUNK = 64 * 1024;
/** Bytes after which received data is flushed, so that the flush at the end takes less time. */
const FLUSH_EVERY = 32 * 1024 * 1024;

export interface ReceiveOptions {
  readonly path: string;
  /** Most bytes; more is `too-large`. */
  readonly limit: number;
  /** Announced bytes, or null. */
  readonly announced: number | null;
  /** Modification time for the file, in seconds since the epoch; by default the present time. */
  readonly lastModified?: number | undefined;
  /** Called before so many bytes in all are accepted, about once per megabyte; an error it throws ends the transfer. */
  readonly admit?: ((bytes: number) => Promise<void>) | undefined;
  readonly failPoints: FailPoints;
}

/**
 * Receives a stream into a new file, and flushes it. Two buffers alternate, one filled while the other is written, so memory is
 * constant even for 10 GB; a slow disk slows the sender down. On a refusal the source is not destroyed, so that a reply can still
 * be sent.
 * @returns the received bytes
 * @throws StorageError; the file is gone then
 */
export async function receive(source: Readable, options: ReceiveOptions): Promise<number> {
  const { path, announced } = options;
  const fd = await openAsync(path, 'wx', 0o666).catch((error) => notOpened(path, error));
  let isOpen = true;
  try {
    const size = await pour(source, fd, { ...options, from: 0, onFlushed: () => undefined });
    if (announced !== null && size !== announced) throw new StorageError('cut-off');
    await finish(fd, options);
    // It is flushed, so this cannot block, and it is far cheaper than a call in a thread.
    // Even a failed call frees the number, which another file may have by the time of the next call.
    isOpen = false;
    closeSync(fd);
    return size;
  } catch (error) {
    if (isOpen) await closeAsync(fd).catch(() => undefined);
    await unlinkAsync(path).catch(() => undefined);
    throw storageError(error instanceof FlushFailure ? error.cause : error);
  }
}

/** A missing work area means that its disk is unavailable, not that its contents are lost. */
async function notOpened(path: string, error: unknown): Promise<never> {
  const known = storageError(error);
  if (!(known instanceof StorageError) || known.reason !== 'not-found') throw known;
  throw (await statAsync(dirname(path)).catch(() => null)) === null ? new StorageError('offline') : known;
}

/** After a failed flush it is unknown how much of the data is on the disk. */
class FlushFailure extends Error {}

export interface ChunkOptions extends ReceiveOptions {
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
      await pour(source, fd, { ...options, onTaken: (bytes) => (taken = bytes) });
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
  if (lastModified !== undefined) await futimesAsync(fd, new Date(), lastModified);
  failPoint(failPoints, 'storage.receive.flush');
  await fsyncAsync(fd);
}

interface PourOptions extends ChunkOptions {
  /** Called after every write, with the number of bytes of the stream that are in the file. */
  readonly onTaken?: (bytes: number) => void;
}

async function pour(source: Readable, fd: number, options: PourOptions): Promise<number> {
  const { limit, announced, failPoints, from, onTaken, admit } = options;
  let filling: Buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, announced ?? FIRST_CHUNK)));
  let spare: Buffer | null = null;
  let filled = 0;
  let size = 0;
  let writing = null as Promise<Buffer> | null;
  const flusher = backgroundFlush(fd, options);

  const writeOut = async (): Promise<void> => {
    if (writing !== null) spare = await writing;
    failPoint(failPoints, 'storage.receive.write');
    const chunk = filling;
    const end = size;
    writing = writeAll(fd, chunk, filled, from + end - filled).then(() => {
      onTaken?.(end);
      flusher.written(from + end);
      return chunk;
    });
    // Its failure is reported where it is awaited, which may be one chunk later.
    writing.catch(() => undefined);
    filling = spare?.length === CHUNK ? spare : Buffer.allocUnsafe(CHUNK);
    spare = null;
    filled = 0;
  };

  try {
    try {
      for await (const chunk of chunksOf(source)) {
        if (size + chunk.length > limit) throw new StorageError('too-large');
        for (let taken = 0; taken < chunk.length; ) {
          const copied = chunk.copy(filling, filled, taken);
          taken += copied;
          filled += copied;
          size += copied;
          if (filled < filling.length) continue;
          await admit?.(size);
          await writeOut();
        }
      }
      await admit?.(size);
    } finally {
      // What arrived of a cut-off stream is written too, because a chunked upload continues from there.
      if (filled > 0) await writeOut();
    }
  } finally {
    await writing?.catch(() => undefined);
    await flusher.settled();
  }
  await writing;
  return size;
}

/** Flushes in the background, one flush at a time. The system reports a failure only once, so it is remembered until the end. */
function backgroundFlush(fd: number, { from, onFlushed, failPoints }: PourOptions) {
  let flushed = from;
  let flushing: Promise<void> | null = null;
  let failure: FlushFailure | null = null;
  const flushNow = async (): Promise<void> => {
    failPoint(failPoints, 'storage.receive.early-flush');
    await fdatasyncAsync(fd);
  };
  return {
    written(position: number): void {
      if (flushing !== null || position - flushed < FLUSH_EVERY) return;
      flushing = flushNow()
        .then(() => {
          flushed = position;
          onFlushed(position);
        })
        .catch((error) => {
          failure ??= new FlushFailure('what was written could not be flushed', { cause: error });
        })
        .finally(() => {
          flushing = null;
        });
    },
    async settled(): Promise<void> {
      await flushing;
      if (failure !== null) throw failure;
    },
  };
}

/** A stream that ends early, or breaks, is `cut-off`. */
async function* chunksOf(source: Readable): AsyncGenerator<Buffer> {
  const chunks = source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    yield* chunks;
  } catch (error) {
    throw error instanceof StorageError ? error : new StorageError('cut-off');
  }
}

async function writeAll(fd: number, buffer: Buffer, bytes: number, position: number): Promise<void> {
  for (let done = 0; done < bytes; ) {
    const { bytesWritten } = await writeAsync(fd, buffer, done, bytes - done, position + done);
    done += bytesWritten;
  }
}

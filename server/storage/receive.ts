import { close, fsync, open, unlink, write } from 'node:fs';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type FailPoints, failPoint } from '../lib/fail-points.ts';
import { StorageError, storageError } from './errors.ts';

const openAsync = promisify(open);
const closeAsync = promisify(close);
const fsyncAsync = promisify(fsync);
const unlinkAsync = promisify(unlink);
const writeAsync = promisify(write);

const PIECE = 1024 * 1024;
const FIRST_PIECE = 64 * 1024;

export interface ReceiveOptions {
  /** A file that does not exist yet. */
  readonly path: string;
  /** Bytes; more is `too-large`. */
  readonly limit: number;
  /** Bytes that were announced, or null. */
  readonly announced: number | null;
  readonly failPoints: FailPoints;
}

/**
 * Takes a stream into a new file and flushes it. Two buffers take turns, one filled while the other is written, so
 * that memory stays the same for 10 GB; a slow disk slows the sender down. The source is not destroyed when it is
 * refused, so that an answer can still be sent.
 * @returns the bytes taken
 * @throws StorageError; the file is gone then
 */
export async function receive(source: Readable, options: ReceiveOptions): Promise<number> {
  const { path, announced, failPoints } = options;
  const fd = await openAsync(path, 'wx', 0o666).catch((error) => Promise.reject(storageError(error)));
  let size: number;
  try {
    size = await pour(source, fd, options);
    if (announced !== null && size !== announced) throw new StorageError('cut-off');
    failPoint(failPoints, 'storage.receive.flush');
    await fsyncAsync(fd);
  } catch (error) {
    await closeAsync(fd).catch(() => undefined);
    await unlinkAsync(path).catch(() => undefined);
    throw storageError(error);
  }
  await closeAsync(fd);
  return size;
}

async function pour(source: Readable, fd: number, { limit, announced, failPoints }: ReceiveOptions): Promise<number> {
  let filling: Buffer = Buffer.allocUnsafe(Math.min(PIECE, Math.max(1, announced ?? FIRST_PIECE)));
  let spare: Buffer | null = null;
  let filled = 0;
  let size = 0;
  let writing = null as Promise<Buffer> | null;

  const flush = async (): Promise<void> => {
    if (writing !== null) spare = await writing;
    failPoint(failPoints, 'storage.receive.write');
    const piece = filling;
    writing = writeAll(fd, piece, filled, size - filled).then(() => piece);
    // Its failure is reported where it is awaited, which may be one piece later.
    writing.catch(() => undefined);
    filling = spare?.length === PIECE ? spare : Buffer.allocUnsafe(PIECE);
    spare = null;
    filled = 0;
  };

  try {
    for await (const chunk of chunksOf(source)) {
      if (size + chunk.length > limit) throw new StorageError('too-large');
      for (let taken = 0; taken < chunk.length; ) {
        const copied = chunk.copy(filling, filled, taken);
        taken += copied;
        filled += copied;
        size += copied;
        if (filled === filling.length) await flush();
      }
    }
    if (filled > 0) await flush();
  } finally {
    await writing?.catch(() => undefined);
  }
  await writing;
  return size;
}

/** A stream that ends before its end, or breaks, is `cut-off`. */
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

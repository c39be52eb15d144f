import type { Hash } from 'node:crypto';
import { fdatasync, write } from 'node:fs';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { settled } from '../../lib/async/settled.ts';
import { type FailPoints, failPoint } from '../../lib/process/fail-points.ts';
import { noteShortLived } from '../../lib/process/young-buffers.ts';
import { PartReader } from './part-reader.ts';

const fdatasyncAsync = promisify(fdatasync);
const writeAsync = promisify(write);

/** Bytes of a buffer, and of the first one where the length of the stream is unknown. */
const CHUNK = 1024 * 1024;
const FIRST_CHUNK = 64 * 1024;
/** Bytes after which received data is flushed, so that the flush at the end takes less time. */
const FLUSH_EVERY = 32 * 1024 * 1024;

export interface WriteStreamOptions {
  /** Where in the file the stream is written. */
  readonly from: number;
  /** Most bytes; more is `too-large`. */
  readonly limit: number;
  /** Announced bytes, or null. */
  readonly announced: number | null;
  /** Called before so many bytes in all are accepted, about once per megabyte; an error it throws ends the transfer. */
  readonly admit?: ((bytes: number) => Promise<void>) | undefined;
  /** Called repeatedly meanwhile, with the number of flushed bytes of the file. */
  readonly onFlushed?: ((bytes: number) => void) | undefined;
  /** Called after every write, with the number of bytes of the stream that are in the file. */
  readonly onWritten?: ((bytes: number) => void) | undefined;
  /** Given the bytes of the stream that are in the file. */
  readonly hash?: Hash | undefined;
  readonly failPoints: FailPoints;
}

/** After a failed flush it is unknown how much of the data is on the disk; `cause` is the system's error. */
export class FlushFailure extends Error {}

/**
 * Writes a stream into an open file. Two buffers alternate, one filled while the other is written, so memory is constant even for
 * 10 GB, and a slow disk slows the sender down. On a refusal the source is not destroyed, so that a reply can still be sent.
 * @returns the bytes of the stream
 * @throws StorageError `cut-off` and `too-large`; what arrived before is in the file then, because a chunked upload continues from
 * there. FlushFailure, the error of a write, and of `admit`
 */
export async function writeStream(source: Readable, fd: number, options: WriteStreamOptions): Promise<number> {
  const { from, limit, announced, admit, onWritten, hash, failPoints } = options;
  const reader = new PartReader(source, limit);
  const flusher = backgroundFlush(fd, options);
  let filling: Buffer = Buffer.alloc(0);
  let spare: Buffer | null = null;
  let length = Math.min(CHUNK, Math.max(1, announced ?? FIRST_CHUNK));
  const allocate = () => {
    filling = spare?.length === CHUNK ? spare : Buffer.allocUnsafe(length);
    [spare, length] = [null, CHUNK];
    return filling;
  };
  let size = 0;
  let writing: Promise<void> = Promise.resolve();
  let failure: unknown = null;

  async function writePart(bytes: Buffer): Promise<void> {
    const buffer = filling;
    await writing;
    failPoint(failPoints, 'storage.receive.write');
    size += bytes.length;
    const end = size;
    writing = writeAll(fd, bytes, from + end - bytes.length).then(() => {
      spare = buffer;
      onWritten?.(end);
      flusher.written(from + end);
    });
    // Its failure is reported where it is awaited, which may be one part later.
    void settled(writing);
    hash?.update(bytes);
    noteShortLived(bytes.length);
  }

  try {
    for (let isMore = true; isMore; ) {
      const { bytes, end } = await reader.next(allocate);
      isMore = end === null;
      if (end !== 'end') failure = end;
      try {
        if (end === null || end === 'end') await admit?.(size + bytes.length);
      } catch (error) {
        failure = error;
        isMore = false;
      }
      if (bytes.length > 0) await writePart(bytes);
    }
  } finally {
    reader.close();
    await settled(writing);
    await flusher.settled();
  }
  await writing;
  if (failure !== null) throw failure;
  return size;
}

/** Flushes in the background, one flush at a time. The system reports a failure only once, so it is remembered until the end. */
function backgroundFlush(fd: number, { from, onFlushed, failPoints }: WriteStreamOptions) {
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
          onFlushed?.(position);
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

async function writeAll(fd: number, buffer: Buffer, position: number): Promise<void> {
  for (let done = 0; done < buffer.length; ) {
    const { bytesWritten } = await writeAsync(fd, buffer, done, buffer.length - done, position + done);
    done += bytesWritten;
  }
}

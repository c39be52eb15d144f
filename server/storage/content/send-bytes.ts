import { close, read } from 'node:fs';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { drained } from '../../lib/async/drain.ts';
import { settled } from '../../lib/async/settled.ts';

const readAsync = promisify(read);

/** Closes a file that was opened for sending. */
export const closeFile: (fd: number) => Promise<void> = promisify(close);

/** Larger chunks than Node's default of 64 KiB: that default is half as fast over TLS. */
const CHUNK = 512 * 1024;

/** So many bytes of an open file from an offset; fewer at its end. */
export async function bytesAt(fd: number, start: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await readAsync(fd, Buffer.alloc(length), 0, length, start);
  return buffer.subarray(0, bytesRead);
}

/**
 * Writes the bytes `start` to `end` (inclusive) of an open file into `sink`, with back-pressure: one chunk is read while the
 * previous one is sent. Buffers are reused once the sink is done with them. Descriptor and sink stay open.
 * @param before called with the number of bytes sent next; they wait for the promise it returns
 * @throws when the file became shorter meanwhile, or the sink was closed before the end
 */
export async function sendBytes(
  fd: number,
  start: number,
  end: number,
  sink: Writable,
  before?: (bytes: number) => Promise<void> | undefined,
): Promise<void> {
  const free: Buffer[] = [];
  const readFrom = async (position: number): Promise<Buffer> => {
    const requested = Math.min(CHUNK, end - position + 1);
    const buffer = free.pop() ?? Buffer.allocUnsafe(requested);
    const { bytesRead } = await readAsync(fd, buffer, 0, requested, position);
    if (bytesRead === 0) throw new Error('the file became shorter while it was read');
    return buffer.subarray(0, bytesRead);
  };
  const startReading = (position: number): Promise<Buffer> => {
    const started = readFrom(position);
    // It may fail while the previous chunk is still being sent, long before it is awaited.
    void settled(started);
    return started;
  };
  let position = start;
  let reading = startReading(position);
  try {
    while (position <= end) {
      const chunk = await reading;
      position += chunk.length;
      if (position <= end) reading = startReading(position);
      await before?.(chunk.length);
      if (sink.destroyed) throw new Error('the receiver went away');
      const more = sink.write(chunk, () => {
        if (chunk.byteLength === CHUNK) free.push(chunk);
      });
      if (!more && !(await drained(sink))) throw new Error('the receiver went away');
    }
  } finally {
    // The caller closes the descriptor, which must not happen during a read.
    await settled(reading);
  }
}

/** The first `size` bytes of an open file, in chunks. @throws when the file became shorter meanwhile */
export async function* chunksOf(fd: number, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size - position));
    const { bytesRead } = await readAsync(fd, buffer, 0, buffer.length, position);
    if (bytesRead === 0) throw new Error('the file became shorter while it was read');
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

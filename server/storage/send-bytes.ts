import { close, read } from 'node:fs';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { drained } from '../lib/drained.ts';

const readAsync = promisify(read);

/** Closes a file that was opened for sending. */
export const closeFile: (fd: number) => Promise<void> = promisify(close);

/** Larger pieces than Node's default of 64 KiB: that default is half as fast over TLS. */
const PIECE = 256 * 1024;

/**
 * Writes the bytes `start` to `end` (inclusive) of an open file into `sink`, as fast as it takes them and no faster.
 * Buffers are used again once the sink is done with them. The descriptor stays open, and the sink too.
 * @throws when the file became shorter meanwhile, or the sink was closed before the end
 */
export async function sendBytes(fd: number, start: number, end: number, sink: Writable): Promise<void> {
  const free: Buffer[] = [];
  for (let position = start; position <= end; ) {
    const buffer = free.pop() ?? Buffer.allocUnsafe(Math.min(PIECE, end - position + 1));
    const { bytesRead } = await readAsync(fd, buffer, 0, Math.min(buffer.length, end - position + 1), position);
    if (bytesRead === 0) throw new Error('the file became shorter while it was read');
    if (sink.destroyed) throw new Error('the receiver went away');
    position += bytesRead;
    const more = sink.write(buffer.subarray(0, bytesRead), () => free.push(buffer));
    if (!more && !(await drained(sink))) throw new Error('the receiver went away');
  }
}

/** The first `size` bytes of an open file, in pieces. @throws when the file became shorter meanwhile */
export async function* piecesOf(fd: number, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    const buffer = Buffer.allocUnsafe(Math.min(PIECE, size - position));
    const { bytesRead } = await readAsync(fd, buffer, 0, buffer.length, position);
    if (bytesRead === 0) throw new Error('the file became shorter while it was read');
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

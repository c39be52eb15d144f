import type { FileHandle } from 'node:fs/promises';

/** The first bytes of a file: all of them, or `limit`. */
export async function readStart(handle: FileHandle, size: number, limit: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(size, limit));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

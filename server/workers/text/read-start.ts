import type { FileHandle } from 'node:fs/promises';

/** The first bytes of a file: all of them, or `limit`. */
export function readStart(handle: FileHandle, size: number, limit: number): Promise<Buffer> {
  return readAt(handle, 0, Math.min(size, limit));
}

/** So many bytes of a file from a place on; fewer where it ends. */
export async function readAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

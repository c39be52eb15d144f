import { createHash, type Hash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import { diskEntry } from './disk-entry.ts';
import type { DiskOperations } from './disk-protocol.ts';

/** Bytes read at a time, so that a slow disk shows progress. */
const CHUNK = 256 * 1_024;

/**
 * Hashes files in parts, one file at a time, so that other calls on the disk come in between. What is in progress is lost with the
 * thread.
 * @param beat called after every chunk
 */
export function hashParts(
  beat: () => void,
): (input: DiskOperations['hashPart']['input']) => DiskOperations['hashPart']['output'] {
  let current: { readonly job: number; readonly hash: Hash; position: number } | null = null;
  return ({ fd, job, position, length }) => {
    if (position === 0) current = { job, hash: createHash('sha256'), position };
    if (current?.job !== job || current.position !== position) return { bytesRead: 0, isLost: true, whole: null };
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, length));
    let bytesRead = 0;
    let isAtEnd = false;
    while (bytesRead < length && !isAtEnd) {
      const read = readSync(fd, buffer, 0, Math.min(buffer.length, length - bytesRead), position + bytesRead);
      current.hash.update(buffer.subarray(0, read));
      bytesRead += read;
      isAtEnd = read === 0;
      beat();
    }
    current.position += bytesRead;
    if (!isAtEnd) return { bytesRead, isLost: false, whole: null };
    const sha256 = current.hash.digest();
    current = null;
    const { identity, touched } = diskEntry('', fstatSync(fd, { bigint: true }));
    return { bytesRead, isLost: false, whole: { sha256, identity, touched } };
  };
}

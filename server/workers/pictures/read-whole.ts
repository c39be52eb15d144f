import { JobError } from '../job-error.ts';
import type { OpenHanded } from '../open-handed.ts';
import { readStart } from '../text/read-start.ts';

/** All of a file, for what needs it in memory. @param limit in bytes @throws JobError `too_large` */
export async function readWhole({ handle, size }: OpenHanded, limit: number): Promise<Buffer> {
  if (size > limit) throw new JobError('too_large', `${size} bytes`);
  return readStart(handle, size, limit);
}

/** Something that is read in pieces. */
export interface Pieces {
  /** Bytes. */
  readonly size: number;
  /** What is there of these bytes: shorter where it ends, and empty behind its end. */
  read(start: number, length: number): Promise<Buffer>;
}

export function piecesOf({ handle, size }: OpenHanded): Pieces {
  return {
    size,
    async read(start, length) {
      const wanted = Math.max(0, Math.min(length, size - start));
      const buffer = Buffer.allocUnsafe(wanted);
      let filled = 0;
      while (filled < wanted) {
        const { bytesRead } = await handle.read(buffer, filled, wanted - filled, start + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
  };
}

/** A part of something, as if it stood alone. */
export function partOf(whole: Pieces, start: number, end: number): Pieces {
  const size = Math.max(0, Math.min(end, whole.size) - start);
  return { size, read: (from, length) => whole.read(start + from, Math.min(length, Math.max(0, size - from))) };
}

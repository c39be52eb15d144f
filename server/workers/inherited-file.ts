import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { JobError } from './job-error.ts';

/** A file that the server has open, as `storage/hand-over.ts` describes it. */
export const handedFile = z.object({ paths: z.array(z.string()), identity: z.string() });

/** For reading. */
export interface OpenInherited {
  readonly fd: number;
  /** For a library that opens by path: the same file, where the system has such paths. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Opens a file that was handed over for as long as the work takes. The calls block: a worker does one job at a time, and on a
 * machine that is busy with others each turn of a thread takes longer than the call.
 * @throws JobError `gone` when it is gone, or is not the very same file, unchanged
 */
export async function withInherited<Output>(
  file: z.output<typeof handedFile>,
  work: (opened: OpenInherited) => Promise<Output>,
): Promise<Output> {
  const opened = openHanded(file);
  try {
    return await work(opened);
  } finally {
    closeSync(opened.fd);
  }
}

function openHanded({ paths, identity }: z.output<typeof handedFile>): OpenInherited {
  for (const path of paths) {
    const fd = tryOpen(path);
    if (fd === null) continue;
    const stats = fstatSync(fd, { bigint: true });
    const { ino, size, mtimeNs } = stats;
    if (stats.isFile() && `${ino}.${size}.${mtimeNs}` === identity) {
      const same = process.platform === 'linux' ? `/proc/self/fd/${fd}` : path;
      return { fd, path: same, size: Number(size) };
    }
    closeSync(fd);
  }
  throw new JobError('gone', 'another file has taken its place, or it has changed');
}

function tryOpen(path: string): number | null {
  try {
    // A pipe that has taken its name would keep this process waiting.
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return null;
  }
}

/** The first bytes of a file: all of them, or `limit`. */
export function readStart(fd: number, size: number, limit: number): Buffer {
  return readAt(fd, 0, Math.min(size, limit));
}

/** So many bytes of a file from a place on; fewer where it ends. */
export function readAt(fd: number, start: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead = readSync(fd, buffer, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

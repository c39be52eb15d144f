import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { JobError } from './job-error.ts';

/** A file that the server has open, as described in `storage/content/inherited-file.ts`. */
export const inheritedFile = z.object({ paths: z.array(z.string()), identity: z.string() });

/** For reading. */
export interface OpenInherited {
  readonly fd: number;
  /** For a library that opens by path: a path to the same file, if the system has such paths. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Opens an inherited file for the duration of the work. The calls are synchronous: a worker does one job at a time, and on a busy
 * machine a thread switch takes longer than the call.
 * @throws JobError `gone` when the file is gone, changed or replaced
 */
export async function withInherited<Output>(
  file: z.output<typeof inheritedFile>,
  work: (opened: OpenInherited) => Promise<Output>,
): Promise<Output> {
  const opened = openInherited(file);
  try {
    return await work(opened);
  } finally {
    closeSync(opened.fd);
  }
}

function openInherited({ paths, identity }: z.output<typeof inheritedFile>): OpenInherited {
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
    // Opening a pipe that took its name would block this process.
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return null;
  }
}

/** The first bytes of a file, at most `limit`. */
export function readStart(fd: number, size: number, limit: number): Buffer {
  return readAt(fd, 0, Math.min(size, limit));
}

/** So many bytes of a file from an offset; fewer at its end. */
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

/** Bytes read at a time. */
const PIECE = 256 * 1024;

/** So many bytes of a file from an offset, as a stream. It ends early at the end of the file, and never closes the file. */
export function streamAt(fd: number, start: number, length: number): Readable {
  function* pieces() {
    for (let read = 0; read < length; ) {
      const piece = readAt(fd, start + read, Math.min(PIECE, length - read));
      if (piece.length === 0) return;
      read += piece.length;
      yield piece;
    }
  }
  return Readable.from(pieces());
}

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { StorageError } from './errors.ts';

/** Bytes: an id and a line end, with room to spare. */
const MARKER_BYTES = 64;

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/**
 * Opens a regular file where other programs may have put something else: no link is followed, and a pipe, which would keep the
 * caller waiting for a writer, is opened without waiting and refused. Blocks. The receiver closes it.
 * @throws StorageError `not-found` for what is no regular file, or the system's error
 */
export function openRegular(path: string): number {
  // Where there is no such flag, a link is found by looking.
  if (O_NOFOLLOW === 0 && !lstatSync(path).isFile()) throw new StorageError('not-found');
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new StorageError('not-found');
}

/**
 * The text of a home's marker, trimmed. The only way to read one: the folder is its owner's, who may have put anything there.
 * Blocks.
 * @throws StorageError `not-found` for what is no marker, or the system's error
 */
export function readMarker(path: string): string {
  const fd = openRegular(path);
  try {
    const buffer = Buffer.alloc(MARKER_BYTES + 1);
    const bytes = readSync(fd, buffer, 0, buffer.length, 0);
    if (bytes > MARKER_BYTES) throw new StorageError('not-found');
    return buffer.toString('utf8', 0, bytes).trim();
  } finally {
    closeSync(fd);
  }
}

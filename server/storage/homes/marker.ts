import { closeSync, readSync } from 'node:fs';
import { StorageError } from '../errors.ts';
import { openRegular } from '../paths/regular-file.ts';

/** Bytes; an id and a line end are shorter. */
const MARKER_BYTES = 64;

/**
 * Reads the text of a home's marker, trimmed. All readers of markers use this function: people can put anything into their
 * homes. Synchronous.
 * @throws StorageError `not-found` for anything that cannot be a marker; the system's error
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

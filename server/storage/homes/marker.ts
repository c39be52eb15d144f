import { type BigIntStats, closeSync, fstatSync, lstatSync, readSync } from 'node:fs';
import { isSettled } from '../disk/time-resolution.ts';
import { StorageError } from '../errors.ts';
import { openRegular } from '../paths/regular-file.ts';

/** Bytes; an id and a line end are shorter. */
const MARKER_BYTES = 64;

/**
 * Reads the text of a home's marker, trimmed. All readers of markers use this function or `MarkerCache`: people can put anything
 * into their homes. Synchronous.
 * @throws StorageError `not-found` for anything that cannot be a marker; the system's error
 */
export function readMarker(path: string): string {
  return readWithStats(path).text;
}

function readWithStats(path: string): { text: string; stats: BigIntStats } {
  const fd = openRegular(path);
  try {
    const stats = fstatSync(fd, { bigint: true });
    const buffer = Buffer.alloc(MARKER_BYTES + 1);
    const bytes = readSync(fd, buffer, 0, buffer.length, 0);
    if (bytes > MARKER_BYTES) throw new StorageError('not-found');
    return { text: buffer.toString('utf8', 0, bytes).trim(), stats };
  } finally {
    closeSync(fd);
  }
}

/**
 * The texts of markers that were read before: while the file has the same identity and times it is not read again. It saves four
 * of the five system calls of every access to a home.
 */
export class MarkerCache {
  readonly #markers = new Map<string, { readonly stats: BigIntStats; readonly text: string }>();

  /**
   * @param root of the home, which names the entry
   * @param path of its marker
   * @throws like `readMarker`
   */
  read(root: string, path: string): string {
    const known = this.#markers.get(root);
    if (known !== undefined) {
      const stats = lstatSync(path, { bigint: true });
      if (isUnchanged(known.stats, stats)) return known.text;
    }
    const { text, stats } = readWithStats(path);
    if (isSettled(Number(stats.ctimeMs), Date.now())) this.#markers.set(root, { text, stats });
    else this.#markers.delete(root);
    return text;
  }
}

function isUnchanged(before: BigIntStats, now: BigIntStats): boolean {
  return (['dev', 'ino', 'mode', 'size', 'ctimeNs', 'mtimeNs', 'birthtimeNs'] as const).every(
    (field) => before[field] === now[field],
  );
}

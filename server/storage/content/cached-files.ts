import { createHash } from 'node:crypto';
import { closeSync, fstatSync, futimesSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DAY } from '../../lib/clock.ts';
import { openRegular } from '../paths/regular-file.ts';

/** What was made of a file's content in one way, and may be made again. */
export interface CachedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A file that was used says so by its time, once in so long. */
const MARK_EVERY = DAY;

/** The same for the same content in the same home. Says nothing of what it is made of. @param variant what was made of it */
export function cachedName(homeId: string, identity: string, variant: string): string {
  const content = createHash('sha256').update(`${homeId}\0${identity}`).digest('hex').slice(0, 32);
  return `${content}-${variant}`;
}

/** In subfolders by the first two letters of the names. */
export function cachedPath(folder: string, name: string): string {
  return join(folder, name.slice(0, 2), name);
}

/** Blocks. @returns null when it is not there, or cannot be read */
export function readCached(folder: string, name: string): Uint8Array | null {
  let fd: number | null = null;
  try {
    fd = openRegular(cachedPath(folder, name));
    const bytes = readFileSync(fd);
    markUsed(fd);
    return bytes;
  } catch {
    return null;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

function markUsed(fd: number): void {
  const now = new Date();
  if (now.getTime() - fstatSync(fd).mtimeMs <= MARK_EVERY) return;
  try {
    futimesSync(fd, now, now);
  } catch {
    // Somebody else's file, or a disk that is read only: it counts as old.
  }
}

/**
 * Blocks. Best effort: what cannot be written will be made again. Neither flushed nor renamed: a power cut, or a look from
 * another disk's thread, can find a file cut short, and whoever reads it has to see that.
 * @returns how many bytes were written
 */
export function writeCached(folder: string, files: readonly CachedFile[]): number {
  let written = 0;
  for (const { name, bytes } of files) {
    const path = cachedPath(folder, name);
    try {
      withFolder(dirname(path), () => writeFileSync(path, bytes, { mode: 0o600 }));
      written += bytes.length;
    } catch {
      discard(path);
    }
  }
  return written;
}

/** The folder is there nearly always: it is made when it turns out that it is not. */
function withFolder(folder: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    work();
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Nothing was written, then.
  }
}

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, futimesSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DAY } from '../../lib/clock.ts';
import type { CachedFile, DiskEntry, KnownContent } from '../disk/disk-protocol.ts';
import { openRegular } from '../paths/regular-file.ts';

/** The use of a file is recorded in its modification time, at most this often. */
const MARK_EVERY = DAY;

/**
 * Equal for equal content in one home. The name reveals nothing about the source.
 * @param known what the catalogue knows of the file, if it does
 * @param variant of the derivative
 */
export function cachedName(
  homeId: string,
  { identity, touched }: Pick<DiskEntry, 'identity' | 'touched'>,
  known: KnownContent | null,
  variant: string,
): string {
  const content = createHash('sha256').update(`${homeId}\0${identity}${editOf()}`).digest('hex').slice(0, 32);
  return `${content}-${variant}`;

  function editOf(): string {
    if (known?.identity !== identity) return '';
    // Another program may have changed it in place, and set its time back.
    if (known.touched !== touched) return `.${touched}`;
    return known.edits === 0 ? '' : `.${known.edits}`;
  }
}

/** In subfolders by the first two letters of the names. */
export function cachedPath(folder: string, name: string): string {
  return join(folder, name.slice(0, 2), name);
}

/** Synchronous. @returns null when it does not exist, or cannot be read */
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
    // Another user's file, or a read-only disk: it counts as old.
  }
}

/**
 * Synchronous, best effort: what cannot be written is generated again. Neither flushed nor renamed: after a power cut, or from
 * another disk's thread, a reader can find a truncated file and must detect that.
 * @returns the number of bytes written
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

/** The folder nearly always exists, so it is created only after a failure. */
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
    // Nothing was written.
  }
}

import { createHash } from 'node:crypto';
import { type BigIntStats, close, fstat, fstatSync, read } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { awaitFailPoint, type FailPoints, failPoint } from '../../lib/process/fail-points.ts';
import { identityOf } from '../disk/disk-entry.ts';
import { StorageError } from '../errors.ts';
import { openRegular } from '../paths/regular-file.ts';
import { secondsOf } from './copy.ts';
import { fileTime } from './set-times.ts';

const readAsync = promisify(read);
const closeAsync = promisify(close);
const fstatAsync = promisify(fstat) as (fd: number, options: { bigint: true }) => Promise<BigIntStats>;

const CHUNK = 512 * 1024;

/** Cancellation and progress of a long read. */
export interface Along {
  readonly signal: AbortSignal;
  /** Called after every chunk, and awaited. */
  readonly onBytes: (bytes: number) => Promise<void> | void;
}

interface HashedCopy {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Modification time of the content, in nanoseconds since the epoch. */
  readonly mtime: string;
  /**
   * When content or attributes of the source last changed, likewise; empty if its disk records times so coarsely that a later
   * change may have the same one.
   */
  readonly ctime: string;
  /** The nine permission bits of the source. */
  readonly mode: number;
  /** Whether the file did not change meanwhile, according to its size and time. */
  readonly isSteady: boolean;
}

/** The copy could not be written; `cause` is the system's error. Errors of the source are passed on unchanged. */
export class WriteFailure extends Error {}

/** Attributes for a copy instead of those of its source. `mtime` in nanoseconds since the epoch. */
type CopyLook = Pick<HashedCopy, 'mtime' | 'mode'>;

/** Milliseconds within which a disk with a resolution of one or two seconds may record two changes with one time. */
const COARSE = 3_000;

/**
 * Copies an open file into a new one, flushed, with its modification time and permissions, and returns the hash of the copied
 * bytes. A growing file is copied up to its initial size. The copy is always readable for its maker.
 * @throws WriteFailure, or the error of the source; nothing is left then
 */
export async function copyHashed(
  fd: number,
  to: string,
  { signal, onBytes, failPoints, look }: Along & { failPoints: FailPoints; look?: CopyLook },
): Promise<HashedCopy> {
  const begun = Date.now();
  const before = await fstatAsync(fd, { bigint: true });
  const target = await writing(() => open(to, 'wx', 0o600));
  try {
    const { bytes, sha256 } = await readThrough(fd, Number(before.size), { signal, onBytes }, (chunk) =>
      writing(async () => {
        await awaitFailPoint(failPoints, 'storage.backup.write');
        await writeWhole(target, chunk);
      }),
    );
    const mode = Number(before.mode & 0o777n);
    const mtime = String(before.mtimeNs);
    await writing(() => finish(target, look ?? { mode, mtime }, failPoints));
    const after = await fstatAsync(fd, { bigint: true });
    const isSteady = after.mtimeNs === before.mtimeNs && after.size === before.size && bytes === Number(after.size);
    return { bytes, sha256, mtime, ctime: isTelling(before, begun) ? String(before.ctimeNs) : '', mode, isSteady };
  } catch (error) {
    await target.close().catch(() => undefined);
    await unlink(to).catch(() => undefined);
    throw error;
  }
}

function isTelling({ mtimeNs, mtimeMs }: BigIntStats, now: number): boolean {
  return mtimeNs % 1_000_000_000n !== 0n || Number(mtimeMs) < now - COARSE;
}

async function finish(target: FileHandle, { mode, mtime }: CopyLook, failPoints: FailPoints): Promise<void> {
  // Not every disk stores permissions, and the content does not depend on them.
  await target.chmod((mode & 0o777) | 0o400).catch(() => undefined);
  await target.utimes(new Date(), fileTime(secondsOf(Number(BigInt(mtime) / 1_000_000n))));
  failPoint(failPoints, 'storage.backup.flush');
  await target.sync();
  await target.close();
}

async function writeWhole(target: FileHandle, chunk: Buffer): Promise<void> {
  for (let done = 0; done < chunk.length; ) done += (await target.write(chunk, done)).bytesWritten;
}

async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new WriteFailure((error as Error).message, { cause: error });
  }
}

/** Reads at most `size` bytes. @throws the reason of the signal */
async function readThrough(
  fd: number,
  size: number,
  { signal, onBytes }: Along,
  take: (chunk: Buffer) => Promise<void>,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK, size)));
  let bytes = 0;
  while (bytes < size) {
    signal.throwIfAborted();
    const { bytesRead } = await readAsync(fd, buffer, 0, Math.min(buffer.length, size - bytes), bytes);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await take(chunk);
    bytes += bytesRead;
    await onBytes(bytesRead);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Opens a regular file, see `openRegular`. @throws StorageError `not-found`, also when the path does not exist */
export function openPlain(path: string): number {
  try {
    return openRegular(path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new StorageError('not-found') : error;
  }
}

/** Length and hash of a regular file. @throws StorageError `not-found`, or the system's error */
export async function hashFile(path: string, along: Along): Promise<{ bytes: number; sha256: string }> {
  const fd = openPlain(path);
  try {
    const { size } = await fstatAsync(fd, { bigint: true });
    return await readThrough(fd, Number(size), along, async () => undefined);
  } finally {
    await closeAsync(fd);
  }
}

/** The identity of an open file, as in a listing. */
export function identityOfOpened(fd: number): string {
  const { ino, birthtimeNs, size, mtimeNs } = fstatSync(fd, { bigint: true });
  return identityOf(false, ino, birthtimeNs, size, mtimeNs);
}

/** Returns an open file if it is the requested one; otherwise closes it. @throws StorageError `not-found` then */
export async function requireOpened(fd: number, isWanted: (identity: string) => boolean): Promise<number> {
  if (isWanted(identityOfOpened(fd))) return fd;
  await closeAsync(fd);
  throw new StorageError('not-found');
}

/** Runs the work with an open file and closes it. */
export async function withOpened<T>(fd: number, work: (fd: number) => Promise<T>): Promise<T> {
  try {
    return await work(fd);
  } finally {
    await closeAsync(fd);
  }
}

import { access, chmod, constants, lstat, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from './disk/disk.ts';
import type { HomeState } from './disk/disk-protocol.ts';
import { nullIfMissing, StorageError } from './errors.ts';
import type { HomeRoot } from './paths/folder-handle.ts';

export type { HomeState } from './disk/disk-protocol.ts';

/** Runs in the disk's own thread, which may block. */
export async function homeState(disk: Pick<Disk, 'run' | 'isStalled'>, homeRoot: HomeRoot): Promise<HomeState> {
  try {
    return (await disk.run('homeState', { homeRoot })).state;
  } catch (error) {
    if (!(error instanceof StorageError) || error.reason !== 'offline') throw error;
    return disk.isStalled(homeRoot) ? 'stalled' : 'no-folder';
  }
}

type FolderState = 'usable' | 'missing' | 'no-folder' | 'denied' | 'read-only';

/** Whether a folder exists and this process may read and write it. Changes nothing. */
export async function folderState(path: string): Promise<FolderState> {
  try {
    if (!(await stat(path)).isDirectory()) return 'no-folder';
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return 'usable';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'missing';
    if (code === 'ENOTDIR') return 'no-folder';
    return code === 'EROFS' ? 'read-only' : 'denied';
  }
}

/** Whether the path exists, even as a dangling link. @throws the system's error when that is unknown */
export async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(nullWhereNothingIs)) !== null;
}

/** Bytes of a file, or null when it does not exist. @throws the system's error when that is unknown */
export async function fileSize(path: string): Promise<number | null> {
  return (await stat(path).catch(nullWhereNothingIs))?.size ?? null;
}

/** A failing disk, or a folder without access, does not mean that nothing exists. */
function nullWhereNothingIs(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

/** Removes other users' access to a file or folder; the owner's stays. @throws the system's error */
export async function closeToOthers(path: string): Promise<void> {
  await chmod(path, (await lstat(path)).mode & 0o700);
}

/**
 * The names in a folder. @returns null when there is no such folder @throws any other error, after which the contents are unknown
 */
export async function namesIn(folder: string): Promise<string[] | null> {
  return (await readdir(folder).catch(nullIfMissing))?.sort() ?? null;
}

/** The entries of a folder that have not changed since `before` (milliseconds since the epoch). */
export async function namesOlder(folder: string, before: number): Promise<string[]> {
  const older: string[] = [];
  for (const name of (await namesIn(folder)) ?? []) {
    const stats = await lstat(join(folder, name)).catch(() => null);
    if (stats !== null && stats.mtimeMs < before) older.push(name);
  }
  return older;
}

/** Whether it is a regular file or a folder, and not a link. */
export async function isPlain(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats !== null && (stats.isFile() || stats.isDirectory());
}

export interface DiskSpace {
  /** Identifies the disk: the same for every path on it. */
  readonly device: number;
  /** Bytes that can still be written. */
  readonly free: number;
  /** All bytes of the disk. */
  readonly size: number;
  /** Free and total number of inodes; null if the file system has no such limit. */
  readonly files: { readonly free: number; readonly all: number } | null;
}

/** @throws the system's error when the path does not exist */
export async function diskSpace(path: string): Promise<DiskSpace> {
  const [{ dev }, { bavail, blocks, bsize, files, ffree }] = await Promise.all([stat(path), statfs(path)]);
  return {
    device: dev,
    free: bavail * bsize,
    size: blocks * bsize,
    files: files > 0 ? { free: ffree, all: files } : null,
  };
}

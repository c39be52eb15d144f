import { fstatSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenedFile } from './disk-protocol.ts';
import type { Place } from './folder-handle.ts';

/** An open file, as another process of ours finds it again. */
export interface HandedFile {
  readonly path: string;
  /** What the file must be that is found there: inode and, in nanoseconds, modification time, in decimal; size in bytes. */
  readonly inode: string;
  readonly modified: string;
  readonly size: number;
}

/**
 * Hands an open file to a worker. On Linux the path leads to the open file itself, whatever has its name by now;
 * elsewhere it is the name, and the worker compares what it opens. The descriptor stays open until the worker is done.
 */
export function handOver({ fd, parents, entry }: OpenedFile, place: Place): HandedFile {
  const stats = fstatSync(fd, { bigint: true });
  const names = [...parents.slice(1), entry].map(({ name }) => name);
  return {
    path: process.platform === 'linux' ? `/proc/${process.pid}/fd/${fd}` : join(place.root, ...names),
    inode: String(stats.ino),
    modified: String(stats.mtimeNs),
    size: Number(stats.size),
  };
}

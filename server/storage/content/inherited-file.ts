import { fstatSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenedFile } from '../disk/disk-protocol.ts';
import type { HomeRoot } from '../paths/folder-handle.ts';

/** An open file, as another process of ours can find it. */
export interface InheritedFile {
  /** Absolute paths that may lead to it, the best one first. */
  readonly paths: string[];
  /** Inode, size in bytes and modification time in nanoseconds, to recognize it. */
  readonly identity: string;
}

/**
 * Describes an open file for another process. By its descriptor if the system has paths for that: such a path leads to this file,
 * whatever has its name by then. Otherwise by its name, also if a process with capabilities hides its descriptors. Keep the
 * descriptor open until the other process is done.
 */
export function inheritFile({ root }: HomeRoot, { fd, parents, entry }: OpenedFile): InheritedFile {
  return inheritAt(join(root, ...parents.slice(1).map(({ name }) => name), entry.name), fd);
}

/** The same for a file that was opened at a path, as those of the work area are. */
export function inheritAt(named: string, fd: number): InheritedFile {
  const { ino, size, mtimeNs } = fstatSync(fd, { bigint: true });
  const paths = process.platform === 'linux' ? [`/proc/${process.pid}/fd/${fd}`, named] : [named];
  return { paths, identity: `${ino}.${size}.${mtimeNs}` };
}

import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, parse, sep } from 'node:path';

/** The state of a path, from the root of the disk on. No link is followed. */
export interface PathInspection {
  /** Device and inode of every existing folder on the path, the root first, to recognize a folder under another path. */
  readonly ids: readonly string[];
  /** How many segments at the end of the path do not exist. */
  readonly missing: number;
  /** The obstacle, after which nothing was checked. */
  readonly obstacle: 'link' | 'no-folder' | 'denied' | null;
}

/** @param path absolute and normalized */
export async function inspectPath(path: string): Promise<PathInspection> {
  const { root } = parse(path);
  const segments = path.slice(root.length).split(sep).filter(Boolean);
  const ids: string[] = [];
  for (let depth = 0; depth <= segments.length; depth += 1) {
    try {
      const stats = await lstat(join(root, ...segments.slice(0, depth)), { bigint: true });
      if (stats.isSymbolicLink()) return { ids, missing: 0, obstacle: 'link' };
      if (!stats.isDirectory()) return { ids, missing: 0, obstacle: 'no-folder' };
      ids.push(`${stats.dev}:${stats.ino}`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return { ids, missing: segments.length - depth + 1, obstacle: null };
      return { ids, missing: 0, obstacle: code === 'ENOTDIR' ? 'no-folder' : 'denied' };
    }
  }
  return { ids, missing: 0, obstacle: null };
}

/** The real path of a folder that may not exist yet: links in the existing part are resolved. */
export async function realPathToBe(path: string): Promise<string> {
  const rest: string[] = [];
  for (let known = path; ; known = dirname(known)) {
    const real = await realpath(known).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && dirname(known) !== known) return null;
      throw error;
    });
    if (real !== null) return join(real, ...rest);
    rest.unshift(basename(known));
  }
}

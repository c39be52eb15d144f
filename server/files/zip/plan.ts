import type { ItemTarget } from '../../access/access.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { walk } from '../walk.ts';
import { entryName, rootName } from './zip-names.ts';
import { ZipSize } from './zip-size.ts';

/** A file or folder with everything in it, and its name in the archive. */
export interface ZipRoot {
  readonly target: ItemTarget;
  readonly name: string;
}

/** A file or folder of the planned archive. */
export interface PlannedEntry {
  readonly target: Pick<ItemTarget, 'home' | 'segments'>;
  /** In the archive. */
  readonly path: string;
  readonly isDir: boolean;
  readonly size: number;
  readonly mtime: number;
}

/** The planned contents of an archive, so that its length can be announced. Items added later are not included. */
export interface ZipPlan {
  readonly entries: readonly PlannedEntry[];
  /** Bytes of the archive. */
  readonly length: number;
}

/** Larger trees are sent without a length, because walking them takes as long as the start of the download itself. */
const MAX_ENTRIES = 20_000;

/** @returns null where the length is not announced @throws StorageError `not-found` when one of them does not exist */
export async function planZip(disk: Disk, roots: readonly ZipRoot[]): Promise<ZipPlan | null> {
  const size = new ZipSize();
  const entries: PlannedEntry[] = [];
  const plan = (entry: PlannedEntry) => {
    if (entry.isDir) size.addFolder(entry.path, entry.mtime);
    else size.addFile(entry.path, entry.size, entry.mtime);
    entries.push(entry);
  };
  for (const { target, name } of roots) {
    const { home, segments } = target;
    const path = rootName(name);
    const { entry } = await disk.run('stat', { homeRoot: home.homeRoot, segments });
    plan({ target, path: entry.isDir ? `${path}/` : path, isDir: entry.isDir, size: entry.size, mtime: entry.mtime });
    if (!entry.isDir) continue;
    try {
      for await (const { entry: inside, segments: below } of walk(disk, target)) {
        const way = [path, ...below.map(entryName)].join('/');
        const { isDir, size: bytes, mtime } = inside;
        const at = { home, segments: [...segments, ...below] };
        plan({ target: at, path: isDir ? `${way}/` : way, isDir, size: bytes, mtime });
        if (entries.length > MAX_ENTRIES) return null;
      }
    } catch (error) {
      // The tree changes during the walk.
      if (error instanceof StorageError && error.reason === 'not-found') return null;
      throw error;
    }
  }
  return { entries, length: size.total };
}

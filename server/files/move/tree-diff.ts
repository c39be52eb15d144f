import { join } from 'node:path';
import type { ItemTarget } from '../../access/access.ts';
import type { Home } from '../../catalogue/homes.ts';
import { storedContent } from '../../storage/content/work-area.ts';
import type { Disk, DiskEntry, SeenFolder } from '../../storage/disk/disk.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import { nullIfGone } from '../../storage/errors.ts';
import { isSameFile } from './mirror.ts';

/** What a tree has and its copy lacks: files with other content there, or items that cannot be copied. */
interface TreeDiff {
  /** Paths of files below the tree, with `/` between the names; `''` is the tree itself. */
  readonly files: ReadonlySet<string>;
  /** Whether there are other items, such as links and unreadable names. */
  readonly hasOthers: boolean;
}

/** A tree that can be listed. */
interface Tree {
  readonly top: () => Promise<DiskEntry | null>;
  /** Null if there is no such folder. */
  readonly folder: (below: readonly string[]) => Promise<SeenFolder | null>;
}

/** A tree in a home. Only files and folders are listed. */
export function treeInHome(disk: Disk, { home: { homeRoot }, segments }: Pick<ItemTarget, 'home' | 'segments'>): Tree {
  return {
    top: () => disk.run('stat', { homeRoot, segments }).then(({ entry }) => entry, nullIfGone),
    async folder(below) {
      const listing = await disk.run('list', { homeRoot, segments: [...segments, ...below] }).catch(nullIfGone);
      if (listing === null) return null;
      const entries = new Map(listing.names.map((name, index) => [name, listingEntry(listing, index)]));
      return { entries, hasOthers: false };
    },
  };
}

/** A tree in the work area of a home. */
export function treeInArea(disk: Disk, { homeRoot }: Home, path: string): Tree {
  return {
    top: () => storedContent(path),
    folder: async (below) => (await disk.run('listStored', { homeRoot, path: join(path, ...below) })).folder,
  };
}

/** Whether the copy has all of the tree. */
export function isFullyCopied({ files, hasOthers }: TreeDiff): boolean {
  return files.size === 0 && !hasOthers;
}

/** Compares a tree with its copy, by sizes and times. Items that only the copy has are ignored. */
export async function treeDiff(tree: Tree, copy: Tree): Promise<TreeDiff> {
  const files = new Set<string>();
  const [top, copied] = await Promise.all([tree.top(), copy.top()]);
  if (top === null) return { files, hasOthers: false };
  if (!top.isDir) {
    if (copied === null || !isSameFile(top, copied)) files.add('');
    return { files, hasOthers: false };
  }
  let hasOthers = false;
  const waiting: (readonly string[])[] = [[]];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const folder = await tree.folder(below);
    if (folder === null) continue;
    const there = await copy.folder(below);
    hasOthers ||= folder.hasOthers;
    for (const [name, entry] of folder.entries) {
      const other = there?.entries.get(name);
      if (entry.isDir) waiting.push([...below, name]);
      else if (other === undefined || !isSameFile(entry, other)) files.add([...below, name].join('/'));
    }
  }
  return { files, hasOthers };
}

import { t } from '../../messages/messages.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import type { Disk, DiskListing } from '../../storage/disk/disk.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import { StorageError } from '../../storage/errors.ts';
import { type Entry, EntryReader } from '../format/entries.ts';
import { BackupProblem } from '../format/problem.ts';
import type { HomeTree } from './trees.ts';
import { isUnchanged, type SeenFile, type WrittenFiles, whyLeftOut } from './written-files.ts';

/** Files copied at the same time: a small one mostly waits for its flush. */
const CONCURRENCY = 8;

interface Walk {
  readonly files: WrittenFiles;
  readonly disk: Disk;
  /** Called for a file or folder, in the order of the list. */
  readonly take: (
    tree: HomeTree,
    listing: DiskListing,
    segments: readonly string[],
    index: number,
  ) => Promise<TakenFile>;
  /** Called before a folder is created, and after its contents. */
  readonly enter: (path: readonly string[]) => Promise<void>;
  readonly leave: (path: readonly string[]) => Promise<void>;
}

type TakenFile = () => Promise<Entry | null>;

/**
 * Copies all files of all homes, or hard-links those that an earlier backup has unchanged. People continue to work meanwhile: a
 * file that moves from where nothing was copied yet to where everything was copied already is missed. `catchUp` and `followMoved`
 * find those.
 * @returns the ids of the homes whose disks are unavailable, or became so meanwhile
 */
export async function copyHomes(trees: readonly HomeTree[], files: WrittenFiles, disk: Disk): Promise<Set<string>> {
  return walkAll(trees, {
    files,
    disk,
    async take(tree, listing, segments, index) {
      const entry = listingEntry(listing, index);
      const path = [...tree.folder, ...segments, entry.name];
      const before = await files.before(path);
      return () => files.file(path, seenIn(listing, index), before, openIn(disk, tree, [...segments, entry.name]));
    },
    enter: async () => undefined,
    leave: async () => undefined,
  });
}

/**
 * Walks all homes again after the database was copied: copies what was added or changed since, and lists what is gone.
 * `followMoved` finds where that went.
 * @param first the list of the first pass
 */
export async function catchUp(
  trees: readonly HomeTree[],
  files: WrittenFiles,
  disk: Disk,
  { first }: { first: string },
): Promise<void> {
  const reader = new EntryReader(first);
  const isGone = async (entry: Entry) => {
    if ('folder' in entry || 'sha256' in entry) await files.write({ ...entry, gone: true });
  };
  try {
    const offline = await walkAll(trees, {
      files,
      disk,
      enter: async (path) => {
        const was = await reader.skipTo(path, isGone);
        if (was !== null && 'sha256' in was) await eraseStored(files.at(path));
      },
      async take(tree, listing, segments, index) {
        const entry = listingEntry(listing, index);
        const path = [...tree.folder, ...segments, entry.name];
        const was = await reader.skipTo(path, isGone);
        // The contents of the replaced folder are removed with its copy.
        if (was !== null && 'folder' in was) await reader.skipPast(path, async () => undefined);
        const seen = seenIn(listing, index);
        const isSame = was !== null && 'sha256' in was && was.changed !== true && isUnchanged(was, seen);
        if (isSame) return async () => was;
        return async () => {
          if (was !== null) await eraseStored(files.at(path));
          return files.file(path, seen, null, openIn(disk, tree, [...segments, entry.name]));
        };
      },
      async leave(path) {
        await reader.skipPast(path, isGone);
      },
    });
    await reader.skipPast([], isGone);
    const gone = trees.find(({ home }) => offline.has(home.id));
    if (gone !== undefined) throw new BackupProblem(t('api.backup.diskLost', { path: gone.home.homeRoot.root }));
  } finally {
    await reader.close();
  }
}

async function walkAll(trees: readonly HomeTree[], walk: Walk): Promise<Set<string>> {
  const offline = new Set<string>();
  let top = '';
  for (const tree of trees) {
    const [outer = ''] = tree.folder;
    if (outer !== top) {
      top = outer;
      await walk.enter([top]);
      await walk.files.folder([top]);
    }
    try {
      await visit(tree, [], walk);
    } catch (error) {
      if (!(error instanceof StorageError) || error.reason !== 'offline') throw error;
      offline.add(tree.home.id);
    }
  }
  return offline;
}

async function visit(tree: HomeTree, segments: readonly string[], walk: Walk): Promise<void> {
  const { files, disk } = walk;
  const path = [...tree.folder, ...segments];
  let listing: DiskListing;
  try {
    listing = await disk.run('list', { homeRoot: tree.home.homeRoot, segments });
  } catch (error) {
    const why = whyLeftOut(error);
    if (why === null) throw error;
    if (why !== 'gone') await files.write({ path: path.join('/'), leftOut: why });
    return;
  }
  await walk.enter(path);
  if (!(await files.folder(path))) return;
  files.notFollowed += listing.others;
  const order = [...listing.names.keys()].sort((a, b) =>
    (listing.names[a] ?? '') < (listing.names[b] ?? '') ? -1 : 1,
  );
  let waiting: TakenFile[] = [];
  const settle = async () => {
    // Waits for all of them before reporting a failure, so that nothing is still written when the folder is cleared.
    const results = await Promise.allSettled(waiting.map((take) => take()));
    waiting = [];
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    for (const result of results) {
      if (result.status === 'fulfilled' && result.value !== null) await files.write(result.value);
    }
  };
  for (const index of order) {
    if (index < listing.folderCount) {
      await settle();
      await visit(tree, [...segments, listing.names[index] ?? ''], walk);
    } else {
      waiting.push(await walk.take(tree, listing, segments, index));
      if (waiting.length === CONCURRENCY) await settle();
    }
  }
  await settle();
  await walk.leave(path);
}

function seenIn(listing: DiskListing, index: number): SeenFile {
  return { entry: listingEntry(listing, index), ctime: String(listing.touches[index] ?? '') };
}

export function openIn(disk: Disk, { home }: HomeTree, segments: readonly string[]): () => Promise<number> {
  return async () => (await disk.run('open', { homeRoot: home.homeRoot, segments })).fd;
}

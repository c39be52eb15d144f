import { t } from '../../messages/messages.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import type { Disk, DiskListing } from '../../storage/disk/disk.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import { StorageError } from '../../storage/errors.ts';
import { type Entry, EntryReader } from '../format/entries.ts';
import { BackupProblem } from '../format/problem.ts';
import type { HomeTree } from './trees.ts';
import { isUnchanged, type SeenFile, type WrittenFiles, whyLeftOut } from './written-files.ts';

/** Files that are copied at the same time: most of the time of a small one is waiting for its flush. */
const AT_ONCE = 8;

interface Walk {
  readonly files: WrittenFiles;
  readonly disk: Disk;
  /** What is to be there of a file or folder, in the order of the list. */
  readonly take: (
    tree: HomeTree,
    listing: DiskListing,
    segments: readonly string[],
    index: number,
  ) => Promise<TakenFile>;
  /** Before a folder is there, and after everything in it. */
  readonly enter: (path: readonly string[]) => Promise<void>;
  readonly leave: (path: readonly string[]) => Promise<void>;
}

type TakenFile = () => Promise<Entry | null>;

/**
 * Copies all files of all homes, or gives those a second name that an earlier backup has as they are. Meanwhile people go on
 * working: what they move from where it was not yet copied to where everything was copied already is not in it. That is what
 * `catchUp` and `followMoved` are for.
 * @returns the ids of the homes whose disks are away, or went away meanwhile
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
 * Goes through all homes again, after the copy of the database was made: what has come or changed since is copied, and what is
 * not there any more is listed as gone. Where that went is found by `followMoved`.
 * @param first the list of the first time
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
        // What was in the folder that had this name goes with its copy.
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
    if (gone !== undefined) throw new BackupProblem(t('api.backup.diskLost', { path: gone.home.place.root }));
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
    listing = await disk.run('list', { place: tree.home.place, segments });
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
    // All of them end before one failure is told: nothing is written to what is cleared away then.
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
      if (waiting.length === AT_ONCE) await settle();
    }
  }
  await settle();
  await walk.leave(path);
}

function seenIn(listing: DiskListing, index: number): SeenFile {
  return { entry: listingEntry(listing, index), ctime: String(listing.touches[index] ?? '') };
}

export function openIn(disk: Disk, { home }: HomeTree, segments: readonly string[]): () => Promise<number> {
  return async () => (await disk.run('open', { place: home.place, segments })).fd;
}

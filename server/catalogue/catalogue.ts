import type { Database } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { LruCache } from '../lib/lru-cache.ts';
import { foldName } from '../lib/names.ts';
import type { PathLocks } from '../lib/path-locks.ts';
import type { Disk, DiskListing } from '../storage/disk.ts';
import type { Home } from './homes.ts';
import type { Item } from './items.ts';
import { reconcileFolder } from './reconcile.ts';

export interface FolderContent {
  readonly listing: DiskListing;
  /** The catalogue's item of every name. */
  readonly items: ReadonlyMap<string, Item>;
}

export interface Catalogue {
  /**
   * What is in a folder now: the disk is asked, and the rows are brought in line with its answer. With `remember: false`
   * it is not kept in memory for the next time: a walk through everything would push out what is asked for often.
   * @throws StorageError
   */
  list(home: Home, segments: readonly string[], options?: { remember: boolean }): Promise<FolderContent>;
  /**
   * Wraps every change that the appliance itself makes in a home. A listing taken while one is under way is old by
   * the time it is compared, and must not declare anything missing.
   */
  changing<T>(home: Home, change: () => Promise<T>): Promise<T>;
}

/** Tries to list without a lock. */
const FREE_TRIES = 2;
/** Entries of folders that are kept in memory, over all folders: a listing that changed nothing asks no database. */
const REMEMBERED_ENTRIES = 50_000;

interface Remembered {
  readonly content: FolderContent;
  /** Of the database: after every write it is asked again. */
  readonly generation: number;
}

/** Whether the disk said the same as before: names, kinds, inodes, sizes and times to the nanosecond. */
function isSame(a: DiskListing, b: DiskListing): boolean {
  if (a.names.length !== b.names.length || a.folderCount !== b.folderCount) return false;
  for (const column of ['inodes', 'births', 'changes', 'sizes'] as const) {
    if (Buffer.compare(bytesOf(a[column]), bytesOf(b[column])) !== 0) return false;
  }
  return (
    a.names.every((name, index) => name === b.names[index]) &&
    a.folders.every((folder, index) => folder.name === b.folders[index]?.name)
  );
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

export function createCatalogue(database: Database, disk: Disk, clock: Clock, locks: PathLocks): Catalogue {
  const changes = new Map<string, { underWay: number; begun: number }>();
  const remembered = new LruCache<Remembered>(REMEMBERED_ENTRIES, ({ content }) => content.listing.names.length + 10);

  function changesIn(home: Home): { underWay: number; begun: number } {
    const counts = changes.get(home.id) ?? { underWay: 0, begun: 0 };
    changes.set(home.id, counts);
    return counts;
  }

  /** @returns null when a change of ours was under way, so that the listing may be of before it and the rows of after it */
  async function tryList(
    home: Home,
    segments: readonly string[],
    isStill: () => boolean,
    remember: boolean,
  ): Promise<FolderContent | null> {
    const key = lockKey(home, segments);
    const listing = await disk.run('list', { place: home.place, segments });
    const generation = database.generation('files');
    const last = remembered.get(key);
    if (last?.generation === generation && isSame(last.content.listing, listing)) return last.content;
    const items = await reconcileFolder(database, clock, home.id, listing, isStill);
    if (items === null) return null;
    const content = { listing, items };
    if (remember && database.generation('files') === generation) remembered.set(key, { content, generation });
    return content;
  }

  return {
    async list(home, segments, { remember } = { remember: true }) {
      const counts = changesIn(home);
      for (let attempt = 1; attempt <= FREE_TRIES; attempt += 1) {
        const { begun } = counts;
        const isStill = () => counts.begun === begun && counts.underWay === 0;
        const content = isStill() ? await tryList(home, segments, isStill, remember) : null;
        if (content !== null) return content;
      }
      // Something changes all the time. With the folder locked, nothing of ours changes in it or above it.
      const content = await locks.run([lockKey(home, segments)], () => tryList(home, segments, () => true, remember));
      if (content === null) throw new Error('a locked folder was not listed');
      return content;
    },

    async changing(home, change) {
      const counts = changesIn(home);
      counts.begun += 1;
      counts.underWay += 1;
      try {
        return await change();
      } finally {
        counts.underWay -= 1;
      }
    },
  };
}

/** The key of a path for the locks: one for all spellings that a disk may take for the same name. */
export function lockKey(home: Home, segments: readonly string[]): string {
  return [home.id, ...segments.map(foldName)].join('/');
}

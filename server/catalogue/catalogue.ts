import type { Database } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { LruCache } from '../lib/lru-cache.ts';
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
  /** What is in a folder now: the disk is asked, and the rows are brought in line with its answer. @throws StorageError */
  list(home: Home, segments: readonly string[]): Promise<FolderContent>;
  /**
   * Wraps every change that the appliance itself makes in a home. A listing taken while one is under way is old by
   * the time it is compared, and must not declare anything missing.
   */
  changing<T>(home: Home, change: () => Promise<T>): Promise<T>;
}

const TRIES = 3;
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

export function createCatalogue(database: Database, disk: Disk, clock: Clock): Catalogue {
  const epochs = new Map<string, number>();
  const epoch = (home: Home) => epochs.get(home.id) ?? 0;
  const advance = (home: Home) => epochs.set(home.id, epoch(home) + 1);

  const remembered = new LruCache<Remembered>(REMEMBERED_ENTRIES, ({ content }) => content.listing.names.length + 10);

  return {
    async list(home, segments) {
      const key = [home.id, ...segments].join('/');
      for (let attempt = 1; ; attempt += 1) {
        const before = epoch(home);
        const listing = await disk.run('list', { place: home.place, segments });
        const generation = database.generation('files');
        const last = remembered.get(key);
        if (last?.generation === generation && isSame(last.content.listing, listing)) return last.content;
        const isStill = () => epoch(home) === before;
        const items = await reconcileFolder(database, clock, home.id, listing, isStill, attempt === TRIES);
        if (items === null) continue;
        const content = { listing, items };
        if (database.generation('files') === generation) remembered.set(key, { content, generation });
        return content;
      }
    },

    async changing(home, change) {
      advance(home);
      try {
        return await change();
      } finally {
        advance(home);
      }
    },
  };
}

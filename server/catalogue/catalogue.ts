import type { Database } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
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

export function createCatalogue(database: Database, disk: Disk, clock: Clock): Catalogue {
  const epochs = new Map<string, number>();
  const epoch = (home: Home) => epochs.get(home.id) ?? 0;
  const advance = (home: Home) => epochs.set(home.id, epoch(home) + 1);

  return {
    async list(home, segments) {
      for (let attempt = 1; ; attempt += 1) {
        const before = epoch(home);
        const listing = await disk.run('list', { place: home.place, segments });
        const isStill = () => epoch(home) === before;
        const items = await reconcileFolder(database, clock, home.id, listing, isStill, attempt === TRIES);
        if (items !== null) return { listing, items };
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

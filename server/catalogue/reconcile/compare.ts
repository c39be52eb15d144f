import type { FilesDatabase } from '../../database/database.ts';
import type { DiskListing } from '../../storage/disk/disk.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import { childrenOf } from '../listings/folder-items.ts';

/** By name: what the next listing of a folder will write into its rows. */
export interface Differences {
  /** On the disk, without a row. */
  readonly unknown: readonly string[];
  /** A row without an entry on the disk. */
  readonly gone: readonly string[];
  /** Both, with a different size, time or inode. */
  readonly changed: readonly string[];
}

/** Compares the rows of one folder with the disk. Writes nothing. */
export async function compareFolder(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  listing: DiskListing,
): Promise<Differences> {
  const indexes = new Map(listing.names.map((name, index) => [name, index]));
  const gone: string[] = [];
  const changed: string[] = [];
  for await (const rows of childrenOf(database, homeId, listing.folders)) {
    for (const { name, missing_since: missingSince, identity } of rows) {
      if (missingSince !== null) continue;
      const index = indexes.get(name);
      indexes.delete(name);
      if (index === undefined) gone.push(name);
      else if (identity !== listingEntry(listing, index).identity) changed.push(name);
    }
  }
  return { unknown: [...indexes.keys()], gone, changed };
}

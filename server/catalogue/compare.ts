import type { Database } from '../database/database.ts';
import type { DiskListing } from '../storage/disk.ts';
import { listingEntry } from '../storage/disk-entry.ts';
import { childrenOf } from './reconcile.ts';

/** By name: what the next listing of a folder will write into its rows. */
export interface Differences {
  /** On the disk, without a row. */
  readonly unknown: readonly string[];
  /** A row, and nothing on the disk. */
  readonly gone: readonly string[];
  /** Both, but another size, time or inode. */
  readonly changed: readonly string[];
}

/** Holds the rows of one folder against what the disk just said. Writes nothing. */
export async function compareFolder(
  database: Pick<Database, 'all'>,
  homeId: string,
  listing: DiskListing,
): Promise<Differences> {
  const rows = (await childrenOf(database, homeId, listing.folders)) ?? [];
  const known = new Map(rows.filter((item) => item.missingSince === null).map((item) => [item.name, item]));
  const unknown: string[] = [];
  const changed: string[] = [];
  for (const [index, name] of listing.names.entries()) {
    const item = known.get(name);
    known.delete(name);
    if (item === undefined) unknown.push(name);
    else if (item.identity !== listingEntry(listing, index).identity) changed.push(name);
  }
  return { unknown, gone: [...known.keys()], changed };
}

import type { Database, Transaction } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { DiskEntry, DiskListing } from '../storage/disk.ts';
import { listingEntry } from '../storage/disk-entry.ts';
import { ITEM_COLUMNS, type Item, type ItemRow, itemOf } from './items.ts';
import { rememberChild, rememberFolders } from './remember.ts';
import { way } from './way.ts';

/**
 * Brings the rows of one folder in line with what the disk just said, by the rule of the house: a path match wins;
 * an unmatched entry takes over the row of a missing item only when its identity agrees; otherwise it is a new item.
 * Rows without an entry become missing. Nothing is written when nothing changed.
 * @param isStill whether the appliance has changed nothing here since the listing was taken, and does not now
 * @returns the item of every name in the listing, or null when the listing is too old to be believed
 */
export async function reconcileFolder(
  database: Database,
  clock: Clock,
  homeId: string,
  listing: DiskListing,
  isStill: () => boolean,
): Promise<Map<string, Item> | null> {
  const known = await childrenOf(database, homeId, listing.folders);
  const isCurrent =
    known !== null &&
    known.filter((item) => item.missingSince === null).length === listing.names.length &&
    matches(known, listing);
  if (isCurrent) return new Map(known.filter((item) => item.missingSince === null).map((item) => [item.name, item]));
  if (known === null && listing.names.length === 0) return new Map();
  return database.write(async (tx) => {
    return isStill() ? reconcile(tx, clock, homeId, listing) : null;
  });
}

/** The same for several folders in one transaction, in which nothing of ours changes meanwhile. */
export async function reconcileFolders(
  database: Pick<Database, 'write'>,
  clock: Clock,
  homeId: string,
  listings: readonly DiskListing[],
): Promise<void> {
  await database.write(async (tx) => {
    for (const listing of listings) await reconcile(tx, clock, homeId, listing);
  });
}

function matches(known: readonly Item[], listing: DiskListing): boolean {
  const byName = new Map(known.map((item) => [item.name, item]));
  return listing.names.every((name, index) => {
    const item = byName.get(name);
    return item !== undefined && item.missingSince === null && agrees(item, listingEntry(listing, index));
  });
}

function agrees(item: Item, entry: DiskEntry): boolean {
  return item.isDir === entry.isDir && item.identity === entry.identity && item.mtime === entry.mtime;
}

async function reconcile(
  tx: Transaction,
  clock: Clock,
  homeId: string,
  listing: DiskListing,
): Promise<Map<string, Item>> {
  const parentId = await rememberFolders(tx, homeId, listing.folders);
  const rows = (await tx.all<ItemRow>(`SELECT ${ITEM_COLUMNS} FROM items WHERE parent_id = ?`, [parentId])).map(itemOf);
  const byName = new Map(rows.map((item) => [item.name, item]));
  const entries = listing.names.map((_, index) => listingEntry(listing, index));
  const present = new Set(listing.names);

  const gone = rows.filter((item) => item.missingSince === null && !present.has(item.name));
  if (gone.length > 0)
    await tx.run('UPDATE items SET missing_since = ? WHERE id IN (SELECT value FROM json_each(?))', [
      clock.now(),
      JSON.stringify(gone.map((item) => item.id)),
    ]);

  const result = new Map<string, Item>();
  const unmatched: DiskEntry[] = [];
  for (const entry of entries) {
    const item = byName.get(entry.name);
    if (item === undefined) unmatched.push(entry);
    else if (item.missingSince === null && agrees(item, entry)) result.set(entry.name, item);
    else result.set(entry.name, await rememberChild(tx, homeId, parentId, entry));
  }
  await takeOver(tx, homeId, parentId, unmatched);
  await insertMany(tx, homeId, parentId, unmatched);
  if (unmatched.length > 0) {
    const fresh = await tx.all<ItemRow>(
      `SELECT ${ITEM_COLUMNS} FROM items WHERE parent_id = ? AND name IN (SELECT value FROM json_each(?))`,
      [parentId, JSON.stringify(unmatched.map((entry) => entry.name))],
    );
    for (const row of fresh) result.set(row.name, itemOf(row));
  }
  return result;
}

/** A missing item of this home with the very same identity was moved or renamed by other means: it keeps its row. */
async function takeOver(
  tx: Transaction,
  homeId: string,
  parentId: number,
  entries: readonly DiskEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const candidates = await tx.all<{ id: number; identity: string }>(
    `SELECT id, identity FROM items WHERE home_id = ? AND missing_since IS NOT NULL
     AND identity IN (SELECT value FROM json_each(?)) ORDER BY missing_since`,
    [homeId, JSON.stringify(entries.map((entry) => entry.identity).filter(isTelling))],
  );
  const byIdentity = new Map(candidates.map(({ id, identity }) => [identity, id]));
  for (const entry of entries) {
    const id = byIdentity.get(entry.identity);
    byIdentity.delete(entry.identity);
    if (id === undefined) continue;
    await tx.run(
      'UPDATE OR IGNORE items SET parent_id = ?, name = ?, size = ?, mtime = ?, missing_since = NULL WHERE id = ?',
      [parentId, entry.name, entry.size, entry.mtime, id],
    );
  }
}

/** Where a disk keeps no birth time, a folder's identity is its inode alone, and inodes are used again at once. */
function isTelling(identity: string): boolean {
  return !/^d\d+\.0$/.test(identity);
}

/** One statement for many rows: eight times as fast as one by one. What was taken over already stays as it is. */
async function insertMany(
  tx: Transaction,
  homeId: string,
  parentId: number,
  entries: readonly DiskEntry[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += 1_000) {
    const rows = entries
      .slice(start, start + 1_000)
      .map((entry) => [crypto.randomUUID(), entry.name, entry.isDir ? 1 : 0, entry.size, entry.mtime, entry.identity]);
    await tx.run(
      `INSERT OR IGNORE INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity)
       SELECT value->>0, ?, ?, value->>1, value->>2, value->>3, value->>4, value->>5 FROM json_each(?)`,
      [homeId, parentId, JSON.stringify(rows)],
    );
  }
}

/** @returns null when not all folders on the way have rows yet */
export async function childrenOf(
  database: Pick<Database, 'all'>,
  homeId: string,
  folders: readonly DiskEntry[],
): Promise<Item[] | null> {
  const rows = await database.all<ItemRow>(
    `WITH RECURSIVE ${way('?1', '?2')}
     SELECT ${ITEM_COLUMNS} FROM items WHERE parent_id = (SELECT id FROM way WHERE depth = ?3)`,
    [homeId, JSON.stringify(folders.map((folder) => folder.name)), folders.length - 1],
  );
  if (rows.length === 0) return null;
  return rows.map(itemOf);
}

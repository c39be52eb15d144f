import type { Database, Transaction } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Disk, DiskEntry, DiskListing } from '../storage/disk.ts';
import { listingEntry } from '../storage/disk-entry.ts';
import { type Arrival, arrivalsAmong, rowsToTakeOver } from './arrivals.ts';
import type { Home } from './homes.ts';
import { entryColumns, ITEM_COLUMNS, type Item, type ItemRow, itemOf, nameColumns } from './items.ts';
import { forget, rememberChild, rememberFolders } from './remember.ts';
import { way } from './way.ts';

export interface ReconcileParts {
  readonly database: Pick<Database, 'all' | 'write'>;
  readonly disk: Disk;
  readonly clock: Clock;
}

/** The items of a folder, by name. */
export type ItemsByName = Map<string, Item>;

/**
 * Brings the rows of folders in line with what the disk just said, by the rule of the house: a path match wins; an
 * unmatched entry takes over the row of an item that has gone from its place, when its identity agrees; otherwise it is a
 * new item. Rows without an entry become missing. Nothing is written when nothing changed; what is, is in one transaction.
 * @param isStill whether the appliance has changed nothing here since the listings were taken, and does not now
 * @returns the items of each listing, or null when the listings are too old to be believed
 */
export async function reconcileFolders(
  parts: ReconcileParts,
  home: Home,
  listings: readonly DiskListing[],
  isStill: () => boolean,
): Promise<ItemsByName[] | null> {
  const results: ItemsByName[] = [];
  const changed: { listing: DiskListing; index: number; unknown: DiskEntry[] }[] = [];
  for (const [index, listing] of listings.entries()) {
    const known = await childrenOf(parts.database, home.id, listing.folders);
    const present = (known ?? []).filter((item) => item.missingSince === null);
    if (present.length === listing.names.length && matches(present, listing)) {
      results[index] = new Map(present.map((item) => [item.name, item]));
      continue;
    }
    const byName = new Map(present.map((item) => [item.name, item]));
    const entries = listing.names.map((_, place) => listingEntry(listing, place));
    const unknown = entries.filter(({ name, isDir }) => byName.get(name)?.isDir !== isDir);
    changed.push({ listing, index, unknown });
  }
  if (changed.length === 0) return results;
  const arrivals = await arrivalsAmong(
    parts,
    home,
    changed.flatMap(({ unknown }) => unknown),
  );
  for (const { listing, unknown } of changed) {
    if (!(await addInPieces(parts, home, listing, unknown, arrivals, isStill))) return null;
  }
  return parts.database.write(async (tx) => {
    if (!isStill()) return null;
    // First what has gone, everywhere: it may have come into another of these folders.
    const parents: number[] = [];
    for (const { listing } of changed) parents.push(await missGone(tx, parts.clock, home.id, listing));
    for (const [place, { listing, index }] of changed.entries()) {
      results[index] = await reconcile(tx, home.id, parents[place] ?? 0, listing, arrivals);
    }
    return results;
  });
}

/** Entries that are added in one transaction: others wait for it. */
const PIECE = 2_000;

/**
 * Of a folder in which very many are new, all but the last piece of them, each in a transaction of its own.
 * @returns false when the listing is too old to be believed
 */
async function addInPieces(
  { database }: ReconcileParts,
  home: Home,
  listing: DiskListing,
  unknown: readonly DiskEntry[],
  arrivals: readonly Arrival[],
  isStill: () => boolean,
): Promise<boolean> {
  for (let start = 0; unknown.length - start > PIECE; start += PIECE) {
    const added = await database.write(async (tx) => {
      if (!isStill()) return false;
      const parentId = await rememberFolders(tx, home.id, listing.folders);
      await add(tx, home.id, parentId, unknown.slice(start, start + PIECE), arrivals);
      return true;
    });
    if (!added) return false;
  }
  return true;
}

function matches(known: readonly Item[], listing: DiskListing): boolean {
  const byName = new Map(known.map((item) => [item.name, item]));
  return listing.names.every((name, index) => {
    const item = byName.get(name);
    return item !== undefined && agrees(item, listingEntry(listing, index));
  });
}

function agrees(item: Item, entry: DiskEntry): boolean {
  return item.isDir === entry.isDir && item.identity === entry.identity && item.mtime === entry.mtime;
}

/** Rows of the folder that the disk has nothing for become missing. @returns the id of the folder's own row */
async function missGone(tx: Transaction, clock: Clock, homeId: string, listing: DiskListing): Promise<number> {
  const parentId = await rememberFolders(tx, homeId, listing.folders);
  const rows = await tx.all<{ id: number; name: string }>(
    'SELECT id, name FROM items WHERE parent_id = ? AND missing_since IS NULL',
    [parentId],
  );
  const present = new Set(listing.names);
  const gone = rows.filter(({ name }) => !present.has(name));
  if (gone.length > 0)
    await tx.run('UPDATE items SET missing_since = ? WHERE id IN (SELECT value FROM json_each(?))', [
      clock.now(),
      JSON.stringify(gone.map(({ id }) => id)),
    ]);
  return parentId;
}

async function reconcile(
  tx: Transaction,
  homeId: string,
  parentId: number,
  listing: DiskListing,
  arrivals: readonly Arrival[],
): Promise<ItemsByName> {
  const rows = await tx.all<ItemRow>(`SELECT ${ITEM_COLUMNS} FROM items WHERE parent_id = ?`, [parentId]);
  const byName = new Map(rows.map(itemOf).map((item) => [item.name, item]));
  const result: ItemsByName = new Map();
  const unmatched: DiskEntry[] = [];
  for (const entry of listing.names.map((_, index) => listingEntry(listing, index))) {
    const item = byName.get(entry.name);
    if (item !== undefined && item.isDir !== entry.isDir) await forget(tx, item);
    if (item?.isDir !== entry.isDir) unmatched.push(entry);
    else if (item.missingSince === null && agrees(item, entry)) result.set(entry.name, item);
    else result.set(entry.name, await rememberChild(tx, homeId, parentId, entry));
  }
  if (unmatched.length === 0) return result;
  await add(tx, homeId, parentId, unmatched, arrivals);
  const fresh = await tx.all<ItemRow>(
    `SELECT ${ITEM_COLUMNS} FROM items WHERE parent_id = ? AND name IN (SELECT value FROM json_each(?))`,
    [parentId, JSON.stringify(unmatched.map((entry) => entry.name))],
  );
  for (const row of fresh) result.set(row.name, itemOf(row));
  return result;
}

/** Rows for entries that have none at their path. */
async function add(
  tx: Transaction,
  homeId: string,
  parentId: number,
  entries: readonly DiskEntry[],
  arrivals: readonly Arrival[],
): Promise<void> {
  await takeOver(tx, homeId, parentId, entries, arrivals);
  await insertMany(tx, homeId, parentId, entries);
}

/** What was moved or renamed by other means keeps its row, and with it everything below it. */
async function takeOver(
  tx: Transaction,
  homeId: string,
  parentId: number,
  entries: readonly DiskEntry[],
  arrivals: readonly Arrival[],
): Promise<void> {
  const rows = await rowsToTakeOver(tx, homeId, entries, arrivals);
  for (const entry of entries) {
    const id = rows.get(entry.identity);
    rows.delete(entry.identity);
    if (id === undefined) continue;
    await tx.run(
      `UPDATE OR IGNORE items SET parent_id = ?, name = ?, name_fold = ?, kind = ?, size = ?, mtime = ?, missing_since = NULL
       WHERE id = ?`,
      [parentId, entry.name, ...nameColumns(entry), entry.size, entry.mtime, id],
    );
  }
}

/** One statement for many rows: eight times as fast as one by one. What has a row already keeps it as it is. */
async function insertMany(
  tx: Transaction,
  homeId: string,
  parentId: number,
  entries: readonly DiskEntry[],
): Promise<void> {
  const rows = entries.map((entry) => [crypto.randomUUID(), ...entryColumns(entry)]);
  await tx.run(
    `INSERT OR IGNORE INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity)
     SELECT value->>0, ?, ?, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7 FROM json_each(?)`,
    [homeId, parentId, JSON.stringify(rows)],
  );
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

/** How many of the folders that lead to a place have rows, the root included. */
export async function knownDepth(
  database: Pick<Database, 'get'>,
  homeId: string,
  segments: readonly string[],
): Promise<number> {
  const row = await database.get<{ depth: number }>(
    `WITH RECURSIVE ${way('?1', '?2')} SELECT max(depth) + 1 AS depth FROM way`,
    [homeId, JSON.stringify(['', ...segments])],
  );
  return row?.depth ?? 0;
}

import type { Database, Transaction } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Disk, DiskEntry, DiskListing } from '../storage/disk.ts';
import { listingEntry } from '../storage/disk-entry.ts';
import { type Arrival, arrivalsAmong, rowsToTakeOver } from './arrivals.ts';
import type { Home } from './homes.ts';
import { entryColumns, ITEM_COLUMNS, type Item, type ItemRow, itemOf, nameColumns } from './items.ts';
import { forget, rememberMany, WayThere } from './remember.ts';
import { way } from './way.ts';

export interface ReconcileParts {
  readonly database: Pick<Database, 'all' | 'write'>;
  readonly disk: Disk;
  readonly clock: Clock;
}

/** What the disk said of a folder. */
export interface Listed {
  readonly listing: DiskListing;
  /** Of the folder's row, where it is known. */
  readonly id?: number | undefined;
}

/** The items of a folder, by name. */
export type ItemsByName = Map<string, Item>;

/** A folder whose rows are not what the disk says. */
interface Changed {
  readonly index: number;
  readonly listing: DiskListing;
  /** Entries that have no row of their kind at their path. */
  readonly unknown: readonly DiskEntry[];
  /** Entries whose row says something else of them. */
  readonly edited: readonly DiskEntry[];
}

/** An entry and the row of the folder that it is in. */
interface Added {
  readonly parentId: number;
  readonly entry: DiskEntry;
}

/** Entries that are written in one transaction: others wait for it. */
const PIECE = 2_000;

/**
 * Brings the rows of folders in line with what the disk just said, by the rule of the house: a path match wins; an
 * unmatched entry takes over the row of an item that has gone from its place, when its identity agrees; otherwise it is a
 * new item. Rows without an entry become missing. Nothing is written when nothing changed; what is, is in one transaction,
 * but for folders with very many new entries.
 * @param isStill whether the appliance has changed nothing here since the listings were taken, and does not now
 * @returns the items of each listing, or null when the listings are too old to be believed
 */
export async function reconcileFolders(
  parts: ReconcileParts,
  home: Home,
  listed: readonly Listed[],
  isStill: () => boolean,
): Promise<ItemsByName[] | null> {
  const { results, changed } = await compared(parts.database, home.id, listed);
  if (changed.length === 0) return results;
  const unknown = changed.flatMap((one) => one.unknown);
  const arrivals = await arrivalsAmong(parts, home, unknown);
  if (!(await writeInPieces(parts, home.id, changed, arrivals, isStill))) return null;
  return parts.database.write(async (tx) => {
    if (!isStill()) return null;
    const reconciled = await reconcile(tx, parts.clock, home.id, changed, arrivals);
    for (const [place, { index }] of changed.entries()) results[index] = reconciled[place] ?? new Map();
    return results;
  });
}

/** What is known of the entries of a folder without writing anything: those that have a row of their kind at their path. */
export async function knownOf(
  database: Pick<Database, 'all'>,
  homeId: string,
  listing: DiskListing,
): Promise<ItemsByName> {
  const [items = new Map<string, Item>()] = await presentItems(database, homeId, [{ listing }]);
  const known: ItemsByName = new Map();
  for (const { name, isDir } of listing.names.map((_, place) => listingEntry(listing, place))) {
    const item = items.get(name);
    if (item?.isDir === isDir) known.set(name, item);
  }
  return known;
}

/** Which of the folders are in line already, with their items, and which are not. */
async function compared(
  database: Pick<Database, 'all'>,
  homeId: string,
  listed: readonly Listed[],
): Promise<{ results: ItemsByName[]; changed: Changed[] }> {
  const known = await presentItems(database, homeId, listed);
  const results: ItemsByName[] = [];
  const changed: Changed[] = [];
  for (const [index, { listing }] of listed.entries()) {
    const items = known[index] ?? new Map<string, Item>();
    const entries = listing.names.map((_, place) => listingEntry(listing, place));
    const isCurrent = items.size === entries.length && entries.every((entry) => agrees(items.get(entry.name), entry));
    if (isCurrent) results[index] = items;
    else {
      const isKnown = ({ name, isDir }: DiskEntry) => items.get(name)?.isDir === isDir;
      const unknown = entries.filter((entry) => !isKnown(entry));
      const edited = entries.filter((entry) => isKnown(entry) && !agrees(items.get(entry.name), entry));
      changed.push({ index, listing, unknown, edited });
    }
  }
  return { results, changed };
}

/** The items of folders that are not missing: those of all folders whose rows are known with one statement. */
async function presentItems(
  database: Pick<Database, 'all'>,
  homeId: string,
  listed: readonly Listed[],
): Promise<ItemsByName[]> {
  const byParent = new Map<number, ItemsByName>(
    listed.flatMap(({ id }) => (id === undefined ? [] : [[id, new Map()]])),
  );
  const rows = byParent.size === 0 ? [] : await childrenOfAll(database, [...byParent.keys()]);
  for (const row of rows) {
    if (row.missing_since === null) byParent.get(row.parent_id ?? 0)?.set(row.name, itemOf(row));
  }
  const results: ItemsByName[] = [];
  for (const { listing, id } of listed) {
    if (id !== undefined) results.push(byParent.get(id) ?? new Map());
    else {
      const items = (await childrenOf(database, homeId, listing.folders)) ?? [];
      results.push(new Map(items.filter((item) => item.missingSince === null).map((item) => [item.name, item])));
    }
  }
  return results;
}

function agrees(item: Item | undefined, entry: DiskEntry): boolean {
  return item?.isDir === entry.isDir && item.identity === entry.identity && item.mtime === entry.mtime;
}

/**
 * Of folders in which very many are new or changed, all but the last piece of them, each piece in a transaction of its own.
 * @returns false when the listing is too old to be believed
 */
async function writeInPieces(
  { database }: ReconcileParts,
  homeId: string,
  changed: readonly Changed[],
  arrivals: readonly Arrival[],
  isStill: () => boolean,
): Promise<boolean> {
  const write = (listing: DiskListing, work: (tx: Transaction, parentId: number) => Promise<unknown>) =>
    database.write(async (tx) => {
      if (!isStill()) return false;
      await work(tx, await new WayThere(tx, homeId).to(listing.folders));
      return true;
    });
  for (const { listing, unknown, edited } of changed) {
    for (const piece of piecesOf(edited)) {
      if (!(await write(listing, (tx, parentId) => rememberMany(tx, parentId, piece)))) return false;
    }
    for (const piece of piecesOf(unknown)) {
      const isWritten = await write(listing, (tx, parentId) =>
        add(
          tx,
          homeId,
          piece.map((entry) => ({ parentId, entry })),
          arrivals,
        ),
      );
      if (!isWritten) return false;
    }
  }
  return true;
}

/** Whole pieces: what is left after them goes with the rest. */
function* piecesOf(entries: readonly DiskEntry[]): Generator<readonly DiskEntry[]> {
  for (let start = 0; entries.length - start > PIECE; start += PIECE) yield entries.slice(start, start + PIECE);
}

async function reconcile(
  tx: Transaction,
  clock: Clock,
  homeId: string,
  changed: readonly Changed[],
  arrivals: readonly Arrival[],
): Promise<ItemsByName[]> {
  const wayThere = new WayThere(tx, homeId);
  const parents: number[] = [];
  for (const { listing } of changed) parents.push(await wayThere.to(listing.folders));
  const rows = new Map<number, ItemsByName>(parents.map((id) => [id, new Map()]));
  for (const row of await childrenOfAll(tx, parents)) rows.get(row.parent_id ?? 0)?.set(row.name, itemOf(row));
  // First what has gone, everywhere: it may have come into another of these folders.
  await missGone(tx, clock, changed, (place) => rows.get(parents[place] ?? 0) ?? new Map());
  const results: ItemsByName[] = [];
  const unmatched: (Added & { readonly result: ItemsByName })[] = [];
  for (const [place, { listing }] of changed.entries()) {
    const parentId = parents[place] ?? 0;
    const result: ItemsByName = new Map();
    const edited: DiskEntry[] = [];
    for (const entry of listing.names.map((_, index) => listingEntry(listing, index))) {
      const item = rows.get(parentId)?.get(entry.name);
      if (item !== undefined && item.isDir !== entry.isDir) await forget(tx, item);
      if (item?.isDir !== entry.isDir) unmatched.push({ parentId, entry, result });
      else if (item.missingSince === null && agrees(item, entry)) result.set(entry.name, item);
      else edited.push(entry);
    }
    for (const item of await rememberMany(tx, parentId, edited)) result.set(item.name, item);
    results.push(result);
  }
  const added = await add(tx, homeId, unmatched, arrivals);
  for (const { parentId, entry, result } of unmatched) {
    const item = added.get(`${parentId}/${entry.name}`);
    if (item !== undefined) result.set(entry.name, item);
  }
  return results;
}

/** Rows of the folders that the disk has nothing for become missing. */
async function missGone(
  tx: Transaction,
  clock: Clock,
  changed: readonly Changed[],
  itemsOf: (place: number) => ItemsByName,
): Promise<void> {
  const gone = changed.flatMap(({ listing }, place) => {
    const present = new Set(listing.names);
    return [...itemsOf(place).values()].filter(({ name, missingSince }) => missingSince === null && !present.has(name));
  });
  if (gone.length === 0) return;
  await tx.run('UPDATE items SET missing_since = ? WHERE id IN (SELECT value FROM json_each(?))', [
    clock.now(),
    JSON.stringify(gone.map(({ id }) => id)),
  ]);
}

/** Rows for entries that have none at their path. @returns the items by the ids of their folders and their names */
async function add(
  tx: Transaction,
  homeId: string,
  added: readonly Added[],
  arrivals: readonly Arrival[],
): Promise<Map<string, Item>> {
  if (added.length === 0) return new Map();
  const takenOver = await takeOver(tx, homeId, added, arrivals);
  const rows = await insertMany(tx, homeId, added);
  if (takenOver.length > 0) {
    rows.push(
      ...(await tx.all<ItemRow>(`SELECT ${ITEM_COLUMNS} FROM items WHERE id IN (SELECT value FROM json_each(?))`, [
        JSON.stringify(takenOver),
      ])),
    );
  }
  return new Map(rows.map((row) => [`${row.parent_id}/${row.name}`, itemOf(row)]));
}

/** What was moved or renamed by other means keeps its row, and with it everything below it. @returns the ids */
async function takeOver(
  tx: Transaction,
  homeId: string,
  added: readonly Added[],
  arrivals: readonly Arrival[],
): Promise<number[]> {
  const rows = await rowsToTakeOver(
    tx,
    homeId,
    added.map(({ entry }) => entry),
    arrivals,
  );
  const takenOver: number[] = [];
  for (const { parentId, entry } of rows.size === 0 ? [] : added) {
    const id = rows.get(entry.identity);
    rows.delete(entry.identity);
    if (id === undefined) continue;
    const { changes } = await tx.run(
      `UPDATE OR IGNORE items SET parent_id = ?, name = ?, name_fold = ?, kind = ?, size = ?, mtime = ?, missing_since = NULL
       WHERE id = ?`,
      [parentId, entry.name, ...nameColumns(entry), entry.size, entry.mtime, id],
    );
    if (changes > 0) takenOver.push(id);
  }
  return takenOver;
}

/** One statement for many rows: eight times as fast as one by one. What has a row already keeps it as it is. */
async function insertMany(tx: Transaction, homeId: string, added: readonly Added[]): Promise<ItemRow[]> {
  const rows = added.map(({ parentId, entry }) => [crypto.randomUUID(), parentId, ...entryColumns(entry)]);
  return tx.all<ItemRow>(
    `INSERT OR IGNORE INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity)
     SELECT value->>0, ?, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8
     FROM json_each(?) RETURNING ${ITEM_COLUMNS}`,
    [homeId, JSON.stringify(rows)],
  );
}

function childrenOfAll(database: Pick<Database, 'all'>, parents: readonly number[]): Promise<ItemRow[]> {
  return database.all<ItemRow>(
    `SELECT ${ITEM_COLUMNS} FROM items WHERE parent_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(parents)],
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

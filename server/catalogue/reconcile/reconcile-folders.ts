import type { FilesDatabase, Transaction } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Unchanged } from '../../lib/unchanged.ts';
import type { Disk, DiskEntry, DiskListing } from '../../storage/disk/disk.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import type { Home } from '../homes.ts';
import { entryColumns, isUpToDate, nameColumns, seenContent, touchedColumn } from '../items.ts';
import { childrenOf, childrenOfAll, FolderItems, LISTED_COLUMNS, type ListedRow } from '../listings/folder-items.ts';
import { way } from '../path-query.ts';
import { AncestorPaths, forget, rememberMany } from '../remember.ts';
import { type Arrival, arrivalsAmong, forgetForArrivals, rowsToTakeOver } from './arrivals.ts';
import { markContentsOfReplaced } from './missing.ts';

export interface ReconcileParts {
  readonly database: Pick<FilesDatabase, 'all' | 'write'>;
  readonly disk: Disk;
  readonly clock: Clock;
}

/** The disk's listing of a folder, with the id of its row if known, or of some names in it: other rows are left as they are. */
export type Listed =
  | { readonly listing: DiskListing; readonly id?: number | undefined; readonly only?: undefined }
  | { readonly listing: DiskListing; readonly id?: undefined; readonly only: readonly string[] };

/** A folder whose rows differ from the disk. Entries are given by their indexes in its listing. */
interface Changed {
  readonly index: number;
  readonly listing: DiskListing;
  readonly only: readonly string[] | undefined;
  /** Entries without a row of their type at their path. */
  readonly unknown: readonly number[];
  /** Entries whose row differs. */
  readonly edited: readonly number[];
}

/** An entry and the row of its folder. */
interface Added {
  readonly parentId: number;
  readonly entry: DiskEntry;
}

/** Entries per transaction, so that other writers do not wait long. */
const CHUNK = 1_000;

/**
 * Reconciles the rows of folders with their listings: a path match wins; an entry without one takes over the row of an item with
 * the same identity that has left its location, also where another item has been missing for a while; otherwise it is a new item.
 * Rows without an entry become missing. Nothing is written without a difference; changes are in one transaction, except for folders
 * with very many new entries.
 * @param isUnchanged whether none of our operations has changed anything here since the listings were taken
 * @returns the items of each listing, or null when the listings are outdated
 */
export async function reconcileFolders(
  parts: ReconcileParts,
  home: Home,
  listed: readonly Listed[],
  isUnchanged: Unchanged,
): Promise<FolderItems[] | null> {
  const { results, changed } = await compared(parts.database, home.id, listed);
  if (changed.length === 0) return results;
  const arrivals: Arrival[] = [];
  for (const { listing, unknown } of changed) {
    for (let start = 0; start < unknown.length; start += CHUNK) {
      arrivals.push(...(await arrivalsAmong(parts, home, entriesAt(listing, unknown.slice(start, start + CHUNK)))));
    }
  }
  if (!(await writeInChunks(parts, home.id, changed, arrivals, isUnchanged))) return null;
  return parts.database.write(async (tx) => {
    if (!isUnchanged()) return null;
    const reconciled = await reconcile(tx, parts.clock, home.id, changed, arrivals);
    for (const [location, { index }] of changed.entries()) results[index] = reconciled[location] ?? new FolderItems(0);
    return results;
  });
}

/** The known items of a folder's entries, without writing: those with a row of their type at their path. */
export async function knownOf(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  listing: DiskListing,
): Promise<FolderItems> {
  const comparison = compareWith(listing);
  for await (const rows of childrenOf(database, homeId, listing.folders)) for (const row of rows) comparison.take(row);
  return comparison.items;
}

/** Separates folders that match their rows, with their items, from those that do not. */
async function compared(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  listed: readonly Listed[],
): Promise<{ results: FolderItems[]; changed: Changed[] }> {
  const comparisons = listed.map(({ listing }) => compareWith(listing));
  const byParent = new Map(
    listed.flatMap(({ id }, index) => (id === undefined ? [] : [[id, comparisons[index]] as const])),
  );
  if (byParent.size > 0) {
    for await (const rows of childrenOfAll(database, [...byParent.keys()])) {
      for (const row of rows) byParent.get(row.parent_id ?? 0)?.take(row);
    }
  }
  const results: FolderItems[] = [];
  const changed: Changed[] = [];
  for (const [index, { listing, id, only }] of listed.entries()) {
    const comparison = comparisons[index] ?? compareWith(listing);
    if (id === undefined) {
      for await (const rows of childrenOf(database, homeId, listing.folders, only))
        for (const row of rows) comparison.take(row);
    }
    const { items, edited } = comparison;
    const { length } = listing.names;
    if (items.count === length && edited.length === 0 && !comparison.hasOthers()) results[index] = items;
    else changed.push({ index, listing, only, unknown: Array.from(unknownIn(items, length)), edited });
  }
  return { results, changed };
}

/** Compares the rows of a folder with its listing, one after the other. Missing items are ignored. */
interface Comparison {
  readonly items: FolderItems;
  /** Entries whose row differs. */
  readonly edited: readonly number[];
  /** Whether there was a row without a matching entry. */
  hasOthers(): boolean;
  take(row: ListedRow): void;
}

function compareWith(listing: DiskListing): Comparison {
  const items = new FolderItems(listing.names.length);
  const edited: number[] = [];
  const indexes = indexesIn(listing);
  let hasOthers = false;
  return {
    items,
    edited,
    hasOthers: () => hasOthers,
    take(row) {
      if (row.missing_since !== null) return;
      const index = indexes.get(row.name);
      if (index === undefined || isDirAt(listing, index) !== (row.is_dir === 1)) {
        hasOthers = true;
        return;
      }
      items.set(index, row);
      items.parentId = row.parent_id;
      if (!agrees(row, listingEntry(listing, index))) edited.push(index);
    },
  };
}

function indexesIn({ names }: DiskListing): Map<string, number> {
  const indexes = new Map<string, number>();
  for (const [index, name] of names.entries()) indexes.set(name, index);
  return indexes;
}

function isDirAt({ folderCount }: DiskListing, index: number): boolean {
  return index < folderCount;
}

function* unknownIn(items: FolderItems, length: number): Generator<number> {
  for (let index = 0; index < length; index += 1) if (!items.has(index)) yield index;
}

function entriesAt(listing: DiskListing, indexes: readonly number[]): DiskEntry[] {
  return indexes.map((index) => listingEntry(listing, index));
}

function agrees(row: ListedRow, entry: DiskEntry): boolean {
  return isUpToDate({ ...row, isDir: row.is_dir === 1 }, entry);
}

/**
 * For folders with very many changes: writes all but the last batch, each in a transaction of its own.
 * @returns false when the listing is outdated
 */
async function writeInChunks(
  { database }: ReconcileParts,
  homeId: string,
  changed: readonly Changed[],
  arrivals: readonly Arrival[],
  isUnchanged: Unchanged,
): Promise<boolean> {
  const write = (listing: DiskListing, work: (tx: Transaction, parentId: number) => Promise<unknown>) =>
    database.write(async (tx) => {
      if (!isUnchanged()) return false;
      await work(tx, await new AncestorPaths(tx, homeId).to(listing.folders));
      return true;
    });
  for (const { listing, unknown, edited } of changed) {
    for (const chunk of chunksOf(edited)) {
      const entries = entriesAt(listing, chunk);
      if (!(await write(listing, (tx, parentId) => rememberMany(tx, parentId, entries)))) return false;
    }
    for (const chunk of chunksOf(unknown)) {
      const entries = entriesAt(listing, chunk);
      const isWritten = await write(listing, (tx, parentId) =>
        add(
          tx,
          homeId,
          entries.map((entry) => ({ parentId, entry })),
          arrivals,
        ),
      );
      if (!isWritten) return false;
    }
  }
  return true;
}

/** Whole batches: the rest is written with the final transaction. */
function* chunksOf(indexes: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; indexes.length - start > CHUNK; start += CHUNK) yield indexes.slice(start, start + CHUNK);
}

/** The changes a folder needs according to its rows, read within the transaction. */
interface Work {
  readonly parentId: number;
  readonly listing: DiskListing;
  readonly items: FolderItems;
  /** Entries whose row is missing, or differs. */
  readonly edited: number[];
  /** The ids of rows without an entry. */
  readonly gone: number[];
  /** Rows of a file that is now a folder, or the reverse. */
  readonly ofOtherKind: ListedRow[];
  /** Rows of missing items with another identity than what has their names. */
  readonly missed: { readonly row: ListedRow; readonly entry: DiskEntry }[];
}

async function reconcile(
  tx: Transaction,
  clock: Clock,
  homeId: string,
  changed: readonly Changed[],
  arrivals: readonly Arrival[],
): Promise<FolderItems[]> {
  const ancestors = new AncestorPaths(tx, homeId);
  const works: Work[] = [];
  for (const { listing, only } of changed)
    works.push(await workIn(tx, await ancestors.to(listing.folders), listing, only));
  // First marks everything missing, because an item may have moved into another of these folders.
  await markMissing(
    tx,
    clock,
    works.flatMap(({ gone }) => gone),
  );
  await markContentsOfReplaced(
    tx,
    works.flatMap(({ missed }) => missed.flatMap(({ row }) => (row.is_dir === 1 ? [row.id] : []))),
  );
  const unmatched: (Added & { readonly items: FolderItems; readonly index: number })[] = [];
  for (const { parentId, listing, items, edited: all, ofOtherKind, missed } of works) {
    for (const row of ofOtherKind) await forget(tx, row);
    const arrived = await forgetForArrivals(tx, homeId, missed, arrivals, clock.now());
    const edited = arrived.size === 0 ? all : all.filter((index) => !arrived.has(listing.names[index] ?? ''));
    const edits = new Map(entriesAt(listing, edited).map(({ name }, at) => [name, edited[at] ?? 0]));
    for (const item of await rememberMany(tx, parentId, entriesAt(listing, edited))) {
      const index = edits.get(item.name);
      if (index !== undefined) items.set(index, item);
      edits.delete(item.name);
    }
    const isEdited = new Set(edits.values());
    for (const index of unknownIn(items, listing.names.length)) {
      if (!isEdited.has(index)) unmatched.push({ parentId, entry: listingEntry(listing, index), items, index });
    }
  }
  const added = await add(tx, homeId, unmatched, arrivals);
  for (const { parentId, entry, items, index } of unmatched) {
    const item = added.get(`${parentId}/${entry.name}`);
    if (item !== undefined) items.set(index, item);
  }
  return works.map(({ items }) => items);
}

async function workIn(
  tx: Transaction,
  parentId: number,
  listing: DiskListing,
  only: readonly string[] | undefined,
): Promise<Work> {
  const work: Work = {
    parentId,
    listing,
    items: new FolderItems(listing.names.length),
    edited: [],
    gone: [],
    ofOtherKind: [],
    missed: [],
  };
  const indexes = indexesIn(listing);
  for await (const rows of childrenOfAll(tx, [parentId], only)) {
    for (const row of rows) {
      const index = indexes.get(row.name);
      if (index === undefined) {
        if (row.missing_since === null) work.gone.push(row.id);
      } else if (isDirAt(listing, index) !== (row.is_dir === 1)) work.ofOtherKind.push(row);
      else if (row.missing_since === null && agrees(row, listingEntry(listing, index))) work.items.set(index, row);
      else {
        work.edited.push(index);
        const entry = listingEntry(listing, index);
        if (row.missing_since !== null && row.identity !== entry.identity) work.missed.push({ row, entry });
      }
    }
  }
  return work;
}

/** Marks rows without an entry as missing. */
async function markMissing(tx: Transaction, clock: Clock, gone: readonly number[]): Promise<void> {
  if (gone.length === 0) return;
  await tx.run('UPDATE items SET missing_since = ? WHERE id IN (SELECT value FROM json_each(?))', [
    clock.now(),
    JSON.stringify(gone),
  ]);
}

/** Creates rows for entries without one. @returns the items by the ids of their folders and their names */
async function add(
  tx: Transaction,
  homeId: string,
  added: readonly Added[],
  arrivals: readonly Arrival[],
): Promise<Map<string, ListedRow>> {
  if (added.length === 0) return new Map();
  const takenOver = await takeOver(tx, homeId, added, arrivals);
  const rows = await insertMany(tx, homeId, added);
  if (takenOver.length > 0) {
    rows.push(
      ...(await tx.all<ListedRow>(`SELECT ${LISTED_COLUMNS} FROM items WHERE id IN (SELECT value FROM json_each(?))`, [
        JSON.stringify(takenOver),
      ])),
    );
  }
  return new Map(rows.map((row) => [`${row.parent_id}/${row.name}`, row]));
}

/** Items moved or renamed by another program keep their rows, and everything below them. @returns the ids */
async function takeOver(
  tx: Transaction,
  homeId: string,
  added: readonly Added[],
  arrivals: readonly Arrival[],
): Promise<number[]> {
  const identities = new Set(added.map(({ entry }) => entry.identity));
  const rows = await rowsToTakeOver(
    tx,
    homeId,
    added.map(({ entry }) => entry),
    arrivals.filter(({ identity }) => identities.has(identity)),
  );
  const takenOver: number[] = [];
  for (const { parentId, entry } of rows.size === 0 ? [] : added) {
    const id = rows.get(entry.identity);
    rows.delete(entry.identity);
    if (id === undefined) continue;
    const { changes } = await tx.run(
      `UPDATE OR IGNORE items SET parent_id = ?1, name = ?2, name_fold = ?3, kind = ?4, size = ?5, mtime = ?6,
         missing_since = NULL, ${seenContent({ identity: 'identity', size: '?5', mtime: '?6', touched: '?8' })}
       WHERE id = ?7`,
      [parentId, entry.name, ...nameColumns(entry), entry.size, entry.mtime, id, touchedColumn(entry)],
    );
    if (changes > 0) takenOver.push(id);
  }
  return takenOver;
}

/** One statement for many rows: eight times as fast as single ones. Existing rows stay unchanged. */
async function insertMany(tx: Transaction, homeId: string, added: readonly Added[]): Promise<ListedRow[]> {
  const rows = added.map(({ parentId, entry }) => [crypto.randomUUID(), parentId, ...entryColumns(entry)]);
  return tx.all<ListedRow>(
    `INSERT OR IGNORE INTO items
       (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity, touched, tag)
     SELECT value->>0, ?, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8,
       value->>9, value->>10
     FROM json_each(?) RETURNING ${LISTED_COLUMNS}`,
    [homeId, JSON.stringify(rows)],
  );
}

/** How many of the folders on a path have rows, the root included. */
export async function knownDepth(
  database: Pick<FilesDatabase, 'get'>,
  homeId: string,
  segments: readonly string[],
): Promise<number> {
  const row = await database.get<{ depth: number }>(
    `WITH RECURSIVE ${way('?1', '?2')} SELECT max(depth) + 1 AS depth FROM way`,
    [homeId, JSON.stringify(['', ...segments])],
  );
  return row?.depth ?? 0;
}

import type { FilesDatabase, Transaction } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Unchanged } from '../../lib/unchanged.ts';
import type { Disk, DiskEntry, DiskListing } from '../../storage/disk/disk.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import { childrenOf, childrenOfAll, FolderItems, LISTED_COLUMNS, type ListedRow } from '../folder-items.ts';
import type { Home } from '../homes.ts';
import { entryColumns, nameColumns } from '../items.ts';
import { way } from '../path-query.ts';
import { forget, rememberMany, WayThere } from '../remember.ts';
import { type Arrival, arrivalsAmong, rowsToTakeOver } from './arrivals.ts';

export interface ReconcileParts {
  readonly database: Pick<FilesDatabase, 'all' | 'write'>;
  readonly disk: Disk;
  readonly clock: Clock;
}

/** What the disk said of a folder. */
export interface Listed {
  readonly listing: DiskListing;
  /** Of the folder's row, where it is known. */
  readonly id?: number | undefined;
}

/** A folder whose rows are not what the disk says. Entries are said by their indexes in its listing. */
interface Changed {
  readonly index: number;
  readonly listing: DiskListing;
  /** Entries that have no row of their kind at their path. */
  readonly unknown: readonly number[];
  /** Entries whose row says something else of them. */
  readonly edited: readonly number[];
}

/** An entry and the row of the folder that it is in. */
interface Added {
  readonly parentId: number;
  readonly entry: DiskEntry;
}

/** Entries that are written in one transaction: others wait for it. */
const CHUNK = 1_000;

/**
 * Brings the rows of folders in line with what the disk just said, by the rule of the house: a path match wins; an
 * unmatched entry takes over the row of an item that has gone from its place, when its identity agrees; otherwise it is a
 * new item. Rows without an entry become missing. Nothing is written when nothing changed; what is, is in one transaction,
 * but for folders with very many new entries.
 * @param isUnchanged whether the appliance has changed nothing here since the listings were taken, and does not now
 * @returns the items of each listing, or null when the listings are too old to be believed
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
    for (const [place, { index }] of changed.entries()) results[index] = reconciled[place] ?? new FolderItems(0);
    return results;
  });
}

/** What is known of the entries of a folder without writing anything: those that have a row of their kind at their path. */
export async function knownOf(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  listing: DiskListing,
): Promise<FolderItems> {
  const looked = lookAt(listing);
  for await (const rows of childrenOf(database, homeId, listing.folders)) for (const row of rows) looked.take(row);
  return looked.items;
}

/** Which of the folders are in line already, with their items, and which are not. */
async function compared(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  listed: readonly Listed[],
): Promise<{ results: FolderItems[]; changed: Changed[] }> {
  const looked = listed.map(({ listing }) => lookAt(listing));
  const byParent = new Map(listed.flatMap(({ id }, index) => (id === undefined ? [] : [[id, looked[index]] as const])));
  if (byParent.size > 0) {
    for await (const rows of childrenOfAll(database, [...byParent.keys()])) {
      for (const row of rows) byParent.get(row.parent_id ?? 0)?.take(row);
    }
  }
  const results: FolderItems[] = [];
  const changed: Changed[] = [];
  for (const [index, { listing, id }] of listed.entries()) {
    const look = looked[index] ?? lookAt(listing);
    if (id === undefined) {
      for await (const rows of childrenOf(database, homeId, listing.folders)) for (const row of rows) look.take(row);
    }
    const { items, edited } = look;
    const { length } = listing.names;
    if (items.count === length && edited.length === 0 && !look.hasOthers()) results[index] = items;
    else changed.push({ index, listing, unknown: Array.from(unknownIn(items, length)), edited });
  }
  return { results, changed };
}

/** The rows of a folder held against its listing, one after the other. Those that are missing do not count. */
interface Look {
  readonly items: FolderItems;
  /** Entries whose row says something else of them. */
  readonly edited: readonly number[];
  /** Whether there was a row of something that the disk does not have so. */
  hasOthers(): boolean;
  take(row: ListedRow): void;
}

function lookAt(listing: DiskListing): Look {
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

/** @param row of something of the entry's kind */
function agrees(row: ListedRow, entry: DiskEntry): boolean {
  return row.identity === entry.identity && row.mtime === entry.mtime;
}

/**
 * Of folders in which very many are new or changed, all but the last chunk of them, each chunk in a transaction of its own.
 * @returns false when the listing is too old to be believed
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
      await work(tx, await new WayThere(tx, homeId).to(listing.folders));
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

/** Whole chunks: what is left after them goes with the rest. */
function* chunksOf(indexes: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; indexes.length - start > CHUNK; start += CHUNK) yield indexes.slice(start, start + CHUNK);
}

/** What a folder's rows, read within the transaction, ask to be done. */
interface Work {
  readonly parentId: number;
  readonly listing: DiskListing;
  readonly items: FolderItems;
  /** Entries whose row is missing, or says something else of them. */
  readonly edited: number[];
  /** The ids of rows that the disk has nothing for. */
  readonly gone: number[];
  /** Rows of a file where a folder is now, or the other way round. */
  readonly ofOtherKind: ListedRow[];
}

async function reconcile(
  tx: Transaction,
  clock: Clock,
  homeId: string,
  changed: readonly Changed[],
  arrivals: readonly Arrival[],
): Promise<FolderItems[]> {
  const wayThere = new WayThere(tx, homeId);
  const works: Work[] = [];
  for (const { listing } of changed) works.push(await workIn(tx, await wayThere.to(listing.folders), listing));
  // First what has gone, everywhere: it may have come into another of these folders.
  await missGone(
    tx,
    clock,
    works.flatMap(({ gone }) => gone),
  );
  const unmatched: (Added & { readonly items: FolderItems; readonly index: number })[] = [];
  for (const { parentId, listing, items, edited, ofOtherKind } of works) {
    for (const row of ofOtherKind) await forget(tx, row);
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

async function workIn(tx: Transaction, parentId: number, listing: DiskListing): Promise<Work> {
  const work: Work = {
    parentId,
    listing,
    items: new FolderItems(listing.names.length),
    edited: [],
    gone: [],
    ofOtherKind: [],
  };
  const indexes = indexesIn(listing);
  for await (const rows of childrenOfAll(tx, [parentId])) {
    for (const row of rows) {
      const index = indexes.get(row.name);
      if (index === undefined) {
        if (row.missing_since === null) work.gone.push(row.id);
      } else if (isDirAt(listing, index) !== (row.is_dir === 1)) work.ofOtherKind.push(row);
      else if (row.missing_since === null && agrees(row, listingEntry(listing, index))) work.items.set(index, row);
      else work.edited.push(index);
    }
  }
  return work;
}

/** Rows of the folders that the disk has nothing for become missing. */
async function missGone(tx: Transaction, clock: Clock, gone: readonly number[]): Promise<void> {
  if (gone.length === 0) return;
  await tx.run('UPDATE items SET missing_since = ? WHERE id IN (SELECT value FROM json_each(?))', [
    clock.now(),
    JSON.stringify(gone),
  ]);
}

/** Rows for entries that have none at their path. @returns the items by the ids of their folders and their names */
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

/** What was moved or renamed by other means keeps its row, and with it everything below it. @returns the ids */
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
      `UPDATE OR IGNORE items SET parent_id = ?, name = ?, name_fold = ?, kind = ?, size = ?, mtime = ?, missing_since = NULL
       WHERE id = ?`,
      [parentId, entry.name, ...nameColumns(entry), entry.size, entry.mtime, id],
    );
    if (changes > 0) takenOver.push(id);
  }
  return takenOver;
}

/** One statement for many rows: eight times as fast as one by one. What has a row already keeps it as it is. */
async function insertMany(tx: Transaction, homeId: string, added: readonly Added[]): Promise<ListedRow[]> {
  const rows = added.map(({ parentId, entry }) => [crypto.randomUUID(), parentId, ...entryColumns(entry)]);
  return tx.all<ListedRow>(
    `INSERT OR IGNORE INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity)
     SELECT value->>0, ?, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8
     FROM json_each(?) RETURNING ${LISTED_COLUMNS}`,
    [homeId, JSON.stringify(rows)],
  );
}

/** How many of the folders that lead to a place have rows, the root included. */
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

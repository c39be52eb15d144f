import type { FilesDatabase, Transaction } from '../../database/database.ts';
import { MINUTE } from '../../lib/clock.ts';
import type { Disk, DiskEntry } from '../../storage/disk/disk.ts';
import { isFolderIdentity, isTelling } from '../../storage/disk/disk-entry.ts';
import type { Home } from '../homes.ts';
import type { ListedRow } from '../listings/folder-items.ts';
import { locationsOfItems } from '../places.ts';
import { forget } from '../remember.ts';

/** A row with an outdated location of a moved item. */
export interface Arrival {
  readonly id: number;
  readonly identity: string;
  /** The row's content when the disk was read. */
  readonly parentId: number;
  readonly name: string;
}

interface Candidate {
  id: number;
  identity: string;
  parent_id: number;
  name: string;
  is_dir: number;
}

/** Phrased as in the index of identities, so that it is used: otherwise all rows are read. */
const IS_ONE_OF = "identity IN (SELECT value FROM json_each(?)) AND identity <> ''";

/**
 * Finds among entries without a row those that another program moved here, and that are not yet missing at their old location.
 * The disk is checked: if the old name still exists, it is another name of the same file, not a move; and if it has other content
 * there, that keeps the row, because a path match wins.
 * @throws StorageError
 */
export async function arrivalsAmong(
  { database, disk }: { readonly database: Pick<FilesDatabase, 'all'>; readonly disk: Disk },
  home: Home,
  entries: readonly DiskEntry[],
): Promise<Arrival[]> {
  const identities = entries.map(({ identity }) => identity).filter(isTelling);
  if (identities.length === 0) return [];
  const candidates = await database.all<Candidate>(
    `SELECT id, identity, parent_id, name, is_dir FROM items
     WHERE ${IS_ONE_OF} AND home_id = ? AND missing_since IS NULL AND parent_id IS NOT NULL`,
    [JSON.stringify(identities), home.id],
  );
  if (candidates.length === 0) return [];
  // A file with many names, as in backups by hard links, has many candidates in few folders.
  const places = await locationsOfItems(
    database,
    candidates.map(({ id, parent_id: parentId, name }) => ({ id, parentId, name, missingSince: null })),
  );
  const requested = candidates.filter(({ id }) => places.get(id)?.state === 'there');
  const { identities: now } = await disk.run('identities', {
    homeRoot: home.homeRoot,
    paths: requested.map(({ id }) => places.get(id)?.segments ?? []),
  });
  const stays = new Set<number>();
  for (const [index, { id, is_dir: isDir }] of requested.entries()) {
    // A folder in place of a file, or the reverse, is another item, so the row is free.
    const found = now[index] ?? null;
    if (found !== null && isFolderIdentity(found) === (isDir === 1)) stays.add(id);
  }
  return candidates
    .filter(({ id }) => !stays.has(id) && places.get(id)?.state !== 'trashed')
    .map(({ id, identity, parent_id: parentId, name }) => ({ id, identity, parentId, name }));
}

/** The rows that these entries take over, by identity: of items that are missing, or have left their location. */
export async function rowsToTakeOver(
  tx: Transaction,
  homeId: string,
  entries: readonly DiskEntry[],
  arrivals: readonly Arrival[],
): Promise<Map<string, number>> {
  const identities = entries.map(({ identity }) => identity).filter(isTelling);
  const missing = await tx.all<{ id: number; identity: string }>(
    `SELECT id, identity FROM items WHERE ${IS_ONE_OF} AND home_id = ? AND missing_since IS NOT NULL
     ORDER BY missing_since`,
    [JSON.stringify(identities), homeId],
  );
  // Rows that have changed since the disk was read are excluded.
  const left = arrivals.map(({ id, parentId, name }) => [id, parentId, name]);
  const arrived = await tx.all<{ id: number; identity: string }>(
    `SELECT items.id, items.identity FROM json_each(?) CROSS JOIN items
       ON items.id = value->>0 AND items.parent_id = value->>1 AND items.name = value->>2`,
    [JSON.stringify(left)],
  );
  return new Map([...missing, ...arrived].map(({ id, identity }) => [identity, id]));
}

/**
 * Milliseconds during which a name waits for its item: programs save a document by removing it and giving its name to a file that
 * they have just written. Until then that file gets the history of the document.
 */
const ONE_SAVE = MINUTE;

/**
 * Items that another program has moved to where another item is missing stay what they are: the missing one is moved out of their
 * way. It would be taken for an item that has come back with another content otherwise.
 * @param missed rows of missing items, and what has their names now
 * @param now milliseconds since the epoch
 * @returns the names of the items
 */
export async function forgetForArrivals(
  tx: Transaction,
  homeId: string,
  missed: readonly { readonly row: ListedRow; readonly entry: DiskEntry }[],
  arrivals: readonly Arrival[],
  now: number,
): Promise<Set<string>> {
  const names = new Set<string>();
  const old = missed.filter(({ row }) => now - (row.missing_since ?? now) >= ONE_SAVE);
  if (old.length === 0) return names;
  const entries = old.map(({ entry }) => entry);
  const rows = await rowsToTakeOver(tx, homeId, entries, arrivals);
  for (const { row, entry } of old) {
    if (!rows.has(entry.identity)) continue;
    await forget(tx, row);
    names.add(entry.name);
  }
  return names;
}

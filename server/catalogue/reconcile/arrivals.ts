import type { FilesDatabase, Transaction } from '../../database/database.ts';
import type { Disk, DiskEntry } from '../../storage/disk/disk.ts';
import { isFolderIdentity, isTelling } from '../../storage/disk/disk-entry.ts';
import type { Home } from '../homes.ts';
import { locationsOf } from '../places.ts';

/** A row that says of an item that it is elsewhere, though it has left that place. */
export interface Arrival {
  readonly id: number;
  readonly identity: string;
  /** What the row said when the disk was asked. */
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

/** Said in the words of the index of identities, so that it is known to have the rows: without them all rows are read. */
const IS_ONE_OF = "identity IN (SELECT value FROM json_each(?)) AND identity <> ''";

/**
 * Among entries that no row is known for, those that were moved here by other means, and are not missed at their old place
 * yet. The disk is asked: what still stands there as well is another name of the same file, and no move; and what stands
 * there with another content keeps the row, because a path match wins.
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
  const places = await locationsOf(
    database,
    candidates.map(({ id }) => id),
  );
  const asked = candidates.filter(({ id }) => places.get(id)?.state === 'there');
  const { identities: now } = await disk.run('identities', {
    place: home.place,
    paths: asked.map(({ id }) => places.get(id)?.segments ?? []),
  });
  const stays = new Set<number>();
  for (const [index, { id, is_dir: isDir }] of asked.entries()) {
    // A folder where a file was, or the other way round, is another item: the row is free.
    const found = now[index] ?? null;
    if (found !== null && isFolderIdentity(found) === (isDir === 1)) stays.add(id);
  }
  return candidates
    .filter(({ id }) => !stays.has(id) && places.get(id)?.state !== 'trashed')
    .map(({ id, identity, parent_id: parentId, name }) => ({ id, identity, parentId, name }));
}

/** The rows that these entries take over, by identity: of items that are missing, or have left their place. */
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
  // Rows that have moved on since the disk was asked belong to something by now.
  const left = arrivals.map(({ id, parentId, name }) => [id, parentId, name]);
  const arrived = await tx.all<{ id: number; identity: string }>(
    `SELECT items.id, items.identity FROM json_each(?) CROSS JOIN items
       ON items.id = value->>0 AND items.parent_id = value->>1 AND items.name = value->>2`,
    [JSON.stringify(left)],
  );
  return new Map([...missing, ...arrived].map(({ id, identity }) => [identity, id]));
}

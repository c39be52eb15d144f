import type { Home } from '../../catalogue/homes.ts';
import { IS_PROVEN } from '../../catalogue/items.ts';
import type { FilesDatabase, Transaction } from '../../database/database.ts';
import type { RowsContext } from '../context.ts';

type Reads = Pick<FilesDatabase, 'all' | 'get'>;

/** An item in the trash. */
export interface TrashedItem {
  readonly id: string;
  readonly itemId: number;
  readonly uuid: string;
  readonly name: string;
  readonly isDir: boolean;
  readonly size: number;
  readonly mtime: number;
  readonly identity: string;
  /** See `Item.tag`. */
  readonly tag: string;
  /** Whether its content is known to be that of the tag. */
  readonly isProven: boolean;
  /** Of the content that is known. */
  readonly sha256: Buffer | null;
  readonly version: number;
  readonly deletedAt: number;
  readonly originalParentId: number | null;
  /** The virtual path it had. */
  readonly originalPath: string;
}

interface TrashRow {
  id: string;
  item_id: number;
  uuid: string;
  original_path: string;
  original_parent_id: number | null;
  is_dir: number;
  size: number;
  mtime: number;
  identity: string;
  tag: string;
  is_proven: 0 | 1;
  sha256: Buffer | null;
  version: number;
  deleted_at: number;
}

const TRASHED = `SELECT trash.id, item_id, uuid, original_path, original_parent_id, is_dir, size, mtime, identity, version,
    tag, ${IS_PROVEN} AS is_proven, sha256, deleted_at
  FROM trash CROSS JOIN items ON items.id = trash.item_id WHERE items.home_id = ?`;

/** The items in a home's trash, newest first. */
export async function listTrash({ database }: RowsContext, home: Home): Promise<TrashedItem[]> {
  return (await database.all<TrashRow>(`${TRASHED} ORDER BY deleted_at DESC, trash.id`, [home.id])).map(trashedItem);
}

export async function trashedById(database: Reads, homeId: string, trashId: string): Promise<TrashedItem | null> {
  const row = await database.get<TrashRow>(`${TRASHED} AND trash.id = ?`, [homeId, trashId]);
  return row === undefined ? null : trashedItem(row);
}

export async function trashedByUuid(database: Reads, homeId: string, uuid: string): Promise<TrashedItem | null> {
  const row = await database.get<TrashRow>(`${TRASHED} AND items.uuid = ?`, [homeId, uuid]);
  return row === undefined ? null : trashedItem(row);
}

/** What was deleted from a path within a time. @param from,until milliseconds since the epoch, both included */
export async function trashedFrom(
  database: Reads,
  homeId: string,
  path: string,
  from: number,
  until: number,
): Promise<TrashedItem | null> {
  const row = await database.get<TrashRow>(
    `${TRASHED} AND trash.original_path = ? AND trash.deleted_at BETWEEN ? AND ?`,
    [homeId, path, from, until],
  );
  return row === undefined ? null : trashedItem(row);
}

/** The virtual paths that items had, by their ids in the trash. */
export async function originalPathsOf(
  database: Pick<Reads, 'all'>,
  trashIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await database.all<{ id: string; original_path: string }>(
    'SELECT id, original_path FROM trash WHERE id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(trashIds)],
  );
  return new Map(rows.map((row) => [row.id, row.original_path]));
}

export async function trashIdsIn(tx: Pick<Transaction, 'all'>, homeId: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    'SELECT t.id FROM trash t JOIN items i ON i.id = t.item_id WHERE i.home_id = ?',
    [homeId],
  );
  return rows.map(({ id }) => id);
}

export async function isTrashed(tx: Transaction, trashId: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM trash WHERE id = ?', [trashId])) !== undefined;
}

export async function deleteTrashRow(tx: Transaction, trashId: string): Promise<void> {
  await tx.run('DELETE FROM trash WHERE id = ?', [trashId]);
}

function trashedItem(row: TrashRow): TrashedItem {
  return {
    id: row.id,
    itemId: row.item_id,
    uuid: row.uuid,
    name: row.original_path.slice(row.original_path.lastIndexOf('/') + 1),
    isDir: row.is_dir === 1,
    size: row.size,
    mtime: row.mtime,
    identity: row.identity,
    tag: row.tag,
    isProven: row.is_proven === 1,
    sha256: row.sha256,
    version: row.version,
    deletedAt: row.deleted_at,
    originalParentId: row.original_parent_id,
    originalPath: row.original_path,
  };
}

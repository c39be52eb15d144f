import { randomUUID } from 'node:crypto';
import type { Transaction } from '../database/database.ts';
import { fileKind } from '../lib/names/file-types.ts';
import { searchFold } from '../lib/names/names.ts';
import type { DiskEntry } from '../storage/disk/disk.ts';
import { createdFrom } from '../storage/disk/disk-entry.ts';

/** A row of the catalogue, for a file or folder. */
export interface Item {
  readonly id: number;
  readonly uuid: string;
  readonly parentId: number | null;
  readonly name: string;
  readonly isDir: boolean;
  readonly size: number;
  readonly mtime: number;
  readonly identity: string;
  readonly version: number;
  readonly missingSince: number | null;
  /** The account that uploaded the content; null when another program wrote it. */
  readonly changedBy: number | null;
  /** For a folder: the stamp of its listing when all of its entries were last compared, or null. */
  readonly listed: string | null;
}

export interface ItemRow {
  id: number;
  uuid: string;
  parent_id: number | null;
  name: string;
  is_dir: number;
  size: number;
  mtime: number;
  identity: string;
  version: number;
  missing_since: number | null;
  changed_by: number | null;
  listed: string | null;
}

export const ITEM_COLUMNS =
  'id, uuid, parent_id, name, is_dir, size, mtime, identity, version, missing_since, changed_by, listed';

export function itemOf(row: ItemRow): Item {
  return {
    id: row.id,
    uuid: row.uuid,
    parentId: row.parent_id,
    name: row.name,
    isDir: row.is_dir === 1,
    size: row.size,
    mtime: row.mtime,
    identity: row.identity,
    version: row.version,
    missingSince: row.missing_since,
    changedBy: row.changed_by,
    listed: row.listed,
  };
}

/** The stored properties of an item, in the form of a disk entry. */
export function entryOf({ name, isDir, size, mtime, identity }: Item): DiskEntry {
  return { name, isDir, size, mtime, identity, created: createdFrom(identity, mtime) };
}

/** The names of a home's two roots: its files, and its deleted items. */
export const FILES_ROOT = '';
export const TRASH_ROOT = 'trash';

export async function insertRoots(tx: Transaction, homeId: string): Promise<void> {
  for (const name of [FILES_ROOT, TRASH_ROOT]) {
    await tx.run(
      `INSERT INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity) VALUES (?, ?, NULL, ?, 1, 0, 0, '')`,
      [randomUUID(), homeId, name],
    );
  }
}

export async function rootId(
  tx: Pick<Transaction, 'get'>,
  homeId: string,
  root: typeof FILES_ROOT | typeof TRASH_ROOT,
): Promise<number> {
  const row = await tx.get<{ id: number }>(
    'SELECT id FROM items WHERE home_id = ? AND parent_id IS NULL AND name = ?',
    [homeId, root],
  );
  if (row === undefined) throw new Error(`the home ${homeId} has no root in the catalogue`);
  return row.id;
}

export async function childByName(tx: Pick<Transaction, 'get'>, parentId: number, name: string): Promise<Item | null> {
  const row = await tx.get<ItemRow>(`SELECT ${ITEM_COLUMNS} FROM items WHERE parent_id = ? AND name = ?`, [
    parentId,
    name,
  ]);
  return row === undefined ? null : itemOf(row);
}

/** The columns `name, name_fold, kind, is_dir, size, mtime, identity` of an entry. */
export function entryColumns(entry: DiskEntry): (string | number)[] {
  const { name, isDir, size, mtime, identity } = entry;
  return [name, ...nameColumns(entry), isDir ? 1 : 0, size, mtime, identity];
}

/** The columns `name_fold, kind`, which must be written together with a name. */
export function nameColumns({ name, isDir }: Pick<DiskEntry, 'name' | 'isDir'>): [string, string] {
  return [searchFold(name), fileKind(name, isDir).type];
}

export async function insertItem(
  tx: Transaction,
  homeId: string,
  parentId: number,
  entry: DiskEntry,
  changedBy: number | null = null,
): Promise<Item> {
  const uuid = randomUUID();
  const { lastId } = await tx.run(
    `INSERT INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity, changed_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [uuid, homeId, parentId, ...entryColumns(entry), changedBy],
  );
  return { id: lastId, uuid, parentId, ...entry, version: 1, missingSince: null, changedBy, listed: null };
}

/**
 * Updates an item's row from the disk; it is no longer missing.
 * @param changedBy the account that uploaded the content, if known
 */
export async function updateFromDisk(
  tx: Transaction,
  id: number,
  entry: DiskEntry,
  changedBy: number | null = null,
): Promise<void> {
  await tx.run(
    `UPDATE items SET size = ?1, mtime = ?2, identity = ?3, missing_since = NULL,
       changed_by = coalesce(?5, CASE WHEN identity = ?3 THEN changed_by END),
       listed = CASE WHEN identity = ?3 THEN listed END,
       sha256 = CASE WHEN identity = ?3 THEN sha256 END WHERE id = ?4`,
    [entry.size, entry.mtime, entry.identity, id, changedBy],
  );
}

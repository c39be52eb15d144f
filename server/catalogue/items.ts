import { randomBytes, randomUUID } from 'node:crypto';
import type { Transaction } from '../database/database.ts';
import { fileKind } from '../lib/names/file-types.ts';
import { searchFold } from '../lib/names/names.ts';
import type { DiskEntry } from '../storage/disk/disk.ts';
import { createdFrom } from '../storage/disk/disk-entry.ts';
import { isTouchSettled } from '../storage/disk/time-resolution.ts';

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
  /** Names the content of a file, and never another one; empty for a folder. */
  readonly tag: string;
  /**
   * `DiskEntry.touched` of the file when its content was that of `tag`; null as long as nobody has looked. Negative while it is
   * unproven: another program may have changed the content, or may still have changed it without another time.
   */
  readonly touched: number | null;
  /** How often the file was found to have another content with the same identity. */
  readonly edits: number;
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
  tag: string;
  touched: number | null;
  edits: number;
}

export const ITEM_COLUMNS =
  'id, uuid, parent_id, name, is_dir, size, mtime, identity, version, missing_since, changed_by, listed, tag, touched, edits';

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
    tag: row.tag,
    touched: row.touched,
    edits: row.edits,
  };
}

/** Whether the row of a file or folder says what was found at its path. */
export function isUpToDate(
  row: Pick<Item, 'identity' | 'mtime' | 'touched' | 'isDir'>,
  { identity, mtime, touched, isDir }: DiskEntry,
): boolean {
  return (
    row.isDir === isDir &&
    row.identity === identity &&
    row.mtime === mtime &&
    (isDir || Math.abs(row.touched ?? 0) === touched)
  );
}

/** The stored properties of an item, in the form of a disk entry. */
export function entryOf({ name, isDir, size, mtime, identity, touched }: Item): DiskEntry {
  return { name, isDir, size, mtime, identity, created: createdFrom(identity, mtime), touched: Math.abs(touched ?? 0) };
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

/** The columns `name, name_fold, kind, is_dir, size, mtime, identity, touched, tag` of a new row. */
export function entryColumns(entry: DiskEntry, wasWritten = false): (string | number | null)[] {
  const { name, isDir, size, mtime, identity } = entry;
  const content = isDir ? [null, ''] : [touchedColumn(entry, wasWritten), newTag()];
  return [name, ...nameColumns(entry), isDir ? 1 : 0, size, mtime, identity, ...content];
}

/** A tag that no content has had. */
export function newTag(): string {
  return randomBytes(9).toString('hex');
}

/**
 * The column `touched` of a file that was seen.
 * @param wasWritten whether this server has just written its bytes, so that nobody else can have done so since with the same time
 */
export function touchedColumn({ isDir, touched }: DiskEntry, wasWritten = false): number | null {
  if (isDir) return null;
  // The system's clock, as of the disk's times.
  return wasWritten || isTouchSettled(touched, Date.now()) ? touched : -touched;
}

/** SQL: whether the hash of a row is that of its content. Where nobody has looked, it is as it was recorded. */
export const IS_PROVEN = 'coalesce(touched, 1) > 0';

/** SQL for the columns of what was seen at an item's path. */
interface Seen {
  readonly identity: string;
  readonly size: string;
  readonly mtime: string;
  /** As of `touchedColumn`. */
  readonly touched: string;
}

/**
 * Assignments to the columns `touched`, `tag` and `sha256` of a row whose file was seen. The content stays proven while nothing has
 * touched the file. One that was touched, or is another file of the same size and time, has the same content only if it has the same
 * hash: it is unproven until it has been read. Everything else is another content.
 * @param isCopy SQL for whether this server has copied the file from where the row knew it: of the same size and time, it has the
 * same content
 */
export function seenContent({ identity, size, mtime, touched }: Seen, isCopy = '0'): string {
  const isUntouched = `identity = ${identity} AND (touched IS NULL OR abs(touched) = abs(${touched}))`;
  const isClaimed = `size = ${size} AND mtime = ${mtime} AND sha256 IS NOT NULL`;
  const isCopied = `size = ${size} AND mtime = ${mtime} AND ${isCopy}`;
  // Without a hash, nothing is left to compare with: it counts as it is now.
  const isFirst = 'touched IS NULL OR (touched < 0 AND sha256 IS NULL)';
  return `touched = CASE WHEN is_dir = 1 THEN NULL
      WHEN ${isUntouched} THEN CASE WHEN ${isFirst} THEN ${touched} ELSE touched END
      WHEN ${isClaimed} THEN -abs(${touched}) ELSE ${touched} END,
    tag = CASE WHEN is_dir = 1 OR (${isUntouched}) OR (${isClaimed}) OR (${isCopied}) THEN tag ELSE lower(hex(randomblob(9))) END,
    sha256 = CASE WHEN (${isUntouched}) OR (${isClaimed}) THEN sha256 END`;
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
  const columns = entryColumns(entry);
  const { lastId } = await tx.run(
    `INSERT INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity, touched, tag, changed_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [uuid, homeId, parentId, ...columns, changedBy],
  );
  const [touched, tag] = columns.slice(-2) as [number | null, string];
  return {
    id: lastId,
    uuid,
    parentId,
    ...entry,
    version: 1,
    missingSince: null,
    changedBy,
    listed: null,
    tag,
    touched,
    edits: 0,
  };
}

/**
 * Updates an item's row from the disk; it is no longer missing.
 * @param changedBy the account that uploaded the content, if known
 * @param touchedBefore of the same content, before this server has touched the file and nothing else
 * @param isCopy whether it is a copy of the content of the row, made by this server
 */
export async function updateFromDisk(
  tx: Transaction,
  id: number,
  entry: DiskEntry,
  changedBy: number | null = null,
  touchedBefore: number | null = null,
  isCopy = false,
): Promise<void> {
  if (touchedBefore !== null && !entry.isDir) {
    await tx.run(
      'UPDATE items SET touched = sign(touched) * ?1 WHERE id = ?2 AND identity = ?3 AND abs(touched) = ?4',
      [entry.touched, id, entry.identity, touchedBefore],
    );
  }
  await tx.run(
    `UPDATE items SET size = ?1, mtime = ?2, identity = ?3, missing_since = NULL,
       changed_by = coalesce(?5, CASE WHEN identity = ?3 THEN changed_by END),
       listed = CASE WHEN identity = ?3 THEN listed END,
       ${seenContent({ size: '?1', mtime: '?2', identity: '?3', touched: '?6' }, '?7')} WHERE id = ?4`,
    [entry.size, entry.mtime, entry.identity, id, changedBy, touchedColumn(entry), isCopy ? 1 : 0],
  );
}

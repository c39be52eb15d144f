import { randomUUID } from 'node:crypto';
import type { SqlValue, Transaction } from '../database/database.ts';
import type { DiskEntry } from '../storage/disk/disk.ts';
import {
  childByName,
  entryColumns,
  FILES_ROOT,
  ITEM_COLUMNS,
  type Item,
  type ItemRow,
  insertItem,
  isUpToDate,
  itemOf,
  nameColumns,
  newTag,
  rootId,
  seenContent,
  touchedColumn,
  updateFromDisk,
} from './items.ts';
import { way } from './path-query.ts';

/** An entry that was found, or one whose bytes this server has just written, with what is known of its content. */
export type HashedEntry = DiskEntry & {
  readonly wasWritten?: true;
  readonly sha256?: Buffer | undefined;
  /** Of its content, if it had a name before; only for what was written. */
  readonly tag?: string;
};

/**
 * Creates or updates the row of an entry just found at a path, together with rows for the folders on the path. A path match wins:
 * the row of this path keeps its uuid whatever is there now, unless a folder replaced a file or the reverse; that is another
 * item.
 * @param parents the folders on the path as on the disk, the root first
 * @param changedBy the account that uploaded the content, if known
 */
export async function rememberPath(
  tx: Transaction,
  homeId: string,
  parents: readonly DiskEntry[],
  hashed: HashedEntry,
  changedBy: number | null = null,
): Promise<Item> {
  const { sql, params } = rememberBelowKnown(homeId, parents, [hashed], changedBy);
  const [known] = await tx.all<ItemRow>(sql, params);
  if (known !== undefined) return itemOf(known);
  const { sha256, tag = newTag(), wasWritten = false, ...entry } = hashed;
  const item = await rememberChild(tx, homeId, await rememberFolders(tx, homeId, parents), entry, changedBy);
  if (!wasWritten) return item;
  await tx.run('UPDATE items SET sha256 = ?, tag = ?, touched = ? WHERE id = ?', [
    sha256 ?? null,
    tag,
    entry.touched,
    item.id,
  ]);
  return { ...item, tag, touched: entry.touched };
}

/**
 * The usual case in one statement, for one or many entries of one folder: all folders on the path have rows, and existing rows
 * are of the same type. It returns the rows; none for an unusual case.
 * @param entries all of them found, or all written
 */
export function rememberBelowKnown(
  homeId: string,
  parents: readonly DiskEntry[],
  entries: readonly HashedEntry[],
  changedBy: number | null,
): { sql: string; params: SqlValue[] } {
  const names = JSON.stringify(parents.map(({ name }) => name));
  const rows = entries.map(({ sha256, tag, wasWritten, ...entry }) => [
    randomUUID(),
    ...entryColumns(entry, wasWritten),
    sha256?.toString('hex') ?? null,
    tag ?? null,
  ]);
  const sql = entries[0]?.wasWritten === true ? REMEMBER_WRITTEN : REMEMBER_FOUND;
  return { sql, params: [homeId, changedBy, names, parents.length - 1, JSON.stringify(rows)] };
}

/** @param content assignments to the columns of the content, for rows that exist already */
const remember = (content: string) => `WITH RECURSIVE ${way('?1', '?3')}
  INSERT INTO items
    (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity, touched, tag, sha256, changed_by)
  SELECT value->>0, ?1, way.id, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8,
    coalesce(value->>11, value->>9), unhex(value->>10), ?2
  FROM way, json_each(?5) WHERE depth = ?4
  ON CONFLICT (parent_id, name) DO UPDATE
    SET size = excluded.size, mtime = excluded.mtime, identity = excluded.identity, missing_since = NULL,
      changed_by = coalesce(excluded.changed_by, CASE WHEN identity = excluded.identity THEN changed_by END),
      listed = CASE WHEN identity = excluded.identity THEN listed END, ${content}
    WHERE is_dir = excluded.is_dir
  RETURNING ${ITEM_COLUMNS}`;
const REMEMBER_FOUND = remember(
  seenContent({
    identity: 'excluded.identity',
    size: 'excluded.size',
    mtime: 'excluded.mtime',
    touched: 'excluded.touched',
  }),
);
const REMEMBER_WRITTEN = remember('touched = excluded.touched, tag = excluded.tag, sha256 = excluded.sha256');

/** @returns the id of the last folder's row */
export async function rememberFolders(tx: Transaction, homeId: string, folders: readonly DiskEntry[]): Promise<number> {
  return new AncestorPaths(tx, homeId).to(folders);
}

/** Rows for the folders on the paths to several items of a home: each is looked up once. */
export class AncestorPaths {
  readonly #tx: Transaction;
  readonly #homeId: string;
  readonly #ids = new Map<string, number>();

  constructor(tx: Transaction, homeId: string) {
    this.#tx = tx;
    this.#homeId = homeId;
  }

  /** @param folders as on the disk, the root first @returns the id of the last one's row */
  async to(folders: readonly DiskEntry[]): Promise<number> {
    let path = '';
    let parentId = this.#ids.get(path) ?? (await rootId(this.#tx, this.#homeId, FILES_ROOT));
    this.#ids.set(path, parentId);
    for (const folder of folders.slice(1)) {
      path = `${path}/${folder.name}`;
      parentId = this.#ids.get(path) ?? (await rememberChild(this.#tx, this.#homeId, parentId, folder)).id;
      this.#ids.set(path, parentId);
    }
    return parentId;
  }
}

export async function rememberChild(
  tx: Transaction,
  homeId: string,
  parentId: number,
  entry: DiskEntry,
  changedBy: number | null = null,
): Promise<Item> {
  const known = await childByName(tx, parentId, entry.name);
  if (known === null) return insertItem(tx, homeId, parentId, entry, changedBy);
  if (known.isDir !== entry.isDir) {
    await forget(tx, known);
    return insertItem(tx, homeId, parentId, entry, changedBy);
  }
  const isSame = isUpToDate(known, entry);
  if (isSame && known.missingSince === null && changedBy === null)
    return { ...known, ...entry, touched: known.touched };
  await updateFromDisk(tx, known.id, entry, changedBy);
  return (await childByName(tx, parentId, entry.name)) ?? { ...known, missingSince: null };
}

/**
 * Updates the rows of existing entries of one folder from the disk, with one statement.
 * @param areCopies whether the files were copied here: one of the same size and time was changed by nobody else
 * @param keepTags whether they are copies of the contents of their rows, and nobody can have changed them since
 * @returns the items
 */
export async function rememberMany(
  tx: Transaction,
  parentId: number,
  entries: readonly DiskEntry[],
  areCopies = false,
  keepTags = false,
): Promise<readonly Item[]> {
  if (entries.length === 0) return [];
  const rows = entries.map((entry) => {
    const { name, isDir, size, mtime, identity } = entry;
    return [name, isDir ? 1 : 0, size, mtime, identity, touchedColumn(entry)];
  });
  const remembered = await tx.all<ItemRow>(
    `UPDATE items SET size = value->>2, mtime = value->>3, identity = value->>4, missing_since = NULL,
       changed_by = CASE WHEN identity = value->>4 OR (?1 AND (is_dir = 1 OR (size = value->>2 AND mtime = value->>3)))
         THEN changed_by END,
       listed = CASE WHEN identity = value->>4 THEN listed END,
       ${SEEN_AGAIN}
     FROM json_each(?2) WHERE items.id =
       (SELECT known.id FROM items AS known WHERE known.parent_id = ?3 AND known.name = value->>0 AND known.is_dir = value->>1)
     RETURNING ${ITEM_COLUMNS.split(', ')
       .map((column) => `items.${column}`)
       .join(', ')}`,
    [areCopies ? 1 : 0, JSON.stringify(rows), parentId, keepTags ? 1 : 0],
  );
  return remembered.map(itemOf);
}

const SEEN_AGAIN = seenContent(
  { size: 'value->>2', mtime: 'value->>3', identity: 'value->>4', touched: 'value->>5' },
  '?4',
);

/**
 * Moves an item's row to its new location. A row of a missing item there is moved out of the way.
 * @param touchedBefore of the same content, before this server gave it the name
 * @param isCopy whether it is a copy of the content of the row, made by this server
 */
export async function relocate(
  tx: Transaction,
  homeId: string,
  itemId: number,
  parents: readonly DiskEntry[],
  entry: DiskEntry,
  touchedBefore: number | null = null,
  isCopy = false,
): Promise<void> {
  const parentId = await rememberFolders(tx, homeId, parents);
  const inTheWay = await childByName(tx, parentId, entry.name);
  if (inTheWay !== null && inTheWay.id !== itemId) await forget(tx, inTheWay);
  await tx.run('UPDATE items SET parent_id = ?, name = ?, name_fold = ?, kind = ? WHERE id = ?', [
    parentId,
    entry.name,
    ...nameColumns(entry),
    itemId,
  ]);
  await updateFromDisk(tx, itemId, entry, null, touchedBefore, isCopy);
}

/** Moves a row out of the way of another item with its path: it becomes missing, under a name that no disk has. */
export async function forget(tx: Transaction, item: Pick<Item, 'id' | 'uuid' | 'name'>): Promise<void> {
  await tx.run('UPDATE items SET name = ?, missing_since = coalesce(missing_since, unixepoch() * 1000) WHERE id = ?', [
    `${item.name}/${item.uuid}`,
    item.id,
  ]);
}

import type { FilesDatabase } from '../../database/database.ts';
import type { DiskEntry, DiskListing } from '../../storage/disk/disk.ts';
import { FILES_ROOT, type ItemRow } from '../items.ts';
import { way } from '../path-query.ts';

/** What a listing needs of an entry's row. */
interface KnownItem {
  readonly id: number;
  readonly uuid: string;
  readonly version: number;
  /** See `Item.listed`. */
  readonly listed: string | null;
  /** See `Item.tag`. */
  readonly tag: string;
}

/** The columns that `FolderItems` and the comparison with the disk read. */
export const LISTED_COLUMNS =
  'id, uuid, parent_id, name, is_dir, mtime, identity, version, missing_since, listed, tag, touched';

export type ListedRow = Pick<
  ItemRow,
  | ('id' | 'uuid' | 'parent_id' | 'name' | 'is_dir' | 'mtime' | 'identity' | 'version' | 'missing_since' | 'listed')
  | ('tag' | 'touched')
>;

/**
 * The catalogue's items for the entries of one folder, by their index in the listing. Stored as columns: for 50,000 entries,
 * objects with name and identity take some 30 MB, this takes 6.
 */
export class FolderItems {
  readonly #ids: Float64Array;
  readonly #versions: Float64Array;
  readonly #uuids: string[];
  readonly #tags: string[];
  /** Only for folders that were compared. */
  readonly #listed = new Map<number, string>();
  #count = 0;
  /** The id of the folder's row; null as long as no item of it is known. */
  parentId: number | null = null;

  /** @param length number of entries in the listing */
  constructor(length: number) {
    this.#ids = new Float64Array(length);
    this.#versions = new Float64Array(length);
    this.#uuids = new Array<string>(length).fill('');
    this.#tags = new Array<string>(length).fill('');
  }

  /** The number of entries with an item. */
  get count(): number {
    return this.#count;
  }

  has(index: number): boolean {
    return (this.#ids[index] ?? 0) > 0;
  }

  at(index: number): KnownItem | undefined {
    if (!this.has(index)) return undefined;
    return {
      id: this.#ids[index] ?? 0,
      uuid: this.#uuids[index] ?? '',
      version: this.#versions[index] ?? 1,
      listed: this.#listed.get(index) ?? null,
      tag: this.#tags[index] ?? '',
    };
  }

  /** The items of several ranges, one after the other. */
  static joined(ranges: readonly { readonly items: FolderItems; readonly start: number; readonly end: number }[]) {
    const length = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
    const all = new FolderItems(length);
    let at = 0;
    for (const { items, start, end } of ranges) {
      all.#ids.set(items.#ids.subarray(start, end), at);
      all.#versions.set(items.#versions.subarray(start, end), at);
      for (let index = start; index < end; index += 1) {
        all.#uuids[at + index - start] = items.#uuids[index] ?? '';
        all.#tags[at + index - start] = items.#tags[index] ?? '';
      }
      for (const [index, listed] of items.#listed) {
        if (index >= start && index < end) all.#listed.set(at + index - start, listed);
      }
      all.parentId ??= items.parentId;
      at += end - start;
    }
    all.#count = all.#ids.reduce((sum, id) => sum + Number(id > 0), 0);
    return all;
  }

  set(index: number, { id, uuid, version, listed, tag }: KnownItem): void {
    if (!this.has(index)) this.#count += 1;
    this.#ids[index] = id;
    this.#uuids[index] = uuid;
    this.#tags[index] = tag;
    this.#versions[index] = version;
    if (listed === null) this.#listed.delete(index);
    else this.#listed.set(index, listed);
  }
}

export interface FolderContent {
  readonly listing: DiskListing;
  /** The catalogue's items, by their indexes in the listing. */
  readonly items: FolderItems;
}

/** The row of the folder at a path below the root of a home's files; null when there is none. */
export async function folderIdAt(
  database: Pick<FilesDatabase, 'get'>,
  homeId: string,
  segments: readonly string[],
): Promise<number | null> {
  const row = await database.get<{ id: number }>(
    `WITH RECURSIVE ${way('?1', '?2')} SELECT id FROM way WHERE depth = ?3`,
    [homeId, JSON.stringify([FILES_ROOT, ...segments]), segments.length],
  );
  return row?.id ?? null;
}

/** The id of a folder's row; null unless all folders on its path have rows. @param folders as on the disk, the root first */
export async function folderId(
  database: Pick<FilesDatabase, 'get'>,
  homeId: string,
  folders: readonly DiskEntry[],
): Promise<number | null> {
  return folderIdAt(
    database,
    homeId,
    folders.slice(1).map(({ name }) => name),
  );
}

/** Rows read per statement: the driver holds all of them three times in memory. */
const PAGE = 1_000;

/**
 * The rows of the entries of folders, in batches. Others may write between two batches, except within a write transaction.
 * @param parents the ids of the folders
 * @param only the names of the entries; by default all
 */
export async function* childrenOfAll(
  database: Pick<FilesDatabase, 'all'>,
  parents: readonly number[],
  only?: readonly string[],
): AsyncGenerator<readonly ListedRow[]> {
  if (only !== undefined) {
    yield await database.all<ListedRow>(
      `SELECT ${LISTED_COLUMNS} FROM items
       WHERE parent_id IN (SELECT value FROM json_each(?)) AND name IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(parents), JSON.stringify(only)],
    );
    return;
  }
  if (parents.length > 1) {
    // Usually these are many small folders, which one statement reads.
    const rows = await database.all<ListedRow>(
      `SELECT ${LISTED_COLUMNS} FROM items WHERE parent_id IN (SELECT value FROM json_each(?)) LIMIT ${2 * PAGE + 1}`,
      [JSON.stringify(parents)],
    );
    if (rows.length <= 2 * PAGE) {
      yield rows;
      return;
    }
  }
  for (const parent of new Set(parents)) {
    yield* pages((after) =>
      database.all<ListedRow>(
        `SELECT ${LISTED_COLUMNS} FROM items WHERE parent_id = ? AND name > ? ORDER BY name LIMIT ${PAGE}`,
        [parent, after],
      ),
    );
  }
}

/**
 * The same for one folder by its path: nothing unless all folders on the path have rows.
 * @param folders as on the disk, the root first
 * @param only the names of the entries; by default all
 */
export function childrenOf(
  database: Pick<FilesDatabase, 'all'>,
  homeId: string,
  folders: readonly DiskEntry[],
  only?: readonly string[],
): AsyncGenerator<readonly ListedRow[]> {
  const names = JSON.stringify(folders.map(({ name }) => name));
  if (only !== undefined) return childrenNamed(database, [homeId, names, folders.length - 1, JSON.stringify(only)]);
  return pages((after) =>
    database.all<ListedRow>(
      `WITH RECURSIVE ${way('?1', '?2')}
       SELECT ${LISTED_COLUMNS} FROM items
       WHERE parent_id = (SELECT id FROM way WHERE depth = ?3) AND name > ?4 ORDER BY name LIMIT ${PAGE}`,
      [homeId, names, folders.length - 1, after],
    ),
  );
}

async function* childrenNamed(
  database: Pick<FilesDatabase, 'all'>,
  params: readonly (string | number)[],
): AsyncGenerator<readonly ListedRow[]> {
  yield await database.all<ListedRow>(
    `WITH RECURSIVE ${way('?1', '?2')}
     SELECT ${LISTED_COLUMNS} FROM items
     WHERE parent_id = (SELECT id FROM way WHERE depth = ?3) AND name IN (SELECT value FROM json_each(?4))`,
    params,
  );
}

/** @param read the rows whose names come after one, in the order of names */
async function* pages(read: (after: string) => Promise<ListedRow[]>): AsyncGenerator<readonly ListedRow[]> {
  for (let after = ''; ; ) {
    const rows = await read(after);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.name;
  }
}

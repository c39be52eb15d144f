import { FILES_ROOT } from '../../catalogue/items.ts';
import type { Snapshot } from '../../database/snapshot.ts';
import type { HomeTree } from './trees.ts';

interface Row {
  id: number;
  name: string;
  is_dir: number;
  identity: string;
}

const ROOT = 'SELECT id FROM items WHERE home_id = ? AND parent_id IS NULL AND name = ?';
const CHILDREN = 'SELECT id, name, is_dir, identity FROM items WHERE parent_id = ? AND missing_since IS NULL';
const PATH = `WITH RECURSIVE up (parent_id, home_id, name, identity, level) AS (
  SELECT parent_id, home_id, name, identity, 0 FROM items WHERE id = ? AND missing_since IS NULL
  UNION ALL
  SELECT items.parent_id, items.home_id, items.name, up.identity, level + 1 FROM items JOIN up ON items.id = up.parent_id
) SELECT * FROM up ORDER BY level DESC`;

/** The present location of an item: the segments of its path in its home; null if it is not among the files of a home. */
export async function currentPath(
  database: Pick<Snapshot, 'all'>,
  id: number,
): Promise<{ homeId: string; segments: readonly string[]; identity: string } | null> {
  const rows = await database.all<{ parent_id: number | null; home_id: string; name: string; identity: string }>(PATH, [
    id,
  ]);
  const [root, ...path] = rows;
  if (root === undefined || root.parent_id !== null || root.name !== FILES_ROOT || path.length === 0) return null;
  return { homeId: root.home_id, segments: path.map(({ name }) => name), identity: root.identity };
}

/** A file or folder in the copy of the database. */
export interface KnownItem {
  readonly id: number;
  /** Below `files/`. */
  readonly path: readonly string[];
  readonly isDir: boolean;
  readonly identity: string;
}

/** All items of a home in the copy of the database, in the order of the list. */
export async function* itemsOf(snapshot: Snapshot, { home, folder }: HomeTree): AsyncGenerator<KnownItem> {
  const root = await snapshot.get<{ id: number }>(ROOT, [home.id, FILES_ROOT]);
  if (root !== undefined) yield* below(snapshot, root.id, folder);
}

const LOST = `SELECT id, name, is_dir, identity FROM items WHERE home_id = ? AND missing_since >= ? AND is_dir = 0
  AND NOT EXISTS (SELECT 1 FROM items AS same WHERE same.home_id = items.home_id AND same.identity = items.identity
    AND same.missing_since IS NULL)`;

/**
 * Files that the copy of the database recorded as missing a short time before: moved by another program, and not found again yet.
 * Their paths contain only their names.
 * @param since milliseconds since the epoch
 */
export async function lostItemsOf(snapshot: Snapshot, { home, folder }: HomeTree, since: number): Promise<KnownItem[]> {
  const rows = await snapshot.all<Row>(LOST, [home.id, since]);
  return rows.map(({ id, name, identity }) => ({ id, path: [...folder, name], isDir: false, identity }));
}

async function* below(snapshot: Snapshot, id: number, path: readonly string[]): AsyncGenerator<KnownItem> {
  const rows = await snapshot.all<Row>(CHILDREN, [id]);
  rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const row of rows) {
    const here = [...path, row.name];
    yield { id: row.id, path: here, isDir: row.is_dir === 1, identity: row.identity };
    if (row.is_dir === 1) yield* below(snapshot, row.id, here);
  }
}

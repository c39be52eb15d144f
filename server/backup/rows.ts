import { FILES_ROOT } from '../catalogue/items.ts';
import type { Snapshot } from '../database/snapshot.ts';
import { normalized } from '../lib/normalized.ts';
import { comparePaths } from './entries.ts';
import type { HomeTree } from './trees.ts';

interface Row {
  id: number;
  name: string;
  is_dir: number;
}

const ROOT = 'SELECT id FROM items WHERE home_id = ? AND parent_id IS NULL AND name = ?';
const CHILD = `SELECT id, name, is_dir FROM items WHERE parent_id = ? AND name IN (?, ?) AND missing_since IS NULL`;
const CHILDREN = 'SELECT id, name, is_dir FROM items WHERE parent_id = ? AND missing_since IS NULL';

/** Whether the copy of the database knows something of this kind at a path below `files/`. */
export async function hasRow(
  snapshot: Snapshot,
  trees: readonly HomeTree[],
  path: readonly string[],
  isFolder: boolean,
): Promise<boolean> {
  const tree = trees.find(({ folder }) => comparePaths(path.slice(0, folder.length), folder) === 0);
  if (tree === undefined) return false;
  let row = await snapshot.get<Row>(ROOT, [tree.home.id, FILES_ROOT]);
  let isDir = true;
  for (const name of path.slice(tree.folder.length)) {
    if (row === undefined) return false;
    row = await snapshot.get<Row>(CHILD, [row.id, name, normalized(name, 'NFC')]);
    isDir = row?.is_dir === 1;
  }
  return row !== undefined && isDir === isFolder;
}

/** The path below `files/` of everything that the copy of the database knows of a home, in the order of the list. */
export async function* pathsOf(snapshot: Snapshot, { home, folder }: HomeTree): AsyncGenerator<readonly string[]> {
  const root = await snapshot.get<{ id: number }>(ROOT, [home.id, FILES_ROOT]);
  if (root !== undefined) yield* below(snapshot, root.id, folder);
}

async function* below(snapshot: Snapshot, id: number, path: readonly string[]): AsyncGenerator<readonly string[]> {
  const rows = await snapshot.all<Row>(CHILDREN, [id]);
  rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const row of rows) {
    const here = [...path, row.name];
    yield here;
    if (row.is_dir === 1) yield* below(snapshot, row.id, here);
  }
}

import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { DiskEntry } from '../storage/disk.ts';
import { ITEM_COLUMNS, type Item, type ItemRow, itemOf } from './items.ts';
import { rememberPath } from './remember.ts';
import { way } from './way.ts';

/** What was just put into a folder. */
interface NewEntry {
  readonly homeId: string;
  /** The folders on the way as the disk has them, the root first. */
  readonly parents: readonly DiskEntry[];
  readonly entry: DiskEntry;
  /** The account that brought it. */
  readonly changedBy: number;
}

export type RememberNew = (added: NewEntry) => Promise<Item>;

interface Waiting {
  readonly entries: NewEntry[];
  readonly rows: Promise<Map<string, Item>>;
}

/**
 * Writes the rows of what is put into folders. Uploads into one folder that come at the same time share one statement and
 * one flush; everything that is not the usual case goes the way of `rememberPath`.
 * @throws when the database cannot be written
 */
export function createRememberNew(database: Database): RememberNew {
  const waiting = new Map<string, Waiting>();

  /** The statement takes everything that has come until it is run. */
  function gather(folder: string): Waiting {
    const entries: NewEntry[] = [];
    let params: (string | number)[] | null = null;
    const rows = database
      .writeOne<ItemRow>(() => {
        waiting.delete(folder);
        params ??= paramsOf(entries);
        return { sql: REMEMBER_NEW, params };
      })
      .then((found) => new Map(found.map((row) => [row.name, itemOf(row)])));
    const gathered = { entries, rows };
    waiting.set(folder, gathered);
    return gathered;
  }

  return async function rememberNew(added) {
    const { homeId, parents, entry, changedBy } = added;
    const folder = JSON.stringify([homeId, changedBy, ...parents.map(({ name }) => name)]);
    const gathered = waiting.get(folder) ?? gather(folder);
    gathered.entries.push(added);
    const item = (await gathered.rows).get(entry.name);
    return item ?? database.write((tx) => rememberPath(tx, homeId, parents, entry, changedBy));
  };
}

function paramsOf(entries: readonly NewEntry[]): (string | number)[] {
  const [first] = entries;
  if (first === undefined) throw new Error('nothing to remember');
  const { homeId, parents, changedBy } = first;
  const rows = entries.map(({ entry: { name, isDir, size, mtime, identity } }) => [
    randomUUID(),
    name,
    isDir ? 1 : 0,
    size,
    mtime,
    identity,
  ]);
  return [homeId, changedBy, JSON.stringify(parents.map(({ name }) => name)), parents.length - 1, JSON.stringify(rows)];
}

/** Nothing is returned for an entry when a folder on the way has no row yet, or what has the path is of another kind. */
const REMEMBER_NEW = `WITH RECURSIVE ${way('?1', '?3')}
  INSERT INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity, changed_by)
  SELECT value->>0, ?1, way.id, value->>1, value->>2, value->>3, value->>4, value->>5, ?2
  FROM way, json_each(?5) WHERE depth = ?4
  ON CONFLICT (parent_id, name) DO UPDATE
    SET size = excluded.size, mtime = excluded.mtime, identity = excluded.identity, missing_since = NULL,
      changed_by = excluded.changed_by
    WHERE is_dir = excluded.is_dir
  RETURNING ${ITEM_COLUMNS}`;

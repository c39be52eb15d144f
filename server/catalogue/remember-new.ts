import type { FilesDatabase } from '../database/database.ts';
import type { DiskEntry } from '../storage/disk/disk.ts';
import { type Item, type ItemRow, itemOf } from './items.ts';
import { type HashedEntry, rememberBelowKnown, rememberPath } from './remember.ts';

/** A new entry of a folder. */
interface NewEntry {
  readonly homeId: string;
  /** The folders on the path as on the disk, the root first. */
  readonly parents: readonly DiskEntry[];
  readonly entry: HashedEntry;
  /** The account that uploaded it. */
  readonly changedBy: number;
}

type RememberNew = (added: NewEntry) => Promise<Item>;

interface Waiting {
  readonly entries: NewEntry[];
  readonly rows: Promise<Map<string, Item>>;
}

/**
 * Writes the rows of new entries. Concurrent uploads into one folder share one statement and one flush; unusual cases use
 * `rememberPath`.
 * @throws when the database cannot be written
 */
export function createRememberNew(database: FilesDatabase): RememberNew {
  const waiting = new Map<string, Waiting>();

  /** The statement includes everything queued until it runs. */
  function gather(folder: string, { homeId, parents, changedBy }: NewEntry): Waiting {
    const entries: NewEntry[] = [];
    let statement: ReturnType<typeof rememberBelowKnown> | null = null;
    const rows = database
      .writeOne<ItemRow>(() => {
        waiting.delete(folder);
        statement ??= rememberBelowKnown(
          homeId,
          parents,
          entries.map(({ entry }) => entry),
          changedBy,
        );
        return statement;
      })
      .then((found) => new Map(found.map((row) => [row.name, itemOf(row)])));
    const gathered = { entries, rows };
    waiting.set(folder, gathered);
    return gathered;
  }

  return async function rememberNew(added) {
    const { homeId, parents, entry, changedBy } = added;
    const folder = JSON.stringify([homeId, changedBy, ...parents.map(({ name }) => name)]);
    const gathered = waiting.get(folder) ?? gather(folder, added);
    gathered.entries.push(added);
    const item = (await gathered.rows).get(entry.name);
    return item ?? database.write((tx) => rememberPath(tx, homeId, parents, entry, changedBy));
  };
}

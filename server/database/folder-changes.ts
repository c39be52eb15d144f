import type { Connection } from './connection.ts';

/** The rows in a folder that a commit has changed. */
export interface ChangedFolder {
  /** Of the folder's own row. */
  readonly id: number;
  /** Their names, before and after; null for too many. */
  readonly names: readonly string[] | null;
}

/** Number of folders whose changes are remembered. */
const REMEMBERED = 50_000;
/** Number of names that are remembered for one commit, and for one folder. */
const NAMES_OF_COMMIT = 200;
const NAMES_OF_FOLDER = 1_000;

/** Columns of a row that a listing of its folder depends on. */
const LISTED = 'parent_id, name, is_dir, uuid, version, identity, missing_since, listed, tag';

interface Remembered {
  /** The number of the last change. */
  last: number;
  /** Up to this change, the names are not known. */
  unknown: number;
  /** The later ones: the number of the last change that concerned each name. */
  readonly names: Map<string, number>;
}

/**
 * Which rows in which folders each commit has changed. SQLite itself reports them, by triggers of the writer's connection: no
 * statement can forget to, and cascades count as well.
 */
export class FolderChanges {
  readonly #folders = new Map<number, Remembered>();
  #number = 0;
  #forgotten = 0;

  /** The number of the last change. */
  get number(): number {
    return this.#number;
  }

  /** The number of the last change to rows in a folder, or a later one. @param folderId of the folder's own row */
  lastIn(folderId: number): number {
    return this.#folders.get(folderId)?.last ?? this.#forgotten;
  }

  /** The names of rows in a folder that may have changed after a change; null if any may. */
  namesSince(folderId: number, number: number): string[] | null {
    const folder = this.#folders.get(folderId);
    if ((folder?.unknown ?? this.#forgotten) > number) return null;
    return [...(folder?.names ?? [])].flatMap(([name, at]) => (at > number ? [name] : []));
  }

  /** Rows in any folder may have changed. */
  recordAll(): void {
    this.#number += 1;
    this.#forgotten = this.#number;
    this.#folders.clear();
  }

  record(folders: readonly ChangedFolder[]): void {
    if (folders.length === 0) return;
    this.#number += 1;
    for (const { id, names } of folders) {
      const folder = this.#folders.get(id) ?? { last: 0, unknown: this.#forgotten, names: new Map() };
      folder.last = this.#number;
      for (const name of names ?? []) folder.names.set(name, this.#number);
      if (names === null || folder.names.size > NAMES_OF_FOLDER) {
        folder.unknown = this.#number;
        folder.names.clear();
      }
      // The one changed last comes last.
      this.#folders.delete(id);
      this.#folders.set(id, folder);
    }
    for (const [id, { last }] of this.#folders) {
      if (this.#folders.size <= REMEMBERED) break;
      this.#forgotten = last;
      this.#folders.delete(id);
    }
  }
}

/** Columns of a row whose change the tag of its folder shows: what people see, not what the catalogue notes for itself. */
const TAGGED = ['parent_id', 'name', 'is_dir', 'uuid', 'version', 'identity', 'missing_since', 'tag'];

/** The statements of a trigger that give a folder the next number. They are part of the statement that changes the row. */
const count = (parent: string) => `
  UPDATE change_number SET number = number + 1;
  INSERT INTO folder_changes (folder_id, own, below)
    SELECT items.id, number, 0 FROM items, change_number WHERE items.id = ${parent}
    ON CONFLICT (folder_id) DO UPDATE SET own = excluded.own;`;

const COUNTING = `
  CREATE TEMP TRIGGER count_added AFTER INSERT ON main.items WHEN NEW.parent_id IS NOT NULL
    BEGIN ${count('NEW.parent_id')} END;
  CREATE TEMP TRIGGER count_removed AFTER DELETE ON main.items WHEN OLD.parent_id IS NOT NULL
    BEGIN ${count('OLD.parent_id')} END;
  CREATE TEMP TRIGGER count_changed AFTER UPDATE OF ${TAGGED.join(', ')} ON main.items
    WHEN NEW.parent_id IS NOT NULL AND (${TAGGED.map((name) => `OLD.${name} IS NOT NEW.${name}`).join(' OR ')})
    BEGIN ${count('NEW.parent_id')} END;
  CREATE TEMP TRIGGER count_left AFTER UPDATE OF parent_id ON main.items
    WHEN OLD.parent_id IS NOT NULL AND OLD.parent_id IS NOT NEW.parent_id
    BEGIN ${count('OLD.parent_id')} END;`;

/**
 * Begins with a number above all that were given before, also by a database that this one is an earlier copy of, and with another
 * epoch if the file is a copy.
 * @param file identifies the file of the database
 * @param now milliseconds since the epoch
 */
async function beginNumbers(writer: Connection, file: string, now: number): Promise<void> {
  await writer.run(
    `UPDATE change_number SET number = max(number, ?1),
       epoch = CASE WHEN file IN ('', ?2) THEN epoch ELSE randomblob(32) END, file = ?2`,
    [now * 1_000, file],
  );
}

/** Makes the connection note the rows that it changes. To be called when the schema is up to date. */
export async function noteChangedRows(writer: Connection, file: string, now = Date.now()): Promise<void> {
  await beginNumbers(writer, file, now);
  const insert = (row: 'OLD' | 'NEW') =>
    `INSERT INTO changed_rows SELECT ${row}.parent_id, ${row}.name WHERE ${row}.parent_id IS NOT NULL;`;
  await writer.exec(
    `CREATE TEMP TABLE changed_rows (folder_id INTEGER NOT NULL, name TEXT NOT NULL);
     PRAGMA temp.journal_mode = MEMORY;
     CREATE TEMP TRIGGER note_added AFTER INSERT ON main.items BEGIN ${insert('NEW')} END;
     CREATE TEMP TRIGGER note_removed AFTER DELETE ON main.items BEGIN ${insert('OLD')} END;
     CREATE TEMP TRIGGER note_changed AFTER UPDATE OF ${LISTED} ON main.items BEGIN ${insert('OLD')} ${insert('NEW')} END;
     ${COUNTING}`,
  );
}

/** What was noted since the last call; within a transaction, by the transaction. */
export async function takeChangedFolders(writer: Connection): Promise<ChangedFolder[]> {
  // One statement, since every commit waits for it.
  const rows = await writer.all<{ id: number; name: string }>(
    'DELETE FROM changed_rows RETURNING folder_id AS id, name',
  );
  const folders = new Map<number, Set<string>>();
  for (const { id, name } of rows) {
    const names = folders.get(id) ?? new Set();
    folders.set(id, names.add(name));
  }
  return [...folders].map(([id, names]) => ({ id, names: names.size > NAMES_OF_COMMIT ? null : [...names] }));
}

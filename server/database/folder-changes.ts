import type { Connection } from './connection.ts';

/** Number of folders whose last change is remembered. */
const REMEMBERED = 50_000;

/** Columns of a row that a listing of its folder depends on. */
const LISTED = 'parent_id, name, is_dir, uuid, version, identity, missing_since, listed';

/**
 * Which folders' rows each commit has changed. SQLite itself reports them, by triggers of the writer's connection: no statement
 * can forget to, and cascades count as well.
 */
export class FolderChanges {
  readonly #last = new Map<number, number>();
  #number = 0;
  #forgotten = 0;

  /** The number of the last change. */
  get number(): number {
    return this.#number;
  }

  /** The number of the last change to rows in a folder, or a later one. @param folderId of the folder's own row */
  lastIn(folderId: number): number {
    return this.#last.get(folderId) ?? this.#forgotten;
  }

  /** Rows in any folder may have changed. */
  recordAll(): void {
    this.#number += 1;
    this.#forgotten = this.#number;
    this.#last.clear();
  }

  record(folderIds: readonly number[]): void {
    if (folderIds.length === 0) return;
    this.#number += 1;
    for (const id of folderIds) {
      this.#last.delete(id);
      this.#last.set(id, this.#number);
    }
    for (const [id, number] of this.#last) {
      if (this.#last.size <= REMEMBERED) break;
      this.#forgotten = number;
      this.#last.delete(id);
    }
  }
}

/** Makes the connection note the folders whose rows it changes. To be called when the schema is up to date. */
export async function noteChangedFolders(writer: Connection): Promise<void> {
  // Not INSERT OR IGNORE: in a trigger, the conflict clause of the statement that fires it takes precedence.
  const insertParent = (row: 'OLD' | 'NEW') =>
    `INSERT INTO changed_folders SELECT ${row}.parent_id
     WHERE ${row}.parent_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM changed_folders WHERE id = ${row}.parent_id);`;
  await writer.exec(
    `CREATE TEMP TABLE changed_folders (id INTEGER PRIMARY KEY);
     PRAGMA temp.journal_mode = MEMORY;
     CREATE TEMP TRIGGER note_added AFTER INSERT ON main.items BEGIN ${insertParent('NEW')} END;
     CREATE TEMP TRIGGER note_removed AFTER DELETE ON main.items BEGIN ${insertParent('OLD')} END;
     CREATE TEMP TRIGGER note_changed AFTER UPDATE OF ${LISTED} ON main.items BEGIN ${insertParent('OLD')} ${insertParent('NEW')} END;`,
  );
}

/** The folders noted since the last call; within a transaction, those of the transaction. */
export async function takeChangedFolders(writer: Connection): Promise<number[]> {
  const rows = await writer.all<{ id: number }>('DELETE FROM changed_folders RETURNING id');
  return rows.map(({ id }) => id);
}

import { fileKind } from '../../lib/names/file-types.ts';
import { searchFold } from '../../lib/names/names.ts';
import type { Transaction } from '../write-queue.ts';
import type { Migration } from './migration.ts';

const FILL_BATCH = 5_000;

export const finding: Migration = {
  name: '0009-finding',
  statements: [
    // The search form of a name, and its file type. Both are computed by the server, because the driver supports no custom
    // functions.
    "ALTER TABLE items ADD COLUMN name_fold TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE items ADD COLUMN kind TEXT NOT NULL DEFAULT ''",
    // Of a folder: its modification time, in nanoseconds, when everything in it was last compared. Null: never, or so soon
    // after a change that another one may carry the same time.
    'ALTER TABLE items ADD COLUMN listed TEXT',
    "CREATE INDEX items_newest ON items (home_id, kind, mtime) WHERE kind IN ('image', 'raw', 'audio')",
    'CREATE INDEX items_folders ON items (parent_id) WHERE is_dir = 1',

    // By identity alone, and of what is not missing too: what was moved by other means is often found at its new place
    // before it is missed at the old one.
    'DROP INDEX items_identity',
    "CREATE INDEX items_identity ON items (identity) WHERE identity <> ''",
    'CREATE INDEX items_missing ON items (is_dir, missing_since) WHERE missing_since IS NOT NULL',

    // Names by all of their runs of three letters. A name is written into it a moment later, many at once, because one by one
    // that costs more than the row itself; until then it waits in the other table, where it is found as well.
    "CREATE VIRTUAL TABLE names USING fts5 (fold, tokenize = 'trigram case_sensitive 1')",
    'CREATE TABLE names_waiting (item_id INTEGER PRIMARY KEY) STRICT',
    `CREATE TRIGGER items_name_insert AFTER INSERT ON items WHEN NEW.name_fold <> '' BEGIN
      INSERT OR IGNORE INTO names_waiting VALUES (NEW.id);
    END`,
    `CREATE TRIGGER items_name_update AFTER UPDATE OF name_fold ON items WHEN OLD.name_fold <> NEW.name_fold BEGIN
      INSERT OR IGNORE INTO names_waiting VALUES (NEW.id);
    END`,
    `CREATE TRIGGER items_name_delete AFTER DELETE ON items WHEN OLD.name_fold <> '' BEGIN
      INSERT OR IGNORE INTO names_waiting VALUES (OLD.id);
    END`,

    `CREATE TABLE stars (
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      starred_at INTEGER NOT NULL,
      PRIMARY KEY (account_id, item_id)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX stars_item ON stars (item_id)',
  ],

  async fill(tx: Transaction) {
    for (let last = 0; ; ) {
      const rows = await tx.all<{ id: number; name: string; is_dir: number }>(
        'SELECT id, name, is_dir FROM items WHERE id > ? AND parent_id IS NOT NULL ORDER BY id LIMIT ?',
        [last, FILL_BATCH],
      );
      if (rows.length === 0) break;
      last = rows.at(-1)?.id ?? last;
      const filled = rows.map(({ id, name, is_dir: isDir }) => [
        id,
        searchFold(name),
        fileKind(name, isDir === 1).type,
      ]);
      await tx.run(
        `UPDATE items SET name_fold = value->>1, kind = value->>2 FROM json_each(?) WHERE items.id = value->>0`,
        [JSON.stringify(filled)],
      );
    }
    // Not left to wait: a search would read all of them, every time until they are written.
    await tx.run("INSERT INTO names (rowid, fold) SELECT id, name_fold FROM items WHERE name_fold <> ''");
    await tx.run('DELETE FROM names_waiting');
  },
};

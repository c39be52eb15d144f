import type { Migration } from './migration.ts';

export const changeNumbers: Migration = {
  name: '0031-change-numbers',
  statements: [
    // One row. The triggers of `folder-changes.ts` count every change of what people see in a folder.
    `CREATE TABLE change_number (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      -- Of the last change. It never falls, and at the start it is at least the time, in microseconds.
      number INTEGER NOT NULL,
      -- Random: the key of the tags of folders. A copy of the database gets another one.
      epoch BLOB NOT NULL,
      -- What tells this file from a copy of it.
      file TEXT NOT NULL
    ) STRICT`,
    `INSERT INTO change_number (id, number, epoch, file) VALUES (1, 0, randomblob(32), '')`,
    // A folder that has not changed since has no row.
    `CREATE TABLE folder_changes (
      folder_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      -- The number of the last change in the folder itself.
      own INTEGER NOT NULL,
      -- The highest number of it and of everything below, as far as it was passed up.
      below INTEGER NOT NULL
    ) STRICT`,
    // Those whose last change was not passed up to the folders above.
    `CREATE INDEX folder_changes_pending ON folder_changes (folder_id) WHERE own > below`,
  ],
};

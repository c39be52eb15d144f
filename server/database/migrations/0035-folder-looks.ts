import type { Migration } from './migration.ts';

export const folderLooks: Migration = {
  name: '0035-folder-looks',
  statements: [
    // How people want to see folders on the pages. By virtual path, because lists such as /PHOTOS are no items; a folder that
    // moves is shown like those around it.
    `CREATE TABLE folder_looks (
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      view TEXT NOT NULL,
      sort TEXT NOT NULL,
      direction TEXT NOT NULL,
      chosen_at INTEGER NOT NULL,
      PRIMARY KEY (account_id, path)
    ) STRICT, WITHOUT ROWID`,
  ],
};

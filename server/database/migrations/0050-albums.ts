import type { Migration } from './migration.ts';

/** Albums of photos and films: lists that belong to an account. They contain no files, and give no rights to any. */
export const albums: Migration = {
  name: '0050-albums',
  statements: [
    // With a folder, the album is what is in that folder, and is called as it is; otherwise, `album_items` has what is in it.
    `CREATE TABLE albums (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      uuid TEXT NOT NULL UNIQUE,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      sort TEXT NOT NULL CHECK (sort IN ('taken', 'hand')),
      cover_id INTEGER REFERENCES items (id) ON DELETE SET NULL,
      folder_id INTEGER REFERENCES items (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL
    ) STRICT`,
    'CREATE INDEX albums_account ON albums (account_id)',
    'CREATE INDEX albums_cover ON albums (cover_id) WHERE cover_id IS NOT NULL',
    'CREATE UNIQUE INDEX albums_folder ON albums (folder_id, account_id) WHERE folder_id IS NOT NULL',
    // Null for an account that is gone. `place` sorts by hand; the last added has the highest.
    `CREATE TABLE album_items (
      album_id INTEGER NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      added_by INTEGER REFERENCES accounts (id) ON DELETE SET NULL,
      added_at INTEGER NOT NULL,
      place INTEGER NOT NULL,
      PRIMARY KEY (album_id, item_id)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX album_items_item ON album_items (item_id)',
    'CREATE INDEX album_items_account ON album_items (added_by) WHERE added_by IS NOT NULL',
  ],
};

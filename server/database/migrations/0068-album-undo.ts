import type { Migration } from './migration.ts';

/** Albums that were deleted a moment ago, and albums of a group that one of its members has left. */
export const albumUndo: Migration = {
  name: '0068-album-undo',
  statements: [
    // Nothing reads them but the undo, so that nothing of a deleted album can be seen. The lists are JSON.
    `CREATE TABLE deleted_albums (
      uuid TEXT PRIMARY KEY,
      id INTEGER NOT NULL,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      deleted_at INTEGER NOT NULL,
      title TEXT NOT NULL,
      sort TEXT NOT NULL,
      cover_id INTEGER,
      folder_id INTEGER,
      created_at INTEGER NOT NULL,
      items TEXT NOT NULL,
      shares TEXT NOT NULL,
      left_by TEXT NOT NULL,
      links TEXT NOT NULL,
      imported TEXT NOT NULL
    ) STRICT`,
    'CREATE INDEX deleted_albums_account ON deleted_albums (account_id)',
    // It holds against shares with groups only, and ends when the album is shared anew with the account or a group of it.
    `CREATE TABLE album_left (
      album_id INTEGER NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      PRIMARY KEY (album_id, account_id)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX album_left_account ON album_left (account_id)',
  ],
};

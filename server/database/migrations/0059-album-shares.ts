import type { Migration } from './migration.ts';

/** Who sees an album beside its owner, and adds to it. */
export const albumShares: Migration = {
  name: '0059-album-shares',
  statements: [
    `CREATE TABLE album_shares (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      album_id INTEGER NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
      uid INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
      gid INTEGER REFERENCES groups (id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('view', 'contribute')),
      created_at INTEGER NOT NULL,
      CHECK ((uid IS NULL) <> (gid IS NULL))
    ) STRICT`,
    'CREATE UNIQUE INDEX album_shares_uid ON album_shares (uid, album_id) WHERE uid IS NOT NULL',
    'CREATE UNIQUE INDEX album_shares_gid ON album_shares (gid, album_id) WHERE gid IS NOT NULL',
    'CREATE INDEX album_shares_album ON album_shares (album_id)',
    // An item that moves to another home has another owner, who has not agreed to show it.
    `CREATE TRIGGER album_items_moved AFTER UPDATE OF home_id ON items WHEN OLD.home_id <> NEW.home_id BEGIN
      UPDATE album_items SET added_by = NULL WHERE item_id = NEW.id;
    END`,
  ],
};

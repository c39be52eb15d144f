import type { Migration } from './migration.ts';

export const shares: Migration = {
  name: '0013-shares',
  statements: [
    // Who gave what to whom. Ids are never given again: they stand in paths that people keep.
    `CREATE TABLE shares (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      sharer_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      -- The share through which the sharer has the item; null for one's own. It has a smaller id than this one.
      via_id INTEGER REFERENCES shares (id) ON DELETE CASCADE,
      uid INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
      gid INTEGER REFERENCES groups (id) ON DELETE CASCADE,
      anonymous INTEGER NOT NULL,
      upload INTEGER NOT NULL,
      download INTEGER NOT NULL,
      comment INTEGER NOT NULL,
      read_comments INTEGER NOT NULL,
      alter_items INTEGER NOT NULL,
      share INTEGER NOT NULL,
      alias TEXT NOT NULL DEFAULT '',
      created_at INTEGER NOT NULL,
      CHECK ((uid IS NULL) <> (gid IS NULL)),
      CHECK (via_id < id)
    ) STRICT`,
    'CREATE UNIQUE INDEX shares_once ON shares (item_id, sharer_id, coalesce(via_id, 0), coalesce(uid, 0), coalesce(gid, 0))',
    'CREATE INDEX shares_sharer ON shares (sharer_id)',
    'CREATE INDEX shares_via ON shares (via_id)',
    'CREATE INDEX shares_uid ON shares (uid) WHERE uid IS NOT NULL',
    'CREATE INDEX shares_gid ON shares (gid) WHERE gid IS NOT NULL',

    // An item that moves to another home has another owner, and is not shared yet.
    `CREATE TRIGGER shares_moved AFTER UPDATE OF home_id ON items WHEN OLD.home_id <> NEW.home_id BEGIN
      DELETE FROM shares WHERE item_id = NEW.id;
    END`,

    // A guest belongs to one person, who shares with them, and is deleted together with that person.
    'ALTER TABLE accounts ADD COLUMN guest_of INTEGER REFERENCES accounts (id) ON DELETE CASCADE',
    'CREATE INDEX accounts_guest_of ON accounts (guest_of) WHERE guest_of IS NOT NULL',
    // Since when a guest has no shares.
    'ALTER TABLE accounts ADD COLUMN guest_idle_since INTEGER',
    // The private link of a guest, as SHA-256.
    `CREATE TABLE guest_links (
      account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
      token_hash BLOB NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT`,
  ],
};

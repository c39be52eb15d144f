import type { Migration } from './migration.ts';

/** Imports of photos from the exports of other services. */
export const imports: Migration = {
  name: '0051-imports',
  statements: [
    // "target" has the names of the folder below the home, as a JSON list. "failure" is the code of an error. "total" is null until
    // the archives were read. What lies in the rows of entries is counted here as well, in the same transactions. Of those that wait, the lowest
    // "turn" is next.
    `CREATE TABLE imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      uuid TEXT NOT NULL UNIQUE,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      target TEXT NOT NULL,
      channel TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'cancelled', 'failed')),
      failure TEXT,
      created_at INTEGER NOT NULL,
      ended_at INTEGER,
      total INTEGER,
      handled INTEGER NOT NULL DEFAULT 0,
      stored INTEGER NOT NULL DEFAULT 0,
      known INTEGER NOT NULL DEFAULT 0,
      in_albums INTEGER NOT NULL DEFAULT 0,
      undated INTEGER NOT NULL DEFAULT 0,
      turn INTEGER NOT NULL DEFAULT 0
    ) STRICT`,
    'CREATE INDEX imports_account ON imports (account_id)',
    "CREATE INDEX imports_open ON imports (id) WHERE state IN ('waiting', 'running')",
    // "digest" is that of the directory of the archive, once it was read: a different archive is another import.
    `CREATE TABLE import_archives (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      archive INTEGER NOT NULL,
      item_id INTEGER REFERENCES items (id) ON DELETE SET NULL,
      name TEXT NOT NULL,
      digest BLOB,
      PRIMARY KEY (import_id, archive)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX import_archives_item ON import_archives (item_id) WHERE item_id IS NOT NULL',
    // Entries that are being stored, and those that were handled, until the import is done. "path" has the names below the home
    // under which an entry is being stored.
    `CREATE TABLE import_entries (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      archive INTEGER NOT NULL,
      entry INTEGER NOT NULL,
      path TEXT,
      PRIMARY KEY (import_id, archive, entry)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE import_albums (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      folder TEXT NOT NULL,
      album_id INTEGER REFERENCES albums (id) ON DELETE SET NULL,
      PRIMARY KEY (import_id, folder)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX import_albums_album ON import_albums (album_id) WHERE album_id IS NOT NULL',
    // What was not understood.
    `CREATE TABLE import_notes (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      entry TEXT NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (import_id, entry, reason)
    ) STRICT, WITHOUT ROWID`,
    // What an export says of a photo: it takes precedence over what is embedded in the file.
    `CREATE TABLE stated_metadata (
      item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      description TEXT,
      latitude REAL,
      longitude REAL
    ) STRICT`,
    // It was said of the content that the file had then.
    `CREATE TRIGGER items_stated_replaced AFTER UPDATE OF tag ON items WHEN OLD.tag <> NEW.tag BEGIN
      DELETE FROM stated_metadata WHERE item_id = NEW.id;
    END`,
  ],
};

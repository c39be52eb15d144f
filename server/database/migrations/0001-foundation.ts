import type { Migration } from './migration.ts';

/** Times are milliseconds since the Unix epoch, sizes are bytes. */
export const foundation: Migration = {
  name: '0001-foundation',
  statements: [
    `CREATE TABLE settings (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT`,

    // A path inside the appliance's folder is stored relative to it, so that the folder can move.
    `CREATE TABLE homes (
      id TEXT PRIMARY KEY,
      path TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL
    ) STRICT`,

    `CREATE TABLE accounts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      type TEXT NOT NULL CHECK (type IN ('superuser', 'user', 'guest')),
      username TEXT NOT NULL,
      username_fold TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      last_name TEXT NOT NULL DEFAULT '',
      email TEXT NOT NULL DEFAULT '',
      password_hash TEXT,
      activated INTEGER NOT NULL DEFAULT 1,
      deactivated_reason TEXT CHECK (deactivated_reason IN ('wrong_passwords', 'administrator')),
      failed_login_attempts INTEGER NOT NULL DEFAULT 0,
      home_id TEXT REFERENCES homes (id) ON DELETE SET NULL,
      registered_at INTEGER NOT NULL,
      last_login_at INTEGER
    ) STRICT`,
    'CREATE INDEX accounts_home ON accounts (home_id)',

    `CREATE TABLE clients (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      client_id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      secret_hash BLOB,
      redirect_uris TEXT NOT NULL,
      grants TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`,

    `CREATE TABLE authorizations (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      client_id INTEGER NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
      scopes TEXT NOT NULL,
      granted_at INTEGER NOT NULL,
      granted_from TEXT NOT NULL
    ) STRICT`,
    'CREATE INDEX authorizations_account ON authorizations (account_id)',
    'CREATE INDEX authorizations_client ON authorizations (client_id)',

    // Only the SHA-256 of a token is stored. A refresh token that was exchanged stays until it would have expired,
    // so that its second use is noticed.
    `CREATE TABLE tokens (
      hash BLOB PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
      authorization_id INTEGER NOT NULL REFERENCES authorizations (id) ON DELETE CASCADE,
      scopes TEXT NOT NULL,
      expires_at INTEGER NOT NULL,
      replaced_at INTEGER
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX tokens_authorization ON tokens (authorization_id)',
    'CREATE INDEX tokens_expiry ON tokens (expires_at)',

    // One row for a file or folder, as long as it is remembered. A home has two roots, one named '' and one named
    // 'trash', so that a move into the trash is, like every move within a home, an update of one row.
    // "identity" is inode, birth time and, for files, size and modification time, in one text: all agree or none.
    // An id is never given twice: the journal may still speak of an item that is gone.
    `CREATE TABLE items (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      uuid TEXT NOT NULL UNIQUE,
      home_id TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
      parent_id INTEGER REFERENCES items (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      is_dir INTEGER NOT NULL,
      size INTEGER NOT NULL,
      mtime INTEGER NOT NULL,
      identity TEXT NOT NULL,
      version INTEGER NOT NULL DEFAULT 1,
      missing_since INTEGER
    ) STRICT`,
    'CREATE UNIQUE INDEX items_path ON items (parent_id, name)',
    'CREATE UNIQUE INDEX items_root ON items (home_id, name) WHERE parent_id IS NULL',
    'CREATE INDEX items_identity ON items (home_id, identity) WHERE missing_since IS NOT NULL',

    `CREATE TABLE versions (
      id TEXT PRIMARY KEY,
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      size INTEGER NOT NULL,
      mtime INTEGER NOT NULL,
      stored_at INTEGER NOT NULL,
      UNIQUE (item_id, version)
    ) STRICT`,

    `CREATE TABLE trash (
      id TEXT PRIMARY KEY,
      item_id INTEGER NOT NULL UNIQUE REFERENCES items (id) ON DELETE CASCADE,
      original_parent_id INTEGER REFERENCES items (id) ON DELETE SET NULL,
      original_path TEXT NOT NULL,
      deleted_at INTEGER NOT NULL,
      deleted_by INTEGER REFERENCES accounts (id) ON DELETE SET NULL
    ) STRICT`,
    'CREATE INDEX trash_parent ON trash (original_parent_id)',
    'CREATE INDEX trash_deleter ON trash (deleted_by)',

    // What takes several steps is written here before the first one, and finished or undone at the next start.
    `CREATE TABLE journal (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      data TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`,
  ],
};

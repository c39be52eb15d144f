import type { Migration } from './migration.ts';

export const webdav: Migration = {
  name: '0026-webdav',
  statements: [
    // Locks of WebDAV have a token, and several of them can be on one item; those of the API have none.
    `CREATE TABLE locks_next (
      id INTEGER PRIMARY KEY,
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      locked_at INTEGER NOT NULL,
      token TEXT UNIQUE,
      -- The credential that has the lock, and what it stated about its owner as XML.
      credential TEXT,
      owner TEXT NOT NULL DEFAULT '',
      is_shared INTEGER NOT NULL DEFAULT 0,
      -- Whether everything below a folder is locked with it.
      is_deep INTEGER NOT NULL DEFAULT 0,
      -- Milliseconds since the epoch; null for a lock that does not expire.
      expires_at INTEGER
    ) STRICT`,
    'INSERT INTO locks_next (item_id, account_id, locked_at) SELECT item_id, account_id, locked_at FROM locks',
    'DROP TABLE locks',
    'ALTER TABLE locks_next RENAME TO locks',
    'CREATE INDEX locks_item ON locks (item_id)',
    'CREATE INDEX locks_account ON locks (account_id)',
    'CREATE UNIQUE INDEX locks_without_token ON locks (item_id) WHERE token IS NULL',

    // A lock ends with its credential: no program could release it otherwise.
    `CREATE TRIGGER app_passwords_locks AFTER DELETE ON app_passwords BEGIN
      DELETE FROM locks WHERE credential = 'app-password:' || OLD.id;
    END`,
    `CREATE TRIGGER authorizations_locks AFTER DELETE ON authorizations BEGIN
      DELETE FROM locks WHERE credential = 'authorization:' || OLD.id;
    END`,
    'CREATE INDEX locks_credential ON locks (credential) WHERE credential IS NOT NULL',

    // What WebDAV clients store with items (RFC 4918 §4). The value is XML that needs no context.
    `CREATE TABLE dav_properties (
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      namespace TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (item_id, namespace, name)
    ) STRICT, WITHOUT ROWID`,

    // The checksum that a sync client stated with a content and that was verified, such as "SHA1:…": it compares it later.
    `CREATE TABLE dav_checksums (
      item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      -- Of the content: the checksum does not count for another one.
      identity TEXT NOT NULL,
      checksum TEXT NOT NULL
    ) STRICT`,
  ],
};

import type { Migration } from './migration.ts';

export const uploadIdentity: Migration = {
  name: '0021-upload-identity',
  statements: [
    // It is unknown which content the existing rows belong to, so those uploads begin again.
    'DROP TABLE uploads',

    // A chunked upload. Its content is incoming/<id>; `received` bytes of it have been flushed. A chunk without a start byte
    // belongs at `position`, after the previous one. Clients know the upload by `upload_key`. One that was never addressed by its
    // key is found by its other properties, unless `is_contested` says that a second client may be sending to the same path.
    `CREATE TABLE uploads (
      id TEXT PRIMARY KEY,
      upload_key TEXT NOT NULL,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      home_id TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      client TEXT NOT NULL,
      total_size INTEGER NOT NULL,
      last_modified INTEGER,
      digest TEXT,
      received INTEGER NOT NULL,
      position INTEGER NOT NULL,
      is_named INTEGER NOT NULL,
      is_contested INTEGER NOT NULL DEFAULT 0,
      updated_at INTEGER NOT NULL,
      UNIQUE (account_id, upload_key)
    ) STRICT`,
    'CREATE INDEX uploads_path ON uploads (account_id, home_id, path)',
    'CREATE INDEX uploads_home ON uploads (home_id)',
    'CREATE INDEX uploads_age ON uploads (updated_at)',
  ],
};

import type { Migration } from './migration.ts';

export const versionsAndUploads: Migration = {
  name: '0002-versions-and-uploads',
  statements: [
    // Who uploaded the content; null when another program wrote it. No foreign key: it would cost an index on the largest table,
    // and ids of accounts are never reused, so a stale one matches no account.
    'ALTER TABLE items ADD COLUMN changed_by INTEGER',
    'ALTER TABLE versions ADD COLUMN changed_by INTEGER',
    'CREATE INDEX versions_age ON versions (stored_at)',

    // An upload that comes in chunks. Its content is incoming/<id>; `received` bytes of it have been flushed.
    `CREATE TABLE uploads (
      id TEXT PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      home_id TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      total_size INTEGER NOT NULL,
      received INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (account_id, home_id, path)
    ) STRICT`,
    'CREATE INDEX uploads_home ON uploads (home_id)',
    'CREATE INDEX uploads_age ON uploads (updated_at)',
  ],
};

import type { Migration } from './migration.ts';

export const tusUploads: Migration = {
  name: '0027-tus-uploads',
  statements: [
    // What tus knows of an upload beside its row in `uploads`, which has the key `tus:<id>` and ends with the upload. `credential`
    // names the authorization or app password that created it. `item_uuid` is the file that it became; null before that.
    `CREATE TABLE tus_uploads (
      id TEXT PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      credential TEXT NOT NULL,
      path TEXT NOT NULL,
      length INTEGER NOT NULL,
      last_modified INTEGER,
      metadata TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      item_uuid TEXT,
      ended_at INTEGER
    ) STRICT`,
    'CREATE INDEX tus_uploads_account ON tus_uploads (account_id)',
    'CREATE INDEX tus_uploads_age ON tus_uploads (created_at)',
  ],
};

import type { Migration } from './migration.ts';

export const activity: Migration = {
  name: '0005-activity',
  statements: [
    // The activity log. No foreign keys, and names as they were at the time, because the log outlives accounts and clients. Ids
    // are never reused, so that a page always continues where the previous one ended.
    `CREATE TABLE activity (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      kind_group TEXT NOT NULL,
      account_id INTEGER,
      username TEXT,
      client_id TEXT,
      client TEXT,
      door TEXT NOT NULL,
      address TEXT,
      subject TEXT NOT NULL,
      details TEXT
    ) STRICT`,
    // Each has the id behind it, in whose order pages are read.
    'CREATE INDEX activity_account ON activity (account_id)',
    'CREATE INDEX activity_group ON activity (kind_group)',
    'CREATE INDEX activity_age ON activity (at)',
  ],
};

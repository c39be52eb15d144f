import type { Migration } from './migration.ts';

export const mailQueue: Migration = {
  name: '0012-mail-queue',
  statements: [
    // Mails to be sent, as JSON, until they are sent or expire.
    `CREATE TABLE mails (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      message TEXT NOT NULL,
      tries INTEGER NOT NULL DEFAULT 0,
      next_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT`,
    'CREATE INDEX mails_next ON mails (next_at)',

    // Whether the owners were warned that the home is nearly full; once, until there is space again.
    'ALTER TABLE homes ADD COLUMN full_warned INTEGER NOT NULL DEFAULT 0',
  ],
};

import type { Migration } from './migration.ts';

export const mailQueue: Migration = {
  name: '0012-mail-queue',
  statements: [
    // Mails that are to be sent, as JSON, until they are, or nobody would want them any more.
    `CREATE TABLE mails (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      message TEXT NOT NULL,
      tries INTEGER NOT NULL DEFAULT 0,
      next_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT`,
    'CREATE INDEX mails_next ON mails (next_at)',

    // Whether those whose home it is were told that it is nearly full; once, until there is room again.
    'ALTER TABLE homes ADD COLUMN full_warned INTEGER NOT NULL DEFAULT 0',
  ],
};

import type { Migration } from './migration.ts';

export const pictures: Migration = {
  name: '0006-pictures',
  statements: [
    // A table of its own: accounts are read with every request, and pictures hardly ever.
    `CREATE TABLE account_pictures (
      account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
      content BLOB NOT NULL,
      hash TEXT NOT NULL,
      changed_at INTEGER NOT NULL
    ) STRICT`,
  ],
};

import type { Migration } from './migration.ts';

export const locks: Migration = {
  name: '0010-locks',
  statements: [
    // Who keeps a file from being changed by others.
    `CREATE TABLE locks (
      item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      locked_at INTEGER NOT NULL
    ) STRICT`,
    'CREATE INDEX locks_account ON locks (account_id)',
  ],
};

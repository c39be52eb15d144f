import type { Migration } from './migration.ts';

export const comments: Migration = {
  name: '0014-comments',
  statements: [
    // What people say about files and folders. Ids are never given again.
    `CREATE TABLE comments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      -- Null for somebody without an account, and for one whose account is gone: the name goes with it, the comment stays.
      account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL,
      -- What somebody without an account says they are called; empty for accounts.
      visitor_name TEXT NOT NULL DEFAULT '',
      comment TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      CHECK (visitor_name = '' OR account_id IS NULL)
    ) STRICT`,
    'CREATE INDEX comments_item ON comments (item_id)',
    'CREATE INDEX comments_account ON comments (account_id) WHERE account_id IS NOT NULL',
  ],
};

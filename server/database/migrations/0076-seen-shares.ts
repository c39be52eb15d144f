import type { Migration } from './migration.ts';

/** Up to which share a person has seen what is shared with them. Ids of shares increase and are never given again. */
export const seenShares: Migration = {
  name: '0076-seen-shares',
  statements: [
    `CREATE TABLE seen_shares (
      account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
      share_id INTEGER NOT NULL
    ) STRICT`,
    // What was shared before this is not new to anybody.
    'INSERT INTO seen_shares (account_id, share_id) SELECT id, (SELECT coalesce(max(id), 0) FROM shares) FROM accounts',
  ],
};

import type { Migration } from './migration.ts';

export const signInProtection: Migration = {
  name: '0020-sign-in-protection',
  statements: [
    // A refresh token may be exchanged more than once within its grace period. The pairs that come of it are one generation:
    // they share a parent, the hash of the token that was exchanged. A pair is named by the hash of its refresh token.
    'ALTER TABLE tokens ADD COLUMN parent BLOB',
    'ALTER TABLE tokens ADD COLUMN pair BLOB',
    'CREATE INDEX tokens_parent ON tokens (parent) WHERE parent IS NOT NULL',
    // Of tokens issued before, the generation is unknown: those of an authorization that were not exchanged yet are one.
    `UPDATE tokens SET parent = CAST('before ' || authorization_id AS BLOB), pair = hash
     WHERE kind = 'refresh' AND replaced_at IS NULL`,

    // A deactivation by wrong passwords ends by itself: until when it lasts, and how many there were in a row.
    'ALTER TABLE accounts ADD COLUMN blocked_until INTEGER',
    'ALTER TABLE accounts ADD COLUMN block_count INTEGER NOT NULL DEFAULT 0',
    `UPDATE accounts SET activated = 1, deactivated_reason = NULL, failed_login_attempts = 0, block_count = 1,
       blocked_until = (CAST(strftime('%s', 'now') AS INTEGER) + 900) * 1000
     WHERE deactivated_reason = 'wrong_passwords'`,

    // Browsers that have signed in to an account before. Only the SHA-256 of what the cookie holds is stored.
    `CREATE TABLE devices (
      hash BLOB NOT NULL,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      wrong_attempts INTEGER NOT NULL DEFAULT 0,
      last_used_at INTEGER NOT NULL,
      PRIMARY KEY (hash, account_id)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX devices_account ON devices (account_id, last_used_at)',
    'CREATE INDEX devices_age ON devices (last_used_at)',

    // Whether a browser has ever entered the right password of a link: guesses of others never keep it out.
    'ALTER TABLE weblink_visits ADD COLUMN has_entered INTEGER NOT NULL DEFAULT 0',
    'UPDATE weblink_visits SET has_entered = password_shown',

    // What was sent of a limited link without being counted, in whole downloads: it adds up until it is one.
    'ALTER TABLE weblinks ADD COLUMN uncounted REAL NOT NULL DEFAULT 0',
  ],
};

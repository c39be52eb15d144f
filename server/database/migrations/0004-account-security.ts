import type { Migration } from './migration.ts';

export const accountSecurity: Migration = {
  name: '0004-account-security',
  statements: [
    'ALTER TABLE accounts ADD COLUMN expires_at INTEGER',
    'ALTER TABLE accounts ADD COLUMN require_password_change INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE accounts ADD COLUMN password_changed_at INTEGER',
    // The key of RFC 6238 in base32, readable because codes are computed from it; the file is for the owner only.
    'ALTER TABLE accounts ADD COLUMN two_step_key TEXT',
    'ALTER TABLE accounts ADD COLUMN two_step_since INTEGER',
    // The time step of the last code that was taken: no code counts twice.
    'ALTER TABLE accounts ADD COLUMN two_step_last_step INTEGER',
    'ALTER TABLE accounts ADD COLUMN two_step_required INTEGER NOT NULL DEFAULT 0',

    `CREATE TABLE recovery_codes (
      hash BLOB PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX recovery_codes_account ON recovery_codes (account_id)',

    // A link in a mail that sets a new password, once.
    `CREATE TABLE password_resets (
      hash BLOB PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX password_resets_account ON password_resets (account_id)',
    'CREATE INDEX password_resets_expiry ON password_resets (expires_at)',

    'ALTER TABLE authorizations ADD COLUMN last_used_at INTEGER',

    // What a client states about itself, for the consent page.
    "ALTER TABLE clients ADD COLUMN publisher TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE clients ADD COLUMN website TEXT NOT NULL DEFAULT ''",
    'ALTER TABLE clients ADD COLUMN logo BLOB',
  ],
};

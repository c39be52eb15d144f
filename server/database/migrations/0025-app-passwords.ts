import type { Migration } from './migration.ts';

export const appPasswords: Migration = {
  name: '0025-app-passwords',
  statements: [
    `CREATE TABLE app_passwords (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      label TEXT NOT NULL,
      -- The program it is for, as chosen on the account page; null for another one.
      program TEXT,
      hash BLOB NOT NULL UNIQUE,
      scopes TEXT NOT NULL,
      -- The folder it is limited to. The folder may move, or be gone, so it refers to no row.
      root_uuid TEXT,
      read_only INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      -- Of the app that created it; it ends with that.
      authorization_id INTEGER REFERENCES authorizations (id) ON DELETE CASCADE,
      last_used_at INTEGER,
      last_address TEXT,
      last_user_agent TEXT
    ) STRICT`,
    'CREATE INDEX app_passwords_account ON app_passwords (account_id)',
    'CREATE INDEX app_passwords_authorization ON app_passwords (authorization_id)',
    'CREATE INDEX app_passwords_expiry ON app_passwords (expires_at)',
  ],
};

import type { Migration } from './migration.ts';

export const webFlows: Migration = {
  name: '0003-web-flows',
  statements: [
    // Signed-in browsers. Only the SHA-256 of the cookie's content is stored.
    `CREATE TABLE sessions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      hash BLOB NOT NULL UNIQUE,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      kept INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      last_seen_at INTEGER NOT NULL,
      address TEXT NOT NULL,
      browser TEXT NOT NULL
    ) STRICT`,
    'CREATE INDEX sessions_account ON sessions (account_id)',
    'CREATE INDEX sessions_age ON sessions (last_seen_at)',

    // A code that was exchanged stays until it would have expired, so that its second use is noticed.
    `CREATE TABLE authorization_codes (
      hash BLOB PRIMARY KEY,
      client_id INTEGER NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      redirect_uri TEXT NOT NULL,
      scopes TEXT NOT NULL,
      code_challenge TEXT,
      address TEXT NOT NULL,
      expires_at INTEGER NOT NULL,
      used_at INTEGER,
      authorization_id INTEGER REFERENCES authorizations (id) ON DELETE SET NULL
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX authorization_codes_client ON authorization_codes (client_id)',
    'CREATE INDEX authorization_codes_account ON authorization_codes (account_id)',
    'CREATE INDEX authorization_codes_authorization ON authorization_codes (authorization_id)',
    'CREATE INDEX authorization_codes_expiry ON authorization_codes (expires_at)',
  ],
};

import type { Migration } from './migration.ts';

export const panelSessions: Migration = {
  name: '0029-panel-sessions',
  statements: [
    // Browsers on Larder's own computer that are signed in to the control panel.
    `CREATE TABLE panel_sessions (
      -- SHA-256 of the token.
      hash BLOB PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      -- SHA-256 of the password and the second factor at the sign-in: the session ends with either of them.
      proof BLOB NOT NULL,
      -- Milliseconds since the epoch.
      began_at INTEGER NOT NULL,
      used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
};

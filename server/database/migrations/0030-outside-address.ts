import type { Migration } from './migration.ts';

export const outsideAddress: Migration = {
  name: '0030-outside-address',
  statements: [
    // Requests with the host of an address from before were answered, and still are.
    `INSERT INTO settings (key, value) SELECT 'baseUrlConfirmed', 'true' FROM settings
      WHERE key = 'baseUrl' AND value <> '""'
      ON CONFLICT (key) DO NOTHING`,
  ],
};

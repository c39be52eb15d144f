import type { Migration } from './migration.ts';

export const clientsOff: Migration = {
  name: '0019-clients-off',
  statements: [
    // Since when a client is switched off: what people allowed it stays, and counts for nothing meanwhile.
    'ALTER TABLE clients ADD COLUMN disabled_at INTEGER',
  ],
};

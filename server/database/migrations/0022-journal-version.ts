import type { Migration } from './migration.ts';

/** Which form a journal entry has: one that another version of Larder wrote is retained for that version, not guessed at. */
export const journalVersion: Migration = {
  name: '0022-journal-version',
  statements: ['ALTER TABLE journal ADD COLUMN version INTEGER NOT NULL DEFAULT 1'],
};

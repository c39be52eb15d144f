import type { Migration } from './migration.ts';

/** When an export says that a photo or film was taken. */
export const statedDates: Migration = {
  name: '0072-stated-dates',
  statements: [
    // In milliseconds since the epoch. Whether it is shown is decided where embedded metadata is written.
    'ALTER TABLE stated_metadata ADD COLUMN taken INTEGER',
  ],
};

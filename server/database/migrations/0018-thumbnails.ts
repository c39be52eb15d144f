import type { Migration } from './migration.ts';

export const thumbnails: Migration = {
  name: '0018-thumbnails',
  statements: [
    // Contents without a possible thumbnail, to avoid further attempts: those without a picture, damaged ones, and those that
    // crash the decoder. By identity, which changes with the content.
    `CREATE TABLE thumbnail_failures (
      home_id TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
      identity TEXT NOT NULL,
      reason TEXT NOT NULL,
      failed_at INTEGER NOT NULL,
      PRIMARY KEY (home_id, identity)
    ) STRICT, WITHOUT ROWID`,
  ],
};

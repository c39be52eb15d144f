import type { Migration } from './migration.ts';

export const thumbnails: Migration = {
  name: '0018-thumbnails',
  statements: [
    // Contents of which no thumbnail can be made, so that nobody tries again: what has no picture in it, what is damaged, and
    // what took its decoder with it. By what is said of a content on the disk: what changes gets another identity.
    `CREATE TABLE thumbnail_failures (
      home_id TEXT NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
      identity TEXT NOT NULL,
      reason TEXT NOT NULL,
      failed_at INTEGER NOT NULL,
      PRIMARY KEY (home_id, identity)
    ) STRICT, WITHOUT ROWID`,
  ],
};

import type { Migration } from './migration.ts';

/** Which files are in the newest backup on another disk, so that people learn what they may delete from their phones. */
export const backedUp: Migration = {
  name: '0044-backed-up',
  statements: [
    // `key` is a digest of the home, the path and the content of a file; `since` is when the first of the backups was made that have
    // it without interruption, in milliseconds; `run` is the last one that has it.
    `CREATE TABLE backed_up (
      key BLOB PRIMARY KEY,
      since INTEGER NOT NULL,
      run INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    // The backup that the rows of this run describe. Without a folder, they are being written.
    `CREATE TABLE backed_up_run (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      run INTEGER NOT NULL,
      place TEXT NOT NULL,
      folder TEXT,
      list TEXT
    ) STRICT`,
  ],
};

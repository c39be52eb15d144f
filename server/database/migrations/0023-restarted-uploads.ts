import type { Migration } from './migration.ts';

export const restartedUploads: Migration = {
  name: '0023-restarted-uploads',
  statements: [
    // An upload without an id that was begun at the first byte again, perhaps by another client, so that its offset is not
    // revealed.
    'ALTER TABLE uploads ADD COLUMN is_restarted INTEGER NOT NULL DEFAULT 0',
    // A refresh token of a generation of which another one was exchanged. It is refused; later use of it is taken for theft.
    'ALTER TABLE tokens ADD COLUMN ended_at INTEGER',
  ],
};

import type { Migration } from './migration.ts';

export const homeTrash: Migration = {
  name: '0008-home-trash',
  statements: [
    // The last owner of an orphaned home.
    "ALTER TABLE homes ADD COLUMN former_username TEXT NOT NULL DEFAULT ''",
    // Of a home in the trash: "path" is where it is kept, "original_path" where it was.
    'ALTER TABLE homes ADD COLUMN original_path TEXT',
    'ALTER TABLE homes ADD COLUMN trashed_at INTEGER',
  ],
};

import type { Migration } from './migration.ts';

/** Whether an import makes albums of folders. */
export const importFolderAlbums: Migration = {
  name: '0074-import-folder-albums',
  statements: ['ALTER TABLE imports ADD COLUMN folder_albums INTEGER NOT NULL DEFAULT 0'],
};

import type { Migration } from './migration.ts';

/** Imports of photos from a folder of the server's disk. */
export const folderImports: Migration = {
  name: '0069-folder-imports',
  statements: [
    // The real, absolute path; null for an import of archives in the home. Its archives have no item: their names are paths below the
    // folder, and those of unpacked exports end in a slash.
    'ALTER TABLE imports ADD COLUMN folder TEXT',
    // Of the folder when the import was started: another disk may be in its place.
    'ALTER TABLE imports ADD COLUMN folder_identity TEXT',
    // The numbers that its unpacked files have as entries: the folder may change, and numbers must not. "version" is of the size and the
    // time of the content: another file of the name has another number.
    `CREATE TABLE import_files (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      version TEXT NOT NULL,
      entry INTEGER NOT NULL,
      PRIMARY KEY (import_id, path, version)
    ) STRICT, WITHOUT ROWID`,
  ],
};

import type { Migration } from './migration.ts';

/** Imports of photos from a folder of the server's disk. */
export const folderImports: Migration = {
  name: '0069-folder-imports',
  statements: [
    // The real, absolute path; null for an import of archives in the home. Its archives have no item: their names are paths below the
    // folder, and those of unpacked exports end in a slash.
    'ALTER TABLE imports ADD COLUMN folder TEXT',
    // The numbers that its unpacked files have as entries: the folder may change, and numbers must not.
    `CREATE TABLE import_files (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      entry INTEGER NOT NULL,
      PRIMARY KEY (import_id, path)
    ) STRICT, WITHOUT ROWID`,
  ],
};

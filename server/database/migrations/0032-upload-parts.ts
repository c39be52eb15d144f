import type { Migration } from './migration.ts';

export const uploadParts: Migration = {
  name: '0032-upload-parts',
  statements: [
    // An upload whose client joins its parts in the end has a folder as its content: incoming/<id>, with a file for each part.
    // `received` in its row is their sum, and `total_size` is -1 while it is unknown.
    `CREATE TABLE upload_parts (
      upload_id TEXT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
      -- Parts are joined in this order: the number of the part, or its first byte.
      position INTEGER NOT NULL,
      -- As the client calls it.
      name TEXT NOT NULL,
      -- Of its content, in the folder of the upload.
      file TEXT NOT NULL,
      size INTEGER NOT NULL,
      received_at INTEGER NOT NULL,
      PRIMARY KEY (upload_id, position)
    ) STRICT, WITHOUT ROWID`,
  ],
};

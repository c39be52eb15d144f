import type { Migration } from './migration.ts';

export const contentHashes: Migration = {
  name: '0024-content-hashes',
  statements: [
    // SHA-256 of the content; null where it is not known. Every statement that writes another identity removes it.
    'ALTER TABLE items ADD COLUMN sha256 BLOB',
    'ALTER TABLE versions ADD COLUMN sha256 BLOB',
  ],
};

import type { Migration } from './migration.ts';

export const unhashedFiles: Migration = {
  name: '0028-unhashed-files',
  statements: [
    // The files that are still to be hashed in the background. An uploaded file has its hash from the beginning, and is never in it.
    'CREATE INDEX items_unhashed ON items (id) WHERE sha256 IS NULL AND is_dir = 0 AND missing_since IS NULL',
  ],
};

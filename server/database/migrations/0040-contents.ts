import type { Migration } from './migration.ts';

/** Apps ask which of their files are already there. */
export const contents: Migration = {
  name: '0040-contents',
  statements: [
    'CREATE INDEX items_contents ON items (sha256) WHERE sha256 IS NOT NULL AND is_dir = 0 AND missing_since IS NULL',
  ],
};

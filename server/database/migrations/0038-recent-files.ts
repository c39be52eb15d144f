import type { Migration } from './migration.ts';

/** Lists show the files that came, or were changed, last. */
export const recentFiles: Migration = {
  name: '0038-recent-files',
  statements: ['CREATE INDEX items_recent ON items (home_id, abs(touched)) WHERE is_dir = 0 AND touched IS NOT NULL'],
};

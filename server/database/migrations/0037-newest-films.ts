import type { Migration } from './migration.ts';

/** The pages show films among the photos, in the order in which they were taken. */
export const newestFilms: Migration = {
  name: '0037-newest-films',
  statements: [
    'DROP INDEX items_newest',
    `CREATE INDEX items_newest ON items (home_id, kind, coalesce(taken, mtime))
       WHERE kind IN ('image', 'raw', 'audio', 'video')`,
  ],
};

import type { Migration } from './migration.ts';

/** The stars that other programs have written into photos and films, beside those that people give here. */
export const embeddedRatings: Migration = {
  name: '0042-embedded-ratings',
  statements: [
    `INSERT INTO metadata_fields (set_id, name, kind, system, position)
      SELECT id, 'Rating', 'stars', system || '.rating',
        (SELECT max(position) + 1 FROM metadata_fields WHERE set_id = metadata_sets.id)
      FROM metadata_sets WHERE system IN ('image', 'video') ORDER BY id`,
    `UPDATE embedded_states SET state = 'waiting', tries = 0 WHERE state IN ('indexed', 'empty')
      AND item_id IN (SELECT id FROM items WHERE kind IN ('image', 'raw', 'video'))`,
  ],
};

import type { Migration } from './migration.ts';

/** Types of photos and films that were of no known type before, by their endings. */
const TYPES = {
  image: ['insp'],
  raw: ['nrw', 'crw'],
  video: ['3g2', 'asf', 'divx', 'm2t', 'mmv', 'mod', 'mpe', 'tod'],
};

const named = (endings: readonly string[]) => endings.map((ending) => `name LIKE '_%.${ending}'`).join(' OR ');

/** What other services say and have of photos: when they were taken, and more types of files. */
export const importedPhotos: Migration = {
  name: '0073-imported-photos',
  statements: [
    // In milliseconds since the epoch. Whether it is shown is decided where embedded metadata is written.
    'ALTER TABLE stated_metadata ADD COLUMN taken INTEGER',
    'ALTER TABLE stated_metadata ADD COLUMN title TEXT',
    // A JSON list.
    'ALTER TABLE stated_metadata ADD COLUMN keywords TEXT',
    // Files whose content is not known, for imports that look for duplicates.
    `CREATE INDEX items_unproven_sizes ON items (home_id, size)
       WHERE (sha256 IS NULL OR touched < 0) AND is_dir = 0 AND missing_since IS NULL`,
    // Triggers make them photos, and have their metadata read. The module file of Go is no film.
    ...Object.entries(TYPES).map(
      ([kind, endings]) => `UPDATE items SET kind = '${kind}'
        WHERE is_dir = 0 AND kind = 'other' AND (${named(endings)}) AND name NOT GLOB '._*' AND lower(name) <> 'go.mod'`,
    ),
  ],
};

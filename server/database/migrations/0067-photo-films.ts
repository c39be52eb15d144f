import type { Migration } from './migration.ts';

/** The films that phones store inside of their photos. */
export const photoFilms: Migration = {
  name: '0067-photo-films',
  statements: [
    // In bytes from the beginning of the file, as it was when it was read.
    `CREATE TABLE embedded_films (
      item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      start INTEGER NOT NULL,
      length INTEGER NOT NULL
    ) STRICT`,
    // Of a file of another kind, nothing is read that was embedded.
    `CREATE TRIGGER items_films_none AFTER UPDATE OF kind ON items WHEN OLD.kind = 'image' AND NEW.kind <> 'image' BEGIN
      DELETE FROM embedded_films WHERE item_id = OLD.id;
    END`,
    // Photos that may have one are read again in the background.
    `UPDATE embedded_states SET state = 'waiting', tries = 0 WHERE state IN ('indexed', 'empty')
      AND item_id IN (SELECT id FROM items WHERE kind = 'image' AND (name LIKE '%.jpg' OR name LIKE '%.jpeg'
        OR name LIKE '%.heic' OR name LIKE '%.heif' OR name LIKE '%.avif'))`,
  ],
};

import type { Migration } from './migration.ts';

/** Takes up the place of a photo, if it has one and is shown by itself. */
const PLACE = (id: string) => `DELETE FROM photo_places WHERE item_id = ${id};
  INSERT INTO photo_places
    SELECT p.item_id, p.home_id, p.folder_id, e.latitude, e.longitude
    FROM photos p CROSS JOIN embedded_places e ON e.item_id = p.item_id WHERE p.item_id = ${id} AND p.part_of IS NULL`;

/** Where the photos and films of a home were taken, for the map. */
export const photoPlaces: Migration = {
  name: '0063-photo-places',
  statements: [
    // Of what is shown by itself among the photos by time: in degrees.
    `CREATE TABLE photo_places (
      item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      home_id TEXT NOT NULL,
      folder_id INTEGER NOT NULL,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL
    ) STRICT`,
    `INSERT INTO photo_places SELECT p.item_id, p.home_id, p.folder_id, e.latitude, e.longitude
      FROM embedded_places e CROSS JOIN photos p ON p.item_id = e.item_id WHERE p.part_of IS NULL`,
    'CREATE INDEX photo_places_area ON photo_places (home_id, latitude, longitude, folder_id, item_id)',
    // Whichever of these comes first, the last one finds the row as it is in the end.
    `CREATE TRIGGER photo_places_came AFTER INSERT ON photos BEGIN ${PLACE('NEW.item_id')}; END`,
    `CREATE TRIGGER photo_places_grouped AFTER UPDATE OF part_of ON photos BEGIN ${PLACE('NEW.item_id')}; END`,
    `CREATE TRIGGER photo_places_went AFTER DELETE ON photos BEGIN
      DELETE FROM photo_places WHERE item_id = OLD.item_id;
    END`,
    `CREATE TRIGGER photo_places_found AFTER INSERT ON embedded_places BEGIN ${PLACE('NEW.item_id')}; END`,
    `CREATE TRIGGER photo_places_moved AFTER UPDATE ON embedded_places BEGIN ${PLACE('NEW.item_id')}; END`,
    `CREATE TRIGGER photo_places_lost AFTER DELETE ON embedded_places BEGIN
      DELETE FROM photo_places WHERE item_id = OLD.item_id;
    END`,
  ],
};

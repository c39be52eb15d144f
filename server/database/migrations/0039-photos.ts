import type { Migration } from './migration.ts';

/** The file types of photos and films, as `IS_PHOTO` has them. */
const KINDS = "('image', 'raw', 'video')";

/** Whether the row of an item is one that the photos by time show; whether its folder is in the trash is not decided here. */
const IS_PHOTO = (
  row: string,
) => `${row}.kind IN ${KINDS} AND ${row}.missing_since IS NULL AND ${row}.parent_id IS NOT NULL
  AND ${row}.name NOT GLOB '._*' AND lower(${row}.name) NOT IN ('.ds_store', 'thumbs.db', 'desktop.ini')`;

/** Dates outside of these years are those of the nearest: beyond them, SQLite has no calendar. */
const EARLIEST = Date.UTC(1800, 0, 1);
const LATEST = Date.UTC(9999, 11, 31);

/** A moment in milliseconds, on the clock of the household. The time zone is that of the server's process. */
const ofHousehold = (moment: string) =>
  `${moment} + coalesce(unixepoch(${moment} / 1000, 'unixepoch', 'localtime') - ${moment} / 1000, 0) * 1000`;

/** The clock where the photo was taken, otherwise that of the household, for a photo without a date when its file was changed. */
const LOCAL = (row: string) => `max(${EARLIEST}, min(${LATEST},
  CASE WHEN ${row}.taken IS NULL THEN ${ofHousehold(`${row}.mtime`)}
    ELSE coalesce(${row}.taken_local, ${ofHousehold(`${row}.taken`)}) END))`;

const VALUES = (row: string) => `${row}.id, ${row}.home_id, ${row}.parent_id, ${row}.kind = 'video', ${LOCAL(row)}`;

/** Months since the year 0, so that they sort. Seconds are rounded down, also before 1970. */
const MONTH = (row: string) => {
  const seconds = `${row}.local / 1000 - (${row}.local % 1000 < 0)`;
  const part = (name: string) => `CAST(strftime('${name}', ${seconds}, 'unixepoch') AS INTEGER)`;
  return `${part('%Y')} * 12 + ${part('%m')} - 1`;
};

const CHANGED = ['name', 'kind', 'missing_since', 'parent_id', 'home_id', 'mtime', 'taken', 'taken_local'];

/** Photos and films by the day and month in which they were taken. */
export const photos: Migration = {
  name: '0039-photos',
  statements: [
    // What the clock said where it was taken, in milliseconds as if it were UTC; null if only the moment is known.
    'ALTER TABLE items ADD COLUMN taken_local INTEGER',
    `CREATE TABLE photos (
      item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      home_id TEXT NOT NULL,
      folder_id INTEGER NOT NULL,
      is_film INTEGER NOT NULL,
      local INTEGER NOT NULL
    ) STRICT`,
    // By folder, because whether they are shown depends on where the folder is: in the trash, they are not.
    `CREATE TABLE photo_counts (
      home_id TEXT NOT NULL,
      folder_id INTEGER NOT NULL,
      month INTEGER NOT NULL,
      photos INTEGER NOT NULL,
      films INTEGER NOT NULL,
      PRIMARY KEY (home_id, folder_id, month)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TRIGGER photos_counted AFTER INSERT ON photos BEGIN
      INSERT INTO photo_counts VALUES (NEW.home_id, NEW.folder_id, ${MONTH('NEW')}, 1 - NEW.is_film, NEW.is_film)
      ON CONFLICT DO UPDATE SET photos = photos + excluded.photos, films = films + excluded.films;
    END`,
    `CREATE TRIGGER photos_uncounted AFTER DELETE ON photos BEGIN
      UPDATE photo_counts SET photos = photos - 1 + OLD.is_film, films = films - OLD.is_film
        WHERE home_id = OLD.home_id AND folder_id = OLD.folder_id AND month = ${MONTH('OLD')};
      DELETE FROM photo_counts WHERE home_id = OLD.home_id AND folder_id = OLD.folder_id AND month = ${MONTH('OLD')}
        AND photos = 0 AND films = 0;
    END`,
    `UPDATE items SET taken_local = unixepoch(substr(t.value, 1, 19)) * 1000
      FROM metadata_fields f CROSS JOIN metadata_values v ON v.field_id = f.id CROSS JOIN metadata_terms t ON t.id = v.term_id
      WHERE f.system IN ('image.taken', 'video.taken') AND v.position = 0 AND v.item_id = items.id
        AND items.taken IS NOT NULL AND t.value NOT LIKE '%Z'`,
    `INSERT INTO photos SELECT ${VALUES('items')} FROM items WHERE ${IS_PHOTO('items')}`,
    'CREATE INDEX photos_time ON photos (home_id, local, item_id, folder_id)',
    `CREATE TRIGGER items_photo_insert AFTER INSERT ON items WHEN ${IS_PHOTO('NEW')} BEGIN
      INSERT INTO photos VALUES (${VALUES('NEW')});
    END`,
    `CREATE TRIGGER items_photo_change AFTER UPDATE OF ${CHANGED.join(', ')} ON items
      WHEN (OLD.kind IN ${KINDS} OR NEW.kind IN ${KINDS})
        AND (${CHANGED.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ')}) BEGIN
      DELETE FROM photos WHERE item_id = NEW.id;
      INSERT INTO photos SELECT ${VALUES('NEW')} WHERE ${IS_PHOTO('NEW')};
    END`,
  ],
};

import type { Migration } from './migration.ts';

/** The file types of photos and films, as `IS_PHOTO` has them. */
const KINDS = "('image', 'raw', 'video')";

/** Whether the row of an item is one that the photos by time know; whether its folder is in the trash is not decided here. */
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

/** What follows `_BURST` in a name, its digits, and what follows them. */
const AFTER = (name: string) => `substr(${name}, instr(upper(${name}), '_BURST') + 6)`;
const REST = (name: string) => `lower(ltrim(${AFTER(name)}, '0123456789'))`;
const DIGITS = (name: string) => `(length(${AFTER(name)}) - length(${REST(name)}))`;

/**
 * The series that the name of a photo tells, as Android and its cameras do: `IMG_20190101_120000_BURST001_COVER.jpg` has the
 * number of the photo, `00000IMG_00000_BURST20190101120000_COVER.jpg` the time of the series. Null if it tells none.
 */
const NAMED_BURST = (name: string) => `CASE
  WHEN instr(upper(${name}), '_BURST') = 0 OR (${REST(name)} NOT GLOB '.*' AND ${REST(name)} NOT GLOB '_cover.*') THEN NULL
  WHEN ${DIGITS(name)} BETWEEN 1 AND 4 THEN 'name ' || substr(${name}, 1, instr(upper(${name}), '_BURST') - 1)
  WHEN ${DIGITS(name)} BETWEEN 14 AND 17 THEN 'time ' || substr(${AFTER(name)}, 1, ${DIGITS(name)}) END`;

const EMBEDDED = (column: string, row: string) => `(SELECT ${column} FROM embedded_groups WHERE item_id = ${row}.id)`;

const VALUES = (row: string) => `${row}.id, ${row}.home_id, ${row}.parent_id, ${row}.kind = 'video', ${LOCAL(row)},
  ${EMBEDDED('pair_id', row)},
  CASE WHEN ${row}.kind <> 'video' THEN coalesce('id ' || ${EMBEDDED('burst_id', row)}, ${NAMED_BURST(`${row}.name`)}) END,
  lower(${row}.name) GLOB '*_cover.*', NULL`;

/** Months since the year 0, so that they sort. Seconds are rounded down, also before 1970. */
const MONTH = (row: string) => {
  const seconds = `${row}.local / 1000 - (${row}.local % 1000 < 0)`;
  const part = (name: string) => `CAST(strftime('${name}', ${seconds}, 'unixepoch') AS INTEGER)`;
  return `${part('%Y')} * 12 + ${part('%m')} - 1`;
};

const COUNT = (row: string) => `INSERT INTO photo_counts
  VALUES (${row}.home_id, ${row}.folder_id, ${MONTH(row)}, 1 - ${row}.is_film, ${row}.is_film)
  ON CONFLICT DO UPDATE SET photos = photos + excluded.photos, films = films + excluded.films`;
const COUNTED = (row: string) => `home_id = ${row}.home_id AND folder_id = ${row}.folder_id AND month = ${MONTH(row)}`;
const UNCOUNT = (row: string, when: string) => `UPDATE photo_counts
    SET photos = photos - 1 + ${row}.is_film, films = films - ${row}.is_film WHERE ${when} AND ${COUNTED(row)};
  DELETE FROM photo_counts WHERE ${COUNTED(row)} AND photos = 0 AND films = 0`;

/** Milliseconds: the film of a Live Photo takes about three seconds. */
const LONGEST = 5_000;
/** Milliseconds by which a photo without a time zone can be wrong: as much as time zones differ. */
const APART = 26 * 3_600_000;

/** The name without its ending, with the dot. */
const STEM = (name: string) => `rtrim(${name}, replace(${name}, '.', ''))`;
const named = (stem: string, endings: readonly string[]) =>
  endings.flatMap((ending) => [ending, ending.toUpperCase()].map((one) => `${stem} || '${one}'`)).join(', ');
const STILLS = ['heic', 'heif', 'jpg', 'jpeg', 'dng'];
const FILMS = ['mov', 'mp4'];

/**
 * The photo that a film belongs to, in its folder: the one with the same identifier; if one of them tells none, the one with the same
 * name, if the film is as short as those of Live Photos and was taken then. Null if there is none.
 */
const STILL_OF = (film: string) => `coalesce(
  (SELECT min(same.item_id) FROM photos same WHERE same.folder_id = ${film}.folder_id AND same.pair_id = ${film}.pair_id
    AND same.home_id = ${film}.home_id AND same.is_film = 0),
  (SELECT min(still.item_id) FROM embedded_groups length CROSS JOIN items own CROSS JOIN items other
      CROSS JOIN photos still ON still.item_id = other.id
    WHERE length.item_id = ${film}.item_id AND length.milliseconds <= ${LONGEST} AND own.id = ${film}.item_id
      AND other.parent_id = own.parent_id AND other.name IN (${named(STEM('own.name'), STILLS)})
      AND still.home_id = ${film}.home_id AND still.is_film = 0
      AND (still.pair_id IS NULL OR ${film}.pair_id IS NULL)
      AND (own.taken IS NULL OR other.taken IS NULL OR abs(own.taken - other.taken) <= ${APART})))`;

const IN_BURST = (row: string) => `folder_id = ${row}.folder_id AND burst = ${row}.burst AND home_id = ${row}.home_id`;
/** The photo that stands for a series: the one that the camera has chosen, otherwise the first. */
const FIRST_OF = (row: string) => `(SELECT item_id FROM photos WHERE ${IN_BURST(row)}
  ORDER BY is_cover DESC, local, item_id LIMIT 1)`;

const CHANGED = ['name', 'kind', 'missing_since', 'parent_id', 'home_id', 'mtime', 'taken', 'taken_local'];
const CHANGED_GROUP = ['pair_id', 'burst_id', 'milliseconds'];

/** Takes up a photo again, as it is now. */
const AGAIN = (id: string) => `DELETE FROM photos WHERE item_id = ${id};
  INSERT INTO photos SELECT ${VALUES('items')} FROM items WHERE id = ${id} AND ${IS_PHOTO('items')}`;

/** Live Photos and bursts: photos and films that are one in the photos by time. */
export const photoGroups: Migration = {
  name: '0062-photo-groups',
  statements: [
    // What files tell of what they belong to: identifiers of their camera, and of a film its length.
    `CREATE TABLE embedded_groups (
      item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      pair_id TEXT,
      burst_id TEXT,
      milliseconds INTEGER
    ) STRICT`,
    'DROP TRIGGER items_photo_insert',
    'DROP TRIGGER items_photo_change',
    'DROP TABLE photos',
    'DELETE FROM photo_counts',
    // "part_of" is the photo that this one belongs to, and null for what is shown by itself; only that is counted. The film of a
    // Live Photo is part of its photo, which may be part of a burst. All are in one folder.
    `CREATE TABLE photos (
      item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      home_id TEXT NOT NULL,
      folder_id INTEGER NOT NULL,
      is_film INTEGER NOT NULL,
      local INTEGER NOT NULL,
      pair_id TEXT,
      burst TEXT,
      is_cover INTEGER NOT NULL,
      part_of INTEGER
    ) STRICT`,
    'CREATE INDEX photos_pair ON photos (folder_id, pair_id, home_id, is_film) WHERE pair_id IS NOT NULL',
    `CREATE INDEX photos_burst ON photos (folder_id, burst, home_id, is_cover DESC, local, item_id) WHERE burst IS NOT NULL`,
    'CREATE INDEX photos_part ON photos (part_of) WHERE part_of IS NOT NULL',
    // In one trigger each, because SQLite does not define the order of several.
    `CREATE TRIGGER photos_came AFTER INSERT ON photos BEGIN
      ${COUNT('NEW')};
      UPDATE photos SET part_of = ${STILL_OF('photos')} WHERE NEW.is_film = 1 AND item_id = NEW.item_id;
      UPDATE photos SET part_of = ${STILL_OF('photos')} WHERE NEW.is_film = 0 AND is_film = 1 AND item_id IN (
        SELECT item_id FROM photos WHERE folder_id = NEW.folder_id AND pair_id = NEW.pair_id
        UNION ALL
        SELECT film.id FROM items own CROSS JOIN items film ON film.parent_id = own.parent_id
          AND film.name IN (${named(STEM('own.name'), FILMS)}) WHERE own.id = NEW.item_id);
      UPDATE photos SET part_of = nullif(${FIRST_OF('NEW')}, item_id)
        WHERE ${IN_BURST('NEW')} AND (item_id = NEW.item_id OR ${FIRST_OF('NEW')} = NEW.item_id);
    END`,
    `CREATE TRIGGER photos_went AFTER DELETE ON photos BEGIN
      ${UNCOUNT('OLD', 'OLD.part_of IS NULL')};
      UPDATE photos SET part_of = ${STILL_OF('photos')} WHERE OLD.is_film = 0 AND part_of = OLD.item_id AND is_film = 1;
      UPDATE photos SET part_of = nullif(${FIRST_OF('OLD')}, item_id) WHERE OLD.part_of IS NULL AND ${IN_BURST('OLD')};
    END`,
    `CREATE TRIGGER photos_joined AFTER UPDATE OF part_of ON photos WHEN OLD.part_of IS NULL AND NEW.part_of IS NOT NULL BEGIN
      ${UNCOUNT('OLD', 'true')};
    END`,
    `CREATE TRIGGER photos_parted AFTER UPDATE OF part_of ON photos WHEN OLD.part_of IS NOT NULL AND NEW.part_of IS NULL BEGIN
      ${COUNT('NEW')};
    END`,
    `INSERT INTO photos SELECT ${VALUES('items')} FROM items WHERE ${IS_PHOTO('items')} ORDER BY items.id`,
    'CREATE INDEX photos_time ON photos (home_id, local, item_id, folder_id, part_of) WHERE part_of IS NULL',
    `CREATE TRIGGER items_photo_insert AFTER INSERT ON items WHEN ${IS_PHOTO('NEW')} BEGIN
      INSERT INTO photos VALUES (${VALUES('NEW')});
    END`,
    `CREATE TRIGGER items_photo_change AFTER UPDATE OF ${CHANGED.join(', ')} ON items
      WHEN (OLD.kind IN ${KINDS} OR NEW.kind IN ${KINDS})
        AND (${CHANGED.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ')}) BEGIN
      ${AGAIN('NEW.id')};
    END`,
    `CREATE TRIGGER embedded_groups_insert AFTER INSERT ON embedded_groups BEGIN ${AGAIN('NEW.item_id')}; END`,
    `CREATE TRIGGER embedded_groups_change AFTER UPDATE ON embedded_groups
      WHEN ${CHANGED_GROUP.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ')} BEGIN
      ${AGAIN('NEW.item_id')};
    END`,
    `CREATE TRIGGER embedded_groups_delete AFTER DELETE ON embedded_groups BEGIN ${AGAIN('OLD.item_id')}; END`,
    // Of a file of another kind, nothing is read that was embedded.
    `CREATE TRIGGER items_groups_none AFTER UPDATE OF kind ON items WHEN OLD.kind IN ${KINDS} AND NEW.kind NOT IN ${KINDS} BEGIN
      DELETE FROM embedded_groups WHERE item_id = OLD.id;
    END`,
    // Photos of Apple, and films, are read again in the background.
    `UPDATE embedded_states SET state = 'waiting', tries = 0 WHERE state IN ('indexed', 'empty')
      AND item_id IN (SELECT id FROM items WHERE (kind = 'image' AND (name LIKE '%.heic' OR name LIKE '%.heif' OR name LIKE '%.jpg'
        OR name LIKE '%.jpeg')) OR (kind = 'video' AND (name LIKE '%.mov' OR name LIKE '%.mp4')))`,
  ],
};

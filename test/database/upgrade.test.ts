import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insertRoots } from '../../dist/server/catalogue/items.js';
import { partsOfPhotos, photosFrom, photoTimeline } from '../../dist/server/catalogue/photos.js';
import { Connection } from '../../dist/server/database/connection.js';
import { type Database, openDatabase, type Transaction } from '../../dist/server/database/database.js';
import { migrate } from '../../dist/server/database/migrate.js';
import { migrations } from '../../dist/server/database/migrations/index.js';
import { WriteQueue } from '../../dist/server/database/write-queue.js';
import { setValues } from '../../dist/server/fields/values.js';
import { findByName } from '../../dist/server/search/find-by-name.js';

/** The last one of the version that had no search yet. */
const BEFORE_SEARCH = '0008-home-trash';
const BEFORE_METADATA = '0015-weblinks';
const BEFORE_CONFIRMED_ADDRESSES = '0029-panel-sessions';
const BEFORE_TAGS = '0032-upload-parts';
const BEFORE_SEARCH_FORMS = '0033-content-tags';
const BEFORE_READ_AGAIN = '0035-folder-looks';
const BEFORE_PHOTOS = '0038-recent-files';
const BEFORE_READ_MORE = '0040-contents';
const BEFORE_SETTING_NAMES = '0065-activity-of';
const BEFORE_PHOTO_GROUPS = '0058-activity-channel';
const BEFORE_SPACES_WITHOUT_WIDTH = '0074-import-folder-albums';
const BEFORE_MORE_SIGNS = '0076-seen-shares';
const BEFORE_MORE_KINDS = '0077-fold-more-signs';
const BEFORE_PHOTO_FILMS = '0066-setting-names';

let folder: string;
let database: Database;
const open = () => openDatabase(join(folder, 'larder.sqlite'), join(folder, 'backups'));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-database-'));
});
afterEach(async () => {
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Leaves a database as a version did. @param last of its migrations @param fill writes what people had */
async function leaveBefore(last: string, fill: (tx: Transaction) => Promise<unknown>): Promise<void> {
  const file = join(folder, 'larder.sqlite');
  const all = migrations as unknown as { name: string }[];
  const later = all.splice(all.findIndex(({ name }) => name === last) + 1);
  const [writer, reader] = [await Connection.open(file), await Connection.open(file)];
  const queue = new WriteQueue(writer);
  try {
    await writer.exec('PRAGMA foreign_keys=ON');
    await migrate(queue, reader, { file, backups: join(folder, 'backups') });
    await queue.write(fill, 'everything');
  } finally {
    all.push(...later);
    await queue.close();
    await Promise.all([reader.close(), writer.close()]);
  }
}

it('finds earlier files by their names, and reads their texts', async () => {
  const names = ['Straße.txt', ...Array.from({ length: 12_000 }, (_, index) => `letter ${index}.odt`)];
  await leaveBefore(BEFORE_SEARCH, async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'homes/ann', 1)");
    const add = `INSERT INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity)`;
    await tx.run(
      `${add} VALUES ('root', 'home', NULL, '', 1, 0, 0, ''), ('trash', 'home', NULL, 'trash', 1, 0, 0, '')`,
    );
    await tx.run(
      `${add} SELECT value, 'home', (SELECT id FROM items WHERE uuid = 'root'), value, 0, 1, 1, 'f' || key || '.1.1.1' FROM json_each(?)`,
      [JSON.stringify(names)],
    );
  });
  database = await open();
  const found = async (text: string) =>
    (await findByName(database, { homeId: 'home', itemId: Promise.resolve(1) }, text, 100)).hits.map(
      ({ item }) => item.name,
    );
  expect(await found('strasse')).toEqual(['Straße.txt']);
  expect(await found('LETTER 11999')).toEqual(['letter 11999.odt']);
  expect(await database.all('SELECT * FROM names_waiting')).toEqual([]);
  expect(await database.get('SELECT count(*) AS count FROM text_states')).toEqual({ count: names.length });
  const letters = { count: names.length - 1 };
  expect(await database.get("SELECT count(*) AS count FROM embedded_states WHERE state = 'waiting'")).toEqual(letters);
});

it('finds earlier comments', async () => {
  await leaveBefore(BEFORE_METADATA, async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'homes/ann', 1)");
    await insertRoots(tx, 'home');
    await tx.run(
      `INSERT INTO comments (item_id, comment, created_at)
       SELECT (SELECT min(id) FROM items), 'Größe ' || value, 1 FROM json_each(?)`,
      [JSON.stringify(Array.from({ length: 6_000 }, (_, index) => index))],
    );
  });
  database = await open();
  const found = await database.get(`SELECT count(*) AS count FROM comment_folds WHERE comment_folds MATCH '"grosse"'`);
  expect(found).toEqual({ count: 6_000 });
  await database.write((tx) => tx.run('DELETE FROM comments WHERE id > 1'));
  const left = await database.all(`SELECT rowid FROM comment_folds WHERE comment_folds MATCH '"grosse"'`);
  expect(left).toEqual([{ rowid: 1 }]);
});

it.each([
  ['https://files.example', 'true'],
  ['', undefined],
])('keeps the address on the internet: %j', async (address, confirmed) => {
  await leaveBefore(BEFORE_CONFIRMED_ADDRESSES, (tx) =>
    tx.run("INSERT INTO settings (key, value) VALUES ('baseUrl', ?)", [JSON.stringify(address)]),
  );
  database = await open();
  const row = await database.get<{ value: string }>("SELECT value FROM settings WHERE key = 'baseUrlConfirmed'");
  expect(row?.value).toBe(confirmed);
});

it('keeps the tags of files', async () => {
  await leaveBefore(BEFORE_TAGS, async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'homes/ann', 1)");
    const add = `INSERT INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity)`;
    await tx.run(`${add} VALUES ('root', 'home', NULL, '', 1, 0, 0, '')`);
    await tx.run(
      `${add} SELECT 'uuid ' || value, 'home', (SELECT id FROM items WHERE uuid = 'root'), value, 0, 36, 1,
         'f' || value || '.5.36.1700000000123456789' FROM json_each(?)`,
      [JSON.stringify(Array.from({ length: 6_000 }, (_, index) => index))],
    );
  });
  database = await open();
  const time = 1_700_000_000_123_456_789n.toString(36);
  const tags = await database.all<{ tag: string }>("SELECT tag FROM items WHERE name IN ('37', '5999') ORDER BY id");
  expect(tags.map(({ tag }) => tag)).toEqual([`11-10-${time}`, `4mn-10-${time}`]);
  expect(await database.get("SELECT count(*) AS count FROM items WHERE tag = '' AND is_dir = 0")).toEqual({ count: 0 });
});

/** A file whose text is indexed, with a value in a field. */
async function addIndexed(tx: Transaction, { name, fold, term }: { name: string; fold: string; term: string }) {
  await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'home', 0)");
  await insertRoots(tx, 'home');
  await tx.run(
    `INSERT INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity)
     SELECT 'song', 'home', id, ?, ?, 'text', 0, 1, 1, 'f1.1.1.1' FROM items WHERE name = '' AND parent_id IS NULL`,
    [name, fold],
  );
  await tx.run("INSERT INTO names (rowid, fold) SELECT id, name_fold FROM items WHERE uuid = 'song'");
  await tx.run('DELETE FROM names_waiting');
  await tx.run("UPDATE text_states SET state = 'indexed'");
  await tx.run('INSERT INTO metadata_terms (field_id, fold, value) SELECT min(id), ?, ? FROM metadata_fields', [
    term,
    term,
  ]);
}

it('finds earlier names, values and comments in their present search form, and reads documents again', async () => {
  await leaveBefore(BEFORE_SEARCH_FORMS, async (tx) => {
    await addIndexed(tx, { name: 'That’s All.txt', fold: 'that’s all.txt', term: 'so\u00adfort' });
    await tx.run(
      `INSERT INTO comments (item_id, visitor_name, comment, fold, created_at)
       SELECT id, 'Ann', 'it’s', 'it’s', 1 FROM items WHERE uuid = 'song'`,
    );
  });
  database = await open();
  const [root] = await database.all<{ id: number }>("SELECT id FROM items WHERE name = '' AND parent_id IS NULL");
  const folderIn = { homeId: 'home', itemId: Promise.resolve(root?.id ?? 0) };
  for (const query of ["That's All", 'That’s All']) {
    const { hits } = await findByName(database, folderIn, query, 10);
    expect(
      hits.map(({ item }) => item.name),
      query,
    ).toEqual(['That’s All.txt']);
  }
  expect(await database.all("SELECT value FROM metadata_terms WHERE fold = 'sofort'")).toHaveLength(1);
  expect(await database.all("SELECT rowid FROM metadata_folds WHERE metadata_folds MATCH 'sofort'")).toHaveLength(1);
  expect(await database.all("SELECT comment FROM comments WHERE fold = 'it''s'")).toHaveLength(1);
  expect(await database.all('SELECT state FROM text_states')).toEqual([{ state: 'waiting' }]);
});

it('finds earlier names and values with spaces without width within words, and reads texts again', async () => {
  await leaveBefore(BEFORE_SPACES_WITHOUT_WIDTH, async (tx) => {
    await addIndexed(tx, { name: 'so\u200bfort.txt', fold: 'so\u200bfort.txt', term: 'so\u200bfort' });
  });
  database = await open();
  const [root] = await database.all<{ id: number }>("SELECT id FROM items WHERE name = '' AND parent_id IS NULL");
  const { hits } = await findByName(database, { homeId: 'home', itemId: Promise.resolve(root?.id ?? 0) }, 'sofort', 10);
  expect(hits.map(({ item }) => item.uuid)).toEqual(['song']);
  expect(await database.all("SELECT rowid FROM metadata_folds WHERE metadata_folds MATCH 'sofort'")).toHaveLength(1);
  expect(await database.all('SELECT state FROM text_states')).toEqual([{ state: 'waiting' }]);
});

it('finds earlier names and values whose signs are equal to others now, and reads their documents again', async () => {
  await leaveBefore(BEFORE_MORE_SIGNS, async (tx) => {
    const name = '«葛\u{e0100}城» ٢٠٢٤.txt';
    await addIndexed(tx, { name, fold: name, term: '«plum»' });
  });
  database = await open();
  const [root] = await database.all<{ id: number }>("SELECT id FROM items WHERE name = '' AND parent_id IS NULL");
  const { hits } = await findByName(
    database,
    { homeId: 'home', itemId: Promise.resolve(root?.id ?? 0) },
    '葛城" 2024',
    10,
  );
  expect(hits.map(({ item }) => item.uuid)).toEqual(['song']);
  expect(await database.all('SELECT fold FROM metadata_terms')).toEqual([{ fold: '"plum"' }]);
  expect(await database.all('SELECT state FROM text_states')).toEqual([{ state: 'waiting' }]);
});

it('reads files again of which more is read now, and no others', async () => {
  const files = {
    text: ['letter.docx', 'letter.eml', 'notes.txt', 'page.html', 'prices.csv'],
    embedded: ['film.mov', 'photo.jpg', 'raw.dng', 'song.mp3'],
    others: ['book.epub', 'drawing.bmp', 'film.avi', 'letter.odt', 'song.flac'],
  };
  const kinds: Readonly<Record<string, string>> = {
    ...{ docx: 'document', eml: 'text', txt: 'text', html: 'code', csv: 'spreadsheet', mov: 'video', jpg: 'image' },
    ...{ dng: 'raw', mp3: 'audio', epub: 'ebook', bmp: 'image', avi: 'video', odt: 'document', flac: 'audio' },
  };
  await leaveBefore(BEFORE_MORE_KINDS, async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'home', 0)");
    await insertRoots(tx, 'home');
    const rows = Object.values(files)
      .flat()
      .map((name) => [name, kinds[name.split('.')[1] ?? '']]);
    await tx.run(
      `INSERT INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity)
       SELECT value->>0, 'home', items.id, value->>0, value->>0, value->>1, 0, 1, 1, value->>0
       FROM items, json_each(?) WHERE name = '' AND parent_id IS NULL`,
      [JSON.stringify(rows)],
    );
    for (const table of ['text_states', 'embedded_states']) await tx.run(`UPDATE ${table} SET state = 'indexed'`);
  });
  database = await open();
  const waiting = async (table: string) => {
    const rows = await database.all<{ name: string }>(
      `SELECT name FROM ${table} JOIN items ON items.id = item_id WHERE state = 'waiting' ORDER BY name`,
    );
    return rows.map(({ name }) => name);
  };
  expect(await waiting('text_states')).toEqual(files.text);
  expect(await waiting('embedded_states')).toEqual(files.embedded);
});

it('reads documents, films and photos again, and nothing else', async () => {
  await leaveBefore(BEFORE_READ_AGAIN, async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'home', 0)");
    await insertRoots(tx, 'home');
    const files = [
      ['form.pdf', 'pdf'],
      ['lake.mov', 'video'],
      ['letter.odt', 'document'],
      ['notes.txt', 'text'],
      ['novel.epub', 'ebook'],
      ['photo.jpg', 'image'],
    ].map(([name, kind], index) => [name, kind, `f${index}.1.1.1`]);
    await tx.run(
      `INSERT INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity)
       SELECT value->>0, 'home', items.id, value->>0, value->>0, value->>1, 0, 1, 1, value->>2
       FROM items, json_each(?) WHERE name = '' AND parent_id IS NULL`,
      [JSON.stringify(files)],
    );
    // All that are indexed are read again since spaces without width are left out.
    for (const table of ['text_states', 'embedded_states']) await tx.run(`UPDATE ${table} SET state = 'empty'`);
  });
  database = await open();
  const waiting = async (table: string) => {
    const rows = await database.all<{ name: string }>(
      `SELECT name FROM ${table} JOIN items ON items.id = item_id WHERE state = 'waiting' ORDER BY name`,
    );
    return rows.map(({ name }) => name);
  };
  expect([await waiting('text_states'), await waiting('embedded_states')]).toEqual([
    // Texts since they can be in more encodings.
    ['form.pdf', 'letter.odt', 'notes.txt'],
    // Photos since they have ratings.
    ['lake.mov', 'photo.jpg'],
  ]);
});

it('lists earlier photos by month, by the clock where they were taken', async () => {
  await leaveBefore(BEFORE_PHOTOS, async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'home', 0)");
    await insertRoots(tx, 'home');
    const files = [
      // The last evening of a month, which was the next month in Greenwich.
      ['evening.jpg', 'image', Date.UTC(2024, 3, 1, 3), '2024-03-31T23:00:00-04:00'],
      ['no offset.dng', 'raw', Date.UTC(2023, 0, 5), '2023-01-05T00:00:00'],
      ['no date.png', 'image', null, null],
      ['letter.odt', 'document', null, null],
    ];
    await tx.run(
      `INSERT INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity, taken)
       SELECT value->>0, 'home', items.id, value->>0, value->>0, value->>1, 0, 1, ?2, value->>0, value->>2
       FROM items, json_each(?1) WHERE name = '' AND parent_id IS NULL`,
      [JSON.stringify(files), Date.UTC(2022, 6, 15, 12)],
    );
    const [field] = await tx.all<{ id: number }>("SELECT id FROM metadata_fields WHERE system = 'image.taken'");
    const items = await tx.all<{ id: number; name: string }>(
      "SELECT id, name FROM items WHERE name <> '' AND is_dir = 0",
    );
    for (const { id, name } of items) {
      const value = files.find(([one]) => one === name)?.[3];
      if (typeof value === 'string') await setValues(tx, { id }, field?.id ?? 0, [{ value }]);
    }
  });
  database = await open();
  const { months, total } = await photoTimeline(database, 'home');
  expect(months.map(({ month }) => month)).toEqual(['2024-03', '2023-01', '2022-07']);
  expect(total).toBe(3);
});

it('keeps checksums, adds fields for ratings, and reads workbooks, Rich Text and older Office files again', async () => {
  await leaveBefore(BEFORE_READ_MORE, async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'home', 0)");
    await insertRoots(tx, 'home');
    const files = [
      ['budget.xlsx', 'spreadsheet'],
      ['letter.RTF', 'document'],
      ['letter.odt', 'document'],
      ['photo.jpg', 'image'],
      ['Old.DOC', 'document'],
      ['old.xls', 'spreadsheet'],
    ].map(([name, kind]) => [name, kind, `of ${name}`]);
    await tx.run(
      `INSERT INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity, tag)
       SELECT value->>0, 'home', items.id, value->>0, value->>0, value->>1, 0, 1, 1, value->>2, 'tag ' || (value->>2)
       FROM items, json_each(?) WHERE name = '' AND parent_id IS NULL`,
      [JSON.stringify(files)],
    );
    for (const [name, identity] of [
      ['letter.odt', 'of letter.odt'],
      ['photo.jpg', 'of an earlier content'],
    ] as const)
      await tx.run(
        "INSERT INTO dav_checksums (item_id, identity, checksum) SELECT id, ?, 'MD5:aa' FROM items WHERE name = ?",
        [identity, name],
      );
    // All that are indexed are read again since spaces without width are left out.
    for (const table of ['text_states', 'embedded_states']) await tx.run(`UPDATE ${table} SET state = 'empty'`);
  });
  database = await open();
  expect(await database.all('SELECT tag, checksum FROM dav_checksums')).toEqual([
    { tag: 'tag of letter.odt', checksum: 'MD5:aa' },
  ]);
  const fields = await database.all<{ system: string }>(
    "SELECT system FROM metadata_fields WHERE system LIKE '%.rating' ORDER BY system",
  );
  expect(fields.map(({ system }) => system)).toEqual(['image.rating', 'video.rating']);
  const waiting = await database.all<{ name: string }>(
    "SELECT name FROM text_states JOIN items ON items.id = item_id WHERE state = 'waiting' ORDER BY name",
  );
  expect(waiting.map(({ name }) => name)).toEqual(['Old.DOC', 'budget.xlsx', 'letter.RTF', 'old.xls']);
  const described = await database.all<{ name: string }>(
    "SELECT name FROM embedded_states JOIN items ON items.id = item_id WHERE state = 'waiting' ORDER BY name",
  );
  expect(described.map(({ name }) => name)).toEqual(['Old.DOC', 'old.xls', 'photo.jpg']);
});

it('keeps settings under their present names, also in the log', async () => {
  await leaveBefore(BEFORE_SETTING_NAMES, async (tx) => {
    await tx.run(
      `INSERT INTO settings (key, value) VALUES ('homePlaces', '["/mnt"]'), ('backupPlace', '"/usb"'), ('webdav', 'true')`,
    );
    await tx.run(`INSERT INTO activity (at, kind_group, kind, channel, subject, details) VALUES
      (1, 'security', 'settings.changed', 'control', 'webdav, homePlaces', '{"webdav":true,"homePlaces":["/mnt/homePlaces"]}'),
      (1, 'files', 'file.created', 'app', '/ROOT/HOME/homePlaces.txt', '{"size":1}')`);
  });
  database = await open();
  expect(await database.all('SELECT key, value FROM settings ORDER BY key')).toEqual([
    { key: 'backupFolder', value: '"/usb"' },
    { key: 'homeLocations', value: '["/mnt"]' },
    { key: 'webdav', value: 'true' },
  ]);
  expect(await database.all('SELECT subject, details FROM activity ORDER BY id')).toEqual([
    { subject: 'webdav, homeLocations', details: '{"webdav":true,"homeLocations":["/mnt/homePlaces"]}' },
    { subject: '/ROOT/HOME/homePlaces.txt', details: '{"size":1}' },
  ]);
});

it('shows earlier bursts as one, and reads photos and films again that may belong together', async () => {
  await leaveBefore(BEFORE_PHOTO_GROUPS, async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'home', 0)");
    await insertRoots(tx, 'home');
    const files = [
      ['IMG_20190101_120000_BURST001.jpg', 'image'],
      ['IMG_20190101_120000_BURST002.jpg', 'image'],
      ['IMG_0001.HEIC', 'image'],
      ['IMG_0001.MOV', 'video'],
      ['drawing.bmp', 'image'],
      ['letter.odt', 'document'],
    ];
    await tx.run(
      `INSERT INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity)
       SELECT value->>0, 'home', items.id, value->>0, value->>0, value->>1, 0, 1, 1, value->>0
       FROM items, json_each(?) WHERE name = '' AND parent_id IS NULL`,
      [JSON.stringify(files)],
    );
    await tx.run("UPDATE embedded_states SET state = 'indexed'");
    await tx.run(
      "INSERT INTO embedded_places SELECT id, 1.5, 2.5 FROM items WHERE kind <> 'folder' AND name LIKE 'IMG%'",
    );
  });
  database = await open();
  // On the map is what is shown by itself.
  expect(await database.get('SELECT count(*) AS count FROM photo_places')).toEqual({ count: 3 });
  const timeline = await photoTimeline(database, 'home');
  expect(timeline.months).toEqual([{ month: '1970-01', photos: 3, films: 1 }]);
  const shown = await photosFrom(database, 'home', timeline, 0, 10);
  const first = shown.find(({ item }) => item.name.includes('BURST'));
  expect([...(await partsOfPhotos(database, [first?.item.id ?? 0])).values()].flat().map(({ name }) => name)).toEqual([
    'IMG_20190101_120000_BURST002.jpg',
  ]);
  const waiting = await database.all<{ name: string }>(
    "SELECT name FROM embedded_states JOIN items ON items.id = item_id WHERE state = 'waiting' ORDER BY name",
  );
  expect(waiting.map(({ name }) => name)).toEqual([
    'IMG_0001.HEIC',
    'IMG_0001.MOV',
    'IMG_20190101_120000_BURST001.jpg',
    'IMG_20190101_120000_BURST002.jpg',
  ]);
});

it('reads photos again that may contain a film', async () => {
  await leaveBefore(BEFORE_PHOTO_FILMS, async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'home', 0)");
    await insertRoots(tx, 'home');
    const files = [
      ['photo.JPG', 'image'],
      ['photo.heic', 'image'],
      ['drawing.bmp', 'image'],
      ['film.avi', 'video'],
    ];
    await tx.run(
      `INSERT INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity)
       SELECT value->>0, 'home', items.id, value->>0, value->>0, value->>1, 0, 1, 1, value->>0
       FROM items, json_each(?) WHERE name = '' AND parent_id IS NULL`,
      [JSON.stringify(files)],
    );
    await tx.run("UPDATE embedded_states SET state = 'indexed'");
  });
  database = await open();
  const waiting = await database.all<{ name: string }>(
    "SELECT name FROM embedded_states JOIN items ON items.id = item_id WHERE state = 'waiting' ORDER BY name",
  );
  expect(waiting.map(({ name }) => name)).toEqual(['photo.JPG', 'photo.heic']);
  // Of a file that is no photo now, nothing stays.
  await database.write((tx) =>
    tx.run("INSERT INTO embedded_films SELECT id, 5, 10 FROM items WHERE name LIKE 'photo%'"),
  );
  await database.write((tx) => tx.run("UPDATE items SET kind = 'other' WHERE name = 'photo.heic'"));
  const films = await database.all('SELECT name FROM embedded_films JOIN items ON items.id = item_id');
  expect(films).toEqual([{ name: 'photo.JPG' }]);
});

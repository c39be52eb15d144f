import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertRoots, rootId } from '../../dist/server/catalogue/items.js';
import type { Database } from '../../dist/server/database/database.js';
import { systemFieldIds } from '../../dist/server/fields/system-fields.js';
import { type FieldValue, setFields, setValues, valuesOf } from '../../dist/server/fields/values.js';
import { openMigrated } from '../support/households/household-template.ts';

let folder: string;
let database: Database;
let ids: ReadonlyMap<string, number>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-fields-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
  ids = await systemFieldIds(database);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

let homes = 0;
let home: string;
beforeEach(async () => {
  home = await newHome();
});

async function newHome(): Promise<string> {
  const id = `home ${++homes}`;
  await database.write(async (tx) => {
    await tx.run('INSERT INTO homes (id, path, created_at) VALUES (?, ?, 0)', [id, id]);
    await insertRoots(tx, id);
  });
  return id;
}

async function newItem(name: string): Promise<number> {
  const parent = await rootId(database, home, '');
  const { lastId } = await database.write((tx) =>
    tx.run(
      `INSERT INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity) VALUES (?, ?, ?, ?, 0, 1, 1, '')`,
      [`${home} ${name}`, home, parent, name],
    ),
  );
  return lastId;
}

const idOf = (key: string) => ids.get(key) ?? 0;
const set = (id: number, key: string, ...values: (string | FieldValue)[]) =>
  database.write((tx) =>
    setValues(
      tx,
      { id },
      idOf(key),
      values.map((value) => (typeof value === 'string' ? { value } : value)),
    ),
  );
const has = async (id: number, key: string) => (await valuesOf(database, id)).get(idOf(key));
const terms = async () =>
  (await database.all<{ value: string }>('SELECT value FROM metadata_terms ORDER BY value')).map(({ value }) => value);
/** Found by a run of letters of its folded value. */
const indexed = async (fold: string) =>
  (
    await database.all<{ value: string }>(
      `SELECT value FROM metadata_folds CROSS JOIN metadata_terms ON id = metadata_folds.rowid WHERE metadata_folds MATCH ?`,
      [`"${fold}"`],
    )
  ).map(({ value }) => value);

it('has sets, fields and types from the start', async () => {
  expect(idOf('image.taken')).toBeGreaterThan(0);
  expect(['tag', 'rating', 'label', 'audio.artist', 'document.pages'].filter((key) => !ids.has(key))).toEqual([]);
  const types = await database.all<{ system: string; sets: string | null }>(
    `SELECT t.system, group_concat(s.system) AS sets FROM metadata_types t LEFT JOIN metadata_type_sets ON type_id = t.id
     LEFT JOIN metadata_sets s ON s.id = set_id GROUP BY t.id ORDER BY t.position`,
  );
  expect(types).toEqual([
    { system: 'any', sets: null },
    ...['image', 'video', 'audio', 'document'].map((system) => ({ system, sets: system })),
  ]);
});

it('stores the values of a field in order, each once', async () => {
  const id = await newItem('a.jpg');
  await set(id, 'image.keywords', 'Strand', 'Überlingen', 'Strand', '', '  ');
  expect(await has(id, 'image.keywords')).toEqual([
    { value: 'Strand', color: null },
    { value: 'Überlingen', color: null },
  ]);
  expect(await indexed('uberlingen')).toEqual(['Überlingen']);
  await set(id, 'image.keywords', 'Überlingen', 'See');
  expect((await has(id, 'image.keywords'))?.map(({ value }) => value)).toEqual(['Überlingen', 'See']);
  expect([await indexed('strand'), await indexed('uberlingen')]).toEqual([[], ['Überlingen']]);
  // What comes before another one has been at its place before.
  await set(id, 'image.keywords', 'Neu', 'Überlingen', 'See');
  await set(id, 'image.keywords', 'See', 'Neu', 'Überlingen');
  expect((await has(id, 'image.keywords'))?.map(({ value }) => value)).toEqual(['See', 'Neu', 'Überlingen']);
  await set(id, 'image.keywords');
  expect(await has(id, 'image.keywords')).toBeUndefined();
  expect(await terms()).toEqual([]);
});

it('shares values between items until no item has them', async () => {
  const [one, two] = [await newItem('one'), await newItem('two')];
  await set(one, 'tag', { value: 'Holidays', color: '#d33' });
  await set(two, 'tag', { value: 'Holidays', color: '#33d' }, 'beach');
  expect(await terms()).toEqual(['Holidays', 'beach']);
  await database.write((tx) => tx.run('DELETE FROM items WHERE id = ?', [two]));
  expect(await terms()).toEqual(['Holidays']);
  expect(await has(one, 'tag')).toEqual([{ value: 'Holidays', color: '#d33' }]);
  await database.write((tx) => tx.run('DELETE FROM items WHERE id = ?', [one]));
  expect([await terms(), await indexed('holidays')]).toEqual([[], []]);
});

it('writes several fields at once, without changing others', async () => {
  const id = await newItem('a.mp3');
  await set(id, 'tag', 'mine');
  await database.write((tx) =>
    setFields(
      tx,
      { id },
      new Map([
        [idOf('audio.title'), [{ value: 'Yesterday' }]],
        [idOf('audio.year'), [{ value: '1965' }]],
        [987_654, [{ value: 'no such field' }]],
      ]),
    ),
  );
  await database.write((tx) => setFields(tx, { id }, new Map([[idOf('audio.title'), []]])));
  expect(await has(id, 'audio.title')).toBeUndefined();
  expect(await has(id, 'audio.year')).toEqual([{ value: '1965', color: null }]);
  expect(await has(id, 'tag')).toEqual([{ value: 'mine', color: null }]);
  // A number is no text: parts of it are not looked for.
  expect(await indexed('1965')).toEqual([]);
  await database.write((tx) => tx.run('DELETE FROM items WHERE id = ?', [id]));
});

it('shortens long values, and removes characters that are not text', async () => {
  const id = await newItem('a.jpg');
  await set(id, 'image.title', `${'🙂'.repeat(600)}`);
  await set(id, 'image.description', `${'x'.repeat(20_000)}`);
  await set(id, 'image.camera', 'Pho\0ne\n\u0007');
  expect([...((await has(id, 'image.title'))?.[0]?.value ?? '')].length).toBe(500);
  expect((await has(id, 'image.description'))?.[0]?.value.length).toBe(10_000);
  expect(await has(id, 'image.camera')).toEqual([{ value: 'Pho ne', color: null }]);
  await set(id, 'image.description', 'two\r\nlines');
  expect(await has(id, 'image.description')).toEqual([{ value: 'two\nlines', color: null }]);
  await database.write((tx) => tx.run('DELETE FROM items WHERE id = ?', [id]));
});

it('ignores deleted items, and is deleted with a home', async () => {
  await set(987_654, 'tag', 'nobody');
  expect(await terms()).toEqual([]);
  const id = await newItem('a');
  await set(id, 'tag', 'mine');
  const other = await newHome();
  await database.write((tx) => tx.run('UPDATE items SET home_id = ? WHERE id = ?', [other, id]));
  expect(await database.get('SELECT home_id FROM metadata_values WHERE item_id = ?', [id])).toEqual({ home_id: other });
  await database.write((tx) => tx.run('DELETE FROM items WHERE id = ?', [id]));
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertRoots, rootId } from '../../dist/server/catalogue/items.js';
import type { Database, Transaction } from '../../dist/server/database/database.js';
import { type Definitions, readDefinitions } from '../../dist/server/fields/definitions.js';
import { setFields } from '../../dist/server/fields/values.js';
import { criteriaFor } from '../../dist/server/listing/meta-search.js';
import { findByCriteria } from '../../dist/server/search/find-by-criteria.js';
import { nameQuery } from '../../dist/server/search/name-query.js';
import { openMigrated } from '../support/households/household-template.ts';

/** More than are looked at together. */
const FILES = 6_500;
/** Values, and comments, of another home: more than are looked for in one. */
const OTHERS = 21_000;

let folder: string;
let database: Database;
let root: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-search-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
  const { marks } = await readDefinitions(database);
  await database.write(async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'home', 0)");
    await insertRoots(tx, 'home');
    root = await rootId(tx, 'home', '');
    await fillOther(tx, marks);
    for (let n = 0; n < FILES; n += 1) {
      const { lastId: id } = await tx.run(
        `INSERT INTO items (uuid, home_id, parent_id, name, name_fold, is_dir, size, mtime, identity)
         VALUES (?1, 'home', ?2, ?1, ?1, 0, 1, 1, '')`,
        [`file ${n}`, root],
      );
      const tags = ['all', n % 2 === 0 ? 'even' : 'odd', `hundred ${Math.floor(n / 100)}`];
      await setFields(
        tx,
        { id },
        new Map([
          [marks.tag, tags.map((value) => ({ value }))],
          [marks.rating, [{ value: String(n % 6) }]],
        ]),
      );
    }
  });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function fillOther(tx: Transaction, marks: Definitions['marks']): Promise<void> {
  await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('other', 'other', 0)");
  await insertRoots(tx, 'other');
  const id = await rootId(tx, 'other', '');
  const { lastId: date } = await tx.run(
    "INSERT INTO metadata_fields (set_id, name, kind, position) SELECT id, 'Day', 'date', 0 FROM metadata_sets LIMIT 1",
  );
  const count = 'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)';
  for (const [field, start] of [
    [marks.tag, 'hundred of the others '],
    [date, '2026-01-01T00:00:00.'],
  ] as const) {
    await tx.run(
      `${count} INSERT INTO metadata_terms (field_id, fold, value) SELECT ?2, iif(?2 = ?4, ?3 || i, ''), ?3 || i FROM n`,
      [OTHERS, field, start, marks.tag],
    );
  }
  await tx.run(
    `INSERT INTO metadata_values (item_id, field_id, position, term_id, home_id)
     SELECT ?, field_id, id, id, 'other' FROM metadata_terms`,
    [id],
  );
  await tx.run(
    `${count} INSERT INTO comments (item_id, comment, created_at, fold) SELECT ?2, 'word', 0, 'word' FROM n`,
    [OTHERS, id],
  );
}

async function find(meta: Record<string, readonly string[]>, filename = '', limit = 10_000) {
  const query = filename === '' ? null : nameQuery(filename);
  const asked = { query, metatype: undefined, meta: new Map(Object.entries(meta)) };
  const criteria = criteriaFor(database, 'home', await readDefinitions(database), asked);
  const at = { homeId: 'home', itemId: Promise.resolve(root) };
  const { hits, isCut } = await findByCriteria(database, at, criteria, query, limit);
  return { numbers: hits.map(({ item }) => Number(item.name.slice('file '.length))).sort((a, b) => a - b), isCut };
}
const where = (fits: (n: number) => boolean) => Array.from({ length: FILES }, (_, n) => n).filter(fits);

it.each([
  ['one value', { tag: ['all'] }, '', () => true],
  ['several values', { tag: ['odd', 'even'] }, '', () => true],
  ['values that many more have', { tag: ['hundred'] }, '', () => true],
  ['two criteria that many fit', { tag: ['odd'], rating: ['5', '2'] }, '', (n: number) => n % 6 === 5],
  ['two criteria that none fits', { tag: ['odd'], rating: ['4'] }, '', () => false],
  [
    'three criteria',
    { tag: ['hundred 1'], rating: ['3'], '-': ['odd'] },
    '',
    (n: number) => String(Math.floor(n / 100)).startsWith('1') && n % 6 === 3,
  ],
  ['a name that many have', { tag: ['all'] }, 'file', () => true],
  ['a name that few have', { tag: ['all'] }, 'file 77', (n: number) => String(n).includes('77')],
  ['a few values, and a name', { tag: ['hundred 64'] }, 'file 64', (n: number) => n >= 6_400],
] as const)('finds exactly the items that match %s', async (_what, meta, filename, fits) => {
  expect(await find(meta, filename)).toEqual({ numbers: where(fits), isCut: false });
});

it('finds all matches of a home, however many others have', async () => {
  const { fields } = await readDefinitions(database);
  const day = [...fields.values()].find(({ name }) => name === 'Day')?.id ?? 0;
  await database.write(async (tx) => {
    const row = await tx.get<{ id: number }>("SELECT id FROM items WHERE name = 'file 7'");
    await setFields(tx, { id: row?.id ?? 0 }, new Map([[day, [{ value: '2026-07-03' }]]]));
    await tx.run("INSERT INTO comments (item_id, comment, created_at, fold) VALUES (?, 'a word', 0, 'a word')", [
      row?.id ?? 0,
    ]);
  });
  for (const key of [String(day), '-']) expect(await find({ [key]: ['2026'] })).toEqual({ numbers: [7], isCut: false });
  for (const word of ['word', 'wo']) expect(await find({ comment: [word] })).toEqual({ numbers: [7], isCut: false });
});

it('says if there are more', async () => {
  const { numbers, isCut } = await find({ tag: ['all'], rating: ['1'] }, '', 50);
  expect([numbers.length, isCut, numbers.every((n) => n % 6 === 1)]).toEqual([50, true, true]);
});

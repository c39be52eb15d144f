import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { openDatabase } from '../../dist/server/database/database.js';
import { type NullableColumns, nullableColumns } from './nullable-columns.ts';
import { statementsIn, typedStatements, type ValueType } from './row-types.ts';

/** A column of a statement. `type` is empty for an expression. */
interface Column {
  readonly name: string;
  readonly type: string;
}

const BY_TYPE: Readonly<Record<string, ValueType>> = {
  INTEGER: 'number',
  INT: 'number',
  REAL: 'number',
  TEXT: 'string',
};

let folder: string;
let connection: Connection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-row-types-'));
  const file = join(folder, 'larder.sqlite');
  await (await openDatabase(file, folder)).close();
  connection = await Connection.open(file);
});
afterAll(async () => {
  await connection.close();
  await rm(folder, { recursive: true, force: true });
});

/** A view has no parameters. */
const withoutParameters = (sql: string) =>
  sql.replace(/'(?:[^']|'')*'|"[^"]*"|\?\d*/g, (part) => (part.startsWith('?') ? 'NULL' : part));

/** A query with the columns that a change returns. */
function asQuery(sql: string): string {
  const changed =
    /^\s*(?:INSERT(?: OR \w+)? INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+(\w+)[\s\S]*\bRETURNING\b([\s\S]*)$/i.exec(sql);
  return changed === null ? sql : `SELECT ${changed[2]} FROM ${changed[1]}`;
}

async function columnsOf(sql: string): Promise<Column[]> {
  await connection.exec(`CREATE TEMP VIEW rows_of_it AS ${withoutParameters(asQuery(sql))}`);
  try {
    return await connection.all<Column>("SELECT name, type FROM pragma_table_xinfo('rows_of_it')");
  } finally {
    await connection.exec('DROP VIEW rows_of_it');
  }
}

const tables = new Map<string, Promise<NullableColumns | null>>();

function tableColumns(table: string): Promise<NullableColumns | null> {
  const known = tables.get(table);
  if (known !== undefined) return known;
  const read = connection
    .all<{ name: string; notnull: number; pk: number }>(
      `SELECT x.name, x."notnull", x.pk FROM sqlite_schema s JOIN pragma_table_xinfo(s.name) x
       WHERE s.type = 'table' AND s.name = ?`,
      [table],
    )
    .then((rows) =>
      rows.length === 0 ? null : new Map(rows.map((row) => [row.name, row.notnull === 0 && row.pk === 0])),
    );
  tables.set(table, read);
  return read;
}

/** What the type of the rows says otherwise than the statement. Columns that the type leaves out are not used. */
async function differences(sql: string, row: ReadonlyMap<string, ReadonlySet<ValueType>>): Promise<string[]> {
  const columns = new Map((await columnsOf(sql)).map(({ name, type }) => [name, type]));
  const nullable = await nullableColumns(sql, tableColumns);
  return [...row].flatMap(([name, values]) => {
    const type = columns.get(name);
    if (type === undefined) return [`there is no column ${name}`];
    const expected = BY_TYPE[type];
    const kinds = [...values].filter((one) => one !== 'null' && one !== 'unknown');
    const wrong = kinds.filter((one) => one === 'other' || (expected !== undefined && one !== expected));
    return [
      ...wrong.map((one) => `${name} is ${type.toLowerCase()}, not ${one}`),
      ...(nullable.has(name) && !values.has('null') && !values.has('unknown') ? [`${name} may be null`] : []),
    ];
  });
}

/** The differences that are right, and why. */
const RIGHT: Readonly<Record<string, string>> = {
  'server/catalogue/hashing/unhashed-files.ts: parentId may be null':
    'only the root of a home has no parent, and it is a folder',
  'server/database/folder-changes.ts: SQLITE_ERROR: no such table: changed_rows':
    'it is a temporary table of one connection',
};

/** Those of all forms of a statement. Parts that only go together in some forms make others that cannot be prepared. */
async function differencesOf(forms: readonly string[], row: ReadonlyMap<string, ReadonlySet<ValueType>>) {
  const found: string[] = [];
  const failed: string[] = [];
  for (const sql of forms) {
    try {
      found.push(...(await differences(sql, row)));
    } catch (error) {
      failed.push((error as Error).message);
    }
  }
  return failed.length === forms.length ? failed : found;
}

/** The number of parameters of a statement, or why it cannot be prepared. */
async function parametersOf(sql: string): Promise<number | string> {
  try {
    await connection.all(`EXPLAIN ${sql}`);
  } catch (error) {
    return (error as Error).message;
  }
  const names = [...sql.matchAll(/'(?:[^']|'')*'|(\?)(\d*)/g)].filter(([, mark]) => mark !== undefined);
  return names.reduce((most, [, , number]) => (number === '' ? most + 1 : Math.max(most, Number(number))), 0);
}

describe('the statements of the server', () => {
  const statements = typedStatements('server').filter(({ sql }) => !sql?.every((one) => /^\s*PRAGMA/.test(one)));
  const checked = statements.filter(({ sql, row }) => sql !== null && row !== null);

  it('have the columns that the types of their rows name', async () => {
    const found = new Set<string>();
    for (const { at, sql, row } of checked) {
      for (const one of await differencesOf(sql ?? [], row ?? new Map()))
        found.add(`${at.replace(/:\d+$/, '')}: ${one}`);
    }
    expect([...found].filter((one) => !(one in RIGHT))).toEqual([]);
    expect(
      Object.keys(RIGHT).filter((one) => !found.has(one)),
      'no longer right',
    ).toEqual([]);
  });

  it('can be prepared, and get as many parameters as they have', async () => {
    const all = statementsIn('server');
    expect(all.length).toBeGreaterThan(400);
    const wrong: string[] = [];
    for (const { at, sql, given } of all) {
      const forms = await Promise.all(sql.map(parametersOf));
      const prepared = forms.filter((one) => typeof one === 'number');
      const problem = forms.find((one) => typeof one === 'string');
      if (prepared.length === 0) wrong.push(`${at.replace(/:\d+$/, '')}: ${problem}`);
      else if (given !== null && !prepared.includes(given)) wrong.push(`${at}: ${given} parameters for ${prepared}`);
    }
    expect(wrong.filter((one) => !(one in RIGHT))).toEqual([]);
  });

  it('are nearly all checked: few are composed at run time', () => {
    expect(checked.length / statements.length).toBeGreaterThan(0.9);
  });
});

describe('a wrong type', () => {
  it.each([
    ['a column that there is not', 'SELECT id FROM items', { uuid: ['string'] }, ['there is no column uuid']],
    ['a number that is a text', 'SELECT name FROM items', { name: ['number'] }, ['name is text, not number']],
    ['a boolean', 'SELECT is_dir FROM items', { is_dir: ['other'] }, ['is_dir is integer, not other']],
    ['a column that may be null', 'SELECT i.sha256 AS hash FROM items i', { hash: ['buffer'] }, ['hash may be null']],
    [
      'a column of a row that may be missing',
      'SELECT i.id, c.id AS child FROM items i LEFT JOIN items c ON c.parent_id = i.id',
      { id: ['number'], child: ['number'] },
      ['child may be null'],
    ],
    [
      'what a change returns',
      'DELETE FROM stars WHERE item_id = ? RETURNING item_id AS id',
      { item: ['number'] },
      ['there is no column item'],
    ],
  ] as const)('is found: %s', async (_what, sql, row, expected) => {
    const types = new Map(Object.entries(row).map(([name, values]) => [name, new Set<ValueType>(values)]));
    expect(await differences(sql, types)).toEqual(expected);
  });

  it('is not reported where there is none', async () => {
    const row = new Map<string, Set<ValueType>>([['hash', new Set(['buffer'])]]);
    expect(await differences('SELECT sha256 AS hash FROM items WHERE sha256 IS NOT NULL', row)).toEqual([]);
    expect(
      await differences('SELECT sha256 AS hash FROM items', new Map([['hash', new Set(['buffer', 'null'])]])),
    ).toEqual([]);
  });
});

import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../dist/server/database/database.js';
import { FolderChanges } from '../../dist/server/database/folder-changes.js';
import { openMigrated } from '../support/households/household-template.ts';

let folder: string;
let database: Database;
let [root, inner, outer]: [number, number, number] = [0, 0, 0];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-database-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
  await database.files.write(async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('ann', 'ann', 0), ('ben', 'ben', 0)");
  });
  root = await item(null, '', true);
  inner = await item(root, 'inner', true);
  outer = await item(root, 'outer', true);
  await item(inner, 'a.txt');
  await item(outer, 'b.txt');
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const INSERT = `INSERT INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity)
  VALUES (hex(randomblob(8)), 'ann', ?, ?, ?, 0, 0, '')`;

async function item(parent: number | null, name: string, isDir = false): Promise<number> {
  const { lastId } = await database.files.write((tx) => tx.run(INSERT, [parent, name, Number(isDir)]));
  return lastId;
}

/** The folders whose children count as changed by the work. */
async function changedBy(work: () => Promise<unknown>): Promise<string[]> {
  const since = database.childrenSince();
  await work();
  const folders = { root, inner, outer };
  return Object.entries(folders).flatMap(([name, id]) => (since(id).isUnchanged() ? [] : [name]));
}

const run = (sql: string) => () => database.files.write((tx) => tx.run(sql));

describe('the rows of a folder count as changed', () => {
  it.each([
    ['a new row', INSERT.replace('?, ?, ?', "(SELECT id FROM items WHERE name = 'inner'), 'new', 0"), ['inner']],
    ['a new version', "UPDATE items SET version = 2 WHERE name = 'a.txt'", ['inner']],
    ['another identity', "UPDATE items SET identity = 'f1' WHERE name = 'b.txt'", ['outer']],
    ['a missing item', "UPDATE items SET missing_since = 1 WHERE name = 'a.txt'", ['inner']],
    ['another name', "UPDATE items SET name = 'c.txt' WHERE name = 'a.txt'", ['inner']],
    [
      'a move',
      "UPDATE items SET parent_id = (SELECT id FROM items WHERE name = 'outer') WHERE name = 'a.txt'",
      ['inner', 'outer'],
    ],
    ['a deletion', "DELETE FROM items WHERE name = 'b.txt'", ['outer']],
    ['a deletion by cascade', "DELETE FROM items WHERE name = 'inner'", ['root', 'inner']],
    ['a deletion with the home', "DELETE FROM homes WHERE id = 'ann'", ['root', 'inner', 'outer']],
    [
      'an existing row written again',
      `${INSERT.replace('?, ?, ?', "(SELECT id FROM items WHERE name = 'inner'), 'a.txt', 0")}
       ON CONFLICT (parent_id, name) DO UPDATE SET identity = 'f2'`,
      ['inner'],
    ],
    [
      'several rows of one folder, where conflicts are ignored',
      `INSERT OR IGNORE INTO items (uuid, home_id, parent_id, name, is_dir, size, mtime, identity)
       SELECT hex(randomblob(8)), 'ann', (SELECT id FROM items WHERE name = 'outer'), value, 0, 0, 0, ''
       FROM json_each('["x", "y", "b.txt"]')`,
      ['outer'],
    ],
    ['nothing that a listing has', "UPDATE items SET size = 5, mtime = 5 WHERE name = 'a.txt'", []],
    ['another table', "INSERT INTO settings (key, value) VALUES ('a', '1')", []],
    ['the row of the folder itself', "UPDATE items SET version = 3 WHERE name = 'inner'", ['root']],
  ])('with %s', async (_, sql, folders) => {
    expect(await changedBy(run(sql))).toEqual(folders);
    expect(await changedBy(run("INSERT INTO settings (key, value) VALUES ('next', '1')"))).toEqual([]);
  });

  it('with a single statement, and with a model', async () => {
    expect(
      await changedBy(() =>
        database.files.writeOne(() => ({ sql: "UPDATE items SET version = 4 WHERE name = 'a.txt'", params: [] })),
      ),
    ).toEqual(['inner']);
    expect(
      await changedBy(() => database.write((tx) => tx.run("UPDATE items SET version = 5 WHERE name = 'b.txt'"))),
    ).toEqual(['outer']);
  });

  it('before the commit is visible, and not after a failed unit', async () => {
    const since = database.childrenSince();
    const work = database.files.write(async (tx) => {
      await tx.run("UPDATE items SET version = 2 WHERE name = 'a.txt'");
      throw new Error('undone');
    });
    await expect(work).rejects.toThrow('undone');
    expect([since(inner).isUnchanged(), since(outer).isUnchanged()]).toEqual([true, true]);
    expect(await changedBy(run("UPDATE items SET version = 2 WHERE name = 'b.txt'"))).toEqual(['outer']);
  });

  it('of every unit of a shared commit', async () => {
    const names = ['a.txt', 'b.txt', 'inner'];
    expect(
      await changedBy(() =>
        Promise.all(names.map((name) => run(`UPDATE items SET version = 9 WHERE name = '${name}'`)())),
      ),
    ).toEqual(['root', 'inner', 'outer']);
  });
});

describe('the numbers of changes', () => {
  const numberOf = async (id: number) =>
    (await database.get<{ own: number }>('SELECT own FROM folder_changes WHERE folder_id = ?', [id]))?.own ?? 0;
  const state = async () =>
    (await database.get<{ number: number; epoch: string }>(
      'SELECT number, hex(epoch) AS epoch FROM change_number',
    )) ?? {
      number: 0,
      epoch: '',
    };

  it('rise with visible changes, and not with internal ones of the catalogue', async () => {
    const before = await numberOf(inner);
    await database.files.write((tx) => tx.run("UPDATE items SET listed = 'x', mtime = 7 WHERE name = 'a.txt'"));
    await database.files.write((tx) => tx.run("UPDATE items SET version = version WHERE name = 'a.txt'"));
    expect(await numberOf(inner)).toBe(before);
    // In a statement without a transaction as well.
    await database.files.writeOne(() => ({ sql: "UPDATE items SET version = 4 WHERE name = 'a.txt'", params: [] }));
    const changed = await numberOf(inner);
    expect(changed).toBeGreaterThan(before);
    await expect(
      database.files.write(async (tx) => {
        await tx.run("UPDATE items SET version = 5 WHERE name = 'a.txt'");
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await numberOf(inner)).toBe(changed);
  });

  it('are deleted with their folders', async () => {
    await item(await item(inner, 'deep', true), 'c.txt');
    const before = await numberOf(root);
    await database.write((tx) => tx.run('DELETE FROM items WHERE id = ?', [inner]));
    expect(
      await database.all('SELECT folder_id FROM folder_changes WHERE folder_id NOT IN (SELECT id FROM items)'),
    ).toEqual([]);
    expect(await numberOf(root)).toBeGreaterThan(before);
    await database.write((tx) => tx.run("DELETE FROM homes WHERE id = 'ann'"));
    expect(await database.all('SELECT * FROM folder_changes')).toEqual([]);
  });

  it('continue above all earlier ones after a start, also of a restored copy, which has another epoch', async () => {
    const [file, copy] = [join(folder, 'larder.sqlite'), join(folder, 'copy.sqlite')];
    const open = (path: string) => openDatabase(path, join(folder, 'backups'));
    await database.close();
    database = await open(file);
    const kept = await state();
    await database.close();
    await copyFile(file, copy);
    database = await open(file);
    await database.files.write((tx) => tx.run("UPDATE items SET version = 4 WHERE name = 'a.txt'"));
    const last = await state();
    expect([last.epoch, last.number > kept.number]).toEqual([kept.epoch, true]);
    await database.close();
    // Put back in place, as people do with a copy.
    await writeFile(file, await readFile(copy));
    database = await open(file);
    expect((await state()).number).toBeGreaterThan(last.number);
    await database.close();
    database = await open(copy);
    const other = await state();
    expect([other.epoch === kept.epoch, other.number > last.number]).toEqual([false, true]);
  });
});

describe('the changes of folders', () => {
  it('count a folder that is no longer in memory as changed', () => {
    const changes = new FolderChanges();
    changes.record([{ id: 1, names: ['a'] }]);
    const { number } = changes;
    changes.record([{ id: 2, names: ['b'] }]);
    expect([changes.lastIn(1) <= number, changes.lastIn(2) <= number, changes.lastIn(3) <= number]).toEqual([
      true,
      false,
      true,
    ]);
    const others = Array.from({ length: 50_000 }, (_, at) => ({ id: at + 10, names: [] }));
    changes.record(others);
    expect(changes.lastIn(2)).toBeGreaterThan(number);
    expect(changes.lastIn(1)).toBeGreaterThan(number);
  });

  it('affect all folders if it is unknown what has changed', () => {
    const changes = new FolderChanges();
    changes.record([{ id: 1, names: ['a'] }]);
    const { number } = changes;
    changes.recordAll();
    expect(changes.lastIn(1)).toBeGreaterThan(number);
    expect(changes.lastIn(7)).toBeGreaterThan(number);
  });
});

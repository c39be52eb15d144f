import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataTypes } from 'sequelize';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { type Database, openDatabase } from '../../dist/server/database/database.js';
import { FolderInUse, lockFolder } from '../../dist/server/database/folder-lock.js';

let folder: string;
let database: Database;
const file = () => join(folder, 'larder.sqlite');
const backups = () => join(folder, 'backups');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-database-'));
  database = await openDatabase(file(), backups());
});
afterEach(async () => {
  await database.close().catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
});

const set = (key: string, value: string) =>
  database.write((tx) => tx.run('INSERT INTO settings (key, value) VALUES (?, ?)', [key, value]));
const keys = async () =>
  (await database.all<{ key: string }>('SELECT key FROM settings ORDER BY key')).map(({ key }) => key);

describe('the database', () => {
  it('writes only through its queue: the reading connection cannot', async () => {
    await expect(database.all("INSERT INTO settings (key, value) VALUES ('a', '1')")).rejects.toThrow(/readonly/);
    const model = (await database.sequelize()).define(
      'setting',
      { key: { type: DataTypes.TEXT, primaryKey: true }, value: DataTypes.TEXT },
      { timestamps: false },
    );
    await expect(model.create({ key: 'a', value: '1' })).rejects.toThrow(/readonly/);
    await database.write((tx) => model.create({ key: 'a', value: '1' }, { transaction: tx.sequelize }));
    expect(await keys()).toEqual(['a']);
    expect(await model.count()).toBe(1);
  });

  it('flushes every commit and keeps foreign keys', async () => {
    const [synchronous, foreignKeys] = await database.write(async (tx) => [
      await tx.get('PRAGMA synchronous'),
      await tx.get('PRAGMA foreign_keys'),
    ]);
    expect([synchronous, foreignKeys]).toEqual([{ synchronous: 2 }, { foreign_keys: 1 }]);
    expect(await database.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
  });

  it('writes on after another program has held it for too long, and has changed it', async () => {
    const other = await Connection.open(file());
    await other.exec("BEGIN IMMEDIATE; INSERT INTO settings (key, value) VALUES ('theirs', '1')");
    const one = () => ({ sql: "INSERT INTO settings (key, value) VALUES ('mine', '1') RETURNING key", params: [] });
    await expect(database.writeOne(one)).rejects.toThrow(/SQLITE_BUSY/);
    await other.exec('COMMIT');
    await other.close();
    await set('after', '1');
    expect(await keys()).toEqual(['after', 'theirs']);
  });

  it('runs 500 writes at once, all of them, none busy', async () => {
    await Promise.all(Array.from({ length: 500 }, (_, index) => set(`k${index}`, '1')));
    expect(await keys()).toHaveLength(500);
  });

  it('takes nothing of the others along when one of many fails', async () => {
    const results = await Promise.allSettled(
      ['a', 'b', 'a', 'c', 'd'].map((key) =>
        database.write(async (tx) => {
          await tx.run('INSERT INTO settings (key, value) VALUES (?, ?)', [`before-${Math.random()}`, key]);
          await tx.run('INSERT INTO settings (key, value) VALUES (?, ?)', [key, key]);
        }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    const stored = await database.all<{ value: string }>('SELECT value FROM settings');
    expect(stored.map(({ value }) => value).sort()).toEqual(['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']);
  });

  it('says so when a statement cannot be prepared, and goes on', async () => {
    const wrong = () => database.all('SELECT * FROM nothing_of_that_name');
    await Promise.all([expect(wrong()).rejects.toThrow(/no such table/), expect(wrong()).rejects.toThrow(/no such/)]);
    const write = database.write((tx) => tx.run('INSERT INTO nothing_of_that_name VALUES (1)'));
    await expect(write).rejects.toThrow(/no such table/);
    await set('a', '1');
    expect(await keys()).toEqual(['a']);
  });

  it('tells of a commit only after it, and not when the unit failed', async () => {
    const told: string[] = [];
    const unit = (name: string, fails: boolean) =>
      database.write(async (tx) => {
        tx.afterCommit(() => told.push(name));
        await tx.run('INSERT INTO settings (key, value) VALUES (?, ?)', [name, '1']);
        expect(await keys()).not.toContain(name);
        if (fails) throw new Error('fails');
      });
    await Promise.allSettled([unit('good', false), unit('bad', true), unit('better', false)]);
    expect(told).toEqual(['good', 'better']);
    expect(await keys()).toEqual(['better', 'good']);
  });

  it('finishes what was asked before it closes, and then takes nothing more', async () => {
    const last = set('last', '1');
    await database.close();
    await last;
    await expect(set('late', '1')).rejects.toThrow(/closed/);
    database = await openDatabase(file(), backups());
    expect(await keys()).toEqual(['last']);
  });

  it('is copied before an upgrade, and refused when a newer version made it', async () => {
    await set('kept', '1');
    expect(await readdir(folder)).not.toContain('backups');
    await database.write((tx) => tx.run("INSERT INTO migrations (name) VALUES ('9999-from-the-future')"));
    await database.close();
    await expect(openDatabase(file(), backups())).rejects.toThrow(/newer version of Larder.*9999-from-the-future/);
  });
});

describe('the lock of the folder', () => {
  it('is held by one, and free again afterwards', async () => {
    const lock = join(folder, 'lock.sqlite');
    const release = await lockFolder(lock);
    await expect(lockFolder(lock)).rejects.toThrow(FolderInUse);
    await release();
    await (await lockFolder(lock))();
  });
});

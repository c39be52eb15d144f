import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sequelize } from 'sequelize';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { type Database, openDatabase } from '../../dist/server/database/database.js';
import { FolderInUse, lockFolder } from '../../dist/server/database/folder-lock.js';
import type { ColumnTypes } from '../../dist/server/database/models.js';
import { unitGuard } from '../../dist/server/database/write-queue.js';

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

const settingModel = (sequelize: Sequelize, types: ColumnTypes) =>
  sequelize.define(
    'setting',
    { key: { type: types.TEXT, primaryKey: true }, value: types.TEXT },
    { tableName: 'settings', timestamps: false },
  );

const set = (key: string, value: string) =>
  database.write((tx) => tx.run('INSERT INTO settings (key, value) VALUES (?, ?)', [key, value]));
const keys = async () =>
  (await database.all<{ key: string }>('SELECT key FROM settings ORDER BY key')).map(({ key }) => key);

describe('the database', () => {
  it('writes only through its queue: the connection for reads is read-only', async () => {
    await expect(database.all("INSERT INTO settings (key, value) VALUES ('a', '1')")).rejects.toThrow(/readonly/);
  });

  it('writes through models within a transaction, including rollback', async () => {
    const settings = await database.write(async (tx) => {
      await tx.run("INSERT INTO settings (key, value) VALUES ('first', '1')");
      const model = await tx.model(settingModel);
      await model.create({ key: 'a', value: '1' });
      await model.update({ value: '2' }, { where: { key: ['first', 'a'] } });
      return tx.all('SELECT key, value FROM settings ORDER BY key');
    });
    expect(settings).toEqual([
      { key: 'a', value: '2' },
      { key: 'first', value: '2' },
    ]);
    const undone = database.write(async (tx) => {
      await (await tx.model(settingModel)).destroy({ where: { key: 'a' } });
      expect(await tx.all('SELECT key FROM settings')).toEqual([{ key: 'first' }]);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await keys()).toEqual(['a', 'first']);
  });

  it('gives every transaction the same model, and invalidates cached accounts', async () => {
    await database.loadModels();
    const isUnchanged = database.unchangedSince('accounts');
    const model = await database.write((tx) => tx.model(settingModel));
    expect(isUnchanged()).toBe(false);
    expect(await database.write((tx) => tx.model(settingModel))).toBe(model);
  });

  it('flushes every commit and keeps foreign keys', async () => {
    const [synchronous, foreignKeys] = await database.write(async (tx) => [
      await tx.get('PRAGMA synchronous'),
      await tx.get('PRAGMA foreign_keys'),
    ]);
    expect([synchronous, foreignKeys]).toEqual([{ synchronous: 2 }, { foreign_keys: 1 }]);
    expect(await database.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
  });

  it('continues after another program has locked and changed it', async () => {
    const other = await Connection.open(file());
    await other.exec("BEGIN IMMEDIATE; INSERT INTO settings (key, value) VALUES ('theirs', '1')");
    const one = () => ({ sql: "INSERT INTO settings (key, value) VALUES ('mine', '1') RETURNING key", params: [] });
    await expect(database.writeOne(one)).rejects.toThrow(/SQLITE_BUSY/);
    await other.exec('COMMIT');
    await other.close();
    await set('after', '1');
    expect(await keys()).toEqual(['after', 'theirs']);
  });

  it('completes 500 concurrent writes without a conflict', async () => {
    await Promise.all(Array.from({ length: 500 }, (_, index) => set(`k${index}`, '1')));
    expect(await keys()).toHaveLength(500);
  });

  it('keeps the other writes if one of many fails', async () => {
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

  it('reports a statement that cannot be prepared, and continues', async () => {
    const wrong = () => database.all('SELECT * FROM nothing_of_that_name');
    await Promise.all([expect(wrong()).rejects.toThrow(/no such table/), expect(wrong()).rejects.toThrow(/no such/)]);
    const write = database.write((tx) => tx.run('INSERT INTO nothing_of_that_name VALUES (1)'));
    await expect(write).rejects.toThrow(/no such table/);
    await set('a', '1');
    expect(await keys()).toEqual(['a']);
  });

  it('reports a commit after it, and none for a failed unit', async () => {
    const told: string[] = [];
    const unit = (name: string, fails: boolean) =>
      database.write(async (tx) => {
        tx.afterCommit(() => told.push(name));
        await tx.run('INSERT INTO settings (key, value) VALUES (?, ?)', [name, '1']);
        // As somebody else sees it: from within the unit this is refused once the guard is on.
        expect(await unitGuard.leave(keys)).not.toContain(name);
        if (fails) throw new Error('fails');
      });
    await Promise.allSettled([unit('good', false), unit('bad', true), unit('better', false)]);
    expect(told).toEqual(['good', 'better']);
    expect(await keys()).toEqual(['better', 'good']);
  });

  it('completes earlier calls before it closes, and refuses later ones', async () => {
    const last = set('last', '1');
    await database.close();
    await last;
    await expect(set('late', '1')).rejects.toThrow(/closed/);
    database = await openDatabase(file(), backups());
    expect(await keys()).toEqual(['last']);
  });

  it('is copied before an upgrade, and refused if a newer version created it', async () => {
    await set('kept', '1');
    expect(await readdir(folder)).not.toContain('backups');
    await database.write((tx) => tx.run("INSERT INTO migrations (name) VALUES ('9999-from-the-future')"));
    await database.close();
    await expect(openDatabase(file(), backups())).rejects.toThrow(/newer version of Larder.*9999-from-the-future/);
  });
});

describe('the lock of the folder', () => {
  it('has one holder, and is released afterwards', async () => {
    const lock = join(folder, 'lock.sqlite');
    const release = await lockFolder(lock);
    await expect(lockFolder(lock)).rejects.toThrow(FolderInUse);
    await release();
    await (await lockFolder(lock))();
  });
});

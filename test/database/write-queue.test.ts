import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection, type SqlParams } from '../../dist/server/database/connection.js';
import { type Touches, type Transaction, WriteQueue } from '../../dist/server/database/write-queue.js';
import { enableScopeGuards } from '../../dist/server/lib/concurrency/scope-guard.js';

let folder: string;
let writer: Connection;
let queue: WriteQueue;
/** Every statement that the queue runs for itself, in their order. */
let statements: string[];
/** Called instead of a statement of the queue; `run` runs it. */
let around: (sql: string, run: () => Promise<unknown>) => Promise<unknown>;
/** What is said of room, and the errors it was asked for with. */
let hasRoom: boolean[];
let askedForRoom: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-queue-'));
  writer = await Connection.open(join(folder, 'queue.sqlite'));
  await writer.exec('CREATE TABLE kept (name TEXT PRIMARY KEY)');
  [statements, hasRoom, askedForRoom] = [[], [], []];
  around = (_sql, run) => run();
  const run = writer.run.bind(writer);
  writer.run = ((sql: string, params?: SqlParams) => {
    statements.push(sql);
    return around(sql, () => run(sql, params));
  }) as Connection['run'];
  queue = new WriteQueue(writer, async (error) => {
    askedForRoom.push(error);
    return hasRoom.shift() ?? false;
  });
});
afterEach(async () => {
  await queue.close();
  await writer.close();
  await rm(folder, { recursive: true, force: true });
});

const INSERT = 'INSERT INTO kept (name) VALUES (?)';
const add = (name: string, touches: Touches = 'everything') =>
  queue.write((tx: Transaction) => tx.run(INSERT, [name]), touches);
const addOne = (name: string, touches: Touches = 'everything') =>
  queue.writeOne(() => ({ sql: `${INSERT} RETURNING name`, params: [name] }), touches);
const kept = async () =>
  (await writer.all<{ name: string }>('SELECT name FROM kept ORDER BY name')).map(({ name }) => name);
/** The statements around the units. */
const frame = () => statements.filter((sql) => !sql.startsWith('INSERT'));
const generations = () =>
  [queue.generation('accounts'), queue.generation('files'), queue.generation('photos')] as const;
const sqliteError = (code: string) => Object.assign(new Error(`${code}: it fails`), { code });

describe('cached data', () => {
  /** What both generations grow by: until the commit, and from then on until the unit is told. */
  async function growth(write: () => Promise<unknown>, isCommit: (sql: string) => boolean) {
    const before = generations();
    let atCommit = before;
    around = (sql, run) => {
      if (isCommit(sql)) atCommit = generations();
      return run();
    };
    const all = writer.all.bind(writer);
    writer.all = ((sql: string, params?: SqlParams) => {
      if (isCommit(sql)) atCommit = generations();
      return all(sql, params);
    }) as Connection['all'];
    await write();
    const after = generations();
    return [0, 1, 2].map((subject) => [
      (atCommit[subject] ?? 0) - (before[subject] ?? 0),
      (after[subject] ?? 0) - (atCommit[subject] ?? 0),
    ]);
  }

  it.each([
    ['everything', [1, 1], [1, 1], [1, 1]],
    ['files', [0, 0], [1, 1], [1, 1]],
    ['photos', [0, 0], [0, 0], [1, 1]],
    ['activity', [0, 0], [0, 0], [0, 0]],
  ] as const)(
    'is invalidated before a commit that changes %s, and data read during it afterwards',
    async (touches, ...grows) => {
      expect(
        await growth(
          () => add('a', touches),
          (sql) => sql === 'COMMIT',
        ),
      ).toEqual(grows);
      expect(
        await growth(
          () => addOne('b', touches),
          (sql) => sql.startsWith('INSERT'),
        ),
      ).toEqual(grows);
    },
  );

  it('is invalidated by every unit of a commit, whatever the others change', async () => {
    const grown = await growth(
      () => Promise.all([add('a', 'activity'), add('b', 'files'), add('c', 'everything')]),
      (sql) => sql === 'COMMIT',
    );
    expect(grown).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect(frame()).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
  });

  it('is invalidated, too, if a statement fails that may have been executed', async () => {
    await add('a');
    const before = generations();
    await expect(addOne('a')).rejects.toThrow(/UNIQUE/);
    expect(generations()).toEqual(before.map((generation) => generation + 2));
  });
});

describe('a commit', () => {
  it('is on the disk before its units complete', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      around = async (sql, run) => {
        if (sql === 'COMMIT') {
          resolve();
          await held;
        }
        return run();
      };
    });
    const told: string[] = [];
    const unit = queue.write(async (tx) => {
      tx.afterCommit(() => told.push('hook'));
      await tx.run(INSERT, ['a']);
    }, 'everything');
    const done = unit.then(() => told.push('done'));
    await reached;
    await new Promise(setImmediate);
    expect(told).toEqual([]);
    release();
    await done;
    expect(told).toEqual(['hook', 'done']);
  });

  it('contains up to 64 waiting units', async () => {
    await Promise.all(Array.from({ length: 65 }, (_, index) => add(`unit ${index}`)));
    expect(frame()).toEqual(['BEGIN IMMEDIATE', 'COMMIT', 'BEGIN IMMEDIATE', 'COMMIT']);
    expect(await kept()).toHaveLength(65);
  });

  it('is not needed around a single statement', async () => {
    expect(await addOne('a')).toEqual([{ name: 'a' }]);
    expect(statements).toEqual([]);
    await Promise.all([addOne('b'), addOne('c')]);
    expect(statements).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
    await add('d');
    expect(frame()).toEqual(['BEGIN IMMEDIATE', 'COMMIT', 'BEGIN IMMEDIATE', 'COMMIT']);
    expect(await kept()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is rolled back if one of its units fails, and each is repeated alone', async () => {
    const runs = { a: 0, b: 0, c: 0 };
    const hooks: string[] = [];
    const unit = (name: keyof typeof runs) =>
      queue.write(async (tx) => {
        runs[name] += 1;
        tx.afterCommit(() => hooks.push(name));
        await tx.run(INSERT, [name]);
        if (name === 'b') throw new Error('b fails');
      }, 'everything');
    const results = await Promise.allSettled([unit('a'), unit('b'), unit('c')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([runs, hooks, await kept()]).toEqual([{ a: 2, b: 2, c: 1 }, ['a', 'c'], ['a', 'c']]);
    const ALONE = ['BEGIN IMMEDIATE', 'COMMIT'];
    const UNDONE = ['BEGIN IMMEDIATE', 'ROLLBACK'];
    expect(frame()).toEqual([...UNDONE, ...ALONE, ...UNDONE, ...ALONE]);
  });

  it('that the disk refuses is repeated for each unit alone', async () => {
    let refused = 1;
    around = (sql, run) => {
      if (sql !== 'COMMIT' || refused-- <= 0) return run();
      return Promise.reject(sqliteError('SQLITE_IOERR'));
    };
    await Promise.all([add('a'), add('b')]);
    expect(await kept()).toEqual(['a', 'b']);
    expect(frame().filter((sql) => sql === 'COMMIT')).toHaveLength(3);
  });

  it('fails for all units if it cannot be begun', async () => {
    const busy = sqliteError('SQLITE_BUSY');
    around = (sql, run) => (sql === 'BEGIN IMMEDIATE' ? Promise.reject(busy) : run());
    const results = await Promise.allSettled([add('a'), add('b'), add('c')]);
    expect(results).toEqual(results.map(() => ({ status: 'rejected', reason: busy })));
    // Each attempt may take as long as SQLite waits for whoever holds the database.
    expect(frame()).toEqual(['BEGIN IMMEDIATE']);
    expect(askedForRoom).toEqual([busy]);
    await expect(add('d')).rejects.toBe(busy);
    expect(askedForRoom).toEqual([busy, busy]);
  });

  it.each([
    ['COMMIT', ['a']],
    ['BEGIN IMMEDIATE', ['a', 'b']],
  ])('is repeated if there is space after a failed %s', async (failing, names) => {
    const full = sqliteError('SQLITE_FULL');
    let failures = 2;
    around = (sql, run) => (sql === failing && failures-- > 0 ? Promise.reject(full) : run());
    hasRoom = [true, true];
    await Promise.all(names.map((name) => add(name)));
    expect([await kept(), askedForRoom]).toEqual([names, [full, full]]);
  });

  it('fails if there is no space', async () => {
    const full = sqliteError('SQLITE_FULL');
    around = (sql, run) => (sql === 'COMMIT' ? Promise.reject(full) : run());
    hasRoom = [true, false];
    await expect(add('a')).rejects.toBe(full);
    expect([await kept(), askedForRoom]).toEqual([[], [full, full]]);
  });

  it('is kept even if its hooks fail', async () => {
    const warned = new Promise((resolve) => process.once('warning', resolve));
    const told: string[] = [];
    await queue.write(async (tx) => {
      tx.afterCommit(() => {
        throw new Error('the hook fails');
      });
      tx.afterCommit(() => told.push('the next one'));
      await tx.run(INSERT, ['a']);
    }, 'everything');
    expect([await kept(), told]).toEqual([['a'], ['the next one']]);
    expect(await warned).toMatchObject({ message: 'the hook fails' });
  });
});

describe('a unit', () => {
  it('reads its own writes, and knows its scope', async () => {
    const read = await queue.write(async (tx) => {
      const { changes, lastId } = await tx.run(INSERT, ['a']);
      const select = 'SELECT name FROM kept WHERE name = ?';
      return [
        tx.touches,
        changes,
        lastId,
        await tx.all(select, ['a']),
        await tx.get(select, ['a']),
        await tx.get(select, ['b']),
      ];
    }, 'files');
    expect(read).toEqual(['files', 1, 1, [{ name: 'a' }], { name: 'a' }, undefined]);
  });

  it('cannot write outside of its transaction', async () => {
    enableScopeGuards();
    await expect(queue.write(() => add('within'), 'everything')).rejects.toThrow(/through its transaction only/);
    expect(await kept()).toEqual([]);
  });
});

it('completes waiting units when closed, and refuses later ones', async () => {
  const waiting = [add('a'), add('b')];
  await queue.close();
  expect(await kept()).toEqual(['a', 'b']);
  await Promise.all(waiting);
  await expect(add('c')).rejects.toThrow(/closed/);
  await expect(addOne('c')).rejects.toThrow(/closed/);
  expect(await kept()).toEqual(['a', 'b']);
});

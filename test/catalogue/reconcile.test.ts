import { link, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareFolder } from '../../dist/server/catalogue/reconcile/compare.js';
import { CONTENTS_MISSED, markContentsMissing } from '../../dist/server/catalogue/reconcile/missing.js';
import {
  knownDepth,
  knownOf,
  type Listed,
  type ReconcileParts,
  reconcileFolders,
} from '../../dist/server/catalogue/reconcile/reconcile-folders.js';
import { systemClock } from '../../dist/server/lib/clock.js';
import type { DiskListing } from '../../dist/server/storage/disk/disk.js';
import { HomeOnDisk } from '../support/households/home-on-disk.ts';

let disk: HomeOnDisk;
beforeEach(async () => {
  disk = await HomeOnDisk.open();
});
afterEach(() => disk.close());

const unchanged = () => true;
const parts = (): ReconcileParts => ({ database: disk.database.files, disk: disk.disk, clock: systemClock });
const put = (path: string, content = `content of ${path}`) => writeFile(disk.at(path), content);
const listing = (path = '') =>
  disk.disk.run('list', { homeRoot: disk.home.homeRoot, segments: path === '' ? [] : path.split('/') });

async function listed(paths: readonly string[]): Promise<Listed[]> {
  const all: Listed[] = [];
  for (const path of paths) all.push({ listing: await listing(path) });
  return all;
}

/** Reconciles folders together. */
async function reconcile(...paths: string[]) {
  return reconcileFolders(parts(), disk.home, await listed(paths), unchanged);
}

const idOf = async (path: string) => (await disk.rows())[path]?.id;
const there = async () => Object.entries(await disk.rows()).flatMap(([path, { missing }]) => (missing ? [] : [path]));

/** The root and "box" reconciled, with `a.txt` and `box/b.txt`. */
async function settled(): Promise<void> {
  await mkdir(disk.at('box'));
  await put('a.txt');
  await put('box/b.txt');
  await reconcile('', 'box');
}

describe('folders that are compared with the disk', () => {
  it('get rows for new entries, with the row of each entry', async () => {
    await mkdir(disk.at('box'));
    await reconcile('');
    for (const path of ['z.txt', 'a.txt', 'box/b.txt']) await put(path);
    const all = await listed(['', 'box']);
    const items = await reconcileFolders(parts(), disk.home, all, unchanged);
    expect(await there()).toEqual(['a.txt', 'box', 'box/b.txt', 'z.txt']);
    const ids = all.map(({ listing: { names } }, folder) =>
      names.map((name, at) => [name, items?.[folder]?.at(at)?.id]),
    );
    expect(ids).toEqual([
      [
        ['box', await idOf('box')],
        ['a.txt', await idOf('a.txt')],
        ['z.txt', await idOf('z.txt')],
      ],
      [['b.txt', await idOf('box/b.txt')]],
    ]);
  });

  it('write nothing if nothing has changed, whether their rows are known or not', async () => {
    await settled();
    const isUnwritten = disk.database.unchangedSince('files');
    const [root, box] = await listed(['', 'box']);
    const id = await idOf('box');
    // Also during a change by the server: the listing still matches.
    const items = await reconcileFolders(
      parts(),
      disk.home,
      [root as Listed, { listing: (box as Listed).listing, id }],
      () => false,
    );
    expect(isUnwritten()).toBe(true);
    expect(items?.map((one) => one.count)).toEqual([2, 1]);
    expect(items?.[1]?.at(0)?.id).toBe(await idOf('box/b.txt'));
  });

  it('update the row of an edited file', async () => {
    await settled();
    const id = await idOf('a.txt');
    await put('a.txt', 'longer than it was before');
    const items = await reconcile('');
    expect(await disk.database.get('SELECT id, size FROM items WHERE name = ?', ['a.txt'])).toEqual({ id, size: 25 });
    expect(items?.[0]?.at(1)?.id).toBe(id);
    await utimes(disk.at('a.txt'), 1, 1);
    await reconcile('');
    expect(await disk.database.get('SELECT id, mtime FROM items WHERE name = ?', ['a.txt'])).toEqual({
      id,
      mtime: 1_000,
    });
  });

  it('mark deleted entries as missing, and recognize them when they return', async () => {
    await settled();
    const id = await idOf('a.txt');
    await rename(disk.at('a.txt'), join(disk.layout.folder, 'away'));
    const before = Date.now();
    const items = await reconcile('');
    expect([(await disk.rows())['a.txt'], items?.[0]?.count]).toEqual([{ id, missing: true }, 1]);
    const row = await disk.database.get<{ missing_since: number }>('SELECT missing_since FROM items WHERE id = ?', [
      id ?? 0,
    ]);
    expect(row?.missing_since).toBeGreaterThanOrEqual(before);
    await rename(join(disk.layout.folder, 'away'), disk.at('a.txt'));
    const again = await reconcile('');
    expect([(await disk.rows())['a.txt'], again?.[0]?.count]).toEqual([{ id, missing: false }, 2]);
  });

  it('do not change the row of another item that is missing already', async () => {
    await settled();
    await rm(disk.at('a.txt'));
    await reconcile('');
    const missing = 'SELECT missing_since FROM items WHERE name = ?';
    const first = await disk.database.get(missing, ['a.txt']);
    await put('c.txt');
    await reconcile('');
    expect(await disk.database.get(missing, ['a.txt'])).toEqual(first);
  });
});

describe('an item that another program has moved', () => {
  it('keeps its row under a new name', async () => {
    await settled();
    const id = await idOf('a.txt');
    await rename(disk.at('a.txt'), disk.at('renamed.txt'));
    const items = await reconcile('');
    expect(await disk.rows()).toMatchObject({ 'renamed.txt': { id, missing: false } });
    expect(await there()).toEqual(['box', 'box/b.txt', 'renamed.txt']);
    expect(items?.[0]?.at(1)?.id).toBe(id);
    const name = 'SELECT name_fold, kind FROM items WHERE id = ?';
    expect(await disk.database.get(name, [id ?? 0])).toEqual({ name_fold: 'renamed.txt', kind: 'text' });
  });

  it.each([
    ['the one that it left first', ['', 'box']],
    ['the one that it came to first', ['box', '']],
    ['the one that it came to alone', ['box']],
  ])('keeps its row in another folder, with %s', async (_order, folders) => {
    await settled();
    const id = await idOf('a.txt');
    await rename(disk.at('a.txt'), disk.at('box/moved.txt'));
    await reconcile(...folders);
    expect(await there()).toEqual(['box', 'box/b.txt', 'box/moved.txt']);
    expect(await idOf('box/moved.txt')).toBe(id);
  });

  /** Reconciles the root at a time of its own. */
  const reconcileAt = async (milliseconds: number) =>
    reconcileFolders({ ...parts(), clock: { now: () => milliseconds } }, disk.home, await listed(['']), unchanged);

  it.each([
    ['a file', 'a.txt', 'box/b.txt'],
    ['a folder', 'box', 'other'],
  ])('keeps its row at a name whose item has been missing: %s', async (_kind, name, former) => {
    await settled();
    await mkdir(disk.at('other'));
    await reconcile('');
    const [id, missing] = [await idOf(former), await idOf(name)];
    await rm(disk.at(name), { recursive: true });
    await reconcileAt(1_000);
    await rename(disk.at(former), disk.at(name));
    const items = await reconcileAt(61_000);
    expect((await disk.rows())[name]).toEqual({ id, missing: false });
    expect(items?.[0]?.count).toBe((await listing()).names.length);
    expect(await disk.database.get('SELECT missing_since > 0 AS gone FROM items WHERE id = ?', [missing ?? 0])).toEqual(
      {
        gone: 1,
      },
    );
  });

  it('gets the row of the document that it replaces, as programs save', async () => {
    await settled();
    const id = await idOf('a.txt');
    await rm(disk.at('a.txt'));
    await reconcileAt(1_000);
    await rename(disk.at('box/b.txt'), disk.at('a.txt'));
    await reconcileAt(60_999);
    expect((await disk.rows())['a.txt']).toEqual({ id, missing: false });
  });

  it('keeps its row with everything below it if it is a folder', async () => {
    await settled();
    await mkdir(disk.at('other'));
    await reconcile('');
    const id = await idOf('box/b.txt');
    await rename(disk.at('box'), disk.at('other/box'));
    await reconcile('other');
    expect(await idOf('other/box/b.txt')).toBe(id);
  });

  it('keeps its row if something of another kind has its former place', async () => {
    await settled();
    const id = await idOf('a.txt');
    await rename(disk.at('a.txt'), disk.at('box/moved.txt'));
    await mkdir(disk.at('a.txt'));
    await reconcile('box');
    expect(await idOf('box/moved.txt')).toBe(id);
  });

  it('is another item if the first one still exists: a second link', async () => {
    await settled();
    const id = await idOf('a.txt');
    await link(disk.at('a.txt'), disk.at('box/second.txt'));
    await reconcile('box');
    expect(await there()).toEqual(['a.txt', 'box', 'box/b.txt', 'box/second.txt']);
    expect([await idOf('a.txt'), (await idOf('box/second.txt')) === id]).toEqual([id, false]);
  });

  it('is another item if a new file has its path, which keeps the row', async () => {
    await settled();
    const id = await idOf('a.txt');
    await rename(disk.at('a.txt'), disk.at('box/moved.txt'));
    await put('a.txt', 'another file');
    await reconcile('box');
    expect([await idOf('a.txt'), (await idOf('box/moved.txt')) === id]).toEqual([id, false]);
  });

  it('is another item if the server has moved its row meanwhile', async () => {
    await settled();
    const id = (await idOf('a.txt')) ?? 0;
    await rename(disk.at('a.txt'), disk.at('box/moved.txt'));
    const asking: ReconcileParts['disk'] = Object.assign(Object.create(disk.disk), {
      async run(operation: never, input: never): Promise<unknown> {
        const output: unknown = await disk.disk.run(operation, input);
        // Between the read and the write, the row gets another name.
        if ((operation as string) === 'identities') {
          await disk.database.write((tx) => tx.run("UPDATE items SET name = 'elsewhere.txt' WHERE id = ?", [id]));
        }
        return output;
      },
    });
    await reconcileFolders({ ...parts(), disk: asking }, disk.home, await listed(['box']), unchanged);
    expect(await idOf('elsewhere.txt')).toBe(id);
    expect(await idOf('box/moved.txt')).not.toBe(id);
  });

  it('is another item if its row is in the trash', async () => {
    await settled();
    const id = (await idOf('a.txt')) ?? 0;
    await rename(disk.at('a.txt'), disk.at('box/out.txt'));
    const toTrash = `UPDATE items SET parent_id = (SELECT id FROM items WHERE parent_id IS NULL AND name = 'trash')
      WHERE id = ?`;
    await disk.database.write((tx) => tx.run(toTrash, [id]));
    await reconcile('box');
    expect([await idOf('trash/a.txt'), (await idOf('box/out.txt')) === id]).toEqual([id, false]);
  });

  it('is another item in another home', async () => {
    await settled();
    const id = (await idOf('a.txt')) ?? 0;
    const other = await disk.newHome('ben');
    await rename(disk.at('a.txt'), join(other.homeRoot.root, 'a.txt'));
    await reconcile('');
    const { names } = await disk.disk.run('list', { homeRoot: other.homeRoot, segments: [] });
    expect(names).toEqual(['a.txt']);
    const theirs = [{ listing: await disk.disk.run('list', { homeRoot: other.homeRoot, segments: [] }) }];
    const items = await reconcileFolders(parts(), other, theirs, unchanged);
    expect([items?.[0]?.count, items?.[0]?.at(0)?.id === id]).toEqual([1, false]);
  });

  it('is another item on a disk without birth times if it is a folder: inodes are reused', async () => {
    await settled();
    const withoutBirths = (one: DiskListing): DiskListing => ({ ...one, births: one.births.map(() => 0n) as never });
    const all = async () => [{ listing: withoutBirths(await listing()) }];
    await reconcileFolders(parts(), disk.home, await all(), unchanged);
    const id = await idOf('box');
    await rename(disk.at('box'), disk.at('new'));
    await reconcileFolders(parts(), disk.home, await all(), unchanged);
    expect([(await disk.rows()).box, (await idOf('new')) === id]).toEqual([{ id, missing: true }, false]);
  });
});

describe('something of another kind in the place of an item', () => {
  it('is another item, and the former one is missing', async () => {
    await settled();
    const [file, folder] = [await idOf('a.txt'), await idOf('box')];
    await rm(disk.at('a.txt'));
    await rm(disk.at('box'), { recursive: true });
    await mkdir(disk.at('a.txt'));
    await put('box');
    await reconcile('');
    const rows = await disk.rows();
    expect([rows['a.txt']?.missing, rows.box?.missing]).toEqual([false, false]);
    expect([rows['a.txt']?.id === file, rows.box?.id === folder]).toEqual([false, false]);
    const before = await disk.database.all<{ id: number; is_dir: number }>(
      'SELECT id, is_dir FROM items WHERE missing_since IS NOT NULL AND id IN (?, ?) ORDER BY id',
      [file ?? 0, folder ?? 0],
    );
    expect(before).toHaveLength(2);
  });
});

describe('an outdated listing', () => {
  it('marks nothing as missing, and adds nothing', async () => {
    await settled();
    const old = await listed(['']);
    await put('new.txt');
    await rm(disk.at('a.txt'));
    const rows = await disk.rows();
    expect(await reconcileFolders(parts(), disk.home, await listed(['']), () => false)).toBeNull();
    expect(await disk.rows()).toEqual(rows);
    expect(old).toHaveLength(1);
  });

  it('is not used if a change by the server begins before it is written', async () => {
    await settled();
    await put('new.txt');
    const rows = await disk.rows();
    let hasBegun = false;
    const { database } = parts();
    const write = (async (work: never) => {
      hasBegun = true;
      return database.write(work);
    }) as typeof database.write;
    const held = { ...parts(), database: { all: database.all, write } };
    expect(await reconcileFolders(held, disk.home, await listed(['']), () => !hasBegun)).toBeNull();
    expect(await disk.rows()).toEqual(rows);
  });

  it.each([
    ['new', false],
    ['edited', true],
  ])('is not used from then on if many of its entries are %s', async (_what, isKnown) => {
    const names = Array.from({ length: 1_500 }, (_, index) => `${String(index).padStart(4, '0')}.txt`);
    await Promise.all(names.map((name) => put(name, '')));
    if (isKnown) await reconcile('');
    const known = Object.keys(await disk.rows()).length;
    await Promise.all(names.map((name) => put(name, 'edited')));
    const all = await listed(['']);
    const state = (): Promise<unknown> =>
      disk.database.get<{ rows: number; edited: number }>(
        'SELECT count(*) AS rows, coalesce(sum(size = 6), 0) AS edited FROM items WHERE parent_id IS NOT NULL',
      );
    // Nothing, then the first batch, then all.
    expect(await reconcileFolders(parts(), disk.home, all, () => false)).toBeNull();
    expect(await state()).toEqual({ rows: known, edited: 0 });
    let asked = 0;
    expect(await reconcileFolders(parts(), disk.home, all, () => ++asked === 1)).toBeNull();
    expect(await state()).toEqual({ rows: Math.max(known, 1_000), edited: 1_000 });
    const items = await reconcileFolders(parts(), disk.home, all, unchanged);
    expect([items?.[0]?.count, await state()]).toEqual([1_500, { rows: 1_500, edited: 1_500 }]);
  });
});

describe('what is determined without writing', () => {
  it('which entries have a row of their kind', async () => {
    await settled();
    await put('new.txt');
    await rm(disk.at('box'), { recursive: true });
    await put('box');
    const one = await listing();
    const items = await knownOf(disk.database, disk.home.id, one);
    expect(one.names.map((name, at) => [name, items.has(at)])).toEqual([
      ['a.txt', true],
      ['box', false],
      ['new.txt', false],
    ]);
  });

  it('how far a path has rows', async () => {
    await settled();
    const depth = (...segments: string[]) => knownDepth(disk.database, disk.home.id, segments);
    expect([await depth(), await depth('box'), await depth('box', 'b.txt'), await depth('x', 'y')]).toEqual([
      1, 2, 2, 1,
    ]);
    expect(await knownDepth(disk.database, 'no home', ['box'])).toBe(0);
  });

  it('how rows and disk differ', async () => {
    await settled();
    await put('new.txt');
    await put('a.txt', 'edited');
    await rename(disk.at('box'), join(disk.layout.folder, 'away'));
    const compare = async () => compareFolder(disk.database, disk.home.id, await listing());
    expect(await compare()).toEqual({ unknown: ['new.txt'], gone: ['box'], changed: ['a.txt'] });
    await reconcile('');
    expect(await compare()).toEqual({ unknown: [], gone: [], changed: [] });
  });
});

describe('the contents of a folder that disappeared', () => {
  const GRACE = 60_000;
  const miss = (ahead: number) => markContentsMissing(disk.database.files, { now: () => Date.now() + ahead }, GRACE);

  it('are marked as missing later, in any depth and number', async () => {
    await mkdir(disk.at('box/deep/deeper'), { recursive: true });
    await put('box/deep/deeper/file.txt');
    const names = Array.from({ length: 1_200 }, (_, index) => `box/${index}.txt`);
    await Promise.all(names.map((name) => put(name, '')));
    await put('other.txt');
    await reconcile('', 'box', 'box/deep', 'box/deep/deeper');
    await disk.database.write((tx) => tx.run("UPDATE items SET listed = 'stamp' WHERE is_dir = 1"));
    await rename(disk.at('box'), join(disk.layout.folder, 'away'));
    await reconcile('');
    await miss(GRACE - 10_000);
    expect((await there()).length).toBe(1 + 1_200 + 3);
    await miss(GRACE + 10_000);
    expect(await there()).toEqual(['other.txt']);
    const folders = 'SELECT DISTINCT listed FROM items WHERE is_dir = 1 AND parent_id IS NOT NULL';
    expect(await disk.database.all(folders)).toEqual([{ listed: CONTENTS_MISSED }]);
    const times = 'SELECT count(DISTINCT missing_since) AS times FROM items WHERE missing_since IS NOT NULL';
    expect(await disk.database.get(times)).toEqual({ times: 1 });
  });

  it('are not marked as missing if the folder was found again', async () => {
    await settled();
    await disk.database.write((tx) => tx.run("UPDATE items SET listed = 'stamp' WHERE name = 'box'"));
    await rename(disk.at('box'), disk.at('renamed'));
    await reconcile('');
    await miss(GRACE * 2);
    expect(await there()).toEqual(['a.txt', 'renamed', 'renamed/b.txt']);
    expect(await disk.database.get("SELECT listed FROM items WHERE name = 'renamed'")).toEqual({ listed: 'stamp' });
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertItem, insertRoots, rootId } from '../../dist/server/catalogue/items.js';
import { reconcileFolders } from '../../dist/server/catalogue/reconcile/reconcile-folders.js';
import { correctCount, wrongCounts } from '../../dist/server/catalogue/storage-use.js';
import type { Database } from '../../dist/server/database/database.js';
import { eraseRows } from '../../dist/server/files/trash/erase.js';
import { noFailPoints } from '../../dist/server/lib/process/fail-points.js';
import type { DiskListing } from '../../dist/server/storage/disk/disk.js';
import { openDisk } from '../../dist/server/storage/disk/disk.js';
import { areaIn } from '../../dist/server/storage/layout.js';
import { openMigrated } from '../support/households/household-template.ts';

const clock = { now: () => 0 };

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-database-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

let homes = 0;

async function newHome(): Promise<string> {
  const id = `home ${++homes}`;
  await database.write(async (tx) => {
    await tx.run('INSERT INTO homes (id, path, created_at) VALUES (?, ?, 0)', [id, id]);
    await insertRoots(tx, id);
  });
  return id;
}

const usedBy = async (id: string) =>
  (await database.get<{ used: number }>('SELECT used FROM homes WHERE id = ?', [id]))?.used;

/** What a disk would say of a folder with files of these sizes. */
function listing(sizes: Readonly<Record<string, number>>): DiskListing {
  const names = Object.keys(sizes).sort();
  const numbers = names.map((name) => sizes[name] ?? 0);
  const root = { name: '', isDir: true, size: 0, mtime: 0, created: 0, touched: 0, identity: 'd1.1' };
  return {
    folders: [root],
    stamp: null,
    isReported: false,
    names,
    folderCount: 0,
    others: 0,
    inodes: BigUint64Array.from(names.map((name, index) => BigInt(1_000 * (numbers[index] ?? 0) + name.charCodeAt(0)))),
    mtimes: Float64Array.from(names.map(() => 0)),
    created: Float64Array.from(names.map(() => 0)),
    births: BigInt64Array.from(names.map(() => 1n)),
    touches: BigInt64Array.from(names.map(() => 1n)),
    changes: BigInt64Array.from(numbers.map((size) => BigInt(size))),
    sizes: Float64Array.from(numbers),
  };
}

const ROWS = fc.array(
  fc.record({
    what: fc.constantFrom(
      'insert',
      'version',
      'size',
      'missing',
      'back',
      'home',
      'both',
      'delete',
      'forget',
      'item of',
    ),
    row: fc.nat(30),
    other: fc.nat(30),
    size: fc.nat(1_000),
    isDir: fc.boolean(),
  }),
  { minLength: 20, maxLength: 60 },
);

it('the count of a home equals the sum of its rows after every change', async () => {
  await fc.assert(
    fc.asyncProperty(ROWS, async (steps) => {
      const ids = [await newHome(), await newHome()] as const;
      await database.write(async (tx) => {
        const items: number[] = [];
        for (const id of ids) items.push(await rootId(tx, id, ''));
        const item = (index: number) => items[index % items.length] ?? 0;
        for (const { what, row, other, size, isDir } of steps) {
          const to = ids[other % 2] ?? '';
          if (what === 'insert') {
            const parent = await tx.get<{ home_id: string }>('SELECT home_id FROM items WHERE id = ?', [item(row)]);
            const entry = {
              name: `${items.length}`,
              isDir,
              size,
              mtime: 0,
              created: 0,
              touched: 0,
              identity: `${items.length}`,
            };
            if (parent !== undefined) items.push((await insertItem(tx, parent.home_id, item(row), entry)).id);
          } else if (what === 'version') {
            // Numbers of which no two are ever the same, so that a version can change its item.
            await tx.run(
              `INSERT INTO versions (id, item_id, version, size, mtime, stored_at)
               SELECT ?, id, coalesce((SELECT max(version) FROM versions), 0) + 1, ?, 0, 0 FROM items WHERE id = ?`,
              [crypto.randomUUID(), size, item(row)],
            );
          } else if (what === 'size') await tx.run('UPDATE items SET size = ? WHERE id = ?', [size, item(row)]);
          else if (what === 'missing') await tx.run('UPDATE items SET missing_since = 1 WHERE id = ?', [item(row)]);
          else if (what === 'back')
            await tx.run('UPDATE items SET missing_since = NULL, size = ? WHERE id = ?', [size, item(row)]);
          else if (what === 'home')
            await tx.run('UPDATE items SET home_id = ? WHERE id = ? AND parent_id IS NOT NULL', [to, item(row)]);
          else if (what === 'both')
            await tx.run(
              'UPDATE items SET home_id = ?, size = ?, missing_since = NULL WHERE id = ? AND parent_id IS NOT NULL',
              [to, size, item(row)],
            );
          else if (what === 'delete')
            await tx.run('DELETE FROM items WHERE id = ? AND parent_id IS NOT NULL', [item(row)]);
          else if (what === 'forget') await tx.run('DELETE FROM versions WHERE item_id = ?', [item(row)]);
          else
            await tx.run(
              'UPDATE versions SET item_id = ? WHERE item_id = ? AND EXISTS (SELECT 1 FROM items WHERE id = ?)',
              [item(other), item(row), item(other)],
            );
        }
      });
      const wrong = await wrongCounts(database);
      expect(wrong.filter(({ homeId }) => ids.includes(homeId))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

it('the count is right for folders that are read, after every change on the disk', async () => {
  const id = await newHome();
  const disk = openDisk(noFailPoints);
  const home = { id, homeRoot: { root: folder, homeId: id }, area: areaIn(folder) };
  const read = (sizes: Record<string, number>) =>
    reconcileFolders({ database: database.files, disk, clock }, home, [{ listing: listing(sizes) }], () => true);
  const many = Object.fromEntries(Array.from({ length: 2_500 }, (_, index) => [`${index}`, index % 10]));
  for (const [sizes, used] of [
    [{ a: 10, b: 20 }, 30],
    [{ a: 10, b: 25 }, 35],
    [{ b: 25 }, 25],
    [{ a: 10, b: 25, c: 0 }, 35],
    [{ d: 10, b: 25 }, 35],
    [{}, 0],
    [many, 11_250],
    [{}, 0],
  ] as const) {
    await read(sizes);
    expect(await usedBy(id)).toBe(used);
    expect(await wrongCounts(database)).toEqual([]);
  }
});

it('the count is right after trees, homes and accounts were deleted', async () => {
  const [id, other] = [await newHome(), await newHome()];
  const entry = { name: 'x', isDir: true, size: 0, mtime: 0, created: 0, touched: 0, identity: 'd1.1' };
  const top = await database.write(async (tx) => {
    let parent = (await insertItem(tx, id, await rootId(tx, id, ''), entry)).id;
    const first = parent;
    for (let depth = 0; depth < 700; depth += 1) {
      const file = await insertItem(tx, id, parent, { ...entry, name: 'file', isDir: false, size: 3 });
      await tx.run(
        `INSERT INTO versions (id, item_id, version, size, mtime, stored_at) VALUES ('${id} ${depth}', ?, 1, 4, 0, 0)`,
        [file.id],
      );
      parent = (await insertItem(tx, id, parent, entry)).id;
    }
    await insertItem(tx, other, await rootId(tx, other, ''), { ...entry, isDir: false, size: 5 });
    await tx.run(
      `INSERT INTO accounts (type, username, username_fold, name, registered_at, home_id) VALUES ('user', 'mia', 'mia', 'Mia', 0, ?)`,
      [other],
    );
    return first;
  });
  expect([await usedBy(id), await usedBy(other)]).toEqual([4_900, 5]);
  await database.write((tx) => eraseRows({ clock }, tx, id, top, []));
  expect([await usedBy(id), await wrongCounts(database)]).toEqual([0, []]);
  await database.write((tx) => tx.run("DELETE FROM accounts WHERE username = 'mia'"));
  expect(await usedBy(other)).toBe(5);
  await database.write((tx) => tx.run('DELETE FROM homes WHERE id = ?', [other]));
  expect([await usedBy(other), await wrongCounts(database)]).toEqual([undefined, []]);
});

it('a wrong count is corrected', async () => {
  const id = await newHome();
  await database.write((tx) => tx.run('UPDATE homes SET used = 7 WHERE id = ?', [id]));
  expect(await wrongCounts(database)).toEqual([{ homeId: id, used: 7, counted: 0 }]);
  await database.write((tx) => correctCount(tx, id));
  expect(await wrongCounts(database)).toEqual([]);
});

import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Catalogue, createCatalogue, lockKey } from '../../dist/server/catalogue/catalogue.js';
import { systemClock } from '../../dist/server/lib/clock.js';
import { PathLocks } from '../../dist/server/lib/concurrency/path-locks.js';
import { createLog } from '../../dist/server/lib/log/log.js';
import type { Disk } from '../../dist/server/storage/disk/disk.js';
import { HomeOnDisk } from '../support/households/home-on-disk.ts';

// The server publishes a file while a folder is being listed: the listing is from before, and the rows are from after it.

let disk: HomeOnDisk;
let catalogue: Catalogue;
let locks: PathLocks;
/** Called with every result of the disk, before it is returned. */
let afterDisk: (operation: string) => Promise<unknown>;

beforeEach(async () => {
  disk = await HomeOnDisk.open();
  await disk.file('a.txt');
  afterDisk = async () => undefined;
  const watched: Disk = Object.assign(Object.create(disk.disk) as Disk, {
    async run(operation: never, input: never): Promise<unknown> {
      const output: unknown = await disk.disk.run(operation, input);
      await afterDisk(operation);
      return output;
    },
  });
  locks = new PathLocks();
  const disks = { disk: watched, backgroundDisk: watched };
  catalogue = createCatalogue({
    database: disk.database.files,
    ...disks,
    watches: new Map(),
    clock: systemClock,
    locks,
    log: createLog('silent', process.stderr),
  });
});
afterEach(() => disk.close());

/** A change of the server that lasts until the test releases it. */
function change() {
  let bring = () => {};
  const brought = new Promise<void>((resolve) => {
    bring = resolve;
  });
  const done = catalogue.changing(disk.home, async () => {
    await brought;
    await disk.file('brought.txt');
  });
  return async () => {
    bring();
    await done;
  };
}

const COMPLETE = {
  'a.txt': { id: expect.any(Number), missing: false },
  'brought.txt': { id: expect.any(Number), missing: false },
};

it('reports no change only if none was in progress and none has begun since', async () => {
  const before = catalogue.unchangedSince(disk.home);
  const other = catalogue.unchangedSince(await disk.newHome('ben'));
  expect([before(), other()]).toEqual([true, true]);
  const end = change();
  const meanwhile = catalogue.unchangedSince(disk.home);
  expect([before(), meanwhile(), other()]).toEqual([false, false, true]);
  await end();
  const after = catalogue.unchangedSince(disk.home);
  expect([before(), meanwhile(), after(), other()]).toEqual([false, false, true, true]);
});

it('reports no change again after a failed one, and not for the time before it', async () => {
  const before = catalogue.unchangedSince(disk.home);
  await expect(catalogue.changing(disk.home, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect([before(), catalogue.unchangedSince(disk.home)()]).toEqual([false, true]);
});

it('a listing with a concurrent change is repeated', async () => {
  let listings = 0;
  afterDisk = async (operation) => {
    if (operation !== 'list') return;
    listings += 1;
    if (listings === 1) await change()();
  };
  const { listing } = await catalogue.list(disk.home, []);
  expect([listings, listing.names]).toEqual([2, ['a.txt', 'brought.txt']]);
  expect(await disk.rows()).toEqual(COMPLETE);
});

it('a folder in which something changes all the time is listed under its lock', async () => {
  const end = change();
  const locked: string[] = [];
  const run = locks.run.bind(locks);
  locks.run = (paths, work) => {
    locked.push(...paths);
    return run(paths, work);
  };
  const { listing } = await catalogue.list(disk.home, []);
  expect([listing.names, locked]).toEqual([['a.txt'], [lockKey(disk.home, [])]]);
  await end();
});

it('a comparison with a concurrent change is repeated', async () => {
  let isFirst = true;
  afterDisk = async (operation) => {
    if (operation !== 'listSome' || !isFirst) return;
    isFirst = false;
    await change()();
  };
  const [content] = await catalogue.compare(disk.home, [{ segments: [] }]);
  expect(content?.listing.names).toEqual(['a.txt', 'brought.txt']);
  expect(await disk.rows()).toEqual(COMPLETE);
});

it('a comparison that begins during a long change is repeated if that ends meanwhile', async () => {
  const end = change();
  afterDisk = async (operation) => {
    if (operation !== 'listSome') return;
    afterDisk = async () => undefined;
    await end();
  };
  const [content] = await catalogue.compare(disk.home, [{ segments: [] }]);
  expect(content?.listing.names).toEqual(['a.txt', 'brought.txt']);
  expect(await disk.rows()).toEqual(COMPLETE);
});

/** Another program makes a file, and a listing finds it, while the next operation of this name has its result but no effect. */
function overtakeNext(operation: string) {
  afterDisk = async (name) => {
    if (name !== operation) return;
    afterDisk = async () => undefined;
    await disk.file('brought.txt');
    await catalogue.list(disk.home, []);
  };
}

it.each([
  ['list', () => catalogue.list(disk.home, [])],
  ['list', () => catalogue.list(disk.home, [], { remember: false })],
  ['listSome', () => catalogue.compare(disk.home, [{ segments: [] }])],
])('a listing that a newer one overtakes (%s) marks nothing as missing', async (operation, read) => {
  overtakeNext(operation);
  const contents = [await read()].flat();
  expect(contents.map((content) => content?.listing.names)).toEqual([['a.txt', 'brought.txt']]);
  expect(await disk.rows()).toEqual(COMPLETE);
});

it('a listing that is overtaken every time completes nevertheless', async () => {
  let overtaken = 0;
  let isNested = false;
  afterDisk = async (name) => {
    if (name !== 'list' || isNested) return;
    isNested = true;
    overtaken += 1;
    await disk.file(`${overtaken}.txt`);
    await catalogue.list(disk.home, [], { remember: false });
    isNested = false;
  };
  await catalogue.list(disk.home, [], { remember: false });
  // Two tries without the lock, three with it, and one that counts in any case.
  expect(overtaken).toBe(6);
  afterDisk = async () => undefined;
  const { listing, items } = await catalogue.list(disk.home, []);
  expect([listing.names.length, items.count]).toEqual([7, 7]);
});

it('a comparison without changes is accepted, and reports a missing folder', async () => {
  await writeFile(disk.at('by-hand.txt'), 'by hand');
  const folders = [{ segments: [] }, { segments: ['gone'] }];
  const [content, gone] = await catalogue.compare(disk.home, folders);
  expect([content?.items.count, gone]).toEqual([2, null]);
});

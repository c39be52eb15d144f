import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCacheFolder } from '../../dist/server/storage/content/cache-folder.js';
import { readCached, writeCached } from '../../dist/server/storage/content/cached-files.js';
import type { CachedFile } from '../../dist/server/storage/disk/disk-protocol.js';
import { stillPerformance } from '../support/system/still-performance.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const KILO = 1024;
const ANYBODY = { kind: '', id: '' };
const open = (where: string, limit: () => number) => {
  const cache = openCacheFolder(
    where,
    limit,
    ({ id }) => ({ name: id, part: id === '' ? 1 : 0.25 }),
    async (files) => writeCached(where, files),
    () => false,
  );
  return {
    write(of: string, bytes: Uint8Array, id = '') {
      cache.put(of, bytes, { kind: 'test', id });
      return cache.flush();
    },
    read: (of: string) => readCached(where, of),
    put: cache.put,
    flush: cache.flush,
    close: cache.close,
  };
};
const text = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString();
const name = (number: number) => `${String(number).padStart(4, '0')}-x.jpeg`;
const names = async () =>
  (await readdir(folder, { recursive: true }))
    .filter((one) => one.includes('-x'))
    .map((one) => one.slice(3))
    .sort();
/** As if written and last used so many hours ago. */
async function age(number: number, hours: number): Promise<void> {
  const then = new Date(Date.now() - hours * 3_600_000);
  await utimes(join(folder, name(number).slice(0, 2), name(number)), then, then);
}

it('returns what was written, and nothing else', async () => {
  const cache = open(folder, () => KILO);
  await cache.write(name(1), Buffer.from('one'));
  expect(text(cache.read(name(1)))).toBe('one');
  expect(cache.read(name(2))).toBeNull();
  await cache.write(name(1), Buffer.from('another'));
  expect(text(open(folder, () => KILO).read(name(1)))).toBe('another');
});

it('writes queued entries when closed, and no later ones', async () => {
  const cache = open(folder, () => KILO);
  cache.put(name(1), Buffer.from('one'), ANYBODY);
  await cache.close();
  cache.put(name(2), Buffer.from('late'), ANYBODY);
  await cache.flush();
  expect(await names()).toEqual([name(1)]);
});

it('limits the share of an owner, whose own oldest files are deleted', async () => {
  const cache = open(folder, () => 40 * KILO);
  await cache.write(name(1), Buffer.alloc(8 * KILO), 'mia');
  for (let number = 2; number <= 20; number++) await cache.write(name(number), Buffer.alloc(2 * KILO), 'ben');
  await cache.write(name(21), Buffer.alloc(2 * KILO), 'mia');
  expect(await names()).toEqual([1, 16, 17, 18, 19, 20, 21].map(name));
  await cache.write(name(22), Buffer.alloc(2 * KILO), 'mia');
  expect(await names()).toEqual([16, 17, 18, 19, 20, 21, 22].map(name));
});

it('deletes the least recently used files above its limit', async () => {
  const first = open(folder, () => 100 * KILO);
  for (let number = 1; number <= 10; number++) await first.write(name(number), Buffer.alloc(KILO, number));
  for (let number = 1; number <= 10; number++) await age(number, 100 - number);
  // Used again, after more than a day: among the last to be deleted.
  expect(first.read(name(2))?.length).toBe(KILO);
  const small = open(folder, () => 10 * KILO);
  await small.write(name(11), Buffer.alloc(KILO, 11));
  // A tenth is kept free.
  expect(await names()).toEqual([2, 5, 6, 7, 8, 9, 10, 11].map(name).concat(name(4)).sort());
  for (let number = 12; number <= 40; number++) await small.write(name(number), Buffer.alloc(KILO, number));
  const left = await names();
  expect(left.length).toBeLessThanOrEqual(10);
  expect(left).toContain(name(40));
});

it('continues if its folder is deleted or cannot be written', async () => {
  const cache = open(join(folder, 'inner'), () => KILO);
  await cache.write(name(1), Buffer.from('one'));
  await rm(join(folder, 'inner'), { recursive: true });
  expect(cache.read(name(1))).toBeNull();
  await cache.write(name(2), Buffer.from('two'));
  expect(text(cache.read(name(2)))).toBe('two');
  await writeFile(join(folder, 'file'), 'no folder');
  const nowhere = open(join(folder, 'file'), () => KILO);
  await nowhere.write(name(1), Buffer.from('one'));
  expect(nowhere.read(name(1))).toBeNull();
  expect((await stat(folder)).isDirectory()).toBe(true);
});

it('writes together what was added during other work, within a limit', async () => {
  const written: number[] = [];
  let isBusy = true;
  let looked = 0;
  // What waits for too long is written although there is other work.
  stillPerformance();
  const write = async (files: readonly CachedFile[]) => {
    written.push(files.length);
    return writeCached(folder, files);
  };
  const cache = openCacheFolder(
    folder,
    () => 100 * KILO,
    () => ({ name: '', part: 1 }),
    write,
    () => {
      looked += 1;
      return isBusy;
    },
  );
  const looks = (times: number) => expect.poll(() => looked).toBeGreaterThanOrEqual(times);
  for (let number = 1; number <= 16; number++) cache.put(name(number), Buffer.alloc(10, number), ANYBODY);
  await looks(3);
  expect(written).toEqual([]);
  isBusy = false;
  await expect.poll(async () => (await names()).length).toBe(16);
  isBusy = true;
  for (let number = 1; number <= 256; number++) cache.put(name(number), Buffer.alloc(10, number), ANYBODY);
  await expect.poll(async () => (await names()).length).toBe(256);
  expect(written).toEqual([16, 256]);
});

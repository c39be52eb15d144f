import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reconcileFolders } from '../../dist/server/catalogue/reconcile/reconcile-folders.js';
import { HomeOnDisk } from '../support/households/home-on-disk.ts';

let disk: HomeOnDisk;
let now = 0;
beforeEach(async () => {
  disk = await HomeOnDisk.open();
  now = 1_000;
});
afterEach(() => disk.close());

/** Compares folders with the disk, as the server does once it has noticed a change in them. */
async function reconcile(...paths: string[]): Promise<void> {
  const parts = { database: disk.database.files, disk: disk.disk, clock: { now: () => now } };
  for (const path of paths) {
    const segments = path === '' ? [] : path.split('/');
    const listing = await disk.disk.run('list', { homeRoot: disk.home.homeRoot, segments });
    expect(await reconcileFolders(parts, disk.home, [{ listing }], () => true)).not.toBeNull();
  }
}

const outside = (name: string) => join(disk.layout.folder, name);
const idOf = async (path: string) => (await disk.rows())[path]?.id;

/** A folder with files, and files beside it. */
async function settled(): Promise<void> {
  await mkdir(disk.at('box/sub'), { recursive: true });
  await writeFile(disk.at('box/a.txt'), 'first');
  await writeFile(disk.at('box/sub/b.txt'), 'second');
  await writeFile(disk.at('a.txt'), 'moved');
  await writeFile(disk.at('b.txt'), 'moved, too');
  await reconcile('', 'box', 'box/sub');
}

it('an item that is moved into a new folder with the name of a deleted one is no item of the deleted one', async () => {
  await settled();
  const [moved, deeper] = [await idOf('a.txt'), await idOf('b.txt')];
  // It stays on the disk, so that its inode is not used again.
  await rename(disk.at('box'), outside('box'));
  await reconcile('');
  now += 120_000;
  await mkdir(disk.at('box/sub'), { recursive: true });
  await rename(disk.at('a.txt'), disk.at('box/a.txt'));
  await rename(disk.at('b.txt'), disk.at('box/sub/b.txt'));
  await reconcile('', 'box', 'box/sub');
  expect([await idOf('box/a.txt'), await idOf('box/sub/b.txt')]).toEqual([moved, deeper]);
});

it('the items of a folder that comes back as a copy keep their rows', async () => {
  await settled();
  const before = [await idOf('box'), await idOf('box/a.txt'), await idOf('box/sub/b.txt')];
  await rename(disk.at('box'), outside('box'));
  await reconcile('');
  now += 120_000;
  await mkdir(disk.at('box/sub'), { recursive: true });
  await writeFile(disk.at('box/a.txt'), 'first');
  await writeFile(disk.at('box/sub/b.txt'), 'second');
  await rm(outside('box'), { recursive: true });
  await reconcile('', 'box', 'box/sub');
  expect([await idOf('box'), await idOf('box/a.txt'), await idOf('box/sub/b.txt')]).toEqual(before);
});

import { link, mkdir, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { entriesIn } from '../../dist/server/catalogue/folder-sums.js';
import { markContentsMissing } from '../../dist/server/catalogue/reconcile/missing.js';
import { systemClock } from '../../dist/server/lib/clock.js';
import { itInFull } from '../support/forms.ts';
import { eventually } from '../support/system/eventually.ts';
import { caughtUp, type KeptFolder, openKeptFolder, rowsOf } from './support.ts';

let kept: KeptFolder;
const at = (path: string) => join(kept.root, path);
const uuidOf = async (path: string) => (await rowsOf(kept.database)).get(path)?.uuid;

async function until(isRight: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(isRight, (seen) => seen);
}

describe('with all folders watched', () => {
  beforeEach(async () => {
    kept = await openKeptFolder();
    await mkdir(at('a/b/c'), { recursive: true });
    await writeFile(at('a/b/c/file.txt'), 'one');
    await caughtUp(kept);
  });
  afterEach(() => kept.close());

  it('detects an edit in place, which changes no time of a folder', async () => {
    await writeFile(at('a/b/c/file.txt'), 'two', { flag: 'r+' });
    await caughtUp(kept);
    await kept.whileStopped(() => writeFile(at('a/b/c/file.txt'), 'three', { flag: 'r+' }));
    await caughtUp(kept);
  });

  itInFull('detects changes in new folders, and folders that take the name of another', async () => {
    for (let round = 0; round < 5; round += 1) {
      await rm(at('x'), { recursive: true, force: true });
      await mkdir(at(`x/${round}/y/z`), { recursive: true });
      await writeFile(at(`x/${round}/y/z/deep.txt`), `${round}`);
      if (round % 2 === 0) await caughtUp(kept);
    }
    await writeFile(at('x/4/y/z/later.txt'), 'later');
    await caughtUp(kept);
    await rename(at('a'), at('moved in'));
    await mkdir(at('a/b'), { recursive: true });
    await writeFile(at('moved in/b/c/file 2.txt'), '2');
    await writeFile(at('a/b/new.txt'), '3');
    await caughtUp(kept);
  });

  it('keeps the row of a moved folder that is listed at its new place first', async () => {
    const uuid = await uuidOf('a/b/c/file.txt');
    await kept.whileStopped(async () => {
      await mkdir(at('new'));
      await rename(at('a'), at('new/place'));
    });
    await kept.part().catalogue.list(kept.home, ['new', 'place', 'b', 'c']);
    expect(await uuidOf('new/place/b/c/file.txt')).toBe(uuid);
  });

  it('treats another link to a file as another item, and ignores symbolic links and markers', async () => {
    const uuid = await uuidOf('a/b/c/file.txt');
    await link(at('a/b/c/file.txt'), at('a/second name.txt'));
    const rows = await caughtUp(kept);
    expect(rows.get('a/b/c/file.txt')?.uuid).toBe(uuid);
    expect(rows.get('a/second name.txt')?.uuid).not.toBe(uuid);
    await symlink('/etc', at('a/link'));
    await writeFile(at('a/after the link.txt'), '');
    await until(async () => (await rowsOf(kept.database)).has('a/after the link.txt'));
    expect((await rowsOf(kept.database)).has('a/link')).toBe(false);
  });

  it('counts the entries of a folder that has just changed', async () => {
    // A time of the future never counts as settled.
    const future = new Date(Date.now() + 3_600_000);
    for (const path of ['empty', 'one/file.txt']) await mkdir(at(path), { recursive: true });
    for (const path of ['empty', 'one']) await utimes(at(path), future, future);
    const entries = async (path: string) => {
      const uuid = (await uuidOf(path)) ?? '';
      return (await entriesIn(kept.database, [uuid])).get(uuid)?.entries;
    };
    await expect.poll(() => Promise.all(['empty', 'one'].map(entries))).toEqual([0, 1]);
    await kept.whileStopped(() => utimes(at('one'), future, future));
    await writeFile(at('one/second.txt'), '');
    await expect.poll(() => entries('one')).toBe(2);
  });

  it('changes no row while the disk is disconnected, and detects the changes afterwards', async () => {
    const before = await rowsOf(kept.database);
    const progress = () => kept.part().reconciler.progress()[0];
    await rename(kept.root, `${kept.root} away`);
    await until(() => progress()?.state === 'offline');
    // As after unmounting a disk: an empty folder.
    await mkdir(kept.root);
    const looked = vi.spyOn(kept.part().disk, 'run');
    // The second look begins when the first one has had its consequences.
    await expect.poll(() => looked.mock.calls.filter(([operation]) => operation === 'stat').length).toBeGreaterThan(1);
    looked.mockRestore();
    expect(progress()?.state).toBe('offline');
    expect(await rowsOf(kept.database)).toEqual(before);
    await writeFile(`${kept.root} away/a/b/meanwhile.txt`, '');
    await rename(`${kept.root} away/a/b/c`, `${kept.root} away/c`);
    await rm(kept.root, { recursive: true });
    await rename(`${kept.root} away`, kept.root);
    const rows = await caughtUp(kept);
    expect(rows.get('c/file.txt')?.uuid).toBe(before.get('a/b/c/file.txt')?.uuid);
    await until(() => progress()?.state === 'ready');
    await writeFile(at('c/live again.txt'), '');
    await caughtUp(kept);
  });

  itInFull('reports its progress', async () => {
    await until(() => kept.part().reconciler.progress()[0]?.state === 'ready');
    const told: string[] = [];
    const end = kept.part().reconciler.onProgress(({ state, items }) => told.push(`${state} ${items > 0}`));
    await kept.whileStopped(async () => undefined);
    end();
    const states: string[] = [];
    kept.part().reconciler.onProgress(({ state }) => states.push(state));
    await until(() => states.at(-1) === 'ready');
    expect([...new Set(states)]).toEqual(['reading', 'checking', 'ready']);
    expect(kept.part().reconciler.progress()).toEqual([
      { homeId: kept.home.id, state: 'ready', folders: 4, items: 4, unwatched: 0 },
    ]);
  });
});

describe('with more folders than the system can watch', () => {
  beforeEach(async () => {
    kept = await openKeptFolder({ watched: 3 });
  });
  afterEach(() => kept.close());

  it('finds everything at a start, and reports that some changes are found later', async () => {
    for (let index = 0; index < 10; index += 1) {
      await mkdir(at(`${index}`));
      await writeFile(at(`${index}/file.txt`), '');
    }
    await caughtUp(kept);
    await kept.whileStopped(() => writeFile(at('9/new.txt'), ''));
    await caughtUp(kept);
    await until(() => kept.part().reconciler.progress()[0]?.state === 'ready');
    expect(kept.part().reconciler.progress()[0]?.unwatched).toBeGreaterThan(5);
  });
});

describe('a missing item', () => {
  beforeEach(async () => {
    kept = await openKeptFolder();
    await mkdir(at('big/inner'), { recursive: true });
    for (let index = 0; index < 2_100; index += 1) await writeFile(at(`big/inner/${index}`), 'twelve bytes');
    await caughtUp(kept);
  });
  afterEach(() => kept.close());

  const used = async () => (await kept.database.get<{ used: number }>('SELECT used FROM homes'))?.used;

  it('no longer counts for the quota, and is recognized when it comes back', async () => {
    const before = await rowsOf(kept.database);
    expect(await used()).toBe(2_100 * 12);
    await rename(at('big'), join(kept.root, '..', 'big outside'));
    await caughtUp(kept);
    expect(await used()).toBe(2_100 * 12);
    await markContentsMissing(kept.database.files, systemClock, 0);
    expect(await used()).toBe(0);
    await markContentsMissing(kept.database.files, systemClock, 0);
    await unlink(join(kept.root, '..', 'big outside', 'inner', '7'));
    await rename(join(kept.root, '..', 'big outside'), at('big again'));
    await utimes(at('big again'), 1, 1);
    const rows = await caughtUp(kept);
    expect(rows.size).toBe(before.size - 1);
    expect(rows.get('big again/inner/8')?.uuid).toBe(before.get('big/inner/8')?.uuid);
    expect(rows.get('big again/inner')?.uuid).toBe(before.get('big/inner')?.uuid);
    expect(await used()).toBe(2_099 * 12);
  });
});

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../../dist/server/lib/clock.js';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

const trash = () => join(household.folder, '.larder', 'trash');
const at = (...segments: string[]) => join(household.home, ...segments);
const remove = async (path: string) =>
  (await api.post('files/delete', { path: `/ROOT/HOME/${path}` })).body.data.trash_path as string;
const restore = (path: string) => api.post('files/trash/restore', { path });
const listed = async (path = '/TRASH', more = {}) => {
  const { body } = await api.get('files/browse', {
    path,
    'details[]': ['uuid', 'fileSize', 'type', 'version'],
    ...more,
  });
  return body.data.files as { filename: string; path: string; uuid: string; fileSize?: number }[];
};

describe('an item whose name is already used many times', () => {
  it('is restored with the next number, also beyond a hundred', async () => {
    await writeFile(at('many.txt'), 'deleted');
    const deleted = await remove('many.txt');
    const name = (number: number) => `many (restored${number === 1 ? '' : ` ${number}`}).txt`;
    await writeFile(at('many.txt'), '');
    for (let number = 1; number <= 150; number += 1) await writeFile(at(name(number)), '');
    const { status, body } = await restore(deleted);
    expect([status, body.data?.path]).toEqual([200, `/ROOT/HOME/${name(151)}`]);
    expect(await readFile(at(name(151)), 'utf8')).toBe('deleted');
  });
});

describe('the trash', () => {
  it('is a top-level entry and lists deleted items, newest first', async () => {
    const { body } = await api.get('files/browse', { path: '/' });
    expect(body.data.files).toContainEqual({ filename: 'Trash', is_dir: true, path: '/TRASH' });
    await writeFile(at('one.txt'), '1');
    await mkdir(at('two'));
    const first = await remove('one.txt');
    household.clock.advance(1_000);
    const second = await remove('two');
    const expected = [
      { filename: 'two', is_dir: true, path: second, type: 'folder' },
      { filename: 'one.txt', is_dir: false, path: first, type: 'text', fileSize: 1, version: 1 },
    ];
    expect(await listed()).toMatchObject(expected);
    expect(await listed('/ROOT/TRASH')).toMatchObject(expected);
    expect(await listed('/TRASH', { itemType: 'folders' })).toMatchObject([expected[0]]);
    expect(await listed('/TRASH', { start: 1, limit: 1 })).toMatchObject([expected[1]]);
  });

  it('restores an item to its folder, with its uuid, content and versions', async () => {
    await api.put({ filePath: '/ROOT/HOME/deep/er/doc.txt' }, 'one');
    const { uuid } = (await api.put({ path: '/ROOT/HOME/deep/er/doc.txt' }, 'two')).body.data;
    const path = await remove('deep/er/doc.txt');
    expect((await restore(path)).body.data).toEqual({ path: '/ROOT/HOME/deep/er/doc.txt' });
    expect(await readFile(at('deep', 'er', 'doc.txt'), 'utf8')).toBe('two');
    expect(await listed('/ROOT/HOME/deep/er')).toMatchObject([{ filename: 'doc.txt', uuid, version: 2 }]);
    expect((await listed()).map((item) => item.path)).not.toContain(path);
    expect((await restore(path)).status).toBe(404);
  });

  it('restores into a renamed folder, or into the home if the folder is gone', async () => {
    await mkdir(at('was'));
    for (const name of ['a', 'b', 'c', 'd']) await writeFile(at('was', name), name);
    const [a, b, c, d] = [await remove('was/a'), await remove('was/b'), await remove('was/c'), await remove('was/d')];
    await api.post('files/rename', { path: '/ROOT/HOME/was', newName: 'is' });
    expect((await restore(a)).body.data.path).toBe('/ROOT/HOME/is/a');
    const folder = await remove('is');
    expect((await restore(b)).body.data.path).toBe('/ROOT/HOME/b');
    expect((await restore(folder)).body.data.path).toBe('/ROOT/HOME/is');
    expect((await restore(c)).body.data.path).toBe('/ROOT/HOME/is/c');
    await rm(at('is'), { recursive: true });
    expect((await restore(d)).body.data.path).toBe('/ROOT/HOME/d');
  });

  it('never replaces an existing item on restore', async () => {
    const paths: string[] = [];
    for (const content of ['1', '2', '3']) {
      await writeFile(at('same.tar.gz'), content);
      paths.push(await remove('same.tar.gz'));
    }
    await writeFile(at('SAME.tar.gz'), 'now');
    const restored = [];
    for (const path of paths) restored.push((await restore(path)).body.data.path);
    expect(restored).toEqual([
      '/ROOT/HOME/same.tar (restored).gz',
      '/ROOT/HOME/same.tar (restored 2).gz',
      '/ROOT/HOME/same.tar (restored 3).gz',
    ]);
    expect(await readFile(at('SAME.tar.gz'), 'utf8')).toBe('now');
    expect(await readFile(at('same.tar (restored 2).gz'), 'utf8')).toBe('2');
    const long = `${'é'.repeat(125)}.txt`;
    await writeFile(at(long), 'long');
    const path = await remove(long);
    await writeFile(at(long), 'another');
    const name = (await restore(path)).body.data.path.slice('/ROOT/HOME/'.length);
    expect(name).toMatch(/^é+ \(restored\)\.txt$/);
    expect(await readFile(at(name), 'utf8')).toBe('long');
  });

  it('deletes one item, or all of them, permanently', async () => {
    for (const name of ['x', 'y', 'z']) await writeFile(at(name), name);
    const [x, y] = [await remove('x'), await remove('y'), await remove('z')];
    expect((await api.post('files/trash/delete', { path: x })).body.data).toEqual({});
    expect((await restore(x)).status).toBe(404);
    expect((await restore(y)).status).toBe(200);
    expect((await api.post('files/trash/empty')).body.data).toEqual({});
    expect(await listed()).toEqual([]);
    expect(await readdir(trash())).toEqual([]);
    expect(await household.control('doctor')).toMatchObject({ ok: true });
  });

  it.each([
    ['/TRASH', 400, 'invalid_path'],
    ['/TRASH/0123456789abcdef', 404, 'not_found'],
    ['/TRASH/../HOME', 400, 'invalid_path'],
    ['/TRASH/a/b', 400, 'invalid_path'],
    ['/ROOT/HOME/deep', 400, 'invalid_path'],
  ])('refuses the path %s', async (path, status, code) => {
    for (const operation of ['files/trash/restore', 'files/trash/delete']) {
      const reply = await api.post(operation, { path });
      expect([reply.status, reply.body.code]).toEqual([status, code]);
    }
  });

  it('restores and deletes concurrently without losing the item or duplicating it', async () => {
    await writeFile(at('contested'), 'x');
    const path = await remove('contested');
    const replies = await Promise.all([
      restore(path),
      api.post('files/trash/delete', { path }),
      restore(path),
      api.post('files/trash/empty'),
    ]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 404)).toBe(true);
    const isBack = (await readdir(household.home)).includes('contested');
    expect((await listed()).length).toBe(0);
    expect(statuses.filter((status, index) => index % 2 === 0 && status === 200)).toHaveLength(isBack ? 1 : 0);
    const { ok, notes } = await household.control('doctor');
    expect(ok).toBe(true);
    expect(String(notes)).not.toMatch(/belongs to nothing|interrupted|deleted for good/);
  });

  it('reports that an offline home is offline', async () => {
    await writeFile(at('offline.txt'), 'x');
    const path = await remove('offline.txt');
    await rename(household.home, `${household.home}.away`);
    expect((await restore(path)).status).toBe(503);
    await rename(`${household.home}.away`, household.home);
    expect((await restore(path)).status).toBe(200);
  });

  it('deletes items older than the configured days', async () => {
    const own = await openHousehold();
    const client = await own.signIn();
    await writeFile(join(own.home, 'old'), 'x');
    await client.post('files/delete', { path: '/ROOT/HOME/old' });
    own.clock.advance(29 * DAY);
    await own.larder.maintenance();
    expect(await readdir(join(own.folder, '.larder', 'trash'))).toHaveLength(1);
    own.clock.advance(2 * DAY);
    await own.control('settings.update', { trashDays: 0 });
    await own.larder.maintenance();
    expect(await readdir(join(own.folder, '.larder', 'trash'))).toHaveLength(1);
    await own.control('settings.update', { trashDays: 30 });
    await own.larder.maintenance();
    expect(await readdir(join(own.folder, '.larder', 'trash'))).toEqual([]);
    await own.close();
  });
});

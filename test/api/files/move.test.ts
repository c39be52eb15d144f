import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { type ApiClient, outcome } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;
let count = 0;
/** A new folder for every test, by its path on the disk and its virtual path. */
let real = '';
let virtual = '';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());
beforeEach(async () => {
  count += 1;
  real = join(household.home, `test ${count}`);
  virtual = `/ROOT/HOME/test ${count}`;
  await mkdir(join(real, 'a', 'deep'), { recursive: true });
  await mkdir(join(real, 'b'));
  await writeFile(join(real, 'a', 'deep', 'leaf.txt'), 'leaf');
});

const rename = (path: string, newName: string, more = {}) =>
  api.post('files/rename', { path: `${virtual}/${path}`, newName, ...more });
const move = (path: string, moveTo: string, more = {}) =>
  api.post('files/move', { path: `${virtual}/${path}`, moveTo: `${virtual}/${moveTo}`, ...more });
const listed = async (path = '') => {
  const { body } = await api.get('files/browse', { path: `${virtual}/${path}`, 'details[]': ['uuid', 'version'] });
  return Object.fromEntries(body.data.files.map((file: { filename: string }) => [file.filename, file])) as Record<
    string,
    { uuid: string; version: number }
  >;
};

describe('files/rename and files/move', () => {
  it('rename and move a folder with its contents, and keep every uuid', async () => {
    const [folder, leaf] = [(await listed('a')).deep?.uuid, (await listed('a/deep'))['leaf.txt']?.uuid];
    expect((await rename('a/deep', 'tiefer é')).body.data).toEqual({ path: `${virtual}/a/tiefer é` });
    expect((await move('a/tiefer é', 'b')).body.data).toEqual({ path: `${virtual}/b/tiefer é` });
    expect(await readFile(join(real, 'b', 'tiefer é', 'leaf.txt'), 'utf8')).toBe('leaf');
    expect(await readdir(join(real, 'a'))).toEqual([]);
    expect((await listed('b'))['tiefer é']?.uuid).toBe(folder);
    expect((await listed('b/tiefer é'))['leaf.txt']?.uuid).toBe(leaf);
  });

  it('keep the uuids of everything below', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => writeFile(join(real, 'a', `${index}.txt`), '')));
    const uuids = async (path: string) => Object.entries(await listed(path)).map(([name, { uuid }]) => [name, uuid]);
    const before = await uuids('a');
    await rename('a', 'renamed');
    expect(await uuids('renamed')).toEqual(before);
  });

  it('refuse a name in use, also one that differs in case, unless overwrite is set for files', async () => {
    await writeFile(join(real, 'one.txt'), 'one');
    await writeFile(join(real, 'two.txt'), 'two');
    await writeFile(join(real, 'b', 'one.txt'), 'other');
    expect(await outcome(rename('one.txt', 'two.txt'))).toEqual([409, 'already_exists']);
    expect(await outcome(rename('one.txt', 'TWO.txt', { overwrite: 1 }))).toEqual([409, 'already_exists']);
    expect(await outcome(move('one.txt', 'b'))).toEqual([409, 'already_exists']);
    expect(await outcome(rename('one.txt', 'b', { overwrite: 1 }))).toEqual([409, 'already_exists']);
    expect(await outcome(rename('a', 'b', { overwrite: 1 }))).toEqual([409, 'already_exists']);
    expect(await readFile(join(real, 'one.txt'), 'utf8')).toBe('one');
    expect(await readFile(join(real, 'two.txt'), 'utf8')).toBe('two');
  });

  it('retain the overwritten content and its versions as versions of the moved item', async () => {
    for (const content of ['target 1', 'target 2', 'target 3'])
      await api.put({ path: `${virtual}/target.txt` }, content);
    for (const content of ['mover 1', 'mover 2']) await api.put({ path: `${virtual}/mover.txt` }, content);
    const { uuid } = (await listed())['mover.txt'] ?? {};
    expect((await rename('mover.txt', 'target.txt', { overwrite: 1 })).status).toBe(200);
    expect(await readFile(join(real, 'target.txt'), 'utf8')).toBe('mover 2');
    expect(await listed()).toMatchObject({ 'target.txt': { uuid, version: 5 } });
    expect(await listed()).not.toHaveProperty('mover.txt');
    const versions = join(household.folder, '.larder', 'versions');
    const kept = await Promise.all((await readdir(versions)).map((name) => readFile(join(versions, name), 'utf8')));
    expect(kept).toEqual(expect.arrayContaining(['target 1', 'target 2', 'target 3', 'mover 1']));
    expect(await household.control('doctor')).toMatchObject({ ok: true });
  });

  it('change the case or Unicode form of a name, and accept an unchanged name', async () => {
    expect((await rename('a', 'A')).body.data.path).toBe(`${virtual}/A`);
    expect(await readdir(real)).toEqual(expect.arrayContaining(['A']));
    expect((await rename('A', 'A')).status).toBe(200);
    await writeFile(join(real, 'é'.normalize('NFD')), 'x');
    expect((await rename('é'.normalize('NFC'), 'é'.normalize('NFC'))).status).toBe(200);
    expect(await readdir(real)).toContain('é'.normalize('NFC'));
  });

  it('never move a folder into itself', async () => {
    expect(await outcome(move('a', 'a'))).toEqual([400, 'invalid_path']);
    expect(await outcome(move('a', 'a/deep'))).toEqual([400, 'invalid_path']);
    expect(await readFile(join(real, 'a', 'deep', 'leaf.txt'), 'utf8')).toBe('leaf');
  });

  it.each([
    ['an item that is not there', () => rename('nothing', 'x'), 404, 'not_found'],
    ['into a folder that is not there', () => move('a', 'nowhere'), 404, 'not_found'],
    ['into a file', () => move('a/deep', 'file'), 404, 'not_found'],
    ['through a link', () => move('a', 'link'), 404, 'not_found'],
    ['a link', () => rename('link', 'x'), 404, 'not_found'],
    ['to a path', () => rename('a', 'b/a'), 400, 'invalid_name'],
    ['to two dots', () => rename('a', '..'), 400, 'invalid_name'],
    ['to nothing', () => rename('a', ''), 400, 'invalid_name'],
    ['to a device', () => rename('a', 'NUL.txt'), 400, 'invalid_name'],
    ['the home', () => api.post('files/rename', { path: '/ROOT/HOME', newName: 'x' }), 400, 'invalid_path'],
    ['to a list', () => api.post('files/move', { path: `${virtual}/a`, moveTo: '/ROOT' }), 400, 'invalid_path'],
    [
      'the marker of the home',
      () => api.post('files/rename', { path: '/ROOT/HOME/.larder-home', newName: 'x' }),
      404,
      'not_found',
    ],
    [
      'to the marker of the home',
      () => api.post('files/rename', { path: virtual, newName: '.larder-home', overwrite: 1 }),
      409,
      'already_exists',
    ],
  ])('refuse %s', async (_what, call, status, code) => {
    await writeFile(join(real, 'file'), '');
    await symlink(household.folder, join(real, 'link'));
    expect(await outcome(call())).toEqual([status, code]);
  });

  it('give a name to exactly one of many concurrent requests, and lose no item', async () => {
    await Promise.all(Array.from({ length: 6 }, (_, index) => writeFile(join(real, `${index}.txt`), `${index}`)));
    const replies = await Promise.all(Array.from({ length: 6 }, (_, index) => rename(`${index}.txt`, 'winner.txt')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(5);
    expect((await readdir(real)).filter((name) => name.endsWith('.txt'))).toHaveLength(6);
  });

  it('swap names concurrently without inconsistency', async () => {
    const rounds = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0 ? move('b/deep', 'a') : move('a/deep', 'b'),
    );
    const statuses = (await Promise.all(rounds)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 404]));
    const places = await Promise.all(['a', 'b'].map(async (name) => (await readdir(join(real, name))).length));
    expect(places.sort()).toEqual([0, 1]);
    expect(await household.control('doctor')).toMatchObject({ ok: true });
  });
});

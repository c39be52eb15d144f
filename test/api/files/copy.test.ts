import { mkdir, readdir, readFile, readlink, rename, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { treeOf } from '../../support/content/tree.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { type ApiClient, outcome } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;
let count = 0;
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
  await mkdir(join(real, 'a', 'deep', 'empty'), { recursive: true });
  await mkdir(join(real, 'b'));
  await writeFile(join(real, 'a', 'deep', 'leaf.txt'), 'leaf');
  await writeFile(join(real, 'one.txt'), 'one');
});

const copy = (path: string, copyTo: string, more = {}) =>
  api.post('files/copy', { path: `${virtual}/${path}`, copyTo: `${virtual}/${copyTo}`, ...more });
const uuidOf = async (path: string) => {
  const { body } = await api.get('files/browse', {
    path: `${virtual}/${path.slice(0, path.lastIndexOf('/') + 1)}`,
    'details[]': ['uuid'],
  });
  const name = path.slice(path.lastIndexOf('/') + 1);
  return body.data.files.find((file: { filename: string }) => file.filename === name)?.uuid;
};
const incoming = () => readdir(join(household.folder, '.larder', 'incoming'));

describe('files/copy', () => {
  it('copies a file with its time, as a new item', async () => {
    await utimes(join(real, 'one.txt'), 1_500_000_000, 1_500_000_000);
    expect((await copy('one.txt', 'b')).body.data).toEqual({ path: `${virtual}/b/one.txt` });
    expect(await readFile(join(real, 'b', 'one.txt'), 'utf8')).toBe('one');
    expect((await stat(join(real, 'b', 'one.txt'))).mtimeMs).toBe(1_500_000_000_000);
    expect(await uuidOf('b/one.txt')).not.toBe(await uuidOf('one.txt'));
    // Not a hard link: writing into one does not change the other.
    await writeFile(join(real, 'b', 'one.txt'), 'changed');
    expect(await readFile(join(real, 'one.txt'), 'utf8')).toBe('one');
  });

  it('copies a folder with everything except links, and leaves nothing in the work area', async () => {
    for (let index = 0; index < 50; index += 1) await writeFile(join(real, 'a', `${index}.bin`), Buffer.alloc(index));
    await symlink(real, join(real, 'a', 'link'));
    expect((await copy('a', 'b')).body.data).toEqual({ path: `${virtual}/b/a` });
    const all = async (folder: string) => (await readdir(folder, { recursive: true })).sort();
    const copied = await all(join(real, 'b', 'a'));
    expect(copied).not.toContain('link');
    await unlink(join(real, 'a', 'link'));
    expect(copied).toEqual(await all(join(real, 'a')));
    expect(await readFile(join(real, 'b', 'a', 'deep', 'leaf.txt'), 'utf8')).toBe('leaf');
    expect((await stat(join(real, 'b', 'a', '49.bin'))).size).toBe(49);
    expect(await incoming()).toEqual([]);
  });

  it('refuses a name in use; with overwrite the replaced content becomes a version', async () => {
    await writeFile(join(real, 'b', 'one.txt'), 'other');
    expect(await outcome(copy('one.txt', 'b'))).toEqual([409, 'already_exists']);
    expect(await outcome(copy('one.txt', ''))).toEqual([409, 'already_exists']);
    expect(await readFile(join(real, 'b', 'one.txt'), 'utf8')).toBe('other');
    expect((await copy('one.txt', 'b', { overwrite: 1 })).status).toBe(200);
    expect(await readFile(join(real, 'b', 'one.txt'), 'utf8')).toBe('one');
    const old = await api.get('files/download', { path: `${virtual}/b/one.txt`, version: 1 });
    expect(old.text).toBe('other');
    await mkdir(join(real, 'b', 'a'));
    expect(await outcome(copy('a', 'b', { overwrite: 1 }))).toEqual([409, 'already_exists']);
    await mkdir(join(real, 'a', 'one.txt'));
    expect(await outcome(copy('one.txt', 'a', { overwrite: 1 }))).toEqual([409, 'already_exists']);
    expect(await incoming()).toEqual([]);
  });

  it('refuses a folder into itself, the home, and missing items', async () => {
    expect(await outcome(copy('a', 'a/deep'))).toEqual([400, 'invalid_path']);
    expect(await outcome(copy('a', 'a'))).toEqual([400, 'invalid_path']);
    expect(await outcome(api.post('files/copy', { path: '/ROOT/HOME', copyTo: virtual }))).toEqual([
      400,
      'invalid_path',
    ]);
    expect(await outcome(copy('nothing', 'b'))).toEqual([404, 'not_found']);
    expect(await outcome(copy('one.txt', 'nothing'))).toEqual([404, 'not_found']);
    expect(await outcome(copy('a', 'one.txt'))).toEqual([404, 'not_found']);
    expect(await readdir(join(real, 'a'))).toEqual(['deep']);
  });

  itInFull('skips a file that becomes a folder during the copy, and copies the rest', async () => {
    const [name, file, folder] = ['changing', 'file', 'folder'].map((one) => join(real, 'a', one)) as [
      string,
      string,
      string,
    ];
    await writeFile(file, 'a file');
    await mkdir(folder);
    let isOver = false;
    const change = async () => {
      for (; !isOver; ) {
        for (const one of [file, folder]) {
          await rename(one, name);
          await rename(name, one);
        }
      }
    };
    const changing = change();
    for (let round = 0; round < 60; round += 1) {
      await mkdir(join(real, `to ${round}`));
      expect(await outcome(copy('a', `to ${round}`))).toEqual([200, undefined]);
      expect([404, 200]).toContain((await copy('a/changing', `to ${round}`)).status);
    }
    isOver = true;
    await changing;
  });

  it('refuses a name that differs only in case from an existing one', async () => {
    await writeFile(join(real, 'b', 'ONE.txt'), 'other');
    expect(await outcome(copy('one.txt', 'b', { overwrite: 1 }))).toEqual([409, 'already_exists']);
    expect(await readdir(join(real, 'b'))).toEqual(['ONE.txt']);
  });

  it('keeps few files open at a time, whatever the shape of the tree', async () => {
    const wide = join(real, 'wide');
    for (let index = 0; index < 64; index += 1) {
      const folder = join(wide, `${index % 8}`, `${index}`);
      await mkdir(folder, { recursive: true });
      for (let file = 0; file < 8; file += 1) await writeFile(join(folder, `${file}`), 'content');
    }
    let most = 0;
    let isDone = false;
    const watch = (async () => {
      while (!isDone) {
        const targets = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
        const open = (await Promise.all(targets)).filter((target) => /\/wide\/\d\/\d+\/\d$/.test(target));
        most = Math.max(most, open.length);
      }
    })();
    expect((await copy('wide', 'b')).status).toBe(200);
    isDone = true;
    await watch;
    expect(await treeOf(join(real, 'b', 'wide'))).toEqual(await treeOf(wide));
    // Per lane one file, one more while the system copies it, and one in between.
    expect(most).toBeLessThanOrEqual(24);
  });

  it('refuses reserved names, which would not be visible', async () => {
    await mkdir(join(real, '.larder-area'));
    await writeFile(join(real, '.larder-area', 'leaf.txt'), 'leaf');
    await writeFile(join(real, '.larder-home'), 'no marker');
    for (const name of ['.larder-area', '.larder-home']) {
      for (const more of [{}, { overwrite: 1 }]) {
        const form = { path: `${virtual}/${name}`, ...more };
        expect(await outcome(api.post('files/copy', { ...form, copyTo: '/ROOT/HOME' }))).toEqual([
          409,
          'already_exists',
        ]);
        expect(await outcome(api.post('files/move', { ...form, moveTo: '/ROOT/HOME' }))).toEqual([
          409,
          'already_exists',
        ]);
      }
    }
    expect(await readdir(household.home)).not.toContain('.larder-area');
    // A restore there gets another name.
    const { trash_path } = (await api.post('files/delete', { path: `${virtual}/.larder-area` })).body.data;
    await rename(real, `${real} moved`);
    await api.post('files/delete', { path: `${virtual} moved`, permanent: 1 });
    const { body } = await api.post('files/trash/restore', { path: trash_path });
    expect(body.data.path).toMatch(/^\/ROOT\/HOME\/.*restored/);
    expect((await api.get('files/download', { path: `${body.data.path}/leaf.txt` })).text).toBe('leaf');
  });

  it('accepts only paths below the home', async () => {
    const { trash_path } = (await api.post('files/delete', { path: `${virtual}/one.txt` })).body.data;
    const below = `${virtual}/b`;
    for (const path of [
      trash_path,
      `/ROOT${trash_path}`,
      '/TRASH/nothing',
      '/ROOT/SHARED/x',
      '/STARRED/x',
      '/nowhere/x',
    ]) {
      const replies = [
        api.post('files/copy', { path, copyTo: below }),
        api.post('files/copy', { path: `${virtual}/a`, copyTo: path }),
        api.post('files/move', { path, moveTo: below }),
        api.post('files/move', { path: `${virtual}/a`, moveTo: path }),
        api.post('files/rename', { path, newName: 'x' }),
        api.post('files/versions/list', { path }),
        api.post('files/versions/restore', { path, version: 1 }),
        api.post('files/versions/delete', { path, version: 1 }),
        api.post('files/delete', { path }),
        api.get('files/download', { path }),
        api.get('files/browse', { path, recursive: 1 }),
        api.put({ path: `${path}/x` }, 'x'),
        api.put({ filePath: `${path}/x/y` }, 'x'),
        api.put({ path: `${path}/x`, totalSize: 1, startByte: 0 }, 'x'),
      ];
      for (const [index, reply] of replies.entries()) {
        expect(await outcome(reply), `${index} ${path}`).toEqual([404, 'not_found']);
      }
    }
    for (const path of ['/TRASH', '/ROOT', '/', '/ROOT/TRASH']) {
      expect(await outcome(api.post('files/copy', { path, copyTo: below })), path).toEqual([400, 'invalid_path']);
      expect(await outcome(api.post('files/copy', { path: `${virtual}/a`, copyTo: path })), path).toEqual([
        400,
        'invalid_path',
      ]);
      expect(await outcome(api.get('files/download', { path })), path).toEqual([400, 'invalid_path']);
    }
    expect(await readdir(join(real, 'b'))).toEqual([]);
    expect((await api.post('files/trash/restore', { path: trash_path })).status).toBe(200);
  });
});

import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  const tree = join(household.home, 'tree');
  for (const folder of ['b 10/x', 'b 9', 'empty', 'c']) await mkdir(join(tree, folder), { recursive: true });
  for (const file of ['z.txt', 'a.txt', 'b 9/2.txt', 'b 9/10.txt', 'b 10/x/deep.txt', 'c/same.txt']) {
    await writeFile(join(tree, file), file);
  }
  await symlink(tree, join(tree, 'c', 'loop'));
});
afterAll(() => household.close());

const WHOLE = [
  'b 9/',
  'b 9/2.txt',
  'b 9/10.txt',
  'b 10/',
  'b 10/x/',
  'b 10/x/deep.txt',
  'c/',
  'c/same.txt',
  'empty/',
  'a.txt',
  'z.txt',
];

type Listed = { path: string; filename: string; is_dir: boolean; uuid?: string };

async function tree(query: Record<string, string | number> = {}, path = '/ROOT/HOME/tree') {
  const reply = await api.get('files/browse', { path, recursive: 1, 'details[]': ['uuid', 'fileSize'], ...query });
  const files = reply.body.data.files as Listed[];
  return {
    meta: reply.body.data.meta,
    files,
    paths: files.map((file) => file.path.slice('/ROOT/HOME/tree/'.length) + (file.is_dir ? '/' : '')),
  };
}

describe('files/browse with recursive=1', () => {
  it('returns a flat list in depth-first order, each with its path, without following links', async () => {
    const { paths, meta, files } = await tree();
    expect(paths).toEqual(WHOLE);
    expect(meta).toMatchObject({ path: '/ROOT/HOME/tree', parentPath: '/ROOT/HOME', folderName: 'tree' });
    expect(meta).not.toHaveProperty('total');
    expect(files.every((file) => file.path.endsWith(`/${file.filename}`))).toBe(true);
  });

  it('returns the same uuids as listing each folder', async () => {
    const { files } = await tree();
    const { body } = await api.get('files/browse', { path: '/ROOT/HOME/tree/b 9', 'details[]': ['uuid'] });
    for (const file of body.data.files as Listed[]) {
      expect(files.find(({ path }) => path === file.path)?.uuid).toBe(file.uuid);
    }
  });

  it('descends into all folders, whatever item type is requested', async () => {
    expect((await tree({ itemType: 'files' })).paths).toEqual(WHOLE.filter((path) => !path.endsWith('/')));
    expect((await tree({ itemType: 'folders' })).paths).toEqual(WHOLE.filter((path) => path.endsWith('/')));
  });

  it('supports pages with a total', async () => {
    const pages = [];
    for (let start = 0; start < WHOLE.length; start += 4) {
      const { paths, meta } = await tree({ start, limit: 4 });
      expect(meta.total).toBe(WHOLE.length);
      pages.push(...paths);
    }
    expect(pages).toEqual(WHOLE);
  });

  it('sorts within each folder', async () => {
    const { paths } = await tree({ order: 'desc' });
    expect(paths[0]).toBe('empty/');
    expect(paths.slice(-2)).toEqual(['z.txt', 'a.txt']);
    expect(paths.indexOf('b 9/10.txt')).toBe(paths.indexOf('b 9/2.txt') - 1);
  });

  it('is ignored for virtual lists', async () => {
    for (const path of ['/ROOT', '/TRASH']) {
      const plain = (await api.get('files/browse', { path })).body.data;
      expect((await api.get('files/browse', { path, recursive: 1 })).body.data).toEqual(plain);
    }
  });

  it('refuses missing items before the first byte', async () => {
    const reply = await api.get('files/browse', { path: '/ROOT/HOME/nowhere', recursive: 1 });
    expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
  });

  it('completes while other programs move items', async () => {
    const busy = join(household.home, 'busy');
    for (let index = 0; index < 30; index += 1) await mkdir(join(busy, `${index}`, 'inner'), { recursive: true });
    let stop = false;
    const mover = (async () => {
      for (let round = 0; !stop; round += 1) {
        const from = join(busy, `${round % 30}`);
        await rename(from, `${from} moved`);
        await rename(`${from} moved`, from);
      }
    })();
    try {
      for (let round = 0; round < 10; round += 1) {
        const { files } = await tree({}, '/ROOT/HOME/busy');
        expect(files.length).toBeGreaterThan(20);
        expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
      }
    } finally {
      stop = true;
      await mover;
    }
  });

  itInFull('ends at the maximum depth of a path', async () => {
    const deep = join(household.home, 'deep', ...Array.from({ length: 140 }, () => 'd'));
    await mkdir(deep, { recursive: true });
    const { files } = await tree({}, '/ROOT/HOME/deep');
    expect(files.length).toBe(125);
    expect((await api.get('files/browse', { path: files.at(-1)?.path ?? '' })).status).toBe(200);
  });

  it('waits for a slow client, and stops for a disconnected one', async () => {
    const wide = join(household.home, 'wide');
    await mkdir(wide);
    // More than two megabytes of an answer.
    const names = Array.from({ length: 5_000 }, (_, index) => `${'a name of some length '.repeat(9)}${index}`);
    for (let start = 0; start < names.length; start += 500) {
      await Promise.all(names.slice(start, start + 500).map((name) => mkdir(join(wide, name))));
    }
    // The server, which runs in this process, gets its turns.
    const turns = async () => {
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const received = await new Promise<number>((resolve, reject) => {
      request(
        `${api.base}/api.php/files/browse?path=/ROOT/HOME/wide&recursive=1`,
        { ca: household.ca, headers: { authorization: `Bearer ${api.token_}` } },
        (response) => {
          response.pause();
          void turns().then(() => {
            response.destroy();
            resolve(response.readableLength);
          });
        },
      )
        .on('error', reject)
        .end();
    });
    expect(received).toBeLessThan(1_000_000);
    expect((await tree({ limit: 1 }, '/ROOT/HOME/wide')).meta.total).toBe(5_000);
  });
});

import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

const names = (reply: { body: { data: { files: { filename: string }[] } } }) =>
  reply.body.data.files.map(({ filename }) => filename);

describe('files/browse', () => {
  it.each(['/', '/ROOT', '/ROOT/'])('lists the top-level entries at %s', async (path) => {
    const { body } = await api.get('files/browse', { path, itemType: 'any' });
    expect(body).toEqual({
      success: true,
      error: false,
      data: {
        meta: {
          path: '/ROOT',
          parentPath: null,
          folderName: 'ROOT',
          perms: { upload: false, download: false, alter: false },
        },
        files: [
          { filename: 'My Files', is_dir: true, path: '/ROOT/HOME' },
          { filename: 'Shared with me', is_dir: true, path: '/ROOT/SHARED' },
          { filename: 'Recent', is_dir: true, path: '/RECENT' },
          { filename: 'Starred', is_dir: true, path: '/STARRED' },
          { filename: 'Photos', is_dir: true, path: '/PHOTOS' },
          { filename: 'Music', is_dir: true, path: '/MUSIC' },
          { filename: 'My shares', is_dir: true, path: '/SHARES' },
          { filename: 'My links', is_dir: true, path: '/LINKS' },
          { filename: 'Trash', is_dir: true, path: '/TRASH' },
        ],
      },
    });
  });

  it('lists files the owner put into the folder by hand, with every detail', async () => {
    const file = join(household.home, 'Holiday photo.JPG');
    await writeFile(file, 'x'.repeat(1434));
    await utimes(file, new Date('2024-03-12T10:00:00Z'), new Date('2024-03-12T10:00:00Z'));
    await mkdir(join(household.home, 'Recipes'));
    const details = [
      'uuid',
      'mdate',
      'mdateHuman',
      'cdate',
      'description',
      'ext',
      'type',
      'icon',
      'fileSize',
      'nicerFileSize',
    ];
    const { body } = await api.get('files/browse/', { path: '/ROOT/HOME', itemType: 'any', 'details[]': details });
    expect(body.data.meta).toMatchObject({ path: '/ROOT/HOME', parentPath: '/ROOT', folderName: 'My Files' });
    const [folder, photo] = body.data.files;
    expect(folder).toMatchObject({
      filename: 'Recipes',
      is_dir: true,
      path: '/ROOT/HOME/Recipes',
      type: 'folder',
      icon: 'folder.svg',
    });
    expect(folder).not.toHaveProperty('fileSize');
    expect(folder).not.toHaveProperty('ext');
    expect(photo).toMatchObject({
      filename: 'Holiday photo.JPG',
      is_dir: false,
      path: '/ROOT/HOME/Holiday photo.JPG',
      mdate: '2024-03-12T10:00:00Z',
      mdateHuman: '12 March 2024',
      description: 'JPEG image',
      ext: 'jpg',
      type: 'image',
      icon: 'image.svg',
      fileSize: 1434,
      nicerFileSize: '1.4 KB',
    });
    expect(photo.uuid).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('never lists the marker of the home, links, or special files', async () => {
    const folder = join(household.home, 'odd');
    await mkdir(folder);
    await symlink('/etc', join(folder, 'etc'));
    await symlink('/etc/passwd', join(folder, 'passwd'));
    await symlink('nowhere', join(folder, 'dangling'));
    await writeFile(join(folder, '.hidden'), '');
    expect(names(await api.get('files/browse', { path: '/ROOT/HOME/odd', itemType: 'any' }))).toEqual(['.hidden']);
    expect(names(await api.get('files/browse', { path: '/ROOT/HOME', itemType: 'any' }))).not.toContain('.larder-home');
    for (const name of ['.larder-home', '.LARDER-HOME', '.larder-area']) {
      const reply = await api.get('files/download', { path: `/ROOT/HOME/${name}` });
      expect(reply.status, name).toBe(404);
    }
  });

  it('keeps the uuid of items that other programs rename, move or change, and gives new files new ones', async () => {
    const folder = join(household.home, 'moving');
    await mkdir(join(folder, 'sub'), { recursive: true });
    await writeFile(join(folder, 'a.txt'), 'one');
    const uuids = async (path = '/ROOT/HOME/moving') => {
      const { body } = await api.get('files/browse', { path, itemType: 'files', 'details[]': ['uuid'] });
      return Object.fromEntries(
        body.data.files.map((file: { filename: string; uuid: string }) => [file.filename, file.uuid]),
      );
    };
    const before = (await uuids())['a.txt'];
    await rename(join(folder, 'a.txt'), join(folder, 'b.txt'));
    expect((await uuids())['b.txt']).toBe(before);
    await writeFile(join(folder, 'b.txt'), 'changed in place');
    expect((await uuids())['b.txt']).toBe(before);
    await rename(join(folder, 'b.txt'), join(folder, 'sub', 'c.txt'));
    await uuids();
    expect((await uuids('/ROOT/HOME/moving/sub'))['c.txt']).toBe(before);
    await rm(join(folder, 'sub', 'c.txt'));
    await uuids('/ROOT/HOME/moving/sub');
    await writeFile(join(folder, 'new.txt'), 'another file, perhaps with the same inode');
    expect((await uuids())['new.txt']).not.toBe(before);
    await household.restart();
    api = await household.signIn();
    await writeFile(join(folder, 'sub', 'c.txt'), 'back at its path');
    expect((await uuids('/ROOT/HOME/moving/sub'))['c.txt']).toBe(before);
  });

  it('sorts naturally, folders first, and by the other keys', async () => {
    const folder = join(household.home, 'sorting');
    await mkdir(join(folder, 'z folder'), { recursive: true });
    for (const [name, size, day] of [
      ['file10.txt', 1, 3],
      ['File2.txt', 3, 1],
      ['été.pdf', 2, 2],
      ['eta.zip', 4, 4],
    ] as const) {
      await writeFile(join(folder, name), 'x'.repeat(size));
      await utimes(join(folder, name), day * 86_400, day * 86_400);
    }
    const order = async (query: Record<string, string>) =>
      names(await api.get('files/browse', { path: '/ROOT/HOME/sorting', itemType: 'any', ...query }));
    expect(await order({})).toEqual(['z folder', 'eta.zip', 'été.pdf', 'File2.txt', 'file10.txt']);
    expect(await order({ order: 'desc' })).toEqual(['z folder', 'file10.txt', 'File2.txt', 'été.pdf', 'eta.zip']);
    expect(await order({ sort: 'size', itemType: 'files' })).toEqual(['file10.txt', 'été.pdf', 'File2.txt', 'eta.zip']);
    expect(await order({ sort: 'mdate', order: 'desc', itemType: 'files' })).toEqual([
      'eta.zip',
      'file10.txt',
      'été.pdf',
      'File2.txt',
    ]);
    expect(await order({ sort: 'type', itemType: 'files' })).toEqual(['eta.zip', 'été.pdf', 'File2.txt', 'file10.txt']);
    expect(await order({ itemType: 'folders' })).toEqual(['z folder']);
  });

  it('sorts folders by name when sorting by type, whatever their names end with', async () => {
    const folder = join(household.home, 'types');
    for (const name of ['a.txt', 'b.zip', 'c']) await mkdir(join(folder, name), { recursive: true });
    const query = { path: '/ROOT/HOME/types', itemType: 'any', sort: 'type' };
    expect(names(await api.get('files/browse', query))).toEqual(['a.txt', 'b.zip', 'c']);
  });

  it('supports pages, and only then returns the total', async () => {
    const page = await api.get('files/browse', { path: '/ROOT/HOME/sorting', itemType: 'any', start: 1, limit: 2 });
    expect(names(page)).toEqual(['eta.zip', 'été.pdf']);
    expect(page.body.data.meta.total).toBe(5);
    expect(names(await api.get('files/browse', { path: '/ROOT/HOME/sorting', itemType: 'any', start: 99 }))).toEqual(
      [],
    );
    expect(
      (await api.get('files/browse', { path: '/ROOT/HOME/sorting', itemType: 'any' })).body.data.meta,
    ).not.toHaveProperty('total');
  });

  it('treats a missing itemType as any, and finds names in either Unicode form', async () => {
    await mkdir(join(household.home, 'Müsli'.normalize('NFD')));
    await writeFile(join(household.home, 'Müsli'.normalize('NFD'), 'a'), '');
    expect(names(await api.get('files/browse', { path: `/ROOT/HOME/${'Müsli'.normalize('NFC')}` }))).toEqual(['a']);
  });

  it.each([
    ['not a path', { path: 'C:\\Users' }, 400, 'invalid_path'],
    ['an unknown tree', { path: '/HOME' }, 404, 'not_found'],
    ['another account', { path: '/ROOT/2' }, 404, 'not_found'],
    ['a folder that is not there', { path: '/ROOT/HOME/nope' }, 404, 'not_found'],
    ['no path', {}, 400, 'missing_parameter'],
    ['an unknown itemType', { path: '/', itemType: 'some' }, 400, 'invalid_parameter'],
    ['an unknown detail', { path: '/', 'details[]': ['uuid', 'colour'] }, 400, 'invalid_parameter'],
    ['a limit that is no number', { path: '/', limit: 'ten' }, 400, 'invalid_parameter'],
    ['a negative limit', { path: '/', limit: '-1' }, 400, 'invalid_parameter'],
    ['a negative start', { path: '/', start: '-1' }, 400, 'invalid_parameter'],
    ['a path twice', { path: ['/ROOT', '/ROOT/HOME'] }, 400, 'invalid_parameter'],
  ])('refuses %s', async (_name, query, status, code) => {
    const reply = await api.get('files/browse', query as never);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  it('reports a home on an unavailable disk as offline, and keeps its records', async () => {
    const before = (await api.get('files/browse', { path: '/ROOT/HOME/sorting', 'details[]': ['uuid'] })).body;
    await rename(household.home, `${household.home}.away`);
    const reply = await api.get('files/browse', { path: '/ROOT/HOME/sorting' });
    expect([reply.status, reply.body.code]).toEqual([503, 'storage_offline']);
    await mkdir(household.home);
    const empty = await api.get('files/browse', { path: '/ROOT/HOME' });
    expect([empty.status, empty.body.code]).toEqual([503, 'storage_offline']);
    await rm(household.home, { recursive: true });
    await rename(`${household.home}.away`, household.home);
    expect((await api.get('files/browse', { path: '/ROOT/HOME/sorting', 'details[]': ['uuid'] })).body).toEqual(before);
  });
});

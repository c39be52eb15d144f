import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMember, addMembersWithHomes, signInAs } from '../../support/households/member.ts';
import { type ApiClient, outcome } from '../../support/requests/api-client.ts';
import { eventually } from '../../support/system/eventually.ts';

let household: Household;
let api: ApiClient;

const HOME = '/ROOT/HOME';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

const list = async (path: string, more: Record<string, string | number> = {}, by = api) =>
  (await by.get('files/browse', { path, itemType: 'any', ...more })).body.data;
const paths = async (path: string, more: Record<string, string | number> = {}, by = api): Promise<string[]> =>
  (await list(path, more, by)).files.map((file: { path: string }) => file.path);

describe('stars', () => {
  beforeAll(async () => {
    await mkdir(join(household.home, 'Folder'));
    for (const name of ['b 2.txt', 'b 10.txt', 'Folder/a.txt']) await writeFile(join(household.home, name), name);
  });

  it('are put on files and folders, and listed: folders first, in natural order', async () => {
    for (const path of ['b 10.txt', 'Folder/a.txt', 'b 2.txt', 'Folder']) {
      expect((await api.get('files/star', { path: `${HOME}/${path}` })).body).toEqual({
        success: true,
        error: false,
        data: {},
      });
    }
    const expected = ['Folder', 'Folder/a.txt', 'b 2.txt', 'b 10.txt'].map((path) => `${HOME}/${path}`);
    expect(await paths('/STARRED')).toEqual(expected);
    expect(await paths('/ROOT/STARRED')).toEqual(expected);
    expect(await paths('/STARRED', { recursive: 1 })).toEqual(expected);
    expect(await paths('/STARRED', { itemType: 'files', order: 'desc' })).toEqual(expected.slice(1).reverse());
    const { meta } = await list('/STARRED', { start: 1, limit: 2 });
    expect(meta).toEqual({
      path: '/STARRED',
      parentPath: '/ROOT',
      folderName: 'Starred',
      perms: { upload: false, download: true, alter: true },
      total: 4,
    });
    expect(await paths('/STARRED', { start: 1, limit: 2 })).toEqual(expected.slice(1, 3));
  });

  it.each(['name', 'size', 'mdate', 'type'])('are sorted by %s like the files of a folder', async (sort) => {
    const files = ['c.txt', 'a.txt', 'b.txt'];
    await mkdir(join(household.home, 'equal'), { recursive: true });
    for (const name of files) {
      await writeFile(join(household.home, 'equal', name), 'x');
      await utimes(join(household.home, 'equal', name), 1_700_000_000, 1_700_000_000);
      await api.get('files/star', { path: `${HOME}/equal/${name}` });
    }
    for (const order of ['asc', 'desc']) {
      const starred = await paths('/STARRED', { itemType: 'files', sort, order });
      const inFolder = await paths(`${HOME}/equal`, { sort, order });
      expect(starred.filter((path) => path.startsWith(`${HOME}/equal/`))).toEqual(inFolder);
    }
    for (const name of files) await api.get('files/unstar', { path: `${HOME}/equal/${name}` });
  });

  it('report whether one exists already', async () => {
    expect(await outcome(api.post('files/star', { path: `${HOME}/Folder` }))).toEqual([409, 'already_starred']);
    await api.post('files/unstar', { path: `${HOME}/Folder` });
    expect(await outcome(api.post('files/unstar', { path: `${HOME}/Folder` }))).toEqual([409, 'not_starred']);
    expect(await paths('/STARRED')).not.toContain(`${HOME}/Folder`);
    const both = await Promise.all([1, 2].map(() => outcome(api.post('files/star', { path: `${HOME}/Folder` }))));
    expect(both.map(([status]) => status).sort()).toEqual([200, 409]);
  });

  it.each([
    ['/STARRED', 'invalid_path'],
    [HOME, 'invalid_path'],
    [`${HOME}/nothing`, 'not_found'],
    [`${HOME}/../x`, 'invalid_path'],
    ['/TRASH', 'invalid_path'],
  ])('are refused for %s: %s', async (path, code) => {
    expect((await outcome(api.post('files/star', { path })))[1]).toBe(code);
  });

  it('stay with the item: renamed, moved by other programs, replaced, deleted and restored', async () => {
    const path = `${HOME}/Folder/a.txt`;
    await api.post('files/rename', { path, newName: 'c.txt' });
    await api.put({ path: `${HOME}/Folder/c.txt` }, 'another content');
    expect(await paths('/STARRED')).toContain(`${HOME}/Folder/c.txt`);
    await rename(join(household.home, 'Folder'), join(household.home, 'Renamed'));
    await list(HOME);
    expect(await paths('/STARRED')).toEqual(
      ['Renamed', 'b 2.txt', 'b 10.txt', 'Renamed/c.txt'].map((one) => `${HOME}/${one}`),
    );
    const { body } = await api.post('files/delete', { path: `${HOME}/Renamed` });
    expect(await paths('/STARRED')).toEqual([`${HOME}/b 2.txt`, `${HOME}/b 10.txt`]);
    await api.post('files/trash/restore', { path: body.data.trash_path });
    expect((await paths('/STARRED')).length).toBe(4);
    await api.post('files/delete', { path: `${HOME}/Renamed`, permanent: 1 });
    expect((await paths('/STARRED')).length).toBe(2);
  });

  itInFull('are put on an existing item or none while another one replaces it', async () => {
    const path = `${HOME}/fleeting.txt`;
    const statuses = new Set<number>();
    const starUntil = async (isDone: () => boolean) => {
      while (!isDone()) statuses.add((await api.post('files/star', { path })).status);
    };
    for (let round = 0; round < 100; round += 1) {
      await api.put({ path: `${HOME}/next.txt` }, 'next');
      let isOver = false;
      const stars = [0, 1, 2, 3].map(() => starUntil(() => isOver));
      await api.post('files/rename', { path: `${HOME}/next.txt`, newName: 'fleeting.txt', overwrite: 1 });
      if (round % 2 === 1) await api.post('files/delete', { path, permanent: 1 });
      isOver = true;
      await Promise.all(stars);
    }
    expect([...statuses].sort()).toEqual([200, 404, 409]);
  });

  it('are separate for each account', async () => {
    await addMembersWithHomes(household, { bob: {} });
    const bob = await signInAs(household, 'bob');
    expect(await paths('/STARRED', {}, bob)).toEqual([]);
    await bob.put({ path: `${HOME}/b 2.txt` }, 'of bob');
    await bob.post('files/star', { path: `${HOME}/b 2.txt` });
    expect(await paths('/STARRED', {}, bob)).toEqual([`${HOME}/b 2.txt`]);
    await bob.post('files/unstar', { path: `${HOME}/b 2.txt` });
    expect((await paths('/STARRED')).length).toBe(2);
  });
});

describe('photos and music', () => {
  it('list the newest of the home, from all folders', async () => {
    await mkdir(join(household.home, 'Camera', 'Roll'), { recursive: true });
    const day = (index: number) => new Date(Date.UTC(2024, 0, 1 + index));
    const make = async (name: string, index: number) => {
      await writeFile(join(household.home, name), name);
      await utimes(join(household.home, name), day(index), day(index));
    };
    for (let index = 0; index < 510; index += 1)
      await make(`Camera/Roll/${index}.${index % 5 === 0 ? 'DNG' : 'jpg'}`, index);
    await make('top.heic', 600);
    await make('song.mp3', 10);
    await make('Camera/voice.M4A', 20);
    await make('Camera/film.mp4', 700);
    const photos = await eventually(
      () => paths('/PHOTOS'),
      (seen) => seen[0] === `${HOME}/top.heic` && seen.length === 500,
    );
    expect(photos).toEqual([
      `${HOME}/top.heic`,
      ...Array.from({ length: 499 }, (_, place) => 509 - place).map(
        (index) => `${HOME}/Camera/Roll/${index}.${index % 5 === 0 ? 'DNG' : 'jpg'}`,
      ),
    ]);
    expect(await paths('/ROOT/PHOTOS', { sort: 'name', start: 0, limit: 2 })).toEqual(photos.slice(0, 2));
    expect(
      await eventually(
        () => paths('/MUSIC'),
        (seen) => seen.length === 2 && seen[1] === `${HOME}/song.mp3`,
      ),
    ).toEqual([`${HOME}/Camera/voice.M4A`, `${HOME}/song.mp3`]);
    await api.post('files/delete', { path: `${HOME}/Camera` });
    expect(await paths('/PHOTOS')).toEqual([`${HOME}/top.heic`]);
    expect(await paths('/MUSIC')).toEqual([`${HOME}/song.mp3`]);
    await api.post('files/rename', { path: `${HOME}/song.mp3`, newName: 'song.txt' });
    expect(await paths('/MUSIC')).toEqual([]);
    const [file] = (await list('/PHOTOS', { 'details[]': 'cdate' })).files;
    expect(file).toMatchObject({ filename: 'top.heic', is_dir: false, cdate: '2025-08-23T00:00:00Z' });
  });

  it('contain nothing below them, and are empty without a home and without shares', async () => {
    expect(await outcome(api.get('files/browse', { path: '/PHOTOS/x' }))).toEqual([404, 'not_found']);
    await addMember(household);
    const mia = await signInAs(household, 'mia');
    expect((await mia.get('files/browse', { path: '/PHOTOS' })).body.data.files).toEqual([]);
    for (const path of ['/ROOT/HOME', '/TRASH']) {
      expect(await outcome(mia.get('files/browse', { path }))).toEqual([404, 'not_found']);
    }
    const { files } = (await mia.get('files/browse', { path: '/ROOT' })).body.data;
    expect(files.map((file: { path: string }) => file.path)).toEqual([
      '/ROOT/SHARED',
      '/RECENT',
      '/STARRED',
      '/PHOTOS',
      '/MUSIC',
      '/SHARES',
      '/LINKS',
    ]);
  });
});

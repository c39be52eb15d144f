import { randomUUID } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { ALL_SCOPES } from '../support/households/household.ts';
import { addMembersWithHomes, signInAs } from '../support/households/member.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { openSharingHousehold, outcome, type SharingHousehold } from '../support/requests/sharing.ts';
import { davClient } from '../support/webdav/dav-client.ts';

let household: SharingHousehold;
let olga: ApiClient;
let box = '';
let folder = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
});
afterAll(() => household.close());
beforeEach(async () => {
  box = await household.newBox();
  folder = `/ROOT/HOME/${box}`;
});

interface Album {
  album: string;
  kind: string;
  title: string;
  order: string;
  photos: number;
  films: number;
  from: string | null;
  to: string | null;
  cover: { path: string; uuid: string } | null;
  folder: string | null;
}

/** Puts photos of these days of June into the box, and has them recorded. @returns their uuids */
async function photos(...days: readonly number[]): Promise<string[]> {
  await household.put(...days.map((day) => `${box}/${day}.jpg`));
  for (const day of days) {
    const time = new Date(2027, 5, day, 12);
    await utimes(household.at(`${box}/${day}.jpg`), time, time);
  }
  return Promise.all(days.map((day) => uuidOf(`${folder}/${day}.jpg`)));
}

const uuidOf = async (path: string, api = olga): Promise<string> =>
  (await api.get('files/info', { path, 'details[]': 'uuid' })).body.data.uuid;

async function done(reply: Promise<Reply>): Promise<Album> {
  const { status, text, body } = await reply;
  expect(status, text).toBe(200);
  return body.data;
}

const added = (title: string, api = olga) => done(api.post('albums/add', { title }));
const add = (album: string, uuids: readonly string[], more: Record<string, string> = {}, api = olga) =>
  api.post('albums/items/add', { album, items: JSON.stringify(uuids.map((uuid) => ({ uuid }))), ...more });
const listOf = async (api = olga): Promise<Album[]> => (await api.get('albums/list')).body.data.albums;
const titles = async (api = olga) => (await listOf(api)).map(({ title }) => title);

async function itemsOf(album: string, api = olga, more: Record<string, string | number> = {}) {
  const { status, body, text } = await api.get('albums/items', { album, ...more });
  expect(status, text).toBe(200);
  return body.data as { album: Album; total: number; files: { filename: string; path: string; taken: string }[] };
}
const namesOf = async (album: string, api = olga) => (await itemsOf(album, api)).files.map(({ filename }) => filename);

describe('an album', () => {
  it('lists photos by the time they were taken, with the fields of a listing, in pages', async () => {
    const { album } = await added('  Summer at the lake ');
    const uuids = await photos(12, 11, 19);
    const after = await done(add(album, uuids));
    expect(after).toMatchObject({ kind: 'list', title: 'Summer at the lake', order: 'taken', photos: 3, films: 0 });
    expect([after.from, after.to]).toEqual(['2027-06-11', '2027-06-19']);
    expect(after.cover).toEqual({ path: `${folder}/11.jpg`, uuid: uuids[1] });
    const details = ['uuid', 'type', 'fileSize', 'hasThumb'];
    const { files, total } = (await olga.post('albums/items', { album, 'details[]': details, start: 1, limit: 1 })).body
      .data;
    expect(total).toBe(3);
    expect(files).toEqual([
      {
        ...{ filename: '12.jpg', is_dir: false, path: `${folder}/12.jpg`, uuid: uuids[0], type: 'image' },
        ...{ fileSize: `content of ${box}/12.jpg`.length, hasThumb: true, taken: '2027-06-12T12:00:00' },
      },
    ]);
    expect(await namesOf(album)).toEqual(['11.jpg', '12.jpg', '19.jpg']);
  });

  it('accepts the same photos again, by path and uuid, without a change', async () => {
    const { album } = await added('Twice');
    const [one = '', two = ''] = await photos(1, 2);
    await add(album, [one, one]);
    const items = JSON.stringify([{ path: `${folder}/1.jpg` }, { uuid: two.toUpperCase() }]);
    expect(await done(olga.post('albums/items/add', { album, items }))).toMatchObject({ photos: 2 });
  });

  it('is sorted by hand: at the end, or before another photo', async () => {
    const { album } = await added('By hand');
    const [a = '', b = '', c = ''] = await photos(3, 2, 1);
    await add(album, [a, b]);
    expect(await done(olga.post('albums/edit', { album, order: 'hand' }))).toMatchObject({ order: 'hand' });
    await add(album, [c]);
    expect(await namesOf(album)).toEqual(['3.jpg', '2.jpg', '1.jpg']);
    await add(album, [c, b], { before: a });
    expect(await namesOf(album)).toEqual(['1.jpg', '2.jpg', '3.jpg']);
    await add(album, [a], { before: a });
    expect(await namesOf(album)).toEqual(['1.jpg', '2.jpg', '3.jpg']);
    expect(outcome(await add(album, [a], { before: randomUUID() }))).toEqual([400, 'invalid_parameter']);
  });

  it('has the chosen cover as long as it contains that photo', async () => {
    const { album } = await added('Cover');
    const [one = '', two = '', other = ''] = await photos(1, 2, 3);
    await add(album, [one, two]);
    expect((await done(olga.post('albums/edit', { album, cover: two }))).cover?.uuid).toBe(two);
    expect(outcome(await olga.post('albums/edit', { album, cover: other }))).toEqual([400, 'invalid_parameter']);
    const items = JSON.stringify([{ uuid: two }]);
    expect((await done(olga.post('albums/items/remove', { album, items }))).cover?.uuid).toBe(one);
    await add(album, [two]);
    expect((await done(olga.post('albums/edit', { album, cover: '' }))).cover?.uuid).toBe(one);
  });

  it('accepts all items or none, and only photos and films', async () => {
    const { album } = await added('All or none');
    const [one = ''] = await photos(1);
    for (const other of [{ path: `${folder}/a.txt` }, { path: `${folder}/sub` }]) {
      const items = JSON.stringify([{ uuid: one }, other]);
      expect(outcome(await olga.post('albums/items/add', { album, items }))).toEqual([400, 'invalid_parameter']);
    }
    expect(outcome(await add(album, [one, randomUUID()]))).toEqual([404, 'not_found']);
    expect((await itemsOf(album)).total).toBe(0);
    const many = JSON.stringify(Array.from({ length: 1_001 }, () => ({ uuid: one })));
    expect(outcome(await olga.post('albums/items/add', { album, items: many }))).toEqual([400, 'invalid_parameter']);
  });

  it('hides deleted photos until they are restored, and keeps moved and renamed ones', async () => {
    const { album } = await added('Kept');
    await add(album, await photos(1, 2));
    const { trash_path: trashed } = (await olga.post('files/delete', { path: `${folder}/1.jpg` })).body.data;
    expect(await itemsOf(album)).toMatchObject({ total: 1, album: { photos: 1, from: '2027-06-02' } });
    await olga.post('files/trash/restore', { path: trashed });
    await olga.post('files/rename', { path: `${folder}/2.jpg`, newName: 'two.jpg' });
    await olga.post('files/move', { path: `${folder}/two.jpg`, moveTo: `${folder}/sub` });
    expect((await itemsOf(album)).files.map(({ path }) => path)).toEqual([`${folder}/1.jpg`, `${folder}/sub/two.jpg`]);
    await olga.post('files/delete', { path: folder });
    expect(await itemsOf(album)).toMatchObject({ total: 0, album: { photos: 0, cover: null, from: null } });
  });

  it('keeps a photo, and its cover, when a program saves it under a temporary name', async () => {
    const { album } = await added('Edited');
    const [one = '', two = ''] = await photos(1, 2);
    await add(album, [one, two]);
    await done(olga.post('albums/edit', { album, cover: two }));
    const dav = await davClient(olga);
    const at = (name: string) => `/My%20files/${box}/${name}`;
    expect((await dav.put(at('2.jpg.tmp'), 'edited')).status).toBe(201);
    expect((await dav.transfer('MOVE', at('2.jpg'), at('2.jpg.old'))).status).toBe(201);
    expect((await dav.transfer('MOVE', at('2.jpg.tmp'), at('2.jpg'))).status).toBe(201);
    expect((await dav.send('DELETE', at('2.jpg.old'))).status).toBe(204);
    const saved = await itemsOf(album);
    expect([saved.total, saved.album.cover?.uuid]).toEqual([2, two]);
    expect((await olga.get('files/download', { path: `${folder}/2.jpg` })).text).toBe('edited');
  });

  it('is not changed by a move of its photos to another home', async () => {
    const ben = household.as('ben');
    const { album } = await added('Between homes');
    await add(album, await photos(1, 2));
    const { status } = await ben.post('files/createfolder', { path: '/ROOT/HOME', name: box });
    expect(status).toBe(200);
    const given = await ben.post('files/share', {
      ...{ path: `/ROOT/HOME/${box}`, uid: household.ids.olga, upload: 1, alter: 1, download: 1 },
    });
    const shared = `/ROOT/${household.ids.ben}/${given.body.data.shareid}`;
    expect((await olga.post('files/move', { path: `${folder}/1.jpg`, moveTo: shared })).status).toBe(200);
    const { files } = await itemsOf(album);
    expect(files.map((file) => file.path).sort()).toEqual([`${folder}/2.jpg`, `${shared}/1.jpg`].sort());
    await ben.post('files/unshare', { path: `/ROOT/HOME/${box}`, uid: household.ids.olga });
    expect(await namesOf(album)).toEqual(['2.jpg']);
  });

  it('is renamed and deleted without changing its photos', async () => {
    const { album } = await added('Before');
    await add(album, await photos(1));
    expect(await done(olga.post('albums/edit', { album, title: 'After' }))).toMatchObject({
      title: 'After',
      photos: 1,
    });
    for (const title of ['', '  ', 'a\nb', 'x'.repeat(201)]) {
      expect(outcome(await olga.post('albums/edit', { album, title }))).toEqual([400, 'invalid_parameter']);
      expect(outcome(await olga.post('albums/add', { title }))).toEqual([400, 'invalid_parameter']);
    }
    await done(olga.post('albums/delete', { album }));
    expect(outcome(await olga.get('albums/items', { album }))).toEqual([404, 'not_found']);
    expect((await olga.get('files/info', { path: `${folder}/1.jpg` })).status).toBe(200);
  });
});

describe('favourites', () => {
  it('are the starred photos, last starred first, and cannot be changed', async () => {
    await photos(1, 2);
    for (const name of ['1.jpg', '2.jpg', 'a.txt']) {
      household.clock.advance(1_000);
      await olga.post('files/star', { path: `${folder}/${name}` });
    }
    expect(await namesOf('favourites')).toEqual(['2.jpg', '1.jpg']);
    expect((await listOf())[0]).toMatchObject({ album: 'favourites', kind: 'favourites', photos: 2 });
    const items = JSON.stringify([{ uuid: await uuidOf(`${folder}/1.jpg`) }]);
    for (const of of ['albums/edit', 'albums/delete', 'albums/items/add', 'albums/items/remove']) {
      const reply = await olga.post(of, { album: 'favourites', title: 'Mine', items });
      expect(outcome(reply), of).toEqual([400, 'invalid_parameter']);
    }
  });
});

describe('the album of a folder', () => {
  it('has the contents and the name of the folder, and ends with it', async () => {
    await photos(1, 2);
    const { album } = await done(olga.post('albums/folder', { path: folder }));
    expect(await done(olga.post('albums/folder', { path: folder }))).toMatchObject({ album, folder });
    expect(await namesOf(album)).toEqual(['1.jpg', '2.jpg']);
    await photos(3);
    await olga.post('files/rename', { path: folder, newName: `${box} again` });
    expect(await itemsOf(album)).toMatchObject({ total: 3, album: { kind: 'folder', title: `${box} again` } });
    for (const changes of [{ title: 'Other' }, { order: 'hand' }]) {
      expect(outcome(await olga.post('albums/edit', { album, ...changes }))).toEqual([400, 'invalid_parameter']);
    }
    await done(olga.post('albums/delete', { album }));
    expect((await olga.get('files/info', { path: `${folder} again` })).status).toBe(200);
  });

  it('can only be made of a folder other than the home', async () => {
    expect(outcome(await olga.post('albums/folder', { path: `${folder}/a.txt` }))).toEqual([400, 'invalid_path']);
    expect(outcome(await olga.post('albums/folder', { path: '/ROOT/HOME' }))).toEqual([400, 'invalid_path']);
  });
});

describe('privacy of an album', () => {
  it('it does not exist for other accounts', async () => {
    const { album } = await added('Secret title');
    const [one = ''] = await photos(1);
    await add(album, [one]);
    await household.share(folder, { uid: household.ids.ben });
    const items = JSON.stringify([{ uuid: one }]);
    const none = await household.as('ben').post('albums/items', { album: randomUUID() });
    for (const person of ['ben', 'sam'] as const) {
      const api = household.as(person);
      expect(await titles(api)).not.toContain('Secret title');
      for (const of of ['items', 'edit', 'delete', 'items/add', 'items/remove']) {
        const reply = await api.post(`albums/${of}`, { album, title: 'Mine', items });
        expect([reply.status, reply.text], of).toEqual([404, none.text]);
      }
    }
    const owner = await household.signIn();
    expect(await titles(owner)).not.toContain('Secret title');
    expect((await owner.post('albums/items', { album })).text).toBe(none.text);
    expect(await namesOf(album)).toEqual(['1.jpg']);
  });

  it('photos and folders that are no longer shared are not shown', async () => {
    const ben = household.as('ben');
    const [one = ''] = await photos(1);
    await olga.post('files/star', { path: `${folder}/1.jpg` });
    const id = await household.share(folder, { uid: household.ids.ben });
    const shared = `/ROOT/${household.ids.olga}/${id}`;
    const { album } = await added('Of others', ben);
    expect(await done(add(album, [one], {}, ben))).toMatchObject({ photos: 1, cover: { path: `${shared}/1.jpg` } });
    expect(await done(ben.post('albums/folder', { path: shared }))).toMatchObject({ folder: shared, photos: 1 });
    await ben.post('files/star', { path: `${shared}/1.jpg` });
    expect(await titles(ben)).toContain(box);
    await olga.post('files/unshare', { path: folder, uid: household.ids.ben });
    const nothing = { photos: 0, films: 0, from: null, to: null, cover: null };
    expect(await itemsOf(album, ben)).toMatchObject({ total: 0, files: [], album: nothing });
    expect(await itemsOf('favourites', ben)).toMatchObject({ total: 0, album: nothing });
    expect(await titles(ben)).not.toContain(box);
    expect(JSON.stringify(await listOf(ben))).not.toContain(one);
    expect(outcome(await add(album, [one], {}, ben))).toEqual([404, 'not_found']);
    expect(outcome(await ben.post('albums/edit', { album, cover: one }))).toEqual([400, 'invalid_parameter']);
    await household.share(`${folder}/1.jpg`, { uid: household.ids.ben });
    expect(await itemsOf(album, ben)).toMatchObject({ total: 1, album: { photos: 1 } });
  });

  it('it is deleted with its account', async () => {
    await addMembersWithHomes(household, { pia: {} });
    const pia = await signInAs(household, 'pia');
    await pia.put({ path: '/ROOT/HOME/own.jpg' }, 'own');
    const { album } = await added('Of Pia', pia);
    await add(album, [await uuidOf('/ROOT/HOME/own.jpg', pia)], {}, pia);
    const id = Number((await pia.get('account/info')).body.id);
    const rows = async () => {
      const connection = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
      const found = await connection.all('SELECT id FROM albums WHERE uuid = ?', [album]);
      await connection.close();
      return found.length;
    };
    expect(await rows()).toBe(1);
    const { status, text } = await (await household.signIn(ALL_SCOPES)).post('admin-users/delete', { 'UIDS[]': id });
    expect(status, text).toBe(200);
    expect(await rows()).toBe(0);
    expect((await pia.get('albums/list')).status).toBe(401);
  });

  it('recipients without the right to download get no content', async () => {
    const [one = ''] = await photos(1);
    await household.share(folder, { uid: household.ids.ben, download: 0 });
    const ben = household.as('ben');
    const { album } = await added('Only names', ben);
    await add(album, [one], {}, ben);
    const [file] = (await itemsOf(album, ben, { 'details[]': 'sha256' })).files;
    expect(file).not.toHaveProperty('sha256');
    expect((await ben.get('files/thumbnail', { path: file?.path ?? '' })).status).toBe(403);
  });
});

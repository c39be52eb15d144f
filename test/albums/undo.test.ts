import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LINK_COLUMNS } from '../../dist/server/albums/deleted-albums.js';
import { Connection } from '../../dist/server/database/connection.js';
import { HOUR } from '../../dist/server/lib/clock.js';
import { t } from '../../dist/server/messages/messages.js';
import { type PageReply, WebVisitor } from '../support/browser/web-visitor.ts';
import { homeOf, MEMBER, setPermissions } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { openSharingHousehold, outcome, type SharingHousehold } from '../support/requests/sharing.ts';
import { putPhoto, uuidOf } from './support.ts';

// Albums whose deletion is undone, and albums of a group that one of its members leaves.

let household: SharingHousehold;
let olga: ApiClient;
let ben: ApiClient;
let gil: ApiClient;
let olgasPages: WebVisitor;
let bensPages: WebVisitor;
let album = '';
/** The uuids of Olga's photos, in the order of the album, and of one that Ben added. */
let photos: string[] = [];
let bens = '';
let made = 0;

const NOT_FOUND = [404, 'not_found'];
const WHOLE = t('albums.restored', { items: 0, shares: 0, links: 0 });
const without = (lost: { items?: number; shares?: number; links?: number }) =>
  t('albums.restored', { items: 0, shares: 0, links: 0, ...lost });

beforeAll(async () => {
  household = await openSharingHousehold();
  [olga, ben, gil] = (['olga', 'ben', 'gil'] as const).map(household.as) as [ApiClient, ApiClient, ApiClient];
  [olgasPages, bensPages] = [await signedIn('olga'), await signedIn('ben')];
});
afterAll(() => household.close());

async function signedIn(username: string): Promise<WebVisitor> {
  const visitor = new WebVisitor(household);
  const form_token = (await visitor.get('/files/')).field('form_token');
  await visitor.post('/account/sign-in', { form_token, next: '/files/', username, password: MEMBER.password });
  return visitor;
}

async function did(api: ApiClient, path: string, form: Record<string, string | number>) {
  const { status, text, body } = await api.post(path, form);
  expect(status, text).toBe(200);
  return body.data;
}

async function newPhoto(owner: 'olga' | 'ben'): Promise<string> {
  made += 1;
  await putPhoto(homeOf(household, owner), `undo${made}.svg`, (made % 28) + 1);
  return uuidOf(household.as(owner), `/ROOT/HOME/undo${made}.svg`);
}

const addTo = (api: ApiClient, uuids: readonly string[]) =>
  did(api, 'albums/items/add', { album, items: JSON.stringify(uuids.map((uuid) => ({ uuid }))) });

async function post(visitor: WebVisitor, path: string, fields: Record<string, string>): Promise<PageReply> {
  const session = await visitor.get('/files/session', { accept: 'application/json' });
  const form_token = JSON.parse(session.text).data.token as string;
  return visitor.post(path, { form_token, ...fields }, { accept: 'application/json' });
}

/** What the pages answer: the text, or the code of the failure. */
async function undo(visitor = olgasPages, name = album): Promise<string> {
  const { status, text } = await post(visitor, '/files/albums/undo', { album: name });
  const body = JSON.parse(text);
  return status === 200 ? body.data.text : body.code;
}

const uuidsIn = async (api = olga): Promise<string[] | number> => {
  const { status, body } = await api.get('albums/items', { album, 'details[]': 'uuid' });
  return status === 200 ? body.data.files.map(({ uuid }: { uuid: string }) => uuid) : status;
};
const remove = () => did(olga, 'albums/delete', { album });
const listOf = async (api: ApiClient) => (await api.get('albums/list')).body.data.albums;
const reads = async (api: ApiClient, uuid: string) =>
  (await api.get('files/download', { path: `/ALBUMS/${album}/${uuid}` })).status;

/** Makes a web link to the album. @returns its address */
async function link(): Promise<string> {
  const { text } = await post(olgasPages, '/files/link/several', { album, do: 'create' });
  const [, address = ''] = /(\/wl\/\?id=\w+)/.exec(JSON.parse(text).data.main) ?? [];
  expect(address).not.toBe('');
  return address;
}
const visited = async (address: string) => (await new WebVisitor(household).get(address)).status;

/** Olga's album of two photos by hand, with a cover: Ben contributes, and Gil's group sees it. */
beforeEach(async () => {
  album = (await did(olga, 'albums/add', { title: 'Garden' })).album;
  photos = [await newPhoto('olga'), await newPhoto('olga')].reverse();
  bens = await newPhoto('ben');
  await addTo(olga, photos);
  await did(olga, 'albums/edit', { album, order: 'hand', cover: photos[1] ?? '' });
  await did(olga, 'albums/share', { album, uid: household.ids.ben, role: 'contribute' });
  await did(olga, 'albums/share', { album, gid: household.family });
  await addTo(ben, [bens]);
});

describe('an album whose deletion is undone', () => {
  it('is restored with its items in their order, its cover, its people and its link', async () => {
    const address = await link();
    const [before, shares] = [await listOf(olga), (await olga.get('albums/shares', { album })).body.data];
    const items = await uuidsIn();
    expect(items).toEqual([...photos, bens]);
    await remove();
    expect(await undo()).toBe(WHOLE);
    expect(await listOf(olga)).toEqual(before);
    expect((await olga.get('albums/shares', { album })).body.data).toEqual(shares);
    for (const api of [olga, ben, gil]) expect(await uuidsIn(api)).toEqual(items);
    expect([await reads(gil, bens), await reads(ben, photos[0] ?? '')]).toEqual([200, 200]);
    expect(await visited(address)).toBe(200);
    // It follows the album, as before.
    const [first = ''] = photos;
    await did(olga, 'albums/items/remove', { album, items: JSON.stringify([{ uuid: first }]) });
    expect(await visited(address)).toBe(200);
    await did(olga, 'albums/items/remove', { album, items: JSON.stringify([{ uuid: photos[1] ?? '' }]) });
    expect(await visited(address)).toBe(404);
  });

  it('shows nothing while it is deleted', async () => {
    const address = await link();
    await remove();
    for (const api of [olga, ben, gil]) {
      expect(await uuidsIn(api)).toBe(404);
      expect(JSON.stringify(await listOf(api))).not.toContain(album);
    }
    expect([await reads(gil, bens), await reads(ben, photos[0] ?? ''), await visited(address)]).toEqual([
      404, 404, 404,
    ]);
    expect(outcome(await olga.post('albums/edit', { album, title: 'New' }))).toEqual(NOT_FOUND);
  });

  it('is one of the last 20 deleted ones', async () => {
    await remove();
    for (let other = 0; other < 20; other += 1) {
      const { album: empty } = await did(olga, 'albums/add', { title: `Empty ${other}` });
      await did(olga, 'albums/delete', { album: empty });
      if (other === 18) {
        expect(await undo()).toBe(WHOLE);
        await remove();
      }
    }
    expect(await undo()).toBe(WHOLE);
    await remove();
    for (let other = 0; other < 20; other += 1) {
      await did(olga, 'albums/delete', { album: (await did(olga, 'albums/add', { title: 'Empty' })).album });
    }
    expect(await undo()).toBe('not_found');
  });

  it('is restored once, and only by the account that deleted it', async () => {
    expect(await undo()).toBe('not_found');
    await remove();
    expect(await undo(bensPages)).toBe('not_found');
    const { status } = await olgasPages.post('/files/albums/undo', { album, form_token: 'wrong' });
    expect(status).toBe(403);
    expect(await uuidsIn()).toBe(404);
    expect(await undo()).toBe(WHOLE);
    expect(await undo()).toBe('not_found');
  });

  it('does not contain items that were deleted permanently meanwhile', async () => {
    const [first = '', second = ''] = photos;
    await remove();
    const { trash_path: path } = await did(olga, 'files/delete', { uuid: second });
    await did(olga, 'files/trash/delete', { path });
    expect(await undo()).toBe(without({ items: 1 }));
    expect(await uuidsIn()).toEqual([first, bens]);
    expect((await listOf(olga)).find((one: { album: string }) => one.album === album).cover.uuid).toBe(first);
  });

  it('is not shared with people with whom that is no longer allowed, nor contains their photos', async () => {
    await link();
    await remove();
    await setPermissions(household, { olga: { share: false, weblink: false } });
    expect(await undo()).toBe(without({ items: 1, shares: 2, links: 1 }));
    expect(await uuidsIn()).toEqual(photos);
    expect((await listOf(olga)).find((one: { album: string }) => one.album === album).shared).toBe(false);
    await setPermissions(household, { olga: {} });
    expect([await uuidsIn(ben), await uuidsIn(gil)]).toEqual([404, 404]);
  });

  it('does not contain photos of a person who left the group meanwhile', async () => {
    await did(olga, 'albums/unshare', { album, uid: household.ids.ben });
    await household.control('groups.setMembers', {
      id: household.family,
      accountIds: [household.ids.gil, household.ids.ben],
    });
    await did(olga, 'albums/share', { album, gid: household.family, role: 'contribute' });
    await addTo(ben, [bens]);
    await remove();
    await household.control('groups.setMembers', { id: household.family, accountIds: [household.ids.gil] });
    expect(await undo()).toBe(without({ items: 1 }));
    expect([await uuidsIn(), await uuidsIn(ben)]).toEqual([photos, 404]);
  });

  it('may be that of a folder, unless the folder is shown as an album again', async () => {
    const box = await household.newBox();
    const shown = async () => (await did(olga, 'albums/folder', { path: `/ROOT/HOME/${box}` })).album as string;
    const first = await shown();
    await did(olga, 'albums/delete', { album: first });
    expect(await undo(olgasPages, first)).toBe(WHOLE);
    expect(await shown()).toBe(first);
    await did(olga, 'albums/delete', { album: first });
    const second = await shown();
    expect(second).not.toBe(first);
    expect(await undo(olgasPages, first)).toBe('not_found');
    expect(await shown()).toBe(second);
  });

  it('has links with all their columns', async () => {
    const database = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
    try {
      const columns = await database.all<{ name: string }>("SELECT name FROM pragma_table_info('weblinks')", []);
      const own = ['item_id', 'album_id'];
      const kept = columns.map(({ name }) => name).filter((name) => !own.includes(name));
      expect([...LINK_COLUMNS].sort()).toEqual(kept.sort());
    } finally {
      await database.close();
    }
  });
});

describe('an album shared with a group', () => {
  const leave = (api: ApiClient, uid: number) => api.post('albums/unshare', { album, uid });

  it('is hidden only from the person who leaves it, until it is shared again', async () => {
    const { gil: uid, ben: other } = household.ids;
    await household.control('groups.setMembers', { id: household.family, accountIds: [uid, other] });
    const [first = ''] = photos;
    expect(await reads(gil, first)).toBe(200);
    expect(outcome(await leave(gil, uid))[0]).toBe(200);
    expect([await uuidsIn(gil), await reads(gil, first)]).toEqual([404, 404]);
    expect(JSON.stringify(await listOf(gil))).not.toContain(album);
    expect(outcome(await leave(gil, uid))).toEqual(NOT_FOUND);
    expect(await uuidsIn(ben)).toEqual([...photos, bens]);
    // Another role is nothing new.
    await did(olga, 'albums/share', { album, gid: household.family, role: 'contribute' });
    expect(await uuidsIn(gil)).toBe(404);
    await remove();
    expect(await undo()).toBe(WHOLE);
    expect(await uuidsIn(gil)).toBe(404);
    await did(olga, 'albums/unshare', { album, gid: household.family });
    await did(olga, 'albums/share', { album, gid: household.family });
    expect(await uuidsIn(gil)).toEqual([...photos, bens]);
    await did(gil, 'albums/unshare', { album, uid });
    await did(olga, 'albums/share', { album, uid });
    expect(await uuidsIn(gil)).toEqual([...photos, bens]);
    await household.control('groups.setMembers', { id: household.family, accountIds: [uid] });
  });

  it('loses the photos of a person who leaves, who can no longer add any', async () => {
    const { gil: uid, ben: other } = household.ids;
    await household.control('groups.setMembers', { id: household.family, accountIds: [uid, other] });
    await did(olga, 'albums/share', { album, gid: household.family, role: 'contribute' });
    // Ben has it directly, too: both end.
    expect(outcome(await leave(ben, other))[0]).toBe(200);
    expect([await uuidsIn(), await uuidsIn(ben)]).toEqual([photos, 404]);
    const items = JSON.stringify([{ uuid: bens }]);
    expect(outcome(await ben.post('albums/items/add', { album, items }))).toEqual(NOT_FOUND);
    await household.control('groups.setMembers', { id: household.family, accountIds: [uid] });
  });
});

it('the deletion of an album can be undone for an hour', async () => {
  await remove();
  household.clock.advance(HOUR - 1);
  olgasPages = await signedIn('olga');
  expect(await undo()).toBe(WHOLE);
  await household.signInAgain('olga');
  olga = household.as('olga');
  await remove();
  household.clock.advance(HOUR);
  olgasPages = await signedIn('olga');
  expect(await undo()).toBe('not_found');
});

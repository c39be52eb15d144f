import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMembersWithHomes, homeOf, setPermissions, signInAs } from '../support/households/member.ts';
import { rowsOf } from '../support/requests/activity.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { openSharingHousehold, outcome, type SharingHousehold, signInAsGuest } from '../support/requests/sharing.ts';
import { putPhoto, uuidOf } from './support.ts';

let household: SharingHousehold;
let olga: ApiClient;
let ben: ApiClient;
let gil: ApiClient;
let sam: ApiClient;
let gran: ApiClient;
let album = '';
/** The uuid of a photo of Olga's, which is in the album. */
let photo = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  [olga, ben, gil, sam] = (['olga', 'ben', 'gil', 'sam'] as const).map(household.as) as [
    ApiClient,
    ApiClient,
    ApiClient,
    ApiClient,
  ];
  await household.put('for-gran.txt');
  const invited = await olga.post('files/share', {
    ...{ path: '/ROOT/HOME/for-gran.txt', name: 'Gran', email: 'gran@example.com' },
  });
  gran = await signInAsGuest(household, invited.body.data.guest.link);
});
afterAll(() => household.close());

/** Olga's album with one photo: Ben contributes, Gil sees it through his group. */
beforeEach(async () => {
  album = (await olga.post('albums/add', { title: 'Wedding' })).body.data.album;
  photo = await newPhoto('olga');
  await done(add(photo));
  await done(share({ uid: household.ids.ben, role: 'contribute' }));
  await done(share({ gid: household.family }));
});

let photos = 0;
/** A photo in the home of one of them. @returns its uuid */
async function newPhoto(owner: 'olga' | 'ben' | 'gil', folder = ''): Promise<string> {
  photos += 1;
  const name = `${folder}photo${photos}.svg`;
  await putPhoto(homeOf(household, owner), name, photos);
  return uuidOf(household.as(owner), `/ROOT/HOME/${name}`);
}

const share = (form: Record<string, string | number>, api = olga) => api.post('albums/share', { album, ...form });
const unshare = (form: Record<string, string | number>, api = olga) => api.post('albums/unshare', { album, ...form });
const add = (uuid: string, api = olga) => api.post('albums/items/add', { album, items: JSON.stringify([{ uuid }]) });
const remove = (uuid: string, api = olga) =>
  api.post('albums/items/remove', { album, items: JSON.stringify([{ uuid }]) });
const through = (uuid: string) => `/ALBUMS/${album}/${uuid}`;

async function done(reply: Promise<Reply>) {
  const { status, text, body } = await reply;
  expect(status, text).toBe(200);
  return body.data;
}

interface Item {
  filename: string;
  path: string;
  uuid: string;
  added_by?: { id: number; name: string };
}

async function itemsOf(api: ApiClient): Promise<Item[]> {
  const { status, body } = await api.get('albums/items', { album, 'details[]': 'uuid' });
  expect(status === 200 || body.code === 'not_found').toBe(true);
  return body.data?.files ?? [];
}
const seenBy = async (api: ApiClient) => (await itemsOf(api)).map(({ uuid }) => uuid);

/** Whether a photo is listed, and what its path, its thumbnail and its content answer. */
async function reached(api: ApiClient, uuid: string) {
  const path = through(uuid);
  return {
    listed: (await seenBy(api)).includes(uuid),
    info: (await api.get('files/info', { path })).status,
    thumbnail: (await api.get('files/thumbnail', { path })).status,
    download: (await api.get('files/download', { path })).status,
  };
}

const ALL = { listed: true, info: 200, thumbnail: 200, download: 200 };
const NONE = { listed: false, info: 404, thumbnail: 404, download: 404 };

describe('a shared album', () => {
  it('is listed for accounts it is shared with, with its owner and their role', async () => {
    const roleOf = async (api: ApiClient) => {
      const { albums } = (await api.get('albums/list')).body.data;
      const one = albums.find((each: { album: string }) => each.album === album);
      return one && [one.role, one.owner.id, one.photos, one.title, one.shared];
    };
    const { olga: owner } = household.ids;
    expect(await roleOf(olga)).toEqual(['owner', owner, 1, 'Wedding', true]);
    expect(await roleOf(ben)).toEqual(['contribute', owner, 1, 'Wedding', true]);
    expect(await roleOf(gil)).toEqual(['view', owner, 1, 'Wedding', true]);
    expect([await roleOf(sam), await roleOf(gran)]).toEqual([undefined, undefined]);
  });

  it('shows exactly its photos: listed, as thumbnails, and downloaded', async () => {
    expect(await reached(ben, photo)).toEqual(ALL);
    expect(await reached(gil, photo)).toEqual(ALL);
    expect(await reached(sam, photo)).toEqual(NONE);
    expect(await reached(gran, photo)).toEqual(NONE);
    const [item] = await itemsOf(gil);
    expect(item?.path).toBe(through(photo));
    expect(JSON.stringify(item)).not.toContain('HOME');
  });

  it('gives no access to the rest of the folder, or for other actions', async () => {
    const path = through(photo);
    const sibling = await newPhoto('olga');
    expect((await gil.get('files/info', { path: through(sibling) })).status).toBe(404);
    expect((await gil.get('files/info', { path: `${path}/..` })).status).toBe(400);
    expect((await gil.get('files/info', { path: `${path}/x` })).status).toBe(404);
    expect((await gil.get('files/browse', { path: `/ALBUMS/${album}` })).status).toBe(404);
    expect((await gil.get('files/browse', { path: '/ALBUMS' })).status).toBe(404);
    expect((await gil.get('files/info', { uuid: photo })).status).toBe(404);
    const calls: [string, Record<string, string | number>][] = [
      ['files/rename', { newName: 'new.svg' }],
      ['files/delete', {}],
      ['files/copy', { copyTo: '/ROOT/HOME' }],
      ['files/star', {}],
      ['files/share', { uid: household.ids.sam }],
      ['files/weblink', {}],
      ['files/comments/list', {}],
      ['files/comments/add', { comment: 'Lovely' }],
      ['files/metadata', {}],
      ['files/rating', { rating: 5 }],
      ['files/versions/list', {}],
    ];
    const answers = await Promise.all(calls.map(([operation, form]) => gil.post(operation, { path, ...form })));
    const refused = answers.map((reply, index) => [calls[index]?.[0], ...outcome(reply)]);
    expect(refused.filter(([, status]) => status === 200)).toEqual([]);
    expect(refused.filter(([, , code]) => code !== 'permission_denied')).toEqual([]);
    const own = (await gil.post('albums/add', { title: 'Mine' })).body.data.album;
    const items = JSON.stringify([{ path }]);
    expect(outcome(await gil.post('albums/items/add', { album: own, items }))).toEqual([403, 'permission_denied']);
  });

  it('does not show a photo that was removed from it or deleted', async () => {
    const { path } = (await itemsOf(olga))[0] ?? { path: '' };
    await done(olga.post('files/delete', { path }));
    expect(await reached(gil, photo)).toEqual(NONE);
    const other = await newPhoto('olga');
    await done(add(other));
    expect(await reached(gil, other)).toEqual(ALL);
    await done(remove(other));
    expect(await reached(gil, other)).toEqual(NONE);
  });

  it('no longer shows a photo after it was moved to another home, even if it returns', async () => {
    const { path } = (await itemsOf(olga))[0] ?? { path: '' };
    const name = path.split('/').at(-1) ?? '';
    await done(ben.post('files/createfolder', { path: '/ROOT/HOME', name: `from-olga${photos}` }));
    const folder = `/ROOT/HOME/from-olga${photos}`;
    const given = { path: folder, uid: household.ids.olga, upload: 1, alter: 1 };
    const { shareid } = await done(ben.post('files/share', given));
    const there = `/ROOT/${household.ids.ben}/${shareid}`;
    await done(olga.post('files/move', { path, moveTo: there }));
    expect(await reached(gil, photo)).toEqual(NONE);
    await done(olga.post('files/move', { path: `${there}/${name}`, moveTo: '/ROOT/HOME' }));
    expect(await reached(gil, photo)).toEqual(NONE);
    await done(add(photo));
    expect(await reached(gil, photo)).toEqual(ALL);
  });

  it('is no longer accessible after its share, the membership in the group, or the album ends', async () => {
    await done(unshare({ uid: household.ids.ben }));
    expect(await reached(ben, photo)).toEqual(NONE);
    await household.control('groups.setMembers', { id: household.family, accountIds: [] });
    expect(await reached(gil, photo)).toEqual(NONE);
    await household.control('groups.setMembers', { id: household.family, accountIds: [household.ids.gil] });
    expect(await reached(gil, photo)).toEqual(ALL);
    await done(olga.post('albums/delete', { album }));
    expect(await reached(gil, photo)).toEqual(NONE);
    expect(outcome(await unshare({ uid: household.ids.ben }))).toEqual([404, 'not_found']);
  });

  it('grants only the rights that its owner may share', async () => {
    await setPermissions(household, { olga: { download: false } });
    const { listed, info, thumbnail, download } = await reached(gil, photo);
    expect([listed, info, thumbnail, download]).toEqual([true, 200, 403, 403]);
    await setPermissions(household, { olga: { share: false } });
    expect(await reached(gil, photo)).toEqual(NONE);
    await setPermissions(household, { olga: {} });
    expect(await reached(gil, photo)).toEqual(ALL);
    await setPermissions(household, { gil: { download: false } });
    expect((await reached(gil, photo)).download).toBe(403);
    await setPermissions(household, { gil: {} });
  });

  it('does not show photos shared with its owner, unless the viewer has access to them anyway', async () => {
    const theirs = await newPhoto('ben', 'trip/');
    const folder = { path: '/ROOT/HOME/trip', uid: household.ids.olga, share: 1 };
    await done(ben.post('files/share', folder));
    await done(add(theirs));
    expect(await seenBy(olga)).toContain(theirs);
    expect(await reached(gil, theirs)).toEqual(NONE);
    await done(ben.post('files/share', { path: '/ROOT/HOME/trip', gid: household.family }));
    expect(await seenBy(gil)).toContain(theirs);
    // By its usual path: the album gives nothing.
    expect((await gil.get('files/download', { path: through(theirs) })).status).toBe(404);
    await done(ben.post('files/unshare', { path: '/ROOT/HOME/trip', gid: household.family }));
    expect(await reached(gil, theirs)).toEqual(NONE);
    // Ben shows it himself when he adds it.
    await done(add(theirs, ben));
    expect(await reached(gil, theirs)).toEqual(ALL);
  });
});

describe('contributing', () => {
  it('adds own photos, which all see together with the person who added them', async () => {
    const theirs = await newPhoto('ben');
    await done(add(theirs, ben));
    expect(await reached(gil, theirs)).toEqual(ALL);
    expect(await reached(olga, theirs)).toEqual(ALL);
    expect(await reached(sam, theirs)).toEqual(NONE);
    const added = (await itemsOf(olga)).map(({ uuid, added_by: by }) => [uuid, by?.id]);
    expect(added).toEqual([
      [photo, household.ids.olga],
      [theirs, household.ids.ben],
    ]);
    expect((await itemsOf(ben)).map(({ path }) => path)).toEqual([
      through(photo),
      expect.stringMatching(/^\/ROOT\/HOME\//),
    ]);
  });

  it('allows removing only photos that the person added', async () => {
    const theirs = await newPhoto('ben');
    await done(add(theirs, ben));
    expect(outcome(await remove(photo, ben))).toEqual([403, 'permission_denied']);
    await done(remove(theirs, ben));
    expect(await seenBy(olga)).toEqual([photo]);
    await done(add(theirs, ben));
    await done(remove(theirs, olga));
    expect(await reached(gil, theirs)).toEqual(NONE);
    expect((await ben.get('files/info', { uuid: theirs })).status).toBe(200);
  });

  it('is refused to accounts that may only view the album, and to all others', async () => {
    const theirs = await newPhoto('gil');
    expect(outcome(await add(theirs, gil))).toEqual([403, 'permission_denied']);
    expect(outcome(await remove(photo, gil))).toEqual([403, 'permission_denied']);
    for (const api of [sam, gran]) {
      expect(outcome(await add(theirs, api))).toEqual([404, 'not_found']);
      expect(outcome(await remove(photo, api))).toEqual([404, 'not_found']);
    }
    expect(await seenBy(olga)).toEqual([photo]);
  });

  it('does not allow changing the album itself', async () => {
    const denied = [403, 'permission_denied'];
    expect(outcome(await ben.post('albums/edit', { album, title: 'Ours' }))).toEqual(denied);
    expect(outcome(await ben.post('albums/edit', { album, cover: photo }))).toEqual(denied);
    expect(outcome(await ben.post('albums/delete', { album }))).toEqual(denied);
    expect(outcome(await share({ uid: household.ids.sam }, ben))).toEqual(denied);
    expect(outcome(await unshare({ gid: household.family }, ben))).toEqual(denied);
    const before = { album, items: JSON.stringify([{ uuid: await newPhoto('ben') }]), before: photo };
    expect(outcome(await ben.post('albums/items/add', before))).toEqual(denied);
  });

  it('ends when the person leaves, and their photos are removed', async () => {
    const theirs = await newPhoto('ben');
    await done(add(theirs, ben));
    await done(unshare({ uid: household.ids.ben }, ben));
    expect(await reached(gil, theirs)).toEqual(NONE);
    expect(await reached(ben, photo)).toEqual(NONE);
    expect(outcome(await add(theirs, ben))).toEqual([404, 'not_found']);
    await done(share({ uid: household.ids.ben, role: 'contribute' }));
    expect(await seenBy(gil)).toEqual([photo]);
  });

  it('no longer shows photos of a contributor who may not share or is deactivated', async () => {
    const theirs = await newPhoto('ben');
    await done(add(theirs, ben));
    await setPermissions(household, { ben: { share: false } });
    expect(await reached(gil, theirs)).toEqual(NONE);
    expect(outcome(await add(await newPhoto('ben'), ben))).toEqual([403, 'permission_denied']);
    await setPermissions(household, { ben: {} });
    expect(await reached(gil, theirs)).toEqual(ALL);
  });
});

describe('sharing an album', () => {
  it('lists the people for all who can see it', async () => {
    const sharesFor = async (api: ApiClient) => (await api.get('albums/shares', { album })).body.data?.shares;
    const { ben: uid } = household.ids;
    expect(await sharesFor(olga)).toEqual([
      { uid, name: 'Mia', kind: 'user', role: 'contribute' },
      { gid: household.family, name: 'Family', kind: 'group', role: 'view' },
    ]);
    expect(await sharesFor(gil)).toHaveLength(2);
    expect(await sharesFor(sam)).toBeUndefined();
    await done(share({ uid, role: 'view' }));
    expect(outcome(await add(await newPhoto('ben'), ben))).toEqual([403, 'permission_denied']);
  });

  it('refuses guests, unknown accounts, oneself, favourites, and albums of folders', async () => {
    const invalid = [400, 'invalid_parameter'];
    const guest = Number((await gran.get('account/info')).body.id);
    for (const uid of [guest, household.ids.olga, 999_999]) expect(outcome(await share({ uid }))).toEqual(invalid);
    expect(outcome(await share({}))).toEqual([400, 'missing_parameter']);
    expect(outcome(await share({ uid: household.ids.sam, gid: household.family }))).toEqual(invalid);
    expect(outcome(await share({ gid: 999_999 }))).toEqual(invalid);
    const favourites = { album: 'favourites', uid: household.ids.sam };
    expect(outcome(await olga.post('albums/share', favourites))).toEqual(invalid);
    await household.put('shown/');
    const shown = (await olga.post('albums/folder', { path: '/ROOT/HOME/shown' })).body.data.album;
    expect(outcome(await olga.post('albums/share', { album: shown, uid: household.ids.sam }))).toEqual(invalid);
    expect(outcome(await unshare({ uid: household.ids.sam }))).toEqual([409, 'not_shared']);
  });
});

it('a photo that another program replaces by a file of another type is no longer shown', async () => {
  const [item] = await itemsOf(olga);
  const name = item?.path.split('/').at(-1) ?? '';
  const home = homeOf(household, 'olga');
  await rename(`${home}/${name}`, `${home}/${name}.txt`);
  await olga.get('files/browse', { path: '/ROOT/HOME' });
  expect(await reached(gil, photo)).toEqual(NONE);
});

it('a new account has no access to an album', async () => {
  await addMembersWithHomes(household, { tom: {} });
  const tom = await signInAs(household, 'tom');
  expect(await reached(tom, photo)).toEqual(NONE);
});

it('the activity log contains who shared an album, added photos and removed them', async () => {
  const rows = async (work: () => Promise<unknown>) =>
    (await rowsOf(household, work)).map(({ kind, group, username, subject, details }) => ({
      ...{ kind, group, username, subject, details },
    }));
  const of = { group: 'sharing', subject: 'Wedding' };
  const recipient = { to: 'Mia', recipient: 'user' };
  expect(await rows(() => share({ uid: household.ids.sam }))).toEqual([
    { kind: 'album.shared', username: 'olga', ...of, details: { ...recipient, role: 'view' } },
  ]);
  const theirs = await newPhoto('ben');
  expect(await rows(() => add(theirs, ben))).toEqual([
    { kind: 'album.added', username: 'ben', ...of, details: { items: 1, of: 'olga' } },
  ]);
  expect(await rows(() => add(theirs, ben))).toEqual([]);
  expect(await rows(() => remove(theirs))).toEqual([
    { kind: 'album.removed', username: 'olga', ...of, details: { items: 1 } },
  ]);
  expect(await rows(() => unshare({ uid: household.ids.sam }, sam))).toEqual([
    { kind: 'album.unshared', username: 'sam', ...of, details: { ...recipient, of: 'olga', left: true } },
  ]);
  const [download] = await rows(() => gil.get('files/download', { path: through(photo) }));
  expect(download).toMatchObject({ kind: 'file.downloaded', username: 'gil', details: { of: 'olga' } });
  expect(download?.subject).toMatch(/^\/ROOT\/HOME\/photo\d+\.svg$/);
  const alone = (await olga.post('albums/add', { title: 'Alone' })).body.data.album;
  const items = JSON.stringify([{ uuid: photo }]);
  expect(await rows(() => olga.post('albums/items/add', { album: alone, items }))).toEqual([]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPermissions } from '../support/households/member.ts';
import { rowsOf } from '../support/requests/activity.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { davClient } from '../support/webdav/dav-client.ts';
import { type SharingApp, sharingApp, sharingAppOf } from './sharing-support.ts';

/*
 * Certain, from published sources of clients and of the developer manual: the addresses, the parameters and their encoding, the
 * fields that apps read, the bits, the statuses of refusals. Assumed: which fields apps can do without.
 */

let household: SharingHousehold;
let olga: SharingApp;
let ben: SharingApp;
let box = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = await sharingAppOf(household, 'olga');
  ben = await sharingAppOf(household, 'ben', { with_shared: '1' });
});
afterAll(() => household?.close());
beforeEach(async () => {
  box = await household.newBox();
});

const READ = 1;
const withBen = (permissions: number, more = {}, path = `/${box}`) =>
  olga.post({ path, shareType: 0, shareWith: 'ben', permissions, ...more });

/** What the API tells Ben about the folder that Olga shares. */
async function permsForBen(): Promise<Record<string, boolean> | undefined> {
  const api = household.as('ben');
  const { body } = await api.get('files/browse', { path: `/ROOT/${household.ids.olga}`, itemType: 'any' });
  const found = body.data.files.find(({ filename }: { filename: string }) => filename === box);
  if (found === undefined) return undefined;
  const listed = await api.get('files/browse', { path: found.path });
  return listed.body.data.meta.perms;
}

/** Whether Ben can share it further, as the API decides it. */
async function mayShareFurther(): Promise<boolean> {
  const api = household.as('ben');
  const { body } = await api.get('files/browse', { path: `/ROOT/${household.ids.olga}`, itemType: 'any' });
  const { path } = body.data.files.find(({ filename }: { filename: string }) => filename === box);
  return (await api.post('files/share', { path, uid: household.ids.gil })).status === 200;
}

describe('a share with a user', () => {
  it('is described with the fields that apps read', async () => {
    const { status, code, data } = await withBen(READ);
    expect([status, code]).toEqual([200, 200]);
    expect(data).toEqual({
      ...{ id: expect.stringMatching(/^\d+$/), share_type: 0, permissions: READ, can_edit: true, can_delete: true },
      ...{ uid_owner: 'olga', displayname_owner: 'Mia', uid_file_owner: 'olga', displayname_file_owner: 'Mia' },
      ...{ stime: expect.any(Number), parent: null, expiration: null, token: null, note: '', label: '' },
      ...{ path: `/${box}`, file_target: `/${box}`, item_type: 'folder', mimetype: 'httpd/unix-directory' },
      ...{ has_preview: false, storage: 0, storage_id: '', mail_send: 0, hide_download: 0 },
      ...{ item_source: expect.stringMatching(/^\d+$/), file_source: expect.stringMatching(/^\d+$/) },
      ...{ share_with: 'ben', share_with_displayname: 'Mia' },
    });
    expect((await olga.get(`/shares/${data.id}`)).data).toEqual([data]);
    expect((await olga.get('/shares')).data).toContainEqual(data);
    expect((await olga.get('/shares', { path: `/${box}/` })).data).toEqual([data]);
    expect((await olga.get('/shares', { path: '/', subfiles: 'true' })).data).toContainEqual(data);
    expect((await olga.get('/shares', { path: `/${box}`, subfiles: 'true' })).data).toEqual([]);
    expect((await olga.get('/shares', { path: `/${box}/a.txt` })).data).toEqual([]);
    const properties = '<propfind xmlns="DAV:"><prop><fileid xmlns="http://owncloud.org/ns"/></prop></propfind>';
    const { text } = await olga.dav.propfind(`/${box}`, '0', properties);
    expect(text).toContain(`>${data.file_source}<`);
  });

  it('is a list of elements in XML, with the id first and an address only for links', async () => {
    await withBen(READ);
    const { data: link } = await olga.post({ path: `/${box}`, shareType: 3 });
    const { text, headers } = await olga.xml(`/shares?path=/${box}`);
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    const elements = [...text.matchAll(/<element><id>(\d+)<\/id>.*?<\/element>/gs)];
    expect(elements).toHaveLength(2);
    expect(elements.filter(([one]) => one.includes('<url>')).map(([, id]) => id)).toEqual([link.id]);
    expect(text).toContain('<statuscode>200</statuscode>');
  });

  // What each bit of Nextcloud grants here: 1 download, 4 upload, 2 and 8 together alter, 16 share.
  const BITS: [number, number, { upload: boolean; download: boolean; alter: boolean }, boolean][] = [];
  for (let bits = 1; bits <= 31; bits += 2) {
    const [alter, upload, share] = [(bits & 10) === 10, (bits & 4) !== 0, (bits & 16) !== 0];
    const granted = 1 + (alter ? 10 : 0) + (upload ? 4 : 0) + (share ? 16 : 0);
    BITS.push([bits, granted, { upload, download: true, alter }, share]);
  }
  it.each(BITS)(
    'of a folder with the bits %i grants %i, in agreement with the API',
    async (asked, granted, perms, share) => {
      const { data } = await withBen(asked);
      expect(data.permissions).toBe(granted);
      expect(await permsForBen()).toEqual(perms);
      const [received] = (await ben.get('/shares', { shared_with_me: 'true' })).data.filter(
        ({ id }: { id: string }) => id === data.id,
      );
      expect(received.permissions).toBe(granted);
      expect(await mayShareFurther()).toBe(share);
      // To set what is granted again changes nothing.
      expect((await olga.put(data.id, { permissions: granted })).data.permissions).toBe(granted);
      expect(await permsForBen()).toEqual(perms);
    },
  );

  it.each([
    [1, 1],
    [3, 3],
    [17, 17],
    [19, 19],
    [31, 19],
    [9, 1],
    [5, 1],
  ])('of a file with the bits %i grants %i', async (asked, granted) => {
    const { data } = await withBen(asked, {}, `/${box}/a.txt`);
    expect([data.permissions, data.item_type, data.mimetype]).toEqual([granted, 'file', 'text/plain']);
    const at = '/Shared%20with%20me/Mia/a.txt';
    const replaced = (await ben.dav.put(at, 'other content')).status;
    expect([201, 204].includes(replaced)).toBe((granted & 2) !== 0);
    // No bit lets a recipient delete a shared file.
    expect((await ben.dav.send('DELETE', at)).status).toBe(403);
    await olga.delete(data.id);
  });

  it('grants reading by default, and no download if the app disables it', async () => {
    const { data } = await olga.post({ path: `/${box}`, shareType: 0, shareWith: 'ben' });
    expect(data.permissions).toBe(READ);
    expect(await permsForBen()).toEqual({ upload: false, download: true, alter: false });
    const attributes = (value: boolean) =>
      JSON.stringify([{ scope: 'permissions', key: 'download', value, enabled: value }]);
    const refused = await olga.put(data.id, { attributes: attributes(false) });
    expect(refused.data).toMatchObject({ permissions: READ, attributes: attributes(false) });
    expect(await permsForBen()).toEqual({ upload: false, download: false, alter: false });
    // An app that sends bits only does not allow downloads with them.
    expect((await olga.put(data.id, { permissions: 5 })).data).toMatchObject({ attributes: attributes(false) });
    expect(await permsForBen()).toEqual({ upload: true, download: false, alter: false });
    expect((await olga.put(data.id, { attributes: attributes(true) })).data.attributes).toBeUndefined();
    expect(await permsForBen()).toEqual({ upload: true, download: true, alter: false });
    await olga.delete(data.id);
    const old = JSON.stringify([{ scope: 'permissions', key: 'download', enabled: false }]);
    expect((await withBen(15, { attributes: old })).data).toMatchObject({ attributes: attributes(false) });
    expect(await permsForBen()).toEqual({ upload: true, download: false, alter: true });
  });

  it('never grants more than its creator is allowed to do', async () => {
    await setPermissions(household, { olga: { upload: false, download: false } });
    const { data } = await withBen(31);
    const noDownload = expect.stringContaining('"value":false');
    expect(data).toMatchObject({ permissions: 27, attributes: noDownload });
    const { data: file } = await withBen(3, {}, `/${box}/a.txt`);
    expect(file).toMatchObject({ permissions: 1, attributes: noDownload });
    await setPermissions(household, { olga: {} });
    // A share does not grow when its person gets more rights.
    expect(await permsForBen()).toEqual({ upload: false, download: false, alter: true });
    expect((await olga.get(`/shares/${data.id}`)).data).toEqual([data]);
    expect((await olga.put(data.id, { permissions: 15 })).data.permissions).toBe(15);
  });

  it('keeps the options that only Larder has when an app changes it', async () => {
    const id = await household.share(`/ROOT/HOME/${box}`, { uid: household.ids.ben, comment: 0, alias: 'Other' });
    const [share] = (await olga.get('/shares', { path: `/${box}` })).data;
    expect(share.id).toBe(String(2 * id));
    await olga.put(share.id, { permissions: 15 });
    const { body } = await household
      .as('ben')
      .post('files/comments/add', { path: `/ROOT/${household.ids.olga}/${id}`, comment: 'x' });
    expect(body.code).toBe('permission_denied');
    expect((await ben.get('/shares', { shared_with_me: 'true', path: '/Shared with me/Mia/Other' })).data).toEqual([
      expect.objectContaining({ id: share.id, permissions: 15, path: '/Shared with me/Mia/Other' }),
    ]);
  });

  it('can be deleted and created again', async () => {
    const { data } = await withBen(READ);
    expect(await olga.delete(data.id)).toMatchObject({ status: 200, data: [] });
    expect(await permsForBen()).toBeUndefined();
    expect((await olga.delete(data.id)).status).toBe(404);
    expect((await withBen(READ)).status).toBe(200);
  });
});

it('sharing is recorded as an activity of the app, as with the API', async () => {
  const rows = await rowsOf(household, async () => {
    const { data: share } = await withBen(15);
    await olga.put(share.id, { permissions: 1 });
    await olga.delete(share.id);
    const { data: link } = await olga.post({ path: `/${box}`, shareType: 3, password: 'sesame' });
    await olga.put(link.id, { permissions: 4 });
    await olga.delete(link.id);
  });
  const path = `/ROOT/HOME/${box}`;
  expect(
    rows.map(({ kind, username, client, channel, subject }) => [kind, username, client, channel, subject]),
  ).toEqual(
    ['share.created', 'share.changed', 'share.removed', 'weblink.created', 'weblink.changed', 'weblink.removed'].map(
      (kind) => [kind, 'olga', 'Study PC', 'webdav', path],
    ),
  );
  expect(rows[1]?.details.rights).toEqual(['download', 'comment', 'read_comments']);
});

describe('a share with a group', () => {
  it('is created with the number or the name of the group', async () => {
    for (const shareWith of [household.family, 'Family']) {
      const made = await olga.post({ path: `/${box}`, shareType: 1, shareWith, permissions: 15 });
      // Olga is not a member, but may see everybody.
      expect(made.data).toMatchObject({
        ...{ share_type: 1, share_with: String(household.family), share_with_displayname: 'Family', permissions: 15 },
      });
      const { body } = await household.as('gil').get('files/browse', { path: `/ROOT/${household.ids.olga}` });
      expect(JSON.stringify(body.data.files)).toContain(`"${box}"`);
      await olga.delete(made.data.id);
    }
  });
});

describe('an item shared by others', () => {
  it('is described with its path for the app, and with its sharer as owner', async () => {
    const { data } = await withBen(15);
    const { data: received } = await ben.get('/shares', {
      shared_with_me: 'true',
      path: `/Shared with me/Mia/${box}`,
    });
    expect(received).toEqual([
      expect.objectContaining({
        ...{ id: data.id, share_type: 0, uid_owner: 'olga', share_with: 'ben', can_edit: false, can_delete: false },
        ...{ path: `/Shared with me/Mia/${box}`, file_target: `/Shared with me/Mia/${box}` },
      }),
    ]);
    expect((await ben.get(`/shares/${data.id}`)).data).toEqual(received);
    expect((await ben.get('/shares')).data).not.toContainEqual(expect.objectContaining({ id: data.id }));
    expect(await ben.put(data.id, { permissions: 1 })).toMatchObject({ status: 403, code: 403 });
    expect(await ben.delete(data.id)).toMatchObject({ status: 403 });
    expect((await olga.get(`/shares/${data.id}`)).data[0].permissions).toBe(15);
  });

  it('can be reshared with at most the same rights, and its owner sees and can end that', async () => {
    await withBen(17);
    const path = `/Shared with me/Mia/${box}`;
    const { data } = await ben.post({ path, shareType: 0, shareWith: 'gil', permissions: 31 });
    expect(data).toMatchObject({ permissions: 17, path, uid_owner: 'ben', uid_file_owner: 'olga' });
    expect((await olga.get('/shares', { path: `/${box}` })).data).toHaveLength(1);
    const { data: all } = await olga.get('/shares', { path: `/${box}`, reshares: 'true' });
    expect(all).toContainEqual(expect.objectContaining({ id: data.id, uid_owner: 'ben', can_edit: false }));
    expect((await olga.put(data.id, { permissions: 1 })).status).toBe(403);
    expect((await ben.put(data.id, { permissions: 1 })).data.permissions).toBe(1);
    expect((await olga.delete(data.id)).status).toBe(200);
    expect((await ben.get('/shares', { path })).data).toEqual([]);
  });

  it('cannot be reshared without the right to do so', async () => {
    await withBen(15);
    const form = { path: `/Shared with me/Mia/${box}`, shareWith: 'gil', permissions: 1 };
    expect((await ben.post({ ...form, shareType: 0 })).status).toBe(403);
    expect((await ben.post({ ...form, shareType: 3 })).status).toBe(403);
  });

  it('with an alias never reveals its real name', async () => {
    await household.share(`/ROOT/HOME/${box}`, { uid: household.ids.ben, share: 1, alias: `Other ${box.length}` });
    const path = `/Shared with me/Mia/Other ${box.length}`;
    const replies = [
      await ben.post({ path, shareType: 0, shareWith: 'gil' }),
      await ben.post({ path, shareType: 3 }),
      await ben.get('/shares', { path }),
      await ben.get('/shares', { path, shared_with_me: 'true' }),
    ];
    for (const { status, data } of replies) {
      expect([status, JSON.stringify(data)]).toEqual([200, expect.not.stringMatching(`/${box}\\b`)]);
    }
  });

  it('does not reveal an anonymous sharer', async () => {
    const id = await household.share(`/ROOT/HOME/${box}`, { uid: household.ids.ben, anonymous: 1 });
    const { data } = await ben.get('/shares', { shared_with_me: 'true', path: `/Shared with me/${box}` });
    expect(data).toEqual([
      expect.objectContaining({
        ...{ id: String(2 * id), uid_owner: '', displayname_owner: 'Somebody' },
        ...{ uid_file_owner: '', displayname_file_owner: 'Somebody' },
      }),
    ]);
    expect(JSON.stringify(data)).not.toContain('olga');
  });
});

describe('refused requests', () => {
  it.each([
    ['no kind', { shareType: '' }, 400],
    ['an unknown kind', { shareType: 6 }, 400],
    ['an email address', { shareType: 4, shareWith: 'gran@example.org' }, 400],
    ['no path', { path: '' }, 404],
    ['the top level', { path: '/' }, 400],
    ['a missing item', { path: '/missing' }, 404],
    ['a path that leads out', { path: '/../olga' }, 404],
    ['nobody', { shareWith: '' }, 404],
    ['an unknown user', { shareWith: 'nobody' }, 404],
    ['themselves', { shareWith: 'olga' }, 403],
    ['an unknown group', { shareType: 1, shareWith: '4711' }, 404],
    ['no bits', { permissions: 0 }, 404],
    ['too many bits', { permissions: 32 }, 404],
    ['bits that are no number', { permissions: 'all' }, 404],
    ['bits without reading', { permissions: 4 }, 400],
    ['a password', { password: 'secret' }, 400],
    ['an end', { expireDate: '2099-01-01' }, 400],
    ['a note', { note: 'for you' }, 400],
    ['a label', { label: 'for you' }, 400],
    ['attributes that are none', { attributes: '{' }, 400],
  ])('%s', async (_what, form, status) => {
    const path = `/${box}`;
    const reply = await olga.post({ path, shareType: 0, shareWith: 'ben', permissions: 1, ...form });
    expect([reply.status, reply.code]).toEqual([status, status]);
    expect(reply.message).not.toBe('');
    expect((await olga.get('/shares', { path })).data).toEqual([]);
  });

  it('to change a share', async () => {
    const { data } = await withBen(READ);
    for (const [form, status] of [
      [{}, 400],
      [{ permissions: 99 }, 400],
      [{ permissions: 2 }, 400],
      [{ password: 'secret' }, 400],
      [{ expireDate: '2099-01-01' }, 400],
      [{ note: 'for you' }, 400],
      [{ attributes: 'x' }, 400],
    ] as const) {
      expect([form, (await olga.put(data.id, form)).status]).toEqual([form, status]);
    }
    // Some apps always send all of them, empty.
    const empty = { password: '', expireDate: '', note: '', label: '', hideDownload: 'false', publicUpload: 'false' };
    expect(await olga.put(data.id, { ...empty, permissions: 1 })).toMatchObject({ status: 200 });
    expect((await withBen(15)).status).toBe(403);
    expect((await olga.get(`/shares/${data.id}`)).data[0].permissions).toBe(READ);
    expect((await olga.get('/shares', { path: '/missing' })).status).toBe(404);
    expect((await olga.get('/shares', { path: `/${box}/a.txt`, subfiles: 'true' })).status).toBe(400);
  });

  it('for shares of other people are answered like those for missing shares', async () => {
    const { data: share } = await withBen(READ);
    const { data: link } = await olga.post({ path: `/${box}`, shareType: 3 });
    const sam = await sharingAppOf(household, 'sam', { with_shared: '1' });
    const told = [];
    for (const id of [share.id, link.id, '2000000000', '2000000001', '0', '1', '99999999999999999999']) {
      told.push([await sam.get(`/shares/${id}`), await sam.put(id, { permissions: 1 }), await sam.delete(id)]);
    }
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(told[0]?.map(({ status }) => status)).toEqual([404, 404, 404]);
    for (const query of [{}, { reshares: 'true' }, { shared_with_me: 'true' }]) {
      expect((await sam.get('/shares', query)).data).toEqual([]);
    }
    expect((await olga.get('/shares', { path: `/${box}` })).data).toHaveLength(2);
  });

  it('have the status codes of version 1 if that is requested', async () => {
    const old = await household.api.send('GET', '/ocs/v1.php/apps/files_sharing/api/v1/shares/2000000000?format=json', {
      headers: { authorization: olga.dav.authorization, 'ocs-apirequest': 'true' },
    });
    expect([old.status, old.body.ocs.meta.statuscode]).toEqual([200, 404]);
  });
});

it('an app with a token can share according to its scopes', async () => {
  const token = household.as('olga');
  const headers = { authorization: `Bearer ${token.token_}`, 'ocs-apirequest': 'true' };
  const body = new URLSearchParams({ path: `/My files/${box}`, shareType: '0', shareWith: 'ben' }).toString();
  const reply = await household.api.send('POST', '/ocs/v2.php/apps/files_sharing/api/v1/shares?format=json', {
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  expect([reply.status, reply.body.ocs.data.path]).toEqual([200, `/My files/${box}`]);
  const program = sharingApp(household, await davClient(household.as('olga')));
  expect((await program.get('/shares', { path: `/My files/${box}` })).data).toHaveLength(1);
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MEMBER, setPermissions } from '../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { t } from '../support/server-texts.ts';
import { DavClient, davClient } from '../support/webdav/dav-client.ts';
import { type SharingApp, sharingApp, sharingAppOf } from './sharing-support.ts';
import { beginLogin, send, signedIn } from './support.ts';

/** What the app password of an app decides: the OCS requests are those of the other files. */

let household: SharingHousehold;
let box = '';

const WHO = { username: 'olga', password: MEMBER.password };
const SHARES = '/ocs/v2.php/apps/files_sharing/api/v1/shares';

beforeAll(async () => {
  household = await openSharingHousehold();
});
afterAll(() => household?.close());
beforeEach(async () => {
  box = await household.newBox();
});

/** Everything that an app could do with a share and a link. */
async function attempts(app: SharingApp, path: string, ids: { share: string; link: string }) {
  const replies = [
    await app.post({ path, shareType: 0, shareWith: 'sam', permissions: 1 }),
    await app.post({ path, shareType: 1, shareWith: household.family, permissions: 1 }),
    await app.post({ path, shareType: 3 }),
    await app.put(ids.share, { permissions: 31 }),
    await app.put(ids.link, { password: '' }),
    await app.delete(ids.share),
    await app.delete(ids.link),
    await app.get('/sharees', { search: '', itemType: 'file' }),
    await app.get('/sharees_recommended', { itemType: 'file' }),
  ];
  return replies.map(({ status }) => status);
}

/** A share and a link of the folder, made by an app that may. */
async function made(): Promise<{ share: string; link: string }> {
  const app = await sharingAppOf(household, 'olga');
  const share = await app.post({ path: `/${box}`, shareType: 0, shareWith: 'ben', permissions: 1 });
  const link = await app.post({ path: `/${box}`, shareType: 3, password: 'sesame' });
  return { share: share.data.id, link: link.data.id };
}

const idsAt = async (app: SharingApp, query = {}) =>
  (await app.get('/shares', query)).data.map(({ id }: { id: string }) => id);

describe('an app', () => {
  it('without permission to share sees shares, and gets an error that explains how to permit it', async () => {
    const ids = await made();
    const app = await sharingAppOf(household, 'olga', { may_share: '' });
    expect((await idsAt(app, { path: `/${box}` })).sort()).toEqual([ids.share, ids.link].sort());
    expect(new Set(await attempts(app, `/${box}`, ids))).toEqual(new Set([403]));
    const { message } = await app.post({ path: `/${box}`, shareType: 3 });
    expect(message).toBe(t('api.nextcloud.shares.mayNot'));
    expect((await app.get(`/shares/${ids.share}`)).data[0]).toMatchObject({ can_edit: false, can_delete: false });
  });

  it('may share only if that is selected (off by default), which the list of app passwords shows', async () => {
    const visitor = await signedIn(household, WHO);
    const { login } = await beginLogin(household);
    const page = await visitor.get(login);
    expect(page.text).toContain(t('connect.mayShare'));
    expect(page.text).not.toMatch(/name="may_share" value="1" checked/);
    await sharingAppOf(household, 'olga');
    const { body } = await household.as('olga').get('account/app-passwords/list');
    expect(body.data.passwords[0].scopes).toEqual(expect.arrayContaining(['share', 'weblink']));
    const { text } = await visitor.get('/account/programs');
    for (const fact of [t('programs.list.sharing'), t('programs.list.ownFiles')]) expect(text).toContain(fact);
    await setPermissions(household, { olga: { share: false, weblink: false } });
    expect((await visitor.get(login)).text).not.toContain(t('connect.mayShare'));
    await setPermissions(household, { olga: {} });
  });

  it('cannot get the right to share from the API or the account page', async () => {
    const ids = await made();
    const all = 'list metadata upload download modify delete weblink share';
    const refused = await household
      .as('olga')
      .post('account/app-passwords/add', { label: 'x', 'scopes[]': all.split(' ') });
    expect(refused.status).toBe(400);
    const visitor = await signedIn(household, WHO);
    const page = await visitor.get('/account/programs');
    const form = { form_token: page.field('form_token'), program: 'other', label: 'y', password: WHO.password };
    const { text } = await visitor.post('/account/programs/create', { ...form, may_share: '1' });
    const password = /id="password"[^>]*>([^<]+)</.exec(text)?.[1] ?? '';
    const ofPage = new DavClient(household.api, 'olga', password);
    for (const dav of [ofPage, await davClient(household.as('olga'))]) {
      const app = sharingApp(household, dav);
      expect(await idsAt(app, { path: `/My files/${box}` })).toHaveLength(2);
      expect(new Set(await attempts(app, `/My files/${box}`, ids))).toEqual(new Set([403]));
    }
    const { body } = await household.as('olga').get('account/app-passwords/list');
    for (const one of body.data.passwords.slice(0, 2)) expect(one.scopes).not.toContain('share');
  });

  it('with read-only access sees shares, but cannot change them', async () => {
    const ids = await made();
    const app = sharingApp(household, await davClient(household.as('olga'), { read_only: 1 }));
    expect(await idsAt(app, { path: `/My files/${box}` })).toHaveLength(2);
    expect(new Set(await attempts(app, `/My files/${box}`, ids))).toEqual(new Set([403]));
  });

  it('that is limited to a folder sees only shares in it', async () => {
    const ids = await made();
    const inside = `/ROOT/HOME/${box}`;
    const olga = await sharingAppOf(household, 'olga');
    const { data: file } = await olga.post({ path: `/${box}/a.txt`, shareType: 3 });
    const other = await household.newBox();
    const { data: outside } = await olga.post({ path: `/${other}`, shareType: 3 });
    const ben = household.as('ben');
    await ben.post('files/createfolder', { path: '/ROOT/HOME', name: `of ben ${box}` });
    const shared = await ben.post('files/share', { path: `/ROOT/HOME/of ben ${box}`, uid: household.ids.olga });
    expect(shared.status).toBe(200);
    const app = sharingApp(household, await davClient(household.as('olga'), { folder: inside }));
    expect((await idsAt(app)).sort()).toEqual([ids.share, ids.link, file.id].sort());
    expect((await app.get(`/shares/${file.id}`)).data[0].path).toBe('/a.txt');
    expect((await app.get(`/shares/${ids.link}`)).data[0].path).toBe('/');
    expect((await app.get('/shares', { path: '/', subfiles: 'true' })).data).toHaveLength(1);
    expect((await app.get('/shares', { shared_with_me: 'true' })).data).toEqual([]);
    const never = await app.get('/shares/2000000001');
    expect(await app.get(`/shares/${outside.id}`)).toEqual(never);
    expect(await app.get('/shares', { path: `/${other}` })).toEqual(await app.get('/shares', { path: '/never' }));
  });

  it('sees the shares of others only if that is selected', async () => {
    await household.share(`/ROOT/HOME/${box}`, { uid: household.ids.ben });
    const [own, all] = [
      await sharingAppOf(household, 'ben'),
      await sharingAppOf(household, 'ben', { with_shared: '1' }),
    ];
    expect(await idsAt(own, { shared_with_me: 'true' })).toEqual([]);
    expect(await idsAt(all, { shared_with_me: 'true', path: `/Shared with me/Mia/${box}` })).toHaveLength(1);
  });

  it('of someone without the right to share cannot share, whatever was selected', async () => {
    const app = await sharingAppOf(household, 'olga');
    await setPermissions(household, { olga: { share: false, weblink: false } });
    expect((await app.post({ path: `/${box}`, shareType: 0, shareWith: 'ben' })).status).toBe(403);
    expect((await app.post({ path: `/${box}`, shareType: 3 })).status).toBe(403);
    expect((await app.get('/sharees', { itemType: 'file' })).status).toBe(403);
    await setPermissions(household, { olga: {} });
  });
});

describe('the addresses', () => {
  const METHODS = [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/2'],
    ['PUT', '/2'],
    ['DELETE', '/2'],
  ] as const;

  it('require the header of the protocol and an app password, for every method', async () => {
    const { dav } = await sharingAppOf(household, 'olga');
    const { authorization } = dav;
    for (const [method, path] of METHODS) {
      const at = `${SHARES}${path}?format=json`;
      expect((await send(household, method, at, { headers: { authorization } })).status, method).toBe(412);
      expect((await send(household, method, at, { headers: { 'ocs-apirequest': 'true' } })).status, method).toBe(401);
      const both = { authorization, 'ocs-apirequest': 'true' };
      const fromPage = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' };
      expect((await send(household, method, at, { headers: { ...both, ...fromPage } })).status, method).toBe(403);
      const { headers } = await send(household, method, at, { headers: both });
      expect(headers['content-security-policy'], method).toBe("sandbox; default-src 'none'");
      expect(headers['set-cookie'], method).toBeUndefined();
    }
    const other = await send(household, 'PATCH', SHARES, { headers: { authorization, 'ocs-apirequest': 'true' } });
    expect([other.status, other.headers.allow]).toEqual([405, 'GET, POST']);
    for (const path of [`${SHARES}/x`, `${SHARES}/2/x`, `${SHARES}/pending`, `${SHARES}x`]) {
      const reply = await send(household, 'GET', path, { headers: { authorization, 'ocs-apirequest': 'true' } });
      expect([path, reply.status]).toEqual([path, 404]);
    }
  });

  it('also accept JSON, and refuse lists and large bodies', async () => {
    const { dav } = await sharingAppOf(household, 'olga');
    const headers = { authorization: dav.authorization, 'ocs-apirequest': 'true', 'content-type': 'application/json' };
    const post = (body: unknown) =>
      send(household, 'POST', `${SHARES}?format=json`, { headers, body: JSON.stringify(body) });
    const form = { path: `/${box}`, shareType: 0, shareWith: 'ben', permissions: 1 };
    expect((await post({ ...form, path: [`/${box}`] })).status).toBe(400);
    expect((await post({ ...form, note: 'x'.repeat(2_000_000) })).status).toBe(400);
    expect((await post([])).status).toBe(400);
    expect((await post(form)).body.ocs.data.permissions).toBe(1);
  });

  it('are not found while these apps are switched off', async () => {
    const app = await sharingAppOf(household, 'olga');
    const headers = { authorization: app.dav.authorization, 'ocs-apirequest': 'true' };
    await household.control('settings.update', { nextcloudApps: false });
    for (const [method, path] of [
      ...METHODS.map(([one, below]) => [one, `${SHARES}${below}`] as const),
      ['GET', SHARES.replace('shares', 'sharees')] as const,
    ]) {
      expect([method, path, (await send(household, method, path, { headers })).status]).toEqual([method, path, 404]);
    }
    await household.control('settings.update', { nextcloudApps: true });
    expect((await app.get('/shares')).status).toBe(200);
  });

  it('are announced in the capabilities', async () => {
    const { dav } = await sharingAppOf(household, 'olga');
    const capabilities = async () => {
      const headers = { authorization: dav.authorization, 'ocs-apirequest': 'true' };
      const { body } = await send(household, 'GET', '/ocs/v2.php/cloud/capabilities?format=json', { headers });
      return body.ocs.data.capabilities.files_sharing;
    };
    expect(await capabilities()).toMatchObject({
      ...{ api_enabled: true, group_sharing: true, resharing: false, default_permissions: 1 },
      public: { enabled: true, upload: true, multiple: false, password: { enforced: false } },
    });
    await setPermissions(household, { olga: { weblink: false } });
    expect((await capabilities()).public.enabled).toBe(false);
    await setPermissions(household, { olga: {} });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';
import { agree, beginLogin, connectedApp, send, signedIn } from './support.ts';

let household: Household;
let app: DavClient;

const OCS = { 'ocs-apirequest': 'true' };

beforeAll(async () => {
  household = await openHousehold();
  app = await davClient(await household.signIn());
});
afterAll(() => household?.close());

/** @param path below `/ocs` */
const ocs = (path: string, { method = 'GET', headers = {}, as = app } = {}) =>
  send(household, method, `/ocs${path}`, { headers: { authorization: as.authorization, ...OCS, ...headers } });

describe('addresses without sign-in', () => {
  it('describe the server, but none of its content', async () => {
    const { status, body } = await send(household, 'GET', '/status.php');
    expect([status, body]).toEqual([
      200,
      {
        ...{ installed: true, maintenance: false, needsDbUpgrade: false, extendedSupport: false },
        ...{ version: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/), versionstring: expect.any(String) },
        ...{ edition: '', productname: 'Larder' },
      },
    ]);
    expect((await send(household, 'GET', '/index.php/204')).status).toBe(204);
  });

  it('refuse other methods and unknown addresses', async () => {
    const reply = await send(household, 'POST', '/status.php');
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET']);
    expect((await send(household, 'GET', '/index.php/login/v2')).status).toBe(405);
    expect((await send(household, 'GET', '/ocs/v3.php/cloud/user')).status).toBe(404);
  });
});

describe('OCS', () => {
  it('describes the account to itself, in both versions and both formats', async () => {
    const { body: data } = await ocs('/v2.php/cloud/user?format=json');
    expect(data.ocs).toEqual({
      meta: { status: 'ok', statuscode: 200, message: 'OK' },
      data: {
        ...{ enabled: true, id: 'ann', 'display-name': 'ann', displayname: 'ann', email: null, language: 'en' },
        quota: {
          ...{ free: expect.any(Number), used: expect.any(Number), total: expect.any(Number) },
          ...{ relative: expect.any(Number), quota: expect.any(Number) },
        },
      },
    });
    expect((await ocs('/v1.php/cloud/user?format=json')).body.ocs.meta.statuscode).toBe(100);
    // The iOS library names the account.
    expect((await ocs('/v2.php/cloud/users/ANN?format=json')).body.ocs.data.id).toBe('ann');
    expect((await ocs('/v2.php/cloud/users/olga?format=json')).status).toBe(404);
    const named = await ocs('/v1.php/cloud/user', { headers: { accept: 'application/json' } });
    expect(named.body.ocs.data.id).toBe('ann');
    const { text, headers } = await ocs('/v1.php/cloud/user');
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(text).toContain('<ocs><meta><status>ok</status><statuscode>100</statuscode>');
    expect(text).toContain('<id>ann</id>');
  });

  it('returns the capabilities and the forbidden file names', async () => {
    const { body } = await ocs('/v1.php/cloud/capabilities?format=json');
    const { capabilities, version } = body.ocs.data;
    expect(version.major).toBeGreaterThanOrEqual(28);
    expect(capabilities.core['webdav-root']).toBe('remote.php/webdav');
    expect(capabilities.files_sharing.api_enabled).toBe(true);
    const { forbidden_filename_characters: characters, forbidden_filename_basenames: names } = capabilities.files;
    expect(capabilities.files.forbidden_filenames).toEqual(names);
    const endings: string[] = capabilities.files.forbidden_filename_extensions;
    const put = async (name: string) => (await app.put(`/My%20files/${encodeURIComponent(name)}`, 'x')).status;
    for (const name of [
      ...names,
      ...names.map((one: string) => `${one.toUpperCase()}.txt`),
      ...endings.map((one) => `a${one}`),
    ]) {
      expect([name, await put(name)]).toEqual([name, 403]);
    }
    // Every character of ASCII is either announced or allowed. An address cannot have the first one, nor a slash in a name.
    for (let code = 1; code < 0x80; code += 1) {
      const one = String.fromCharCode(code);
      const isAnnounced = characters.includes(one);
      if (one !== '/') expect([code, await put(`a${one}b${code}`)]).toEqual([code, isAnnounced ? 403 : 201]);
      else expect(isAnnounced).toBe(true);
    }
    expect((await ocs('/v1.php/cloud/capabilities')).text).toContain('<element>com¹</element>');
  });

  it('requires its header, an app password and a known address', async () => {
    const refused = async (path: string, options: Parameters<typeof ocs>[1]) => {
      const { status, body } = await ocs(path, options);
      return [status, body.ocs.meta.statuscode, body.ocs.meta.status];
    };
    const user = '/cloud/user?format=json';
    expect(await refused(`/v2.php${user}`, { headers: { 'ocs-apirequest': '' } })).toEqual([412, 412, 'failure']);
    expect(await refused(`/v1.php${user}`, { headers: { 'ocs-apirequest': '' } })).toEqual([200, 997, 'failure']);
    for (const authorization of ['None', `Basic ${Buffer.from('ann:wrong').toString('base64')}`]) {
      expect(await refused(`/v1.php${user}`, { headers: { authorization } })).toEqual([401, 997, 'failure']);
      expect(await refused(`/v2.php${user}`, { headers: { authorization } })).toEqual([401, 401, 'failure']);
    }
    expect(await refused('/v2.php/nothing?format=json', {})).toEqual([404, 404, 'failure']);
    expect(await refused('/v1.php/nothing?format=json', {})).toEqual([200, 998, 'failure']);
    expect(await refused(`/v2.php${user}`, { method: 'DELETE' })).toEqual([405, 405, 'failure']);
    const fromPage = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' };
    expect(await refused(`/v2.php${user}`, { headers: fromPage })).toEqual([403, 403, 'failure']);
  });

  it('allows an app to revoke its own app password, and no other', async () => {
    const phone = await connectedApp(household);
    const { status } = await ocs('/v2.php/core/apppassword?format=json', { method: 'DELETE', as: phone });
    expect(status).toBe(200);
    expect((await ocs('/v2.php/cloud/user?format=json', { as: phone })).status).toBe(401);
    expect((await ocs('/v2.php/cloud/user?format=json')).status).toBe(200);
    const api = await household.signIn();
    const bearer = { authorization: `Bearer ${api.token_}` };
    const reply = await ocs('/v2.php/core/apppassword?format=json', { method: 'DELETE', headers: bearer });
    expect(reply.status).toBe(403);
  });
});

it('cannot be used from a page in a browser, and ignores cookies', async () => {
  const visitor = await signedIn(household);
  const shares = '/ocs/v2.php/apps/files_sharing/api/v1/shares?format=json';
  for (const path of ['/status.php', '/ocs/v2.php/cloud/user?format=json', shares, '/index.php/204']) {
    const { status, headers } = await visitor.get(path, OCS);
    expect(headers['content-security-policy'], path).toBe("sandbox; default-src 'none'");
    expect(headers['x-content-type-options'], path).toBe('nosniff');
    expect(headers['access-control-allow-origin'], path).toBeUndefined();
    if (path.startsWith('/ocs')) expect(status).toBe(401);
  }
});

it('is not found while it or the API is switched off', async () => {
  const { login } = await beginLogin(household);
  const visitor = await signedIn(household);
  const sharing = ['shares', 'shares/2', 'sharees'].map((name) => `/ocs/v2.php/apps/files_sharing/api/v1/${name}`);
  const paths = ['/status.php', '/index.php/204', '/ocs/v1.php/cloud/user', '/index.php/login/v2', ...sharing];
  const statuses = () => Promise.all(paths.map(async (path) => (await send(household, 'GET', path)).status));
  await household.control('settings.update', { nextcloudApps: false });
  expect(await statuses()).toEqual(paths.map(() => 404));
  expect(await agree(visitor, login)).toBe(410);
  const page = await visitor.get('/account/programs?program=nextcloud');
  expect(page.text).not.toContain('Nextcloud');
  // WebDAV is another switch.
  expect((await app.propfind('/', '0')).status).toBe(207);
  await household.control('settings.update', { nextcloudApps: true });
  const again = await visitor.get('/account/programs?program=nextcloud');
  expect(again.text).toContain(`value="${household.api.base}"`);
  await household.control('settings.update', { apiEnabled: false });
  expect(await statuses()).toEqual(paths.map(() => 403));
  await household.control('settings.update', { apiEnabled: true });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, signInAs } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';
import { connectedApp, send } from './support.ts';
import { codeOf, statusOf } from './transfers.ts';

// Certain, from the published sources of the Android library and NextcloudKit: Android sets 1 and removes the property, iOS sets 1 or 0
// and asks for favourites with REPORT at the address of the account. Assumed: REPORT at a folder below it.

let household: Household;
let api: ApiClient;
let app: DavClient;
let next = 0;
let box = '';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  app = await connectedApp(household);
});
afterAll(() => household?.close());
beforeEach(async () => {
  next += 1;
  box = `/box%20${next}`;
  await app.send('MKCOL', box);
  await app.put(`${box}/a%20%26%20b.txt`, 'text');
  for (const uuid of await starred()) await api.post('files/unstar', { uuid });
});

const starred = async (client = api): Promise<string[]> => {
  const { body } = await client.get('files/browse', { path: '/STARRED', 'details[]': ['uuid'] });
  return body.data.files.map(({ uuid }: { uuid: string }) => uuid);
};

const set = (path: string, value: string, client = app) =>
  client.send('PROPPATCH', path, {
    body: `<?xml version="1.0"?><d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:set><d:prop>
      <oc:favorite>${value}</oc:favorite></d:prop></d:set></d:propertyupdate>`,
  });
const remove = (path: string) =>
  app.send('PROPPATCH', path, {
    body: '<D:propertyupdate xmlns:D="DAV:"><D:remove><D:prop><favorite xmlns="http://owncloud.org/ns"/></D:prop></D:remove></D:propertyupdate>',
  });
const ASKED =
  '<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><oc:favorite/></d:prop></d:propfind>';
const found = async (path: string, depth: '0' | '1' = '0', client = app) =>
  [...parsed((await client.propfind(path, depth, ASKED)).text)].map(([href, one]) => [
    href.slice(client.prefix.length),
    one.found.get('favorite'),
  ]);

const RULES = '<oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules>';
const REPORT = (rules = RULES) => `<?xml version="1.0"?>
  <oc:filter-files xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">
    <d:prop><d:displayname/><d:getetag/><d:resourcetype/><oc:fileid/><oc:permissions/><oc:size/><oc:favorite/>
    <nc:has-preview/><x xmlns="urn:mine"/></d:prop>${rules}</oc:filter-files>`;
const report = (path = '', client = app, body = REPORT()) => client.send('REPORT', path, { body });
const reported = async (path = '', client = app) => {
  const { status, text } = await report(path, client);
  return status === 207 ? [...parsed(text).keys()].map((href) => href.slice(client.prefix.length)) : status;
};

describe('a favourite', () => {
  it('is the star of Larder, set and removed by the requests of the apps', async () => {
    const file = `${box}/a%20%26%20b.txt`;
    expect(await found(file)).toEqual([[file, '0']]);
    const reply = await set(file, '1');
    expect([reply.status, [...parsed(reply.text)][0]?.[1].found.has('favorite')]).toEqual([207, true]);
    expect(await found(file)).toEqual([[file, '1']]);
    // A second time changes nothing.
    expect(await statusOf(set(file, '1'))).toBe(207);
    expect(await starred()).toHaveLength(1);
    expect(await found(box, '1')).toEqual([
      [`${box}/`, '0'],
      [file, '1'],
    ]);
    expect(await statusOf(remove(file))).toBe(207);
    expect(await statusOf(set(file, '0'))).toBe(207);
    expect(await found(box, '1')).toContainEqual([file, '0']);
    expect(await starred()).toEqual([]);
    await api.post('files/star', { path: `/ROOT/HOME/box ${next}` });
    expect(await found(box)).toEqual([[box, '1']].map(([path, value]) => [`${path}/`, value]));
  });

  it('is refused for missing items, invalid values, and together with other properties', async () => {
    expect(codeOf(await set(box, 'perhaps'))).toEqual([400, 'invalid_parameter']);
    expect(await statusOf(set(`${box}/none`, '1'))).toBe(404);
    expect(await statusOf(set('/', '1'))).toBe(403);
    const mixed = await app.send('PROPPATCH', box, {
      body: `<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:set><d:prop>
        <oc:favorite>1</oc:favorite><x xmlns="urn:mine">1</x></d:prop></d:set></d:propertyupdate>`,
    });
    expect([...parsed(mixed.text).values()][0]?.missing).toEqual(['403 favorite', '424 x']);
    const stale = { 'if-match': '"none"' };
    const refused = await app.send('PROPPATCH', box, {
      headers: stale,
      body: '<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><favorite xmlns="http://owncloud.org/ns">1</favorite></d:prop></d:set></d:propertyupdate>',
    });
    expect(refused.status).toBe(412);
    expect(await starred()).toEqual([]);
  });

  it('belongs to one account, and does not need the right to change the item', async () => {
    await addMembersWithHomes(household, { mia: {} });
    const mia = await signInAs(household, 'mia');
    const uid = (await mia.get('account/info')).body.id;
    const given = { path: `/ROOT/HOME/box ${next}`, uid, download: 1, upload: 0, alter: 0 };
    expect((await api.post('files/share', given)).status).toBe(200);
    const client = (await davClient(mia)).at('/remote.php/dav/files/mia');
    const shared = `/Shared%20with%20me/ann${box}`;
    expect(await statusOf(set(`${shared}/a%20%26%20b.txt`, '1', client))).toBe(207);
    expect(await found(`${shared}/a%20%26%20b.txt`, '0', client)).toEqual([[`${shared}/a%20%26%20b.txt`, '1']]);
    expect(await reported('', client)).toEqual([`${shared}/a%20%26%20b.txt`]);
    expect(await starred()).toEqual([]);
    const { text } = await report('', client);
    expect(parsed(text).get(`${client.prefix}${shared}/a%20%26%20b.txt`)?.found.get('permissions')).toBe('SG');
    await api.post('files/unshare', { path: `/ROOT/HOME/box ${next}`, uid });
    expect(await reported('', client)).toEqual([]);
  });

  it('cannot be set by a read-only app', async () => {
    const reading = (await davClient(api, { read_only: 1 })).at('/remote.php/dav/files/ann');
    expect(await statusOf(set(`/My%20files${box}`, '1', reading))).toBe(403);
    await set(box, '1');
    expect(await reported('', reading)).toEqual([`/My%20files${box}/`]);
  });
});

describe('the list of favourites', () => {
  it('returns the requested properties, most recently starred first', async () => {
    await set(`${box}/a%20%26%20b.txt`, '1');
    household.clock.advance(1_000);
    await set(box, '1');
    await app.send('PROPPATCH', box, {
      body: '<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><x xmlns="urn:mine">mine</x></d:prop></d:set></d:propertyupdate>',
    });
    const { status, text } = await report();
    expect(status).toBe(207);
    const all = parsed(text);
    expect([...all.keys()]).toEqual([`${app.prefix}${box}/`, `${app.prefix}${box}/a%20%26%20b.txt`]);
    const folder = all.get(`${app.prefix}${box}/`)?.found;
    expect(Object.fromEntries(folder ?? [])).toMatchObject({
      ...{ displayname: `box ${next}`, resourcetype: '<d:collection/>', permissions: 'RGDNVCK', size: '4' },
      ...{ favorite: '1', 'has-preview': 'false', x: 'mine' },
    });
    const [listed] = parsed((await app.propfind(box, '0')).text).values();
    expect(folder?.get('getetag')).toBe(listed?.found.get('getetag'));
    const file = all.get(`${app.prefix}${box}/a%20%26%20b.txt`)?.found;
    expect(Object.fromEntries(file ?? [])).toMatchObject({
      displayname: 'a &amp; b.txt',
      size: '4',
      permissions: 'RGDNVW',
    });
  });

  it('is limited to the requested folder and to the access of the app', async () => {
    await app.send('MKCOL', `/other%20${next}`);
    await set(`${box}/a%20%26%20b.txt`, '1');
    await set(`/other%20${next}`, '1');
    expect(await reported(box)).toEqual([`${box}/a%20%26%20b.txt`]);
    expect(await reported(`/other%20${next}`)).toEqual([]);
    expect(await reported('/none')).toBe(404);
    const limited = (await davClient(api, { folder: `/ROOT/HOME/box ${next}` })).at('/remote.php/dav/files/ann');
    expect(await reported('', limited)).toEqual(['/a%20%26%20b.txt']);
    expect(await reported('', app.at('/remote.php/dav/files/mia'))).toBe(404);
    await app.send('DELETE', `${box}/a%20%26%20b.txt`);
    expect(await reported()).toEqual([`/other%20${next}/`]);
  });

  it('refuses unsupported and malformed reports', async () => {
    const rule = (xml: string) => report('', app, REPORT(`<oc:filter-rules>${xml}</oc:filter-rules>`));
    expect(codeOf(await rule('<oc:systemtag>1</oc:systemtag>'))).toEqual([400, 'invalid_parameter']);
    expect(codeOf(await rule('<oc:favorite>0</oc:favorite>'))).toEqual([400, 'invalid_parameter']);
    expect(codeOf(await rule(''))).toEqual([400, 'invalid_parameter']);
    expect(codeOf(await report('', app, '<d:sync-collection xmlns:d="DAV:"/>'))).toEqual([403, 'permission_denied']);
    for (const body of ['', '<oc:filter-files', '<!DOCTYPE a><a/>'])
      expect(codeOf(await report('', app, body))).toEqual([400, 'malformed_body']);
  });

  it('is available through REPORT, unless the apps are switched off', async () => {
    const options = () => send(household, 'OPTIONS', `${app.prefix}/`);
    expect((await options()).headers.allow).toMatch(/PROPFIND.*REPORT$/);
    const bare = await send(household, 'REPORT', `${app.prefix}/`, { body: REPORT() });
    expect([bare.status, bare.headers['content-security-policy']]).toEqual([401, "sandbox; default-src 'none'"]);
    await household.control('settings.update', { nextcloudApps: false });
    expect((await options()).headers.allow).not.toContain('REPORT');
    expect(await reported()).toBe(404);
    await household.control('settings.update', { nextcloudApps: true });
    expect(await reported()).toEqual([]);
  });
});

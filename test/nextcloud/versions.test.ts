import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../dist/server/lib/clock.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, setPermissions, signInAs } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';
import { connectedApp, send } from './support.ts';
import { codeOf, statusOf } from './transfers.ts';

// Certain, from the published source of the Android library: the addresses, the properties that are asked for, that the first response
// is skipped as the list itself, that the name of a version is its modification time in seconds, read from `getlastmodified`, and
// that it is moved to `restore/<fileid>` with `Overwrite: T`. From the developer manual: `restore/target`. Assumed: COPY and DELETE.

let household: Household;
let api: ApiClient;
let app: DavClient;
let versions: DavClient;
let next = 0;
let name = '';
let number = '';

/** Seconds since the epoch of the first content; each further one is a second later. */
const FIRST = 1_500_000_000;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  app = await connectedApp(household);
  versions = inVersions(app);
});
afterAll(() => household?.close());
beforeEach(async () => {
  next += 1;
  name = `plum ${next}.txt`;
  for (const [index, content] of ['one', 'two 2', 'three 33'].entries()) await put(content, FIRST + index);
  number = await numberOf(app, `/${encodeURIComponent(name)}`);
});

const inVersions = (one: DavClient, of = one.username) => one.at(`/remote.php/dav/versions/${of}`);
const put = (content: string, mtime: number, client = app) => {
  // Contents of one app within a minute would be steps of one save.
  household.clock.advance(MINUTE);
  return client.put(`/${encodeURIComponent(name)}`, content, { 'x-oc-mtime': String(mtime) });
};
const present = () => readFile(join(household.home, name), 'utf8');

async function numberOf(client: DavClient, path: string): Promise<string> {
  const body = '<d:propfind xmlns:d="DAV:"><d:prop><fileid xmlns="http://owncloud.org/ns"/></d:prop></d:propfind>';
  const { text } = await client.propfind(path, '0', body);
  return /fileid>(\d+)</.exec(text)?.[1] ?? '';
}

/** What the Android app asks for. */
const ASKED = `<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:getcontenttype/><d:resourcetype/>
  <d:getcontentlength/><d:getlastmodified/><d:creationdate/><oc:id/><oc:size/></d:prop></d:propfind>`;

/** The versions of a file by name, with their properties. */
async function listed(client = versions, of = number) {
  const { status, text } = await client.propfind(`/versions/${of}`, '1', ASKED);
  if (status !== 207) throw new Error(`${status} ${text}`);
  const [self, ...items] = [...parsed(text)];
  expect(self?.[0]).toBe(`${client.prefix}/versions/${of}/`);
  return new Map(items.map(([href, { found }]) => [href.split('/').at(-1) ?? '', found]));
}

const names = async (client = versions, of = number) => [...(await listed(client, of)).keys()];
const restore = (version: string, client = versions, method: 'MOVE' | 'COPY' = 'MOVE') =>
  client.transfer(method, `/versions/${number}/${version}`, `/restore/${number}`, { overwrite: 'T' });
const one = (method: string, version: string, client = versions) =>
  client.send(method, `/versions/${number}/${version}`, { headers: { depth: '0' } });

describe('versions', () => {
  it('are listed by their times, newest first, without the current content', async () => {
    const all = await listed();
    expect([...all.keys()]).toEqual([String(FIRST + 1), String(FIRST)]);
    for (const [version, found] of all) {
      expect(String(Date.parse(found.get('getlastmodified') ?? '') / 1000)).toBe(version);
    }
    expect(Object.fromEntries(all.get(String(FIRST + 1)) ?? [])).toMatchObject({
      ...{ getcontenttype: 'text/plain', resourcetype: '', getcontentlength: '5', size: '5' },
    });
    expect([...parsed((await versions.propfind(`/versions/${number}/`, '0', ASKED)).text)]).toHaveLength(1);
    expect([...parsed((await one('PROPFIND', String(FIRST))).text).keys()]).toEqual([
      `${versions.prefix}/versions/${number}/${FIRST}`,
    ]);
  });

  it('are downloaded', async () => {
    const { status, text, headers } = await one('GET', String(FIRST));
    expect([status, text]).toEqual([200, 'one']);
    expect(headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment/),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    const head = await one('HEAD', String(FIRST + 1));
    expect([head.status, head.headers['content-length']]).toEqual([200, '5']);
  });

  it.each([
    ['MOVE', '/restore/'],
    ['COPY', '/restore/target'],
  ] as const)('are restored by %s to %s without loss', async (method, to) => {
    const destination = to === '/restore/' ? `/restore/${number}` : to;
    const reply = await versions.transfer(method, `/versions/${number}/${FIRST}`, destination);
    expect(reply.status).toBe(201);
    expect(await present()).toBe('one');
    expect(await names()).toEqual(expect.arrayContaining([String(FIRST + 2), String(FIRST + 1), String(FIRST)]));
  });

  it('can be deleted one by one', async () => {
    expect(await statusOf(one('DELETE', String(FIRST)))).toBe(204);
    expect(await statusOf(one('DELETE', String(FIRST)))).toBe(404);
    expect(await names()).toEqual([String(FIRST + 1)]);
  });

  it('of the same second have different names, and are not deleted by mistake', async () => {
    await put('four', FIRST + 1);
    await put('five', FIRST + 9);
    const all = await names();
    expect(all).toEqual([`${FIRST + 1}-4`, String(FIRST + 2), `${FIRST + 1}-2`, String(FIRST)]);
    expect((await one('GET', `${FIRST + 1}-2`)).text).toBe('two 2');
    expect(await statusOf(one('DELETE', String(FIRST + 1)))).toBe(404);
    // The Android app knows only the second: it gets the newest.
    expect(await statusOf(restore(String(FIRST + 1)))).toBe(201);
    expect(await present()).toBe('four');
  });

  it('are announced', async () => {
    const { body } = await send(household, 'GET', '/ocs/v2.php/cloud/capabilities?format=json', {
      headers: { authorization: app.authorization, 'ocs-apirequest': 'true' },
    });
    expect(body.ocs.data.capabilities.files).toMatchObject({ versioning: true, version_deletion: true });
  });
});

describe('rights', () => {
  it('versions of items out of reach are not found', async () => {
    await addMembersWithHomes(household, { ben: {} });
    const ben = await davClient(await signInAs(household, 'ben'));
    for (const client of [inVersions(ben), inVersions(ben, 'ann')]) {
      expect(await statusOf(client.propfind(`/versions/${number}`, '1'))).toBe(404);
      for (const method of ['PROPFIND', 'GET', 'HEAD', 'DELETE'])
        expect([method, await statusOf(one(method, String(FIRST), client))]).toEqual([method, 404]);
    }
    expect(await statusOf(restore(String(FIRST), inVersions(ben)))).toBe(404);
    // The answer is the same for a number that no file has.
    await setPermissions(household, { ben: { file_history: false } });
    for (const of of [number, '1']) expect(await statusOf(inVersions(ben).propfind(`/versions/${of}`, '1'))).toBe(403);
  });

  it('a recipient has the rights of the share', async () => {
    await addMembersWithHomes(household, { eva: {} });
    const eva = await signInAs(household, 'eva');
    const uid = (await eva.get('account/info')).body.id;
    const path = `/ROOT/HOME/${name}`;
    household.clock.advance(1_000);
    const shared = await api.post('files/share', { path, uid, download: 1, upload: 0, alter: 0 });
    expect(shared.status).toBe(200);
    // Contents from before the share began are not hers to see.
    const client = inVersions(await davClient(eva));
    expect(await names(client)).toEqual([]);
    expect(await statusOf(one('GET', String(FIRST), client))).toBe(404);
    await put('four', FIRST + 3);
    expect(await names(client)).toEqual([String(FIRST + 2)]);
    expect((await one('GET', String(FIRST + 2), client)).text).toBe('three 33');
    expect(await statusOf(restore(String(FIRST + 2), client))).toBe(403);
    expect(await statusOf(one('DELETE', String(FIRST + 2), client))).toBe(403);
    expect(await present()).toBe('four');
  });

  it('a read-only app cannot change them, and an app limited to a folder sees only those of its files', async () => {
    const reading = inVersions(await davClient(api, { read_only: 1 }));
    expect(await names(reading)).toHaveLength(2);
    expect(await statusOf(restore(String(FIRST), reading))).toBe(403);
    expect(await statusOf(one('DELETE', String(FIRST), reading))).toBe(403);
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: `box ${next}` });
    const limited = await davClient(api, { folder: `/ROOT/HOME/box ${next}` });
    expect(await statusOf(inVersions(limited).propfind(`/versions/${number}`, '1'))).toBe(404);
    expect(await statusOf(restore(String(FIRST), inVersions(limited)))).toBe(404);
    await api.post('files/move', { path: `/ROOT/HOME/${name}`, moveTo: `/ROOT/HOME/box ${next}` });
    expect(await names(inVersions(limited))).toHaveLength(2);
  });

  it('a lock of someone else protects the current content', async () => {
    const other = await davClient(api);
    await other.lock(`/My%20files/${encodeURIComponent(name)}`);
    expect(codeOf(await restore(String(FIRST)))).toEqual([423, 'locked']);
    expect(await present()).toBe('three 33');
  });

  it('a lock of the same program needs its token', async () => {
    const path = `/${encodeURIComponent(name)}`;
    const { token } = await app.lock(path);
    expect(codeOf(await restore(String(FIRST)))).toEqual([423, 'locked']);
    const headers = { if: `<${app.prefix}${path}> (<${token}>)` };
    const to = `/restore/${number}`;
    const ofOther = { if: `<${app.prefix.replace(/[^/]+$/, 'mia')}${path}> (<${token}>)` };
    const from = `/versions/${number}/${FIRST}`;
    expect(await statusOf(versions.transfer('MOVE', from, to, ofOther))).toBe(404);
    expect(await present()).toBe('three 33');
    expect(await statusOf(versions.transfer('MOVE', from, to, headers))).toBe(201);
    expect(await present()).toBe('one');
  });
});

describe('addresses', () => {
  it('allow the methods that they announce, and other addresses do not exist', async () => {
    for (const [path, method, allow] of [
      [`/versions/${number}`, 'DELETE', 'OPTIONS, PROPFIND'],
      [`/versions/${number}/${FIRST}`, 'PUT', 'OPTIONS, PROPFIND, GET, HEAD, MOVE, COPY, DELETE'],
    ] as const) {
      const reply = await versions.send(method, path);
      expect([path, method, reply.status, reply.headers.allow]).toEqual([path, method, 405, allow]);
    }
    await app.send('MKCOL', '/a folder');
    const folder = await numberOf(app, '/a%20folder');
    for (const path of [
      ...['', '/versions', '/restore', '/versions/1', '/versions/x', `/versions/${folder}`],
      ...[`/versions/${number}/1`, `/versions/${number}/${FIRST}/a`, '/versions/99999999999999999999'],
    ]) {
      expect([path, await statusOf(versions.propfind(path, '0'))]).toEqual([path, 404]);
    }
    for (const path of [`/versions/${number}/%ff`, '/versions/..%2f..', `/versions/${number}/%00`])
      expect([path, await statusOf(versions.propfind(path, '0'))]).toEqual([path, 403]);
    expect(await statusOf(versions.propfind(`/versions/${number}`, '1', '<d:propfind'))).toBe(400);
    const elsewhere = await versions.transfer('MOVE', `/versions/${number}/${FIRST}`, '/versions/1');
    expect(elsewhere.status).toBe(403);
  });

  it('are refused without sign-in, and while the apps are switched off', async () => {
    const bare = await send(household, 'PROPFIND', `${versions.prefix}/versions/${number}`);
    expect([bare.status, bare.headers['content-security-policy']]).toEqual([401, "sandbox; default-src 'none'"]);
    await household.control('settings.update', { nextcloudApps: false });
    for (const method of ['PROPFIND', 'GET', 'MOVE', 'DELETE', 'OPTIONS']) {
      expect([method, await statusOf(one(method, String(FIRST)))]).toEqual([method, 404]);
    }
    await household.control('settings.update', { nextcloudApps: true });
    expect(await names()).toHaveLength(2);
  });
});

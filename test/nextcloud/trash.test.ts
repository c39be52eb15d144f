import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, MEMBER, setPermissions, signInAs } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';
import { connectedApp, send } from './support.ts';
import { statusOf } from './transfers.ts';

// Certain, from the published sources of the Android library and NextcloudKit: the addresses, the properties that are asked for, that
// the first response is skipped as the trash itself, that `oc:id` of an item is read as a number, and that a restored item is moved
// to `restore/<its name>` with `Overwrite: T`. Assumed: that an app opens a deleted folder as it opens any other.

let household: Household;
let api: ApiClient;
let app: DavClient;
let trash: DavClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  app = await connectedApp(household);
  trash = inTrash(app);
});
afterAll(() => household?.close());
beforeEach(async () => {
  await trash.send('DELETE', '/trash');
});

const inTrash = (one: DavClient, of = one.username) => one.at(`/remote.php/dav/trashbin/${of}`);
const at = (...names: string[]) => join(household.home, ...names);

/** What the apps for phones ask for. */
const ASKED = `<?xml version="1.0" encoding="UTF-8"?>
<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:prop>
  <d:displayname/><d:getcontenttype/><d:resourcetype/><d:getcontentlength/><d:getlastmodified/>
  <id xmlns="http://owncloud.org/ns"/><oc:fileid/><oc:size/><nc:has-preview/><oc:permissions/>
  <nc:trashbin-filename/><nc:trashbin-original-location/><nc:trashbin-deletion-time/></d:prop></d:propfind>`;

/** Deletes something with the app. @param path below its top level */
async function deleted(path: string, content: string | null = 'text'): Promise<void> {
  if (content === null) await mkdir(at(...decodeURIComponent(path).split('/').slice(1)), { recursive: true });
  else await app.put(path, content);
  expect((await app.send('DELETE', path)).status).toBe(204);
}

/** The items in the trash: their addresses below that of the account, and their properties. */
async function listed(client = trash) {
  const { status, text } = await client.propfind('/trash/', '1', ASKED);
  if (status !== 207) throw new Error(`${status} ${text}`);
  const [self, ...items] = [...parsed(text)];
  expect(self?.[0]).toBe(`${client.prefix}/trash/`);
  return items.map(([href, { found }]) => ({ path: href.slice(client.prefix.length), found }));
}

const restore = (client: DavClient, path: string, name = 'any%20name') =>
  client.transfer('MOVE', path, `/restore/${name}`, { overwrite: 'T' });

describe('the trash', () => {
  it('lists deleted items, newest first, for the requests of the apps', async () => {
    await mkdir(at('Holidays'), { recursive: true });
    await deleted('/Holidays/plum%20%26%20jam.png', 'four');
    const at1 = household.clock.now();
    household.clock.advance(2_000);
    await mkdir(at('Album'));
    await writeFile(at('Album', 'a.txt'), '12345');
    await api.get('files/browse', { path: '/ROOT/HOME/Album' });
    await deleted('/Album', null);
    const [album, picture] = await listed();
    expect(Object.fromEntries(picture?.found ?? [])).toEqual({
      displayname: 'plum &amp; jam.png',
      getcontenttype: 'image/png',
      resourcetype: '',
      getcontentlength: '4',
      getlastmodified: expect.stringMatching(/GMT$/),
      id: expect.stringMatching(/^\d+$/),
      fileid: picture?.found.get('id'),
      size: '4',
      'has-preview': 'true',
      permissions: 'D',
      'trashbin-filename': 'plum &amp; jam.png',
      'trashbin-original-location': 'Holidays/plum &amp; jam.png',
      'trashbin-deletion-time': String(Math.floor(at1 / 1000)),
    });
    expect(album?.path).toMatch(/^\/trash\/[A-Za-z0-9]{16}\/$/);
    expect(album?.found.get('resourcetype')).toBe('<d:collection/>');
    expect(album?.found.get('size')).toBe('5');
  });

  it('describes itself and single items', async () => {
    await deleted('/a.txt');
    const [item] = await listed();
    const one = await trash.propfind(item?.path ?? '', '1', ASKED);
    expect([...parsed(one.text).keys()]).toEqual([`${trash.prefix}${item?.path}`]);
    const itself = await trash.propfind('/trash', '0');
    expect([...parsed(itself.text).keys()]).toEqual([`${trash.prefix}/trash/`]);
    expect((await trash.propfind('/trash/none', '0')).status).toBe(404);
  });

  it('lists the content of a deleted folder, and sends its files', async () => {
    await mkdir(at('Album', 'inner'), { recursive: true });
    await writeFile(at('Album', 'a b.txt'), '12345');
    await writeFile(at('Album', 'inner', 'deep.txt'), '1234567');
    await writeFile(at('Album', '._a b.txt'), 'attributes');
    await api.get('files/browse', { path: '/ROOT/HOME/Album', recursive: 1 });
    await deleted('/Album', null);
    const [album] = await listed();
    const path = album?.path ?? '';
    const inside = async (below: string, depth: '0' | '1' = '1') => {
      const { status, text } = await trash.propfind(`${path}${below}`, depth, ASKED);
      expect([below, status]).toEqual([below, 207]);
      return [...parsed(text)].map(([href, { found }]) => ({ path: href.slice(trash.prefix.length), found }));
    };
    const all = await inside('');
    expect(all.map((one) => one.path)).toEqual([path, `${path}a%20b.txt`, `${path}inner/`]);
    const [self, file, inner] = all;
    // With the companion, which is counted everywhere.
    expect(self?.found.get('size')).toBe('22');
    expect(self?.found.get('permissions')).toBe('D');
    expect(inner?.found.get('size')).toBe('7');
    expect(Object.fromEntries(file?.found ?? [])).toEqual({
      displayname: 'a b.txt',
      getcontenttype: 'text/plain',
      resourcetype: '',
      getcontentlength: '5',
      getlastmodified: expect.stringMatching(/GMT$/),
      id: expect.stringMatching(/^\d+$/),
      fileid: file?.found.get('id'),
      size: '5',
      'has-preview': 'false',
      permissions: '',
      'trashbin-filename': 'a b.txt',
      'trashbin-original-location': 'Album/a b.txt',
      'trashbin-deletion-time': album?.found.get('trashbin-deletion-time'),
    });
    expect((await inside('inner')).map((one) => one.path)).toEqual([`${path}inner/`, `${path}inner/deep.txt`]);
    expect((await inside('inner/deep.txt', '0')).map((one) => one.path)).toEqual([`${path}inner/deep.txt`]);
    const reply = await trash.send('GET', `${path}inner/deep.txt`);
    expect([reply.status, reply.text]).toEqual([200, '1234567']);
    expect(reply.headers['content-disposition']).toMatch(/^attachment/);
    expect(reply.headers['content-security-policy']).toBe("sandbox; default-src 'none'");
    const part = await trash.send('GET', `${path}a%20b.txt`, { headers: { range: 'bytes=1-2' } });
    expect([part.status, part.text]).toEqual([206, '23']);
    for (const below of ['', 'inner', 'none.txt', 'a%20b.txt/x', 'inner/none', `${'x'.repeat(300)}`])
      expect([below, await statusOf(trash.send('GET', `${path}${below}`))]).toEqual([below, 404]);
    for (const method of ['DELETE', 'MOVE', 'PUT']) {
      const { status, headers } = await trash.send(method, `${path}a%20b.txt`);
      expect([method, status, headers.allow]).toEqual([method, 405, 'OPTIONS, PROPFIND, GET, HEAD']);
    }
  });

  it('sends a deleted file with its tag from listings, and records the download', async () => {
    await deleted('/a.txt', 'content');
    const [{ path } = { path: '' }] = await listed();
    const { text } = await trash.propfind(
      path,
      '0',
      '<d:propfind xmlns:d="DAV:"><d:prop><d:getetag/></d:prop></d:propfind>',
    );
    const [self] = [...parsed(text).values()];
    const { status, headers, text: content } = await trash.send('GET', path);
    expect([status, content, headers['content-type']]).toEqual([200, 'content', 'text/plain; charset=utf-8']);
    expect(self?.found.get('getetag')?.replaceAll('&quot;', '"')).toBe(headers.etag);
    expect(await statusOf(trash.send('GET', path, { headers: { 'if-none-match': String(headers.etag) } }))).toBe(304);
    const { entries } = (await household.control('activity.list', {})) as { entries: unknown[] };
    expect(JSON.stringify(entries)).toContain('a.txt');
  });

  it('follows no symbolic links in a deleted folder', async () => {
    await mkdir(at('Links'), { recursive: true });
    await symlink(household.folder, at('Links', 'out'));
    await symlink(at('stays.txt'), at('Links', 'file.txt'));
    await writeFile(at('stays.txt'), 'secret');
    await deleted('/Links', null);
    const [{ path } = { path: '' }] = await listed();
    const { text } = await trash.propfind(path, '1', ASKED);
    expect([...parsed(text).keys()]).toEqual([`${trash.prefix}${path}`]);
    for (const below of ['out', 'out/.larder', 'file.txt']) {
      expect([below, await statusOf(trash.send('GET', `${path}${below}`))]).toEqual([below, 404]);
      expect([below, await statusOf(trash.propfind(`${path}${below}`, '1'))]).toEqual([below, 404]);
    }
  });

  it('restores items to their place without replacing others', async () => {
    await mkdir(at('Box'), { recursive: true });
    await deleted('/Box/letter.txt', 'first');
    await app.put('/Box/letter.txt', 'second');
    const [item] = await listed();
    // As the Android app does.
    const reply = await restore(trash, item?.path ?? '', 'letter.txt');
    expect(reply.status).toBe(201);
    expect(await readFile(at('Box', 'letter.txt'), 'utf8')).toBe('second');
    expect(await readFile(at('Box', 'letter (restored).txt'), 'utf8')).toBe('first');
    expect(await listed()).toEqual([]);
    expect((await restore(trash, item?.path ?? '')).status).toBe(404);
    await deleted('/Box', null);
    const [folder] = await listed();
    expect(await statusOf(restore(trash, folder?.path ?? ''))).toBe(201);
    expect((await stat(at('Box', 'letter.txt'))).isFile()).toBe(true);
  });

  it('refuses to move items to other destinations', async () => {
    await deleted('/a.txt');
    const [{ path } = { path: '' }] = await listed();
    const files = `${app.base}${app.prefix}/a.txt`;
    for (const [destination, expected] of [
      [files, 403],
      [`${app.base}${trash.prefix}/trash/a.txt`, 403],
      [`${app.base}${trash.prefix}/restore/a/b`, 403],
      [`${app.base}/remote.php/dav/trashbin/ben/restore/a`, 404],
      [`${app.base}/remote.php/dav/versions/ann/restore/a`, 403],
      ['https://other.example/remote.php/dav/trashbin/ann/restore/a', 502],
      [`${app.base}${trash.prefix}/restore/%ff`, 403],
    ] as const) {
      const { status } = await trash.send('MOVE', path, { headers: { destination } });
      expect([destination, status]).toEqual([destination, expected]);
    }
    expect(await statusOf(trash.send('MOVE', path))).toBe(400);
    expect(await listed()).toHaveLength(1);
  });

  it('deletes one item or everything permanently', async () => {
    for (const name of ['a', 'b', 'c']) await deleted(`/${name}.txt`);
    const [item] = await listed();
    expect(await statusOf(trash.send('DELETE', item?.path ?? ''))).toBe(204);
    expect(await statusOf(trash.send('DELETE', item?.path ?? ''))).toBe(404);
    expect(await listed()).toHaveLength(2);
    // As the Android app does.
    expect(await statusOf(trash.send('DELETE', '/trash'))).toBe(204);
    expect(await listed()).toEqual([]);
    expect(await readdir(join(household.folder, '.larder', 'trash'))).toEqual([]);
  });

  it('is announced', async () => {
    const { body } = await send(household, 'GET', '/ocs/v2.php/cloud/capabilities?format=json', {
      headers: { authorization: app.authorization, 'ocs-apirequest': 'true' },
    });
    expect(body.ocs.data.capabilities.files.undelete).toBe(true);
  });
});

describe('rights', () => {
  it('nobody reaches the trash of another account', async () => {
    await deleted('/secret.txt');
    const [{ path } = { path: '' }] = await listed();
    await addMembersWithHomes(household, { ben: {} });
    const ben = await davClient(await signInAs(household, 'ben'));
    expect(await listed(inTrash(ben))).toEqual([]);
    for (const client of [inTrash(ben, 'ann'), inTrash(ben)]) {
      for (const one of [path, `${path}/b.txt`]) {
        expect(await statusOf(client.propfind(one, '1'))).toBe(404);
        expect(await statusOf(client.send('GET', one))).toBe(404);
      }
      expect(await statusOf(client.propfind(path, '0'))).toBe(404);
      expect(await statusOf(restore(client, path))).toBe(404);
      expect(await statusOf(client.send('DELETE', path))).toBe(404);
    }
    expect(await statusOf(inTrash(ben, 'ann').propfind('/trash/', '1'))).toBe(404);
    expect(await statusOf(inTrash(ben, 'ann').send('DELETE', '/trash'))).toBe(404);
    expect(await listed()).toHaveLength(1);
  });

  it('a read-only app sees it, but cannot change it', async () => {
    await deleted('/a.txt');
    const [{ path } = { path: '' }] = await listed();
    const reading = inTrash(await davClient(api, { read_only: 1 }));
    const [item] = await listed(reading);
    expect([item?.path, item?.found.get('permissions')]).toEqual([path, '']);
    expect(await statusOf(restore(reading, path))).toBe(403);
    expect(await statusOf(reading.send('DELETE', path))).toBe(403);
    expect(await statusOf(reading.send('DELETE', '/trash'))).toBe(403);
    expect(await statusOf(reading.send('GET', path))).toBe(200);
    const listing = inTrash(await davClient(api, { 'scopes[]': 'list' }));
    expect(await statusOf(listing.send('GET', path))).toBe(403);
    expect(await statusOf(listing.send('DELETE', '/trash'))).toBe(403);
    expect(await listed()).toHaveLength(1);
  });

  it('an app that is limited to a folder has no trash, and one with the whole home has one', async () => {
    await mkdir(at('only here'), { recursive: true });
    await deleted('/only%20here/a.txt');
    const [{ path } = { path: '' }] = await listed();
    const limited = inTrash(await davClient(api, { folder: '/ROOT/HOME/only here' }));
    expect(await statusOf(limited.propfind('/trash/', '1'))).toBe(404);
    expect(await statusOf(limited.propfind(path, '0'))).toBe(404);
    expect(await statusOf(limited.propfind(path, '1'))).toBe(404);
    expect(await statusOf(limited.send('GET', path))).toBe(404);
    expect(await statusOf(restore(limited, path))).toBe(404);
    expect(await statusOf(limited.send('DELETE', path))).toBe(404);
    expect(await statusOf(limited.send('DELETE', '/trash'))).toBe(404);
    // Without a limit, the files of the home are in a folder.
    const [item] = await listed(inTrash(await davClient(api)));
    expect(item?.found.get('trashbin-original-location')).toBe('My files/only here/a.txt');
  });

  it('a read-only account cannot change it, and a deactivated account cannot list it', async () => {
    await addMembersWithHomes(household, { lea: {} });
    const lea = await davClient(await signInAs(household, 'lea'));
    await lea.put('/My%20files/a.txt', 'x');
    await lea.send('DELETE', '/My%20files/a.txt');
    const [{ path } = { path: '' }] = await listed(inTrash(lea));
    await setPermissions(household, { lea: { readonly: true } });
    expect(await statusOf(restore(inTrash(lea), path))).toBe(403);
    expect(await statusOf(inTrash(lea).send('DELETE', '/trash'))).toBe(403);
    await household.control('accounts.update', { username: 'lea', activated: false });
    expect(await statusOf(inTrash(lea).propfind('/trash/', '1'))).toBe(401);
  });

  it('an account without a home has no trash', async () => {
    await household.control('accounts.add', { ...MEMBER, username: 'tom', name: 'Tom' });
    const tom = await davClient(await signInAs(household, 'tom'));
    expect(await statusOf(inTrash(tom).propfind('/trash/', '1'))).toBe(404);
  });
});

describe('addresses', () => {
  it('allow the methods that they announce', async () => {
    await deleted('/a.txt');
    const [{ path } = { path: '' }] = await listed();
    for (const [address, method, allow] of [
      ['/trash', 'PUT', 'OPTIONS, PROPFIND, DELETE'],
      ['/trash/', 'MOVE', 'OPTIONS, PROPFIND, DELETE'],
      [path, 'PUT', 'OPTIONS, PROPFIND, GET, HEAD, MOVE, DELETE'],
      [path, 'PROPPATCH', 'OPTIONS, PROPFIND, GET, HEAD, MOVE, DELETE'],
    ] as const) {
      const reply = await trash.send(method, address);
      expect([address, method, reply.status, reply.headers.allow]).toEqual([address, method, 405, allow]);
    }
    const options = await send(household, 'OPTIONS', `${trash.prefix}/trash`);
    expect([options.status, options.headers.allow]).toEqual([200, 'OPTIONS, PROPFIND, GET, HEAD, MOVE, DELETE']);
    for (const address of ['', '/restore', '/restore/a', '/none', `${path}/b`])
      expect([address, await statusOf(trash.propfind(address, '0'))]).toEqual([address, 404]);
    for (const address of ['/trash/%ff', '/trash/a%2Fb', '/trash/%00', '/trash/..%2f'])
      expect([address, await statusOf(trash.propfind(address, '0'))]).toEqual([address, 403]);
  });

  it('refuse invalid bodies and depths', async () => {
    for (const body of ['<d:propfind xmlns:d="DAV:"><d:prop>', 'x', '<!DOCTYPE a><a/>', '<d:prop xmlns:d="DAV:"/>']) {
      expect([body, await statusOf(trash.propfind('/trash/', '1', body))]).toEqual([body, 400]);
    }
    expect(await statusOf(trash.send('PROPFIND', '/trash/', { headers: { depth: 'infinity' } }))).toBe(403);
    expect(await statusOf(trash.send('DELETE', '/trash', { headers: { depth: '0' } }))).toBe(400);
  });

  it('cannot be used by pages, and are not found while the apps are switched off', async () => {
    const bare = await send(household, 'PROPFIND', `${trash.prefix}/trash/`, { headers: { depth: '1' } });
    expect([bare.status, bare.headers['content-security-policy']]).toEqual([401, "sandbox; default-src 'none'"]);
    const fromPage = { depth: '1', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' };
    expect(await statusOf(trash.send('PROPFIND', '/trash/', { headers: fromPage }))).toBe(403);
    await household.control('settings.update', { nextcloudApps: false });
    for (const method of ['PROPFIND', 'OPTIONS', 'MOVE', 'DELETE']) {
      expect([method, await statusOf(trash.send(method, '/trash'))]).toEqual([method, 404]);
    }
    await household.control('settings.update', { nextcloudApps: true });
    expect(await listed()).toEqual([]);
  });
});

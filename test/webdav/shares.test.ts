import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';

let household: SharingHousehold;
let olga: ApiClient;
let ben: DavClient;
let name = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
  ben = await davClient(household.as('ben'));
});
afterAll(() => household?.close());
beforeEach(async () => {
  name = await household.newBox();
});

const SHARED = '/Shared%20with%20me';
const status = async (reply: Promise<Reply>) => (await reply).status;
const names = async (client: DavClient, path: string) =>
  [...parsed((await client.propfind(path, '1')).text).keys()]
    .slice(1)
    .map((one) => decodeURIComponent(one.replace(/^\/dav/, '')));
const share = (item: string, form: Record<string, string | number>) =>
  household.share(`/ROOT/HOME/${item}`, { uid: household.ids.ben, ...form });

describe('a share of another person', () => {
  it('is listed below the name of its owner, and used like own files, within its rights', async () => {
    await share(name, { upload: 1, alter: 1, download: 1 });
    expect(await names(ben, '/')).toEqual(['/My files/', '/Shared with me/']);
    expect(await names(ben, SHARED)).toEqual(['/Shared with me/Mia/']);
    expect(await names(ben, `${SHARED}/Mia`)).toContain(`/Shared with me/Mia/${name}/`);
    const at = `${SHARED}/Mia/${name}`;
    expect(await names(ben, at)).toEqual([`/Shared with me/Mia/${name}/sub/`, `/Shared with me/Mia/${name}/a.txt`]);
    expect(await status(ben.put(`${at}/new.txt`, 'x'))).toBe(201);
    expect(await status(ben.transfer('MOVE', `${at}/new.txt`, `${at}/sub/new.txt`))).toBe(201);
    expect(await status(ben.transfer('COPY', `${at}/a.txt`, '/My%20files/copy.txt'))).toBe(201);
    expect(await status(ben.transfer('MOVE', `${at}/sub/new.txt`, '/My%20files/moved.txt'))).toBe(201);
    expect(await status(ben.send('DELETE', `${at}/a.txt`))).toBe(204);
    expect(await status(ben.send('DELETE', at))).toBe(403);
    expect(await status(ben.transfer('MOVE', at, '/My%20files/mine'))).toBe(403);
    expect((await olga.get('files/browse', { path: '/TRASH' })).body.data.files.length).toBeGreaterThan(0);
  });

  it('that is read-only cannot be changed, and reports that', async () => {
    await share(name, { upload: 0, alter: 0, download: 1 });
    const at = `${SHARED}/Mia/${name}`;
    const attempts = [
      ben.put(`${at}/new.txt`, 'x'),
      ben.put(`${at}/a.txt`, 'x'),
      ben.send('MKCOL', `${at}/folder`),
      ben.send('DELETE', `${at}/a.txt`),
      ben.transfer('MOVE', `${at}/a.txt`, `${at}/b.txt`),
      ben.lock(`${at}/a.txt`),
      ben.lock(`${at}/new.txt`),
      ben.send('PROPPATCH', `${at}/a.txt`, {
        body: '<propertyupdate xmlns="DAV:"><set><prop><x xmlns="y"/></prop></set></propertyupdate>',
      }),
    ];
    expect(await Promise.all(attempts.map(status))).toEqual(attempts.map(() => 403));
    const body = '<propfind xmlns="DAV:"><prop><permissions xmlns="http://owncloud.org/ns"/></prop></propfind>';
    const found = parsed((await ben.propfind(`${at}/a.txt`, '0', body)).text).get(`/dav${at}/a.txt`)?.found;
    expect(found?.get('permissions')).toBe('SG');
  });

  it('without download shows names only, without contents and their tags', async () => {
    await share(name, { upload: 1, alter: 1, download: 0 });
    const at = `${SHARED}/Mia/${name}`;
    expect(await status(ben.send('GET', `${at}/a.txt`))).toBe(403);
    expect(await status(ben.transfer('COPY', `${at}/a.txt`, '/My%20files/stolen.txt'))).toBe(403);
    const body =
      '<propfind xmlns="DAV:" xmlns:o="http://owncloud.org/ns"><prop><getetag/><o:checksums/></prop></propfind>';
    const found = parsed((await ben.propfind(`${at}/a.txt`, '0', body)).text).get(`/dav${at}/a.txt`);
    expect(found?.missing).toEqual(['404 getetag', '404 checksums']);
  });

  it('has no quota for its recipients: how full the home is concerns its owner', async () => {
    await share(name, { upload: 1, alter: 1, download: 1 });
    const body =
      '<propfind xmlns="DAV:"><prop><quota-available-bytes/><quota-used-bytes/><displayname/></prop></propfind>';
    const quota = async (path: string) => [...parsed((await ben.propfind(path, '0', body)).text).values()][0];
    const missing = ['404 quota-available-bytes', '404 quota-used-bytes'];
    expect((await quota(`${SHARED}/Mia/${name}/sub`))?.missing).toEqual(missing);
    expect((await quota(`${SHARED}/Mia/${name}`))?.missing).toEqual(missing);
    // A program asks at the top how much it may store.
    for (const own of ['/', '/My%20files/']) expect((await quota(own))?.missing).toEqual([]);
  });

  it('as a single file is listed with the rights of its share', async () => {
    await share(`${name}/a.txt`, { upload: 0, alter: 0, download: 0 });
    const body =
      '<propfind xmlns="DAV:" xmlns:o="http://owncloud.org/ns"><prop><getetag/><o:permissions/><o:checksums/></prop></propfind>';
    const listed = parsed((await ben.propfind(`${SHARED}/Mia`, '1', body)).text);
    const own = [...listed].find(([href]) => href.endsWith('/a.txt'))?.[1];
    expect(own?.missing).toEqual(['404 getetag', '404 checksums']);
    expect(own?.found.get('permissions')).toBe('S');
  });

  it('says that it stays where it is, like a home and a list, and that what is in it can be moved', async () => {
    await share(name, { upload: 1, alter: 1, download: 1, share: 1 });
    await share(`${name}/a.txt`, { upload: 1, alter: 1, download: 1 });
    const body = '<propfind xmlns="DAV:"><prop><permissions xmlns="http://owncloud.org/ns"/></prop></propfind>';
    const letters = async (path: string, depth: '0' | '1' = '0') =>
      new Map(
        [...parsed((await ben.propfind(path, depth, body)).text)].map(([href, { found }]) => [
          decodeURIComponent(href).replace('/dav', ''),
          found.get('permissions'),
        ]),
      );
    expect(Object.fromEntries(await letters('/', '1'))).toEqual({
      '/': 'G',
      '/My files/': 'GCK',
      '/Shared with me/': 'G',
    });
    expect(Object.fromEntries(await letters('/My%20files'))).toEqual({ '/My files/': 'GCK' });
    const list = await letters(`${SHARED}/Mia`, '1');
    expect([list.get('/Shared with me/Mia/'), list.get(`/Shared with me/Mia/${name}/`)]).toEqual(['G', 'SRGCK']);
    expect([...list].filter(([path]) => /\/a(?: \(\d+\))?\.txt$/.test(path)).map(([, value]) => value)).toContain(
      'SGW',
    );
    expect(Object.fromEntries(await letters(`${SHARED}/Mia/${name}`, '1'))).toEqual({
      [`/Shared with me/Mia/${name}/`]: 'SRGCK',
      [`/Shared with me/Mia/${name}/sub/`]: 'SRGDNVCK',
      [`/Shared with me/Mia/${name}/a.txt`]: 'SRGDNVW',
    });
  });

  it('gets other tags when its owner allows more, also in the lists above and in the API, and nobody else does', async () => {
    await share(name, { download: 1 });
    const body = '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>';
    const tag = async (client: DavClient, path: string) =>
      [...parsed((await client.propfind(path, '0', body)).text).values()][0]?.found
        .get('getetag')
        ?.replaceAll('&quot;', '"');
    const places = ['/', SHARED, `${SHARED}/Mia`, `${SHARED}/Mia/${name}`, `${SHARED}/Mia/${name}/sub`];
    const file = `${SHARED}/Mia/${name}/a.txt`;
    const own = await davClient(olga);
    const tags = async () => ({
      ben: await Promise.all(places.map((path) => tag(ben, path))),
      others: [await tag(ben, '/My%20files'), await tag(ben, file), await tag(own, `/My%20files/${name}`)],
    });
    // What other programs have put there changes tags once Larder has seen it.
    await olga.get('files/browse', { path: '/ROOT/HOME', recursive: 1 });
    const before = await tags();
    await share(name, { download: 1, upload: 1, alter: 1 });
    const after = await tags();
    expect(after.others).toEqual(before.others);
    for (const [at, one] of before.ben.entries()) expect(after.ben[at]).not.toBe(one);
    const api = household.as('ben');
    const { body: list } = await api.get('files/browse', { path: `/ROOT/${household.ids.olga}` });
    const { path } = list.data.files.find(({ filename }: { filename: string }) => filename === name);
    const info = await api.get('files/info', { path, 'details[]': ['etag'] });
    expect(info.body.data.etag).toBe(after.ben[3]);
    const { body: content } = await api.get('files/browse', { path, 'details[]': ['etag'] });
    expect(content.data.files.map(({ etag }: { etag: string }) => etag)).toContain(after.ben[4]);
    expect(
      await status(
        ben.send('PROPPATCH', `${SHARED}/Mia/${name}/sub`, {
          headers: { 'if-match': String(after.ben[4]) },
          body: '<propertyupdate xmlns="DAV:"><set><prop><x xmlns="y">z</x></prop></set></propertyupdate>',
        }),
      ),
    ).toBe(207);
  });

  it('disappears when it ends, and does not exist for others', async () => {
    const id = await share(name, { download: 1 });
    const at = `${SHARED}/Mia/${name}/a.txt`;
    expect(await status(ben.send('GET', at))).toBe(200);
    const sam = await davClient(household.as('sam'));
    expect(await status(sam.send('GET', at))).toBe(404);
    expect(await names(sam, SHARED)).toEqual([]);
    await olga.post('files/unshare', { path: `/ROOT/HOME/${name}`, shareid: id, uid: household.ids.ben });
    expect(await status(ben.send('GET', at))).toBe(404);
    expect(await status(ben.propfind(at, '0'))).toBe(404);
  });

  it('that is anonymous is listed beside the people, without a name', async () => {
    await share(name, { download: 1, anonymous: 1 });
    const { text } = await ben.propfind(SHARED, '1');
    expect(text).toContain(`/dav${SHARED}/${name}/`);
    expect(await names(ben, `${SHARED}/${name}`)).toContain(`/Shared with me/${name}/a.txt`);
    await olga.post('files/lock', { path: `/ROOT/HOME/${name}/a.txt` });
    const locked = await ben.propfind(`${SHARED}/${name}/a.txt`, '0');
    expect(locked.text).toContain('<d:activelock>');
    expect(locked.text).not.toContain('Mia');
  });

  it('with the name of another one can be distinguished', async () => {
    await household.put(`${name}/one/Same/a.txt`, `${name}/two/Same/b.txt`);
    await share(`${name}/one/Same`, { download: 1 });
    await share(`${name}/two/Same`, { download: 1 });
    const same = (await names(ben, `${SHARED}/Mia`)).filter((one) => one.includes('/Same'));
    expect(same).toEqual(['/Shared with me/Mia/Same/', '/Shared with me/Mia/Same (2)/']);
    expect(await names(ben, `${SHARED}/Mia/Same`)).toEqual(['/Shared with me/Mia/Same/a.txt']);
    expect(await names(ben, `${SHARED}/Mia/Same%20(2)`)).toEqual(['/Shared with me/Mia/Same (2)/b.txt']);
  });
});

describe('an app password', () => {
  it('that is limited to a folder opens only that folder', async () => {
    const limited = await davClient(olga, { folder: `/ROOT/HOME/${name}` });
    expect(await names(limited, '/')).toEqual(['/sub/', '/a.txt']);
    expect(await status(limited.put('/new.txt', 'x'))).toBe(201);
    expect(await status(limited.send('GET', `/My%20files/${name}/a.txt`))).toBe(404);
    expect(await status(limited.transfer('MOVE', '/new.txt', '/sub/new.txt'))).toBe(201);
    expect(await status(limited.send('DELETE', '/'))).toBe(403);
    // It follows the folder.
    await olga.post('files/rename', { path: `/ROOT/HOME/${name}`, newName: `${name} moved` });
    expect(await names(limited, '/sub')).toEqual(['/sub/b.txt', '/sub/new.txt']);
    await olga.post('files/delete', { path: `/ROOT/HOME/${name} moved` });
    expect(await status(limited.propfind('/', '1'))).toBe(404);
  });

  it('that is read-only changes nothing', async () => {
    const reading = await davClient(olga, { read_only: 1 });
    const at = `/My%20files/${name}`;
    expect(await status(reading.send('GET', `${at}/a.txt`))).toBe(200);
    const attempts = [
      reading.put(`${at}/new.txt`, 'x'),
      reading.send('MKCOL', `${at}/folder`),
      reading.send('DELETE', `${at}/a.txt`),
      reading.transfer('MOVE', `${at}/a.txt`, `${at}/b.txt`),
      reading.transfer('COPY', `${at}/a.txt`, `${at}/b.txt`),
      reading.lock(`${at}/a.txt`),
    ];
    expect(await Promise.all(attempts.map(status))).toEqual(attempts.map(() => 403));
  });

  it('that may only download gets files, as with the API, and no lists', async () => {
    const limited = await davClient(olga, { 'scopes[]': 'download' });
    const at = `/My%20files/${name}`;
    const read = await limited.send('GET', `${at}/a.txt`);
    expect([read.status, read.text]).toEqual([200, `content of ${name}/a.txt`]);
    expect(await status(limited.send('HEAD', `${at}/a.txt`))).toBe(200);
    expect(await status(limited.send('GET', `${at}/none.txt`))).toBe(404);
    expect(await status(limited.propfind(at, '1'))).toBe(403);
  });

  it('has only its scopes', async () => {
    const { body } = await olga.post('account/app-passwords/add', { label: 'x', 'scopes[]': ['list', 'upload'] });
    const { DavClient: Client } = await import('../support/webdav/dav-client.ts');
    const limited = new Client(olga.with(''), 'olga', body.data.password);
    const at = `/My%20files/${name}`;
    expect(await status(limited.propfind(at, '1'))).toBe(207);
    expect(await status(limited.put(`${at}/new.txt`, 'x'))).toBe(201);
    expect(await status(limited.send('GET', `${at}/a.txt`))).toBe(403);
    expect(await status(limited.send('DELETE', `${at}/a.txt`))).toBe(403);
    expect(await status(limited.transfer('MOVE', `${at}/a.txt`, `${at}/b.txt`))).toBe(403);
  });
});

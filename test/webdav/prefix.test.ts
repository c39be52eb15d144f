import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { ApiClient } from '../support/requests/api-client.ts';
import { DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';

// An installation with a prefix. Programs that look for WebDAV at the root of the host find it there, too.

const PREFIX = '/larder';

let household: Household;
let below: DavClient;
/** The same program at the root of the host. */
let root: DavClient;
let anyone: ApiClient;
let name = '';
let next = 0;

beforeAll(async () => {
  household = await openHousehold({ config: { basePath: PREFIX } });
  below = await davClient(await household.signIn());
  anyone = new ApiClient({ port: household.port, ca: household.ca });
  root = below.over(anyone);
});
afterAll(() => household?.close());
beforeEach(async () => {
  next += 1;
  name = `box${next}`;
  expect((await root.send('MKCOL', `/My%20files/${name}`)).status).toBe(201);
  expect((await root.put(`/My%20files/${name}/a.txt`, 'content')).status).toBe(201);
});

const hrefsOf = (text: string) => [...parsed(text).keys()];
const onDisk = () => readdir(join(household.home, name));

describe.each(['/dav', '/remote.php/dav', '/remote.php/webdav', '/dav/files/ann', '/remote.php/dav/files/ann'])(
  'WebDAV at %s',
  (prefix) => {
    it('is available in both places, with addresses of the same form as the request', async () => {
      const path = `/My%20files/${name}`;
      const [here, there] = [await root.at(prefix).propfind(path, '1'), await below.at(prefix).propfind(path, '1')];
      expect([here.status, there.status]).toEqual([207, 207]);
      expect(hrefsOf(here.text)).toEqual([`${prefix}${path}/`, `${prefix}${path}/a.txt`]);
      expect(hrefsOf(there.text)).toEqual([`${PREFIX}${prefix}${path}/`, `${PREFIX}${prefix}${path}/a.txt`]);
      const lock = await root.at(prefix).lock(`${path}/a.txt`);
      expect(lock.text).toContain(`<d:lockroot><d:href>${prefix}${path}/a.txt</d:href></d:lockroot>`);
      const refused = await below.at(prefix).put(`${path}/a.txt`, 'x');
      expect([refused.status, refused.text]).toEqual([
        423,
        expect.stringContaining(`<d:href>${PREFIX}${prefix}${path}/a.txt</d:href>`),
      ]);
    });
  },
);

describe('Destination and If', () => {
  it.each(['root', 'below'] as const)('can have either form, for a request at %s', async (place) => {
    const client = place === 'root' ? root : below;
    const address = (item: string) => `/dav/My%20files/${name}/${item}`;
    const { base } = anyone;
    const forms = [
      (path: string) => path,
      (path: string) => `${PREFIX}${path}`,
      (path: string) => `${base}${path}`,
      (path: string) => `${base}${PREFIX}${path}`,
    ];
    let from = 'a.txt';
    for (const [index, form] of forms.entries()) {
      const to = `${index}.txt`;
      const { token } = await client.lock(`/My%20files/${name}/${from}`);
      const headers = { destination: form(address(to)), if: `<${form(address(from))}> (<${token}>)` };
      expect((await client.send('MOVE', `/My%20files/${name}/${from}`, { headers })).status).toBe(201);
      const wrong = { destination: form(address('b.txt')), if: `<${form(address(to))}> (["other"])` };
      expect((await client.send('COPY', `/My%20files/${name}/${to}`, { headers: wrong })).status).toBe(412);
      from = to;
    }
    expect(await onDisk()).toEqual(['3.txt']);
    const away = { destination: `/elsewhere/dav/My%20files/${name}/x.txt` };
    expect((await client.send('MOVE', `/My%20files/${name}/3.txt`, { headers: away })).status).toBe(502);
  });
});

it('OPTIONS is answered at the root, as Windows asks', async () => {
  for (const path of ['/', '/dav/', `${PREFIX}/`, `${PREFIX}/dav/`]) {
    const { status, headers } = await anyone.send('OPTIONS', path);
    expect([path, status, headers.dav]).toEqual([path, 200, '1, 2, 3']);
  }
});

it('the addresses of apps for Nextcloud are available in both places', async () => {
  const headers = { authorization: root.authorization, 'ocs-apirequest': 'true' };
  for (const prefix of ['', PREFIX]) {
    expect((await anyone.send('GET', `${prefix}/status.php`)).body).toMatchObject({ installed: true });
    const user = await anyone.send('GET', `${prefix}/ocs/v2.php/cloud/user?format=json`, { headers });
    expect(user.body.ocs.data.id).toBe('ann');
    const { body } = await anyone.send('POST', `${prefix}/index.php/login/v2`);
    expect(body.poll.endpoint).toBe(`${anyone.base}${prefix}/index.php/login/v2/poll`);
    // The page for the browser is in one place.
    expect(body.login).toContain(`${anyone.base}${PREFIX}/account/connect?flow=`);
    const trees = new DavClient(anyone, root.username, root.password, `${prefix}/remote.php/dav`);
    const trash = await trees.propfind('/trashbin/ann/trash/', '1');
    expect(hrefsOf(trash.text)[0]).toBe(`${prefix}/remote.php/dav/trashbin/ann/trash/`);
    const id = `upload-${prefix.length}`;
    expect((await trees.send('MKCOL', `/uploads/ann/${id}`)).status).toBe(201);
    expect((await trees.put(`/uploads/ann/${id}/1`, 'joined')).status).toBe(201);
    // To the other form of the address.
    const destination = `${prefix === '' ? PREFIX : ''}/remote.php/dav/files/ann/My%20files/${name}/${id}.txt`;
    const joined = await trees.send('MOVE', `/uploads/ann/${id}/.file`, { headers: { destination } });
    expect([joined.status, await readFile(join(household.home, name, `${id}.txt`), 'utf8')]).toEqual([201, 'joined']);
  }
});

it('nothing else is at the root', async () => {
  for (const path of ['/', '/files/', '/api.php', '/tus/', '/panel/', '/dave/', '/login']) {
    const { status } = await anyone.send('GET', path);
    expect([path, status]).toEqual([path, 404]);
  }
  const { status } = await anyone.send('PROPFIND', '/larder', { headers: { authorization: root.authorization } });
  expect(status).toBe(404);
  // Signing in is needed there, too.
  expect((await anyone.send('PROPFIND', '/dav/', { headers: { depth: '0' } })).status).toBe(401);
});

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';

// What is to be replaced stays unless all of the request succeeds.

let household: SharingHousehold;
let olga: ApiClient;
let dav: DavClient;
let ben: DavClient;
let name = '';
let box = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
  dav = await davClient(olga);
  ben = await davClient(household.as('ben'));
  await ben.send('MKCOL', '/My%20files/mine');
});
afterAll(() => household?.close());
beforeEach(async () => {
  name = await household.newBox();
  box = `/My%20files/${name}`;
});

const SHARED = '/Shared%20with%20me/Mia';
const status = async (reply: Promise<Reply>) => (await reply).status;
const names = async (client: DavClient, path: string) =>
  [...parsed((await client.propfind(path, '1')).text).keys()].slice(1).map((one) => one.split('/').at(-2));
const share = (form: Record<string, number>) =>
  household.share(`/ROOT/HOME/${name}`, { uid: household.ids.ben, ...form });
const limit = (person: 'olga' | 'ben', settings: Record<string, unknown>) =>
  household.control('accounts.update', { id: household.ids[person], ...settings });

it('a request that the share does not allow does not change its destination', async () => {
  await household.put(`${name}/there/x.txt`);
  await share({ alter: 1, upload: 0, download: 1 });
  const to = `${SHARED}/${name}/there`;
  const before = (await olga.get('files/browse', { path: '/TRASH' })).body.data.files.length;
  expect(await status(ben.transfer('COPY', '/My%20files/mine', to))).toBe(403);
  expect(await status(ben.transfer('COPY', '/My%20files/mine', to, { depth: '0' }))).toBe(403);
  expect(await status(ben.transfer('MOVE', '/My%20files/mine', to))).toBe(403);
  expect(await status(ben.send('GET', `${to}/x.txt`))).toBe(200);
  expect((await olga.get('files/browse', { path: '/TRASH' })).body.data.files.length).toBe(before);
});

it('a shared folder is restored if its replacement does not fit', async () => {
  await household.put(`${name}/there/x.txt`);
  await share({ alter: 1, upload: 1, download: 1 });
  expect(await status(ben.put('/My%20files/mine/forbidden.exe', 'x'))).toBe(201);
  await limit('olga', { permissions: { upload_limit_types: 'txt' } });
  const to = `${SHARED}/${name}/there`;
  expect(await status(ben.transfer('COPY', '/My%20files/mine', to))).toBe(415);
  expect(await status(ben.send('GET', `${to}/x.txt`))).toBe(200);
  await limit('olga', { permissions: { upload_limit_types: '' } });
});

it('a failed condition or a locked source does not end the locks of the destination', async () => {
  await household.put(`${name}/there/x.txt`);
  const { token } = await dav.lock(`${box}/there`, { headers: { depth: 'infinity' } });
  const other = await davClient(olga);
  await other.lock(`${box}/a.txt`);
  const own = { if: `<${dav.prefix}${box}/there> (<${token}>)` };
  expect(await status(dav.transfer('MOVE', `${box}/a.txt`, `${box}/there`, own))).toBe(423);
  const stale = { ...own, 'if-match': '"another"' };
  expect(await status(dav.transfer('COPY', `${box}/a.txt`, `${box}/there`, stale))).toBe(412);
  expect(await status(other.put(`${box}/there/x.txt`, 'x'))).toBe(423);
  expect(await names(dav, box)).toContain('there');
});

it('Overwrite accepts only T and F', async () => {
  for (const overwrite of ['F, F', 'false', 'no', '']) {
    const reply = dav.transfer('COPY', `${box}/a.txt`, `${box}/sub/b.txt`, { overwrite });
    expect([overwrite, await status(reply)]).toEqual([overwrite, 400]);
  }
  expect(await status(dav.transfer('COPY', `${box}/a.txt`, `${box}/sub/b.txt`, { overwrite: 'f' }))).toBe(412);
  expect((await dav.send('GET', `${box}/sub/b.txt`)).text).toBe(`content of ${name}/sub/b.txt`);
});

it('a folder named "files" is an ordinary folder for a program that is limited to its parent', async () => {
  await household.put(`${name}/files/olga/a.txt`, `${name}/files/x.txt`);
  const limited = await davClient(olga, { folder: `/ROOT/HOME/${name}` });
  expect(await status(limited.send('GET', '/files/x.txt'))).toBe(200);
  expect(await status(limited.send('DELETE', '/files/olga/a.txt'))).toBe(204);
  expect(await status(limited.send('GET', '/a.txt'))).toBe(200);
  const nextcloud = limited.at('/remote.php/dav/files/olga');
  expect(await status(nextcloud.send('GET', '/files/x.txt'))).toBe(200);
  expect(await status(limited.at('/remote.php/dav').propfind('/', '1'))).toBe(404);
});

it('a destination with unencoded characters is read as UTF-8 only', async () => {
  const bytes = (path: Buffer) => ({
    destination: Buffer.concat([Buffer.from(`/dav${box}/`), path]).toString('latin1'),
  });
  const copied = dav.send('COPY', `${box}/a.txt`, { headers: bytes(Buffer.from('\u00e9.txt')) });
  expect(await status(copied)).toBe(201);
  expect(await status(dav.send('GET', `${box}/%C3%A9.txt`))).toBe(200);
  const other = dav.send('COPY', `${box}/a.txt`, { headers: bytes(Buffer.from([0xe9, 0x2e])) });
  expect(await status(other)).toBe(403);
});

import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';

// The lists of people and shares, whatever these are called.

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
const hrefs = async (client: DavClient, path: string) =>
  [...(await client.propfind(path, '1')).text.matchAll(/<d:href>(.*?)<\/d:href>/g)]
    .slice(1)
    .map(([, href = '']) => decodeURIComponent(href));
const share = (item: string, form: Record<string, string | number>) =>
  household.share(`/ROOT/HOME/${item}`, { uid: household.ids.ben, download: 1, ...form });

it('an anonymous share with the name of a person has its own address', async () => {
  await share(name, {});
  const other = await household.newBox();
  await share(other, { anonymous: 1, alias: 'Mia' });
  const listed = await hrefs(ben, SHARED);
  expect(listed).toEqual(['/dav/Shared with me/Mia/', '/dav/Shared with me/Mia (2)/']);
  expect(await hrefs(ben, `${SHARED}/Mia%20(2)`)).toContain('/dav/Shared with me/Mia (2)/a.txt');
});

it.each([['..'], ['.'], ['a/b']])('a person called %s has an address', async (called) => {
  await share(name, {});
  const rename = (to: string) => household.control('accounts.update', { id: household.ids.olga, name: to });
  await rename(called);
  try {
    const [address = ''] = await hrefs(ben, SHARED);
    expect(address.split('/')).toHaveLength(5);
    const path = address.slice('/dav'.length).split('/').map(encodeURIComponent).join('/');
    expect(await status(ben.send('GET', `${path}${name}/a.txt`))).toBe(200);
  } finally {
    await rename('Mia');
  }
});

it('other shares are listed if another program has removed a shared file', async () => {
  await household.put(`${name}/alone.txt`);
  await share(`${name}/alone.txt`, {});
  await share(name, {});
  expect(await hrefs(ben, `${SHARED}/Mia`)).toContain('/dav/Shared with me/Mia/alone.txt');
  await rm(household.at(`${name}/alone.txt`));
  const listed = await hrefs(ben, `${SHARED}/Mia`);
  expect(listed).toContain(`/dav/Shared with me/Mia/${name}/`);
  expect(listed).not.toContain('/dav/Shared with me/Mia/alone.txt');
});

it('each recipient sees a shared folder with the name that it has for them', async () => {
  await share(name, { alias: 'For Ben' });
  await household.share(`/ROOT/HOME/${name}`, { uid: household.ids.gil, download: 1, alias: 'For Gil' });
  const shownTo = async (person: 'ben' | 'gil') => {
    const api = household.as(person);
    const limited = await davClient(api, { folder: await pathOf(api) });
    return parsed((await limited.propfind('/', '1')).text)
      .get('/dav/')
      ?.found.get('displayname');
  };
  const pathOf = async (api: ApiClient) => {
    const { body } = await api.get('files/browse', { path: `/ROOT/${household.ids.olga}` });
    return body.data.files.find(({ filename }: { filename: string }) => filename.startsWith('For ')).path;
  };
  for (let times = 0; times < 3; times += 1) expect(await shownTo('ben')).toBe('For Ben');
  expect(await shownTo('gil')).toBe('For Gil');
});

it('a lock ends with its app password', async () => {
  const { body } = await olga.post('account/app-passwords/add', { label: 'Lost laptop' });
  const { DavClient: Client } = await import('../support/webdav/dav-client.ts');
  const lost = new Client(olga.with(''), 'olga', body.data.password);
  const other = await davClient(olga);
  const box = `/My%20files/${name}`;
  expect(await status(lost.lock(box, { headers: { depth: 'infinity', timeout: 'Infinite' } }))).toBe(200);
  expect(await status(other.put(`${box}/a.txt`, 'x'))).toBe(423);
  await olga.post('account/app-passwords/delete', { id: body.data.id });
  expect((await other.propfind(box, '0')).text).not.toContain('activelock');
  expect(await status(other.put(`${box}/a.txt`, 'x'))).toBe(204);
  expect(await status(other.lock(box))).toBe(200);
});

it('a program that is limited to a folder cannot remove locks above it', async () => {
  const all = await davClient(olga);
  const { token } = await all.lock(`/My%20files/${name}`, { headers: { depth: 'infinity' } });
  const limited = await davClient(olga, { folder: `/ROOT/HOME/${name}/sub` });
  const headers = { 'lock-token': `<${token}>` };
  expect(await status(limited.send('UNLOCK', '/b.txt', { headers }))).toBe(403);
  const above = await davClient(olga, { folder: `/ROOT/HOME/${name}` });
  expect(await status(above.send('UNLOCK', '/sub/b.txt', { headers }))).toBe(204);
});

it('a program that may only list gets no hashes of contents', async () => {
  const all = await davClient(olga);
  const ask =
    '<propfind xmlns="DAV:" xmlns:o="http://owncloud.org/ns"><prop><displayname/><o:checksums/></prop></propfind>';
  await all.put(`/My%20files/${name}/s.txt`, 'secret');
  const { body } = await olga.post('account/app-passwords/add', { label: 'x', 'scopes[]': ['list'] });
  const { DavClient: Client } = await import('../support/webdav/dav-client.ts');
  const listing = new Client(olga.with(''), 'olga', body.data.password);
  const shown = async (client: DavClient) => [
    (await client.propfind(`/My%20files/${name}/s.txt`, '0', ask)).text.includes('SHA256:'),
    (await client.propfind(`/My%20files/${name}`, '1', ask)).text.includes('SHA256:'),
  ];
  expect([await shown(all), await shown(listing)]).toEqual([
    [true, true],
    [false, false],
  ]);
});

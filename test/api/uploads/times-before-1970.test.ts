import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { type DavClient, davClient } from '../../support/webdav/dav-client.ts';

let household: Household;
let api: ApiClient;
let dav: DavClient;

/** The first step on the moon was a few hours later. */
const SECONDS = -14_182_940;
const TIME = '1969-07-20T20:17:40Z';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  dav = await davClient(api);
});
afterAll(() => household?.close());

const path = (name: string) => `/ROOT/HOME/${name}`;

/** The time of a file for clients, and on the disk. */
async function timesOf(name: string): Promise<unknown[]> {
  const { body } = await api.get('files/info', { path: path(name), 'details[]': ['mdate'] });
  const { headers } = await api.send('HEAD', `/api.php/files/download?path=${encodeURIComponent(path(name))}`);
  return [body.data.mdate, headers['last-modified'], (await stat(`${household.home}/${name}`)).mtimeMs];
}

const EXPECTED = [TIME, 'Sun, 20 Jul 1969 20:17:40 GMT', SECONDS * 1_000];

it('a time before 1970 is kept by an upload', async () => {
  expect((await api.put({ path: path('whole.txt'), lastModified: SECONDS }, 'whole')).status).toBe(201);
  expect(await timesOf('whole.txt')).toEqual(EXPECTED);
});

it('a time before 1970 is kept by an upload in chunks', async () => {
  const query = { path: path('chunks.txt'), lastModified: SECONDS, totalSize: 4 };
  await api.put({ ...query, startByte: 0 }, 'ab');
  await api.put({ ...query, startByte: 2 }, 'cd');
  expect(await timesOf('chunks.txt')).toEqual(EXPECTED);
});

it('a time before 1970 is kept by an upload with tus', async () => {
  const metadata = `filename ${btoa('tus.txt')},lastModified ${btoa(String(SECONDS))}`;
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '3', 'upload-metadata': metadata };
  const type = { 'content-type': 'application/offset+octet-stream' };
  expect((await api.send('POST', '/tus/', { headers: { ...headers, ...type }, body: 'tus' })).status).toBe(201);
  expect(await timesOf('tus.txt')).toEqual(EXPECTED);
});

it('a time before 1970 is kept by WebDAV, from the header of sync programs and as a property', async () => {
  const put = await dav.send('PUT', '/My%20files/dav.txt', { headers: { 'x-oc-mtime': String(SECONDS) }, body: 'dav' });
  expect([put.status, put.headers['x-oc-mtime']]).toEqual([201, 'accepted']);
  expect(await timesOf('dav.txt')).toEqual(EXPECTED);
  await dav.send('PUT', '/My%20files/property.txt', { body: 'dav' });
  const value = EXPECTED[1];
  const body = `<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><d:getlastmodified>${value}</d:getlastmodified></d:prop></d:set></d:propertyupdate>`;
  expect((await dav.send('PROPPATCH', '/My%20files/property.txt', { body })).text).toContain('200 OK');
  expect(await timesOf('property.txt')).toEqual(EXPECTED);
});

it('a time is refused if it is too early for a disk to store', async () => {
  const reply = await api.put({ path: path('early.txt'), lastModified: -(2 ** 31) - 1 }, 'early');
  expect(reply.body).toMatchObject({ code: 'invalid_parameter', details: { parameter: 'lastModified' } });
  expect((await api.put({ path: path('early.txt'), lastModified: -(2 ** 31) }, 'early')).status).toBe(201);
  expect((await timesOf('early.txt'))[0]).toBe('1901-12-13T20:45:52Z');
});

it('a time before 1970 is kept by a copy and a restore from the trash', async () => {
  await api.put({ path: path('kept.txt'), lastModified: SECONDS }, 'kept');
  await dav.send('MKCOL', '/My%20files/copies');
  await api.post('files/copy', { path: path('kept.txt'), copyTo: path('copies') });
  expect(await timesOf('copies/kept.txt')).toEqual(EXPECTED);
  const { body } = await api.post('files/delete', { path: path('kept.txt') });
  await api.post('files/trash/restore', { path: body.data.trash_path });
  expect(await timesOf('kept.txt')).toEqual(EXPECTED);
});

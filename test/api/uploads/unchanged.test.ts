import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { setPermissions } from '../../support/households/member.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';

let household: SharingHousehold;
let olga: ApiClient;
let box = '';
let path = '';
let first: Reply;
const TEXT = 'the same text';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
});
afterAll(() => household.close());
beforeEach(async () => {
  box = await household.newBox();
  path = `/ROOT/HOME/${box}/note.txt`;
  first = await olga.put({ path }, TEXT);
});

const file = () => household.at(`${box}/note.txt`);
const versions = async () => (await olga.get('files/versions/list', { path })).body.data.versions.length;
const leftover = async () =>
  (await readdir(household.folder, { recursive: true })).filter((name) => /\bincoming\b./.test(name));
const isUnchanged = ({ status, body }: Reply) => [status, body.data.unchanged ?? false];

it('uploading the same content again changes nothing, and leaves no temporary data', async () => {
  const before = await stat(file());
  const put = await olga.put({ path }, TEXT);
  expect(isUnchanged(put)).toEqual([200, true]);
  expect(put.body.data).toEqual({ ...first.body.data, created: false, unchanged: true });
  expect(put.headers.etag).toBe(first.headers.etag);
  const body = new FormData();
  body.set('path', path);
  body.set('file', new Blob([TEXT]));
  const form = new Response(body);
  const post = await olga.send('POST', '/api.php/files/upload', {
    headers: { 'content-type': form.headers.get('content-type') ?? '' },
    body: Buffer.from(await form.arrayBuffer()),
  });
  expect(isUnchanged(post)).toEqual([200, true]);
  expect((await stat(file())).mtimeMs).toBe(before.mtimeMs);
  expect(await versions()).toBe(1);
  expect(await leftover()).toEqual([]);
});

/** In two parts. @returns the reply to the second */
async function putChunked(api: ApiClient, at: string, content: string, more = {}): Promise<Reply> {
  const upload = { path: at, totalSize: content.length, uploadId: `chunked-in-two-parts-${randomUUID()}`, ...more };
  await api.put({ ...upload, startByte: 0 }, content.slice(0, 4));
  return api.put({ ...upload, startByte: 4 }, content.slice(4));
}

it('the same content in chunks changes nothing but the time, and leaves no temporary data', async () => {
  const lastModified = 1_000_000_000;
  const same = await putChunked(olga, path, TEXT, { lastModified });
  expect(isUnchanged(same)).toEqual([200, true]);
  expect(same.body.data).toMatchObject({ uuid: first.body.data.uuid, version: 1, created: false });
  expect(same.headers.etag).toBe(first.headers.etag);
  expect((await stat(file())).mtimeMs).toBe(lastModified * 1_000);
  expect(await leftover()).toEqual([]);
  expect(isUnchanged(await putChunked(olga, path, TEXT.toUpperCase()))).toEqual([200, false]);
  expect(await readFile(file(), 'utf8')).toBe(TEXT.toUpperCase());
  expect(await versions()).toBe(2);
  expect(await leftover()).toEqual([]);
});

it('the same content changes nothing either while the hash of the present one is not known', async () => {
  // Chunks are not hashed together, unless their content may be that of the file.
  const { version } = (await putChunked(olga, path, `${TEXT}.`)).body.data;
  const same = await olga.put({ path }, `${TEXT}.`);
  expect([...isUnchanged(same), same.body.data.version]).toEqual([200, true, version]);
  await olga.put({ path, totalSize: 4, startByte: 0, uploadId: 'chunked-once-more' }, 'text');
  expect(isUnchanged(await olga.put({ path }, 'TEXT'))).toEqual([200, false]);
  expect(await readFile(file(), 'utf8')).toBe('TEXT');
});

it('different content creates a version, but the same content with another time does not', async () => {
  expect(isUnchanged(await olga.put({ path }, 'the same TEXT'))).toEqual([200, false]);
  expect(isUnchanged(await olga.put({ path }, TEXT))).toEqual([200, false]);
  expect(isUnchanged(await olga.put({ path, lastModified: 1_000_000_000 }, TEXT))).toEqual([200, true]);
  expect((await stat(file())).mtimeMs).toBe(1_000_000_000_000);
  expect(await versions()).toBe(3);
});

it('a file that another program has changed is replaced, even if its size and time are the same', async () => {
  const { atime, mtime } = await stat(file());
  await writeFile(file(), TEXT.toUpperCase());
  expect(isUnchanged(await olga.put({ path }, TEXT))).toEqual([200, false]);
  expect(await readFile(file(), 'utf8')).toBe(TEXT);
  const whole = new Date(Math.floor(mtime.getTime() / 1000) * 1000);
  await olga.put({ path, lastModified: whole.getTime() / 1000 }, TEXT);
  await writeFile(file(), TEXT.toUpperCase());
  await utimes(file(), atime, whole);
  expect(isUnchanged(await olga.put({ path }, TEXT))).toEqual([200, false]);
  expect(await readFile(file(), 'utf8')).toBe(TEXT);
});

it('conditions and locks are respected even if the content is unchanged', async () => {
  expect((await olga.put({ path }, TEXT, { 'if-none-match': '*' })).status).toBe(412);
  await household.share(`/ROOT/HOME/${box}`, { uid: household.ids.ben, upload: 1, alter: 1, download: 1 });
  await olga.post('files/lock', { path });
  expect((await household.as('ben').put({ path: await pathFor('ben') }, TEXT)).status).toBe(423);
});

it('the reply reveals nothing of the content to callers who may not download', async () => {
  await household.share(`/ROOT/HOME/${box}`, { uid: household.ids.gil, upload: 1, alter: 1, download: 0 });
  const gil = household.as('gil');
  expect(isUnchanged(await gil.put({ path: await pathFor('gil') }, TEXT))).toEqual([200, false]);
  expect(isUnchanged(await putChunked(gil, await pathFor('gil'), TEXT))).toEqual([200, false]);
  const own = '/ROOT/HOME/own.txt';
  await household.as('sam').put({ path: own }, TEXT);
  expect(isUnchanged(await household.as('sam').put({ path: own }, TEXT))).toEqual([200, true]);
  await setPermissions(household, { sam: { download: false } });
  expect(isUnchanged(await household.as('sam').put({ path: own }, TEXT))).toEqual([200, false]);
});

async function pathFor(person: 'ben' | 'gil'): Promise<string> {
  const { body } = await household.as(person).get('files/browse', { path: `/ROOT/${household.ids.olga}` });
  const shared = body.data.files.find(({ filename }: { filename: string }) => filename === box);
  return join(shared.path, 'note.txt');
}

import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { WRITES } from '../../support/requests/writers.ts';

let household: Household;
let api: ApiClient;
let count = 0;
let folder = '';
let path = '';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());
beforeEach(async () => {
  count += 1;
  folder = join(household.home, `test ${count}`);
  await mkdir(folder);
  path = `/ROOT/HOME/test ${count}/note.txt`;
});

type Headers = Record<string, string>;
const outcome = ({ status, body }: Reply) => [status, body.code ?? 'done'];
const current = async () => String((await api.get('files/download', { path })).headers.etag);
const content = () => readFile(join(folder, 'note.txt'), 'utf8');
const failed = (reply: Reply, etag: string | null) =>
  expect([...outcome(reply), reply.body.details]).toEqual([412, 'precondition_failed', { etag }]);

describe.each(Object.entries(WRITES))('%s', (_how, send) => {
  const write = (text: string, headers: Headers) => send(api, path, text, headers);

  it('with If-Match overwrites only what the client has seen', async () => {
    failed(await write('first', { 'if-match': '*' }), null);
    failed(await write('first', { 'if-match': '"anything"' }), null);
    expect(await readdir(folder)).toEqual([]);
    const made = await write('first', {});
    const first = await current();
    expect(made.headers.etag).toBe(first);
    expect(outcome(await write('second', { 'if-match': `"other", ${first}` }))).toEqual([
      made.status === 201 ? 200 : 200,
      'done',
    ]);
    const second = await current();
    expect(second).not.toBe(first);
    failed(await write('third', { 'if-match': first }), second);
    failed(await write('third', { 'if-match': `W/${second}` }), second);
    expect(await content()).toBe('second');
    expect((await write('third', { 'if-match': '*' })).status).toBe(200);
    expect(await content()).toBe('third');
  });

  it('with If-None-Match creates a new file, or replaces a different one', async () => {
    expect((await write('first', { 'if-none-match': '*' })).status).toBeLessThan(300);
    const first = await current();
    failed(await write('second', { 'if-none-match': '*' }), first);
    failed(await write('second', { 'if-none-match': first }), first);
    failed(await write('second', { 'if-none-match': `"a,b", W/${first}` }), first);
    expect(await content()).toBe('first');
    expect((await write('second', { 'if-none-match': '"other"' })).status).toBe(200);
    expect(await content()).toBe('second');
  });

  it('with an invalid condition changes nothing', async () => {
    await write('first', {});
    for (const header of ['if-match', 'if-none-match']) {
      for (const value of ['bare', '"open', '*, "x"', '"a" "b"', ',']) {
        expect(outcome(await write('second', { [header]: value })), value).toEqual([400, 'invalid_parameter']);
      }
    }
    expect(await content()).toBe('first');
  });

  it('with If-Unmodified-Since overwrites only unmodified files', async () => {
    await write('first', {});
    failed(await write('second', { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }), await current());
    expect(await content()).toBe('first');
    const later = new Date(Date.now() + 60_000).toUTCString();
    expect((await write('second', { 'if-unmodified-since': later })).status).toBe(200);
  });

  it('with the same If-Match succeeds for exactly one of twenty writers', async () => {
    await write('first', {});
    const etag = await current();
    const texts = Array.from({ length: 20 }, (_, index) => `writer ${index}`);
    const replies = await Promise.all(texts.map((text) => write(text, { 'if-match': etag })));
    const won = replies.filter(({ status }) => status === 200);
    expect([won.length, replies.filter(({ status }) => status === 412).length]).toEqual([1, 19]);
    expect(await content()).toBe(texts[replies.findIndex(({ status }) => status === 200)]);
    const { body } = await api.get('files/versions/list', { path });
    expect(body.data.versions).toHaveLength(2);
  });
});

it('exactly one of twenty writers with If-None-Match: * creates the file', async () => {
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => api.put({ path }, `writer ${index}`, { 'if-none-match': '*' })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(412)]);
});

it('a large upload with a failing condition is refused before its content', async () => {
  await api.put({ path }, 'first');
  const socket = connect({ port: household.port, host: '127.0.0.1', ca: household.ca });
  socket.write(
    `PUT /api.php/files/upload?path=${encodeURIComponent(path)} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${api.token_}\r\nIf-None-Match: *\r\nContent-Length: 10000000000\r\nExpect: 100-continue\r\n\r\n`,
  );
  const reply = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
  socket.destroy();
  expect(reply).toMatch(/^HTTP\/1\.1 412 /);
});

describe('files/delete', () => {
  const remove = (headers: Headers, fields: Record<string, string> = {}) =>
    api.send('POST', '/api.php/files/delete', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ path, ...fields }).toString(),
    });

  it.each([{}, { permanent: '1' }] as Record<string, string>[])(
    'with conditions deletes only what the client has seen (%j)',
    async (fields) => {
      await api.put({ path }, 'first');
      const first = await current();
      await api.put({ path }, 'second');
      const second = await current();
      failed(await remove({ 'if-match': first }, fields), second);
      failed(await remove({ 'if-none-match': second }, fields), second);
      failed(await remove({ 'if-none-match': '*' }, fields), second);
      expect(await content()).toBe('second');
      expect(outcome(await remove({ 'if-match': second }, fields))).toEqual([200, 'done']);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('of a folder accepts If-Match: * and its tag, which changes with anything below', async () => {
    const tag = async (): Promise<string> =>
      (await api.get('files/info', { path, 'details[]': 'etag' })).body.data.etag;
    await mkdir(join(folder, 'note.txt'));
    const first = await tag();
    failed(await remove({ 'if-match': '"x"' }), first);
    failed(await remove({ 'if-none-match': '*' }), first);
    await api.put({ filePath: `${path}/inside.txt` }, 'inside');
    const second = await tag();
    failed(await remove({ 'if-match': first }), second);
    expect(outcome(await remove({ 'if-match': second }))).toEqual([200, 'done']);
    await mkdir(join(folder, 'note.txt'));
    expect(outcome(await remove({ 'if-match': '*' }))).toEqual([200, 'done']);
  });

  it('with the same If-Match succeeds for exactly one of twenty, and never together with a concurrent writer', async () => {
    await api.put({ path }, 'first');
    const etag = await current();
    const removes = Array.from({ length: 20 }, () => remove({ 'if-match': etag }));
    const [write, ...replies] = await Promise.all([api.put({ path }, 'second', { 'if-match': etag }), ...removes]);
    const done = [write, ...replies].filter((reply) => (reply?.status ?? 0) < 300);
    expect(done).toHaveLength(1);
  });
});

describe('the CORS preflight', () => {
  const allowed = async (operation: string) =>
    String(
      (
        await api.send('OPTIONS', `/api.php/${operation}`, {
          headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' },
        })
      ).headers['access-control-allow-headers'],
    ).split(', ');

  it('names only the headers that the operation supports', async () => {
    const always = ['Authorization', 'Content-Type'];
    const conditions = ['If-Match', 'If-None-Match', 'If-Unmodified-Since'];
    expect(await allowed('files/upload')).toEqual([...always, ...conditions, 'Repr-Digest', 'Content-Digest']);
    expect(await allowed('files/upload/film.mkv')).toEqual(await allowed('files/upload'));
    expect(await allowed('files/rename/film.mkv')).toEqual(always);
    expect(await allowed('files/delete/')).toEqual([...always, ...conditions]);
    expect(await allowed('files/rename')).toEqual([...always, ...conditions]);
    expect(await allowed('files/createfolder')).toEqual(always);
    expect(await allowed('files/browse')).toEqual(always);
    expect((await allowed('files/download')).toSorted()).toEqual(
      [...always, ...conditions, 'If-Modified-Since', 'If-Range', 'Range'].toSorted(),
    );
  });
});

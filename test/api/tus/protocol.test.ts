import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../../dist/server/lib/clock.js';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import {
  createUpload,
  head,
  metadataOf,
  newUpload,
  OFFSET_TYPE,
  offsetOf,
  patch,
  TUS,
  terminate,
} from '../../support/requests/tus.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'Photos' });
});
afterAll(() => household.close());

const incoming = () => readdir(join(household.folder, '.larder', 'incoming'));
const content = (name: string) => readFile(join(household.home, name));
const said = ({ status, body }: Reply) => [status, body.code];

describe('core protocol', () => {
  it('OPTIONS describes the server, without a token', async () => {
    const { status, headers, bytes } = await household.api.send('OPTIONS', '/tus/');
    expect([status, bytes.length]).toEqual([204, 0]);
    expect(headers).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination,expiration,checksum',
      'tus-checksum-algorithm': 'sha256,sha512,sha1,md5',
    });
    expect(headers).not.toHaveProperty('tus-max-size');
  });

  it('an upload is created, continued and published', async () => {
    const bytes = randomBytes(300_000);
    const created = await createUpload(api, bytes.length, { filename: 'a b.bin', path: '/ROOT/HOME/Photos', x: '' });
    expect([created.status, created.bytes.length, created.headers['upload-offset']]).toEqual([201, 0, '0']);
    const address = created.headers.location ?? '';
    expect(address).toMatch(/^\/tus\/[A-Za-z0-9_-]{43}$/);
    const expires = Date.parse(created.headers['upload-expires'] ?? '');
    // In whole seconds.
    expect(Math.abs(expires - household.clock.now() - 7 * DAY)).toBeLessThan(1_000);

    const asked = await head(api, address);
    expect([asked.status, asked.bytes.length]).toEqual([200, 0]);
    expect(asked.headers).toMatchObject({
      'upload-offset': '0',
      'upload-length': '300000',
      'cache-control': 'no-store',
      'upload-metadata': metadataOf({ filename: 'a b.bin', path: '/ROOT/HOME/Photos', x: '' }),
    });

    const first = await patch(api, address, 0, bytes.subarray(0, 100_000));
    expect([first.status, first.bytes.length, first.headers['upload-offset']]).toEqual([204, 0, '100000']);
    expect(Date.parse(first.headers['upload-expires'] ?? '')).toBeGreaterThanOrEqual(expires);
    expect(await offsetOf(api, address)).toBe(100_000);
    expect(await readdir(join(household.home, 'Photos'))).toEqual([]);

    const last = await patch(api, address, 100_000, bytes.subarray(100_000));
    expect([last.status, last.headers['upload-offset'], last.headers['upload-expires']]).toEqual([
      204,
      '300000',
      undefined,
    ]);
    expect((await content('Photos/a b.bin')).equals(bytes)).toBe(true);
    const { data } = (
      await api.post('files/info', { path: '/ROOT/HOME/Photos/a b.bin', 'details[]': ['uuid', 'etag'] })
    ).body;
    expect([last.headers['larder-uuid'], last.headers.etag]).toEqual([data.uuid, data.etag]);
    expect(await incoming()).toEqual([]);

    // A client whose last reply was lost learns that all is stored.
    const again = await head(api, address);
    expect(again.headers).toMatchObject({ 'upload-offset': '300000', 'larder-uuid': data.uuid });
    expect((await patch(api, address, 300_000, Buffer.alloc(0))).status).toBe(204);
    expect(said(await patch(api, address, 100_000, bytes.subarray(100_000)))).toEqual([409, 'conflict']);
    expect(said(await patch(api, address, 300_000, Buffer.from('x')))).toEqual([409, 'conflict']);
  });

  it('conditions are about the file, when an upload is created and when it is complete', async () => {
    const first = await createUpload(api, 5, { filename: 'c.txt' }, Buffer.from('first'), { 'if-none-match': '*' });
    const { etag } = first.headers;
    expect([first.status, typeof etag]).toEqual([201, 'string']);
    const taken = await createUpload(api, 6, { filename: 'c.txt' }, Buffer.from('second'), { 'if-none-match': '*' });
    expect([...said(taken), taken.body.details]).toEqual([412, 'precondition_failed', { etag }]);
    const address = await newUpload(api, 6, { filename: 'c.txt' });
    expect(said(await patch(api, address, 0, Buffer.from('second'), { 'if-match': '"x"' }))).toEqual([
      ...[412, 'precondition_failed'],
    ]);
    expect(String(await content('c.txt'))).toBe('first');
    expect((await patch(api, address, 0, Buffer.from('second'), { 'if-match': String(etag) })).status).toBe(204);
    expect(String(await content('c.txt'))).toBe('second');
  });

  it('overwriting creates a version', async () => {
    for (const text of ['first', 'second'])
      await createUpload(api, text.length, { filename: 'v.txt' }, Buffer.from(text));
    expect(String(await content('v.txt'))).toBe('second');
    const { versions } = (await api.get('files/versions/list', { path: '/ROOT/HOME/v.txt' })).body.data;
    expect(versions.map(({ size }: { size: number }) => size)).toEqual([6, 5]);
  });

  it('content of unknown length is appended, up to the length of the upload', async () => {
    const address = await newUpload(api, 30, { filename: 'unknown.bin' });
    const parts = async function* (...sizes: number[]) {
      for (const size of sizes) yield Buffer.alloc(size, 'u');
    };
    expect((await patch(api, address, 0, parts(5, 5))).headers['upload-offset']).toBe('10');
    expect(said(await patch(api, address, 10, parts(15, 15)))).toEqual([413, 'upload_too_large']);
    const offset = Number(await offsetOf(api, address));
    expect(offset).toBeLessThan(30);
    expect((await patch(api, address, offset, Buffer.alloc(30 - offset, 'u'))).status).toBe(204);
    expect(String(await content('unknown.bin'))).toBe('u'.repeat(30));
  });

  it('X-HTTP-Method-Override replaces the method', async () => {
    const address = await newUpload(api, 5, { filename: 'override.txt' });
    const as = (method: string, more = {}, body = Buffer.alloc(0)) =>
      api.send('POST', address, { headers: { ...TUS, 'x-http-method-override': method, ...more }, body });
    expect((await as('HEAD')).headers['upload-offset']).toBe('0');
    expect(
      (await as('PATCH', { ...OFFSET_TYPE, 'upload-offset': '0' }, Buffer.from('12'))).headers['upload-offset'],
    ).toBe('2');
    expect((await as('DELETE')).status).toBe(204);
    expect((await head(api, address)).status).toBe(404);
  });

  it('an address ends with or without a slash', async () => {
    const headers = { ...TUS, 'upload-length': '3', 'upload-metadata': metadataOf({ filename: 'slash.txt' }) };
    const {
      headers: { location = '' },
      status,
    } = await api.send('POST', '/tus', { headers });
    expect(status).toBe(201);
    expect((await patch(api, `${location}/?x=1`, 0, Buffer.from('abc'))).status).toBe(204);
  });
});

describe('refusals', () => {
  const meta = (values: Record<string, string>) => ({ 'upload-metadata': metadataOf(values) });
  const named = meta({ filename: 'r.bin' });
  const length = { 'upload-length': '10' };

  it.each<[string, Record<string, string>, number, string, string?]>([
    ['no version', { ...length, ...named, 'tus-resumable': '' }, 412, 'precondition_failed'],
    ['another version', { ...length, ...named, 'tus-resumable': '0.2.2' }, 412, 'precondition_failed'],
    ['no length', named, 400, 'missing_parameter', 'Upload-Length'],
    ['a negative length', { ...named, 'upload-length': '-1' }, 400, 'invalid_parameter', 'Upload-Length'],
    ['a length that is no number', { ...named, 'upload-length': '1e3' }, 400, 'invalid_parameter', 'Upload-Length'],
    ['an enormous length', { ...named, 'upload-length': '9'.repeat(20) }, 400, 'invalid_parameter', 'Upload-Length'],
    ['a deferred length', { ...named, 'upload-defer-length': '1' }, 400, 'invalid_parameter', 'Upload-Defer-Length'],
    [
      'a partial upload',
      { ...length, ...named, 'upload-concat': 'partial' },
      400,
      'invalid_parameter',
      'Upload-Concat',
    ],
    ['no metadata', length, 400, 'missing_parameter', 'filename'],
    ['an empty name', { ...length, 'upload-metadata': 'filename' }, 400, 'missing_parameter', 'filename'],
    ['a name with a folder', { ...length, ...meta({ filename: 'a/b' }) }, 400, 'invalid_name', 'filename'],
    ['a name that leads up', { ...length, ...meta({ filename: '..' }) }, 400, 'invalid_name', 'filename'],
    ['a name with a zero', { ...length, ...meta({ filename: 'a\0b' }) }, 400, 'invalid_name', 'filename'],
    ['a name of no new file', { ...length, ...meta({ filename: 'a:b' }) }, 400, 'invalid_name'],
    [
      'a key twice',
      { ...length, 'upload-metadata': 'filename YQ==,filename Yg==' },
      400,
      'invalid_parameter',
      'Upload-Metadata',
    ],
    [
      'a value that is not Base64',
      { ...length, 'upload-metadata': 'filename a.txt' },
      400,
      'invalid_parameter',
      'Upload-Metadata',
    ],
    [
      'a value that is not UTF-8',
      { ...length, 'upload-metadata': 'filename /w==' },
      400,
      'invalid_parameter',
      'Upload-Metadata',
    ],
    ['an empty pair', { ...length, 'upload-metadata': 'filename YQ==,,' }, 400, 'invalid_parameter', 'Upload-Metadata'],
    ['a relative folder', { ...length, ...meta({ filename: 'a', path: 'Photos' }) }, 400, 'invalid_path', 'path'],
    [
      'a folder that leads up',
      { ...length, ...meta({ filename: 'a', path: '/ROOT/HOME/../x' }) },
      400,
      'invalid_path',
      'path',
    ],
    ['a folder that is a list', { ...length, ...meta({ filename: 'a', path: '/STARRED' }) }, 404, 'not_found'],
    ['a missing folder', { ...length, ...meta({ filename: 'a', path: '/ROOT/HOME/none' }) }, 404, 'not_found'],
    ['the name of a folder', { ...length, ...meta({ filename: 'Photos' }) }, 409, 'already_exists'],
    [
      'a time in milliseconds',
      { ...length, ...meta({ filename: 'a', lastModified: '1700000000000' }) },
      400,
      'invalid_parameter',
      'lastModified',
    ],
    [
      'an unknown checksum',
      { ...length, ...named, 'upload-checksum': 'crc32 AAAAAA==' },
      400,
      'invalid_parameter',
      'Upload-Checksum',
    ],
    [
      'a checksum of another length',
      { ...length, ...named, 'upload-checksum': 'sha1 AAAA' },
      400,
      'invalid_parameter',
      'Upload-Checksum',
    ],
    [
      'a checksum without an algorithm',
      { ...length, ...named, 'upload-checksum': 'AAAA' },
      400,
      'invalid_parameter',
      'Upload-Checksum',
    ],
  ])('creation with %s', async (_what, sent, status, code, parameter) => {
    const headers = Object.fromEntries(Object.entries({ ...TUS, ...sent }).filter(([, value]) => value !== ''));
    const reply = await api.send('POST', '/tus/', { headers });
    expect([...said(reply), reply.body.details?.parameter]).toEqual([status, code, parameter]);
    expect(reply.headers).not.toHaveProperty('location');
    if (status === 412) expect(reply.headers['tus-version']).toBe('1.0.0');
    expect(await incoming()).toEqual([]);
  });

  it('names the missing folder, but no parameters of the API', async () => {
    const { body } = await createUpload(api, 1, { filename: 'a', path: '/ROOT/HOME/none' });
    expect(body.details.folder).toBe('/ROOT/HOME/none');
    expect(body.error).not.toContain('filePath');
  });

  it('content at creation of another type, or longer than the upload', async () => {
    const wrong = { 'content-type': 'application/octet-stream' };
    expect(said(await createUpload(api, 5, { filename: 'a' }, Buffer.from('12345'), wrong))).toEqual([
      415,
      'unsupported_media',
    ]);
    expect(said(await createUpload(api, 2, { filename: 'a' }, Buffer.from('12345')))).toEqual([
      413,
      'upload_too_large',
    ]);
    expect(await incoming()).toEqual([]);
  });

  it('PATCH with a wrong offset, type or length', async () => {
    const address = await newUpload(api, 10, { filename: 'patched.bin' });
    const body = Buffer.from('12345');
    await patch(api, address, 0, body);
    for (const offset of [0, 4, 6, 10, 11]) {
      const reply = await patch(api, address, offset, body);
      expect([...said(reply), reply.body.details]).toEqual([409, 'conflict', { offset: 5, totalSize: 10 }]);
    }
    const send = (headers: Record<string, string>) =>
      api.send('PATCH', address, { headers: { ...TUS, ...headers }, body });
    expect(said(await send({ ...OFFSET_TYPE, 'upload-offset': 'x' }))).toEqual([400, 'invalid_parameter']);
    expect(said(await send(OFFSET_TYPE))).toEqual([400, 'missing_parameter']);
    expect(said(await send({ 'upload-offset': '5' }))).toEqual([415, 'unsupported_media']);
    expect(said(await send({ 'upload-offset': '5', 'content-type': 'text/plain' }))).toEqual([
      415,
      'unsupported_media',
    ]);
    expect(said(await patch(api, address, 5, Buffer.from('123456')))).toEqual([413, 'upload_too_large']);
    expect(said(await api.send('PATCH', address, { headers: { ...OFFSET_TYPE, 'upload-offset': '5' }, body }))).toEqual(
      [412, 'precondition_failed'],
    );
    expect(await offsetOf(api, address)).toBe(5);
    await terminate(api, address);
  });

  it('content that is refused need not be sent', async () => {
    const address = await newUpload(api, 10, { filename: 'expected.bin' });
    const ask = (offset: number) =>
      new Promise<[number, boolean]>((resolve, reject) => {
        let isContinued = false;
        const headers = {
          ...{ ...TUS, ...OFFSET_TYPE, 'upload-offset': String(offset), 'content-length': '10' },
          ...{ authorization: `Bearer ${api.token_}`, expect: '100-continue' },
        };
        const sent = request(`${api.base}${address}`, { method: 'PATCH', ca: household.ca, headers });
        sent.once('continue', () => {
          isContinued = true;
          sent.end(Buffer.alloc(10));
        });
        sent.once('response', (response) => {
          resolve([response.statusCode ?? 0, isContinued]);
          sent.destroy();
        });
        sent.once('error', reject).flushHeaders();
      });
    expect(await ask(5)).toEqual([409, false]);
    expect(await ask(0)).toEqual([204, true]);
  });

  it.each([
    ['GET', '/tus/', 405, 'POST, OPTIONS'],
    ['PUT', '/tus/', 405, 'POST, OPTIONS'],
    ['GET', '/tus/abc', 405, 'HEAD, PATCH, DELETE, OPTIONS'],
    ['POST', '/tus/abc', 405, 'HEAD, PATCH, DELETE, OPTIONS'],
    ['POST', '/tus/abc/def', 404, undefined],
    ['HEAD', '/tus/abc', 404, undefined],
    ['DELETE', '/tus/abc', 404, undefined],
  ])('%s %s', async (method, address, status, allow) => {
    const reply = await api.send(method, address, { headers: TUS });
    expect([reply.status, reply.headers.allow, reply.headers['tus-resumable']]).toEqual([status, allow, '1.0.0']);
    expect(reply.headers).not.toHaveProperty('upload-offset');
  });
});

import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { holdRequest } from '../../support/requests/held-request.ts';
import { blackPng, quarters, quartersOf, svg, UPRIGHT, WHERE_AND_WHO } from '../../workers/mutations/corpus.ts';

const AVATAR = '/api.php/account/avatar';
const MAX_IMAGE = 20 * 1024 * 1024;

let household: Household;
let api: ApiClient;
let image: Buffer;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn('profile');
  image = await quarters().jpeg({ quality: 95 }).withExif(WHERE_AND_WHO).toBuffer();
});
afterAll(() => household.close());
beforeEach(() => api.post('account/avatar', { remove: 1 }));

type Body = Buffer | AsyncIterable<Buffer>;

const put = (body: Body, query = '') => api.send('PUT', `${AVATAR}${query}`, { body: body as Buffer });
const show = (headers: Record<string, string> = {}) => api.send('GET', AVATAR, { headers });

function form(bytes: Buffer, before: Record<string, string> = {}): Promise<Reply> {
  const fields = Object.entries(before).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${fields.join('')}--b\r\nContent-Disposition: form-data; name="file"; filename="me.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')]);
  return api.send('POST', AVATAR, { headers: { 'content-type': 'multipart/form-data; boundary=b' }, body });
}

async function* slowly(pieces: readonly Buffer[], gate: Promise<unknown>): AsyncGenerator<Buffer> {
  yield pieces[0] ?? Buffer.alloc(0);
  await gate;
  yield* pieces.slice(1);
}

/** An upload of which the server has begun to read the content. */
const hold = (content: Buffer) =>
  holdRequest(household, ['PUT /api.php/account/avatar HTTP/1.1', `Authorization: Bearer ${api.token_}`], content);

describe('account/avatar', () => {
  it('has none at first, accepts one by PUT and returns it', async () => {
    expect((await show()).headers['content-type']).toBe('image/svg+xml');
    const { status, body } = await put(image);
    expect([status, body]).toEqual([200, { success: true, error: false, data: { etag: expect.any(String) } }]);
    const shown = await show();
    expect([shown.status, await quartersOf(shown.bytes)]).toEqual([200, UPRIGHT]);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `inline; filename="ann.jpg"; filename*=UTF-8''ann.jpg`,
      'content-length': String(shown.bytes.length),
      'cache-control': expect.stringContaining('private'),
      'x-content-type-options': 'nosniff',
      etag: body.data.etag,
    });
    expect(shown.bytes.includes('Secret')).toBe(false);
    const { width, height, exif } = await sharp(shown.bytes).metadata();
    expect([width, height, exif]).toEqual([256, 256, undefined]);
  });

  it('accepts a form, with the part in any position', async () => {
    expect((await form(image, { unknown: 'x', remove: '0' })).status).toBe(200);
    expect(await quartersOf((await show()).bytes)).toEqual(UPRIGHT);
  });

  it('supports conditions and ranges like other content', async () => {
    const { etag } = (await put(image)).body.data;
    const again = await show({ 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    const whole = (await show()).bytes;
    const part = await show({ range: 'bytes=2-9' });
    expect([part.status, part.bytes.equals(whole.subarray(2, 10))]).toEqual([206, true]);
    expect((await put(image)).body.data.etag).toBe(etag);
    const other = await put(await quarters(['blue', 'blue', 'red', 'red']).png().toBuffer());
    expect(other.body.data.etag).not.toBe(etag);
    expect((await show({ 'if-none-match': etag })).status).toBe(200);
  });

  it('removes it, even if there is none, but never by GET', async () => {
    await put(image);
    expect((await api.get('account/avatar', { remove: 1 })).status).toBe(200);
    expect((await api.post('account/avatar', { remove: 1 })).body).toEqual({ success: true, error: false, data: {} });
    expect((await show()).headers['content-type']).toBe('image/svg+xml');
    expect((await api.post('account/avatar', { remove: 'yes' })).status).toBe(200);
    await put(image);
    expect((await put(Buffer.alloc(0), '?remove=1')).body.data).toEqual({});
    expect((await show()).headers['content-type']).toBe('image/svg+xml');
  });

  it('keeps it over a restart', async () => {
    const kept = await openHousehold();
    const before = await kept.signIn();
    await before.send('PUT', AVATAR, { body: image });
    await kept.restart();
    expect((await (await kept.signIn()).send('GET', AVATAR)).status).toBe(200);
    await kept.close();
  });

  it.each<[what: string, status: number, code: string, send: () => Promise<Reply>]>([
    ['nothing at all', 400, 'missing_parameter', () => api.post('account/avatar')],
    ['an image and its removal', 400, 'invalid_parameter', () => form(image, { remove: '1' })],
    ['a removal that is neither yes nor no', 400, 'invalid_parameter', () => put(image, '?remove=maybe')],
    ['no bytes', 415, 'unsupported_media', () => put(Buffer.alloc(0))],
    ['no bytes in a form', 415, 'unsupported_media', () => form(Buffer.alloc(0))],
    ['a text named jpg', 415, 'unsupported_media', () => form(Buffer.from('this is me'))],
    ['an SVG', 415, 'unsupported_media', () => put(svg('http://127.0.0.1:9'))],
    ['half an image', 422, 'corrupt_file', () => put(image.subarray(0, image.length / 2))],
    ['900 million pixels', 413, 'upload_too_large', () => put(blackPng(30_000, 30_000))],
    ['a byte too much, announced', 413, 'upload_too_large', () => put(Buffer.alloc(MAX_IMAGE + 1))],
    ['a byte too much in a form', 413, 'upload_too_large', () => form(Buffer.alloc(MAX_IMAGE + 1))],
    [
      'too much that was not announced',
      413,
      'upload_too_large',
      () => put(slowly(Array(22).fill(Buffer.alloc(1024 * 1024)), Promise.resolve())),
    ],
    ['another method', 405, 'method_not_allowed', () => api.send('DELETE', AVATAR)],
  ])('refuses %s: %i %s; the existing one is kept', async (_what, status, code, send) => {
    await put(image);
    const reply = await send();
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    if (status === 405) expect(reply.headers.allow).toBe('GET, PUT, POST');
    expect((await show()).status).toBe(200);
  });

  it('accepts 20 MB', async () => {
    const padded = Buffer.concat([image, Buffer.alloc(MAX_IMAGE - image.length)]);
    expect((await put(padded)).status).toBe(200);
    expect((await form(padded)).status).toBe(200);
  });

  itInFull('reads two uploads at the same time, and the next one waits', async () => {
    const slow = [await hold(image), await hold(image)];
    let arrived = false;
    const third = put(image).then((reply) => {
      arrived = true;
      return reply.status;
    });
    // Far more than it would need if it did not wait.
    for (let other = 0; other < 100; other += 1) expect((await show()).status).toBe(200);
    expect(arrived).toBe(false);
    expect([await Promise.all(slow.map((one) => one.finish())), await third]).toEqual([[200, 200], 200]);
  });

  it('is not delayed by aborted uploads', async () => {
    async function* breaking(): AsyncGenerator<Buffer> {
      yield image.subarray(0, 100);
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('gone');
    }
    const broken = await Promise.allSettled(Array.from({ length: 5 }, () => put(breaking())));
    expect(broken.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect((await show()).headers['content-type']).toBe('image/svg+xml');
    expect((await put(image)).status).toBe(200);
  });

  itInFull('processes twenty at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => put(image)));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../../dist/server/lib/clock.js';
import { appOf, pairOf } from '../../oauth/support.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { createUpload, newUpload, offsetOf, patch, terminate } from '../../support/requests/tus.ts';

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
const digest = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest('base64');

describe('extension creation-with-upload', () => {
  it('accepts the first part of the content, or all of it', async () => {
    const part = await createUpload(api, 10, { filename: 'with.bin' }, Buffer.from('12345'));
    expect([part.status, part.headers['upload-offset']]).toEqual([201, '5']);
    expect((await patch(api, part.headers.location ?? '', 5, Buffer.from('67890'))).status).toBe(204);
    expect(String(await content('with.bin'))).toBe('1234567890');
    const whole = await createUpload(api, 3, { filename: 'whole.bin', lastModified: '1600000000' }, Buffer.from('abc'));
    expect([whole.status, whole.headers['upload-offset']]).toEqual([201, '3']);
    expect(whole.headers['larder-uuid']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await stat(join(household.home, 'whole.bin'))).mtimeMs).toBe(1_600_000_000_000);
  });

  it('an empty file is complete at once', async () => {
    const reply = await createUpload(api, 0, { filename: 'empty.txt' });
    expect([reply.status, reply.headers['upload-offset'], reply.headers['upload-expires']]).toEqual([
      201,
      '0',
      undefined,
    ]);
    expect((await content('empty.txt')).length).toBe(0);
    expect(await offsetOf(api, reply.headers.location ?? '')).toBe(0);
    expect(await incoming()).toEqual([]);
  });
});

describe('extension checksum', () => {
  it.each(['sha1', 'sha256', 'sha512', 'md5'])('%s', async (algorithm) => {
    const bytes = randomBytes(50_000);
    const [first, second] = [bytes.subarray(0, 20_000), bytes.subarray(20_000)];
    const address = await newUpload(api, bytes.length, { filename: `${algorithm}.bin` });
    const sum = (of: Buffer) => ({ 'upload-checksum': `${algorithm} ${digest(algorithm, of)}` });
    expect((await patch(api, address, 0, first, sum(first))).status).toBe(204);
    const wrong = await patch(api, address, 20_000, second, sum(first));
    expect(said(wrong)).toEqual([460, 'digest_mismatch']);
    expect(wrong.headers['tus-resumable']).toBe('1.0.0');
    expect(await offsetOf(api, address)).toBe(20_000);
    expect((await patch(api, address, 20_000, second, sum(second))).status).toBe(204);
    expect((await content(`${algorithm}.bin`)).equals(bytes)).toBe(true);
  });

  it('wrong content at creation leaves no upload', async () => {
    const bad = { 'upload-checksum': `md5 ${digest('md5', Buffer.from('x'))}` };
    const reply = await createUpload(api, 3, { filename: 'bad.bin' }, Buffer.from('abc'), bad);
    expect([...said(reply), reply.headers.location]).toEqual([460, 'digest_mismatch', undefined]);
    expect(await incoming()).toEqual([]);
    await expect(content('bad.bin')).rejects.toThrow('ENOENT');
  });
});

describe('extensions termination and expiration', () => {
  it('DELETE removes an upload and its content', async () => {
    const address = await newUpload(api, 10, { filename: 'gone.bin' });
    await patch(api, address, 0, Buffer.from('12345'));
    expect(await incoming()).toHaveLength(1);
    expect((await terminate(api, address)).status).toBe(204);
    expect(await incoming()).toEqual([]);
    expect(await offsetOf(api, address)).toBe('status 404');
    expect(said(await patch(api, address, 5, Buffer.from('67890')))).toEqual([404, 'not_found']);
    expect(said(await terminate(api, address))).toEqual([404, 'not_found']);
  });

  it('DELETE does not remove a published file', async () => {
    const { headers } = await createUpload(api, 3, { filename: 'stays.txt' }, Buffer.from('abc'));
    expect(said(await terminate(api, headers.location ?? ''))).toEqual([409, 'conflict']);
    expect(String(await content('stays.txt'))).toBe('abc');
  });

  it('an upload expires seven days after its last chunk', async () => {
    const app = appOf(household);
    const pair = await app.signIn();
    let client = household.api.with(pair.access);
    const address = await newUpload(client, 10, { filename: 'expires.bin' });
    const done = (await createUpload(client, 1, { filename: 'done.bin' }, Buffer.from('d'))).headers.location ?? '';
    /** Token and refresh token last shorter than the upload, so the app renews them. */
    let { refresh } = pair;
    const advance = async (days: number) => {
      household.clock.advance(days * DAY);
      const next = pairOf(await app.refresh(refresh));
      refresh = next.refresh;
      client = household.api.with(next.access);
      await household.larder.maintenance();
    };
    await advance(6);
    const { headers } = await patch(client, address, 0, Buffer.from('12345'));
    const expires = Date.parse(headers['upload-expires'] ?? '');
    expect(Math.abs(expires - household.clock.now() - 7 * DAY)).toBeLessThan(60_000);
    await advance(6);
    expect([await offsetOf(client, address), await incoming()]).toEqual([5, [expect.any(String)]]);
    await advance(2);
    expect(await incoming()).toEqual([]);
    expect(said(await patch(client, address, 5, Buffer.from('67890')))).toEqual([410, 'not_found']);
    expect(await offsetOf(client, address)).toBe('status 410');
    // Completed ones are forgotten, too.
    expect(await offsetOf(client, done)).toBe('status 404');
    await household.larder.maintenance();
    expect(await offsetOf(client, address)).toBe('status 404');
  });
});

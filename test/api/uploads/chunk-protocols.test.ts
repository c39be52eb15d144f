import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { type ApiClient, encodeQuery, type Reply } from '../../support/requests/api-client.ts';
import { encodedForm } from '../../support/requests/forms.ts';
import { holdTimers } from '../../support/system/held-timers.ts';
import { stillPerformance } from '../../support/system/still-performance.ts';

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
  before = await incoming();
  path = `/ROOT/HOME/test ${count}/film.bin`;
});

type Fields = Record<string, string | number>;

const outcome = ({ status, body }: Reply) => [status, body.code ?? body.data.offset ?? body.data.fileSize];
const stored = () => readFile(join(folder, 'film.bin'));
const incoming = () => readdir(join(household.folder, '.larder', 'incoming'));
let before: string[] = [];
let waits = 0;
/** Waits until one more chunk waits for the first one. */
async function oneWaits(): Promise<void> {
  waits += 1;
  const lines = () => household.logged().split('a chunk waits for the first one').length - 1;
  await expect.poll(lines).toBeGreaterThanOrEqual(waits);
  waits = lines();
}

/** Lets the test end the 20 seconds for which a chunk waits for the first one. */
function holdWaits(): { begun(): Promise<void>; end(): void } {
  const time = stillPerformance();
  const timers = holdTimers((milliseconds) => milliseconds === 20_000);
  return {
    begun: () => expect.poll(() => timers.count).toBeGreaterThan(0),
    end() {
      time.advance(20_000);
      timers.end();
    },
  };
}

/** Like the upload scripts: the fields first, then the part. */
async function post(fields: Fields, content: Buffer | null, query: Fields = {}, by = api): Promise<Reply> {
  const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  const form = await encodedForm({
    path,
    ...texts,
    ...(content === null ? {} : { file: new Blob([new Uint8Array(content)]) }),
  });
  return by.send('POST', `/api.php/files/upload?${encodeQuery(query)}`, form);
}

describe("a part of a file's content", () => {
  it('never replaces the file: Content-Range is refused on every PUT', async () => {
    await api.put({ path }, 'whole');
    const partial = { 'content-range': 'bytes 2-3/10' };
    for (const query of [{ path }, { path, totalSize: 10, startByte: 2 }, { path: `${path}.new` }]) {
      const reply = await api.put(query, 'ab', partial);
      expect([...outcome(reply), reply.body.details]).toEqual([
        400,
        'invalid_parameter',
        { parameter: 'Content-Range' },
      ]);
    }
    const avatar = await api.send('PUT', '/api.php/account/avatar', { headers: partial, body: 'ab' });
    expect(outcome(avatar)).toEqual([400, 'invalid_parameter']);
    const { headers, body } = await encodedForm({ path, file: new Blob(['ab']) });
    const form = await api.send('POST', '/api.php/files/upload', { headers: { ...headers, ...partial }, body });
    expect(outcome(form)).toEqual([400, 'invalid_parameter']);
    expect(String(await stored())).toBe('whole');
    expect(await readdir(folder)).toEqual(['film.bin']);
    expect(await incoming()).toEqual(before);
  });

  it.each([
    { resumableTotalSize: 12, resumableTotalChunks: 3, resumableChunkNumber: 1 },
    { resumableTotalSize: '12 bytes' },
    { resumableTotalChunks: 3 },
    { dztotalfilesize: 12, dztotalchunkcount: 3, dzchunkindex: 0 },
    { dztotalfilesize: 3 },
    { dztotalchunkcount: 2 },
    { chunks: 3, chunk: 0 },
    { chunks: 'many' },
    { flowTotalSize: 12 },
    { frTotalSize: 3 },
  ])('in another protocol is refused: %j', async (fields) => {
    const first = await post(fields, Buffer.from('four'));
    const second = await api.put({ path, ...fields }, 'four');
    for (const reply of [first, second]) {
      // A total without further parameters begins an upload, but makes no file.
      if (reply.status !== 200) expect(outcome(reply)).toEqual([400, 'invalid_parameter']);
      expect(reply.body.data?.fileSize).toBeUndefined();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    { resumableTotalSize: 4, resumableTotalChunks: 1, resumableChunkNumber: 1 },
    { dztotalfilesize: 4, dztotalchunkcount: 1, dzuuid: 'x' },
    { chunks: 1, chunk: 0 },
    { chunks: 0 },
    { frTotalSize: 4, frIsFirstChunk: 1, frIsLastChunk: 1 },
    { flowTotalSize: 4, flowChunkNumber: 1, flowChunkSize: 1_048_576, flowCurrentChunkSize: 4, flowTotalChunks: 1 },
  ])('that is the whole content is accepted: %j', async (fields) => {
    expect(outcome(await post(fields, Buffer.from('four')))).toEqual([200, 4]);
    expect(outcome(await api.put({ path, ...fields }, 'five'))).toEqual([200, 4]);
    expect(String(await stored())).toBe('five');
  });
});

describe('a multipart upload', () => {
  it('is always answered with 200 and data.created, a PUT with 201 and 200', async () => {
    const statuses: unknown[] = [];
    for (const name of ['form', 'form']) {
      path = `/ROOT/HOME/test ${count}/${name}`;
      const { status, body } = await post({}, Buffer.from('x'));
      statuses.push([status, body.data.created]);
    }
    for (const name of ['put', 'put']) {
      const { status, body } = await api.put({ path: `/ROOT/HOME/test ${count}/${name}` }, 'x');
      statuses.push([status, body.data.created]);
    }
    expect(statuses).toEqual([
      [200, true],
      [200, false],
      [201, true],
      [200, false],
    ]);
  });
});

describe('chunks marked as first and last', () => {
  const chunk = (content: Buffer, from: number, to: number) =>
    post(
      {
        frTotalSize: content.length,
        frIsFirstChunk: from === 0 ? 1 : 0,
        frIsLastChunk: to === content.length ? 1 : 0,
      },
      content.subarray(from, to),
    );

  it('produce the whole file of three chunks, not only the last chunk', async () => {
    const content = randomBytes(3_000_000);
    expect(outcome(await post({ frGetOffset: 1, frTotalSize: content.length }, null))).toEqual([200, 0]);
    expect(outcome(await chunk(content, 0, 1_000_000))).toEqual([200, 1_000_000]);
    expect(outcome(await chunk(content, 1_000_000, 2_000_000))).toEqual([200, 2_000_000]);
    expect(await readdir(folder)).toEqual([]);
    const last = await chunk(content, 2_000_000, 3_000_000);
    expect([...outcome(last), last.body.data.created]).toEqual([200, 3_000_000, true]);
    expect((await stored()).equals(content)).toBe(true);
    expect(await incoming()).toEqual(before);
  });

  it('work by PUT as well', async () => {
    const content = randomBytes(3_000);
    const put = (from: number, to: number) =>
      api.put(
        { path, frTotalSize: 3_000, frIsFirstChunk: Number(from === 0), frIsLastChunk: Number(to === 3_000) },
        content.subarray(from, to),
      );
    await put(0, 1_000);
    await put(1_000, 2_000);
    expect(outcome(await put(2_000, 3_000))).toEqual([201, 3_000]);
    expect((await stored()).equals(content)).toBe(true);
  });

  it('produce no wrong file if one is repeated because its reply was lost', async () => {
    const content = randomBytes(3_000);
    await chunk(content, 0, 1_000);
    await chunk(content, 1_000, 2_000);
    await chunk(content, 1_000, 2_000);
    expect((await chunk(content, 2_000, 3_000)).status).toBe(409);
    expect(await readdir(folder)).toEqual([]);
    for (const from of [0, 1_000, 2_000]) await chunk(content, from, from + 1_000);
    expect((await stored()).equals(content)).toBe(true);
  });

  it('of one content sent twice concurrently produce that content, or nothing', async () => {
    const content = randomBytes(5_000);
    let refused = 0;
    for (const [index, from] of [0, 1_000, 0, 2_000, 1_000, 2_000, 3_000, 3_000, 4_000, 4_000].entries()) {
      const { status } = await chunk(content, from, from + 1_000);
      if (status !== 200) refused += 1;
      expect(status, String(index)).not.toBe(500);
    }
    expect(refused).toBeGreaterThan(0);
    for (const name of await readdir(folder)) expect((await readFile(join(folder, name))).equals(content)).toBe(true);
    for (let from = 0; from < 5_000; from += 1_000) await chunk(content, from, from + 1_000);
    expect((await stored()).equals(content)).toBe(true);
  });

  it('of two concurrent clients are never mixed in one file', async () => {
    const [a, b] = [randomBytes(3_000), randomBytes(3_000)];
    for (const from of [0, 1_000, 2_000]) {
      for (const content of [a, b]) await chunk(content, from, from + 1_000);
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

it('a total in the form does not hide one in the query', async () => {
  const reply = await post({ resumableTotalSize: 4 }, Buffer.from('four'), { resumableTotalSize: 12 });
  expect(outcome(reply)).toEqual([400, 'invalid_parameter']);
  expect(await readdir(folder)).toEqual([]);
});

describe('the chunks of flow.js', () => {
  const CHUNK = 100_000;
  const chunk = (content: Buffer, number: number, more: Fields = {}, by = api) => {
    const chunks = Math.max(1, Math.floor(content.length / CHUNK));
    const from = (number - 1) * CHUNK;
    // The last one includes the rest.
    const part = content.subarray(from, number === chunks ? content.length : from + CHUNK);
    return post(
      {
        ...{ flowChunkNumber: number, flowChunkSize: CHUNK, flowCurrentChunkSize: part.length },
        ...{ flowTotalSize: content.length, flowTotalChunks: chunks, flowFilename: 'film.bin' },
        ...{ flowIdentifier: `${content.length}-filmbin`, flowRelativePath: 'film.bin', ...more },
      },
      part,
      {},
      by,
    );
  };

  it('produce one file if sent sequentially', async () => {
    const content = randomBytes(350_000);
    expect(outcome(await chunk(content, 1))).toEqual([200, 100_000]);
    expect(outcome(await chunk(content, 2))).toEqual([200, 200_000]);
    expect(await readdir(folder)).toEqual([]);
    expect(outcome(await chunk(content, 3))).toEqual([200, 350_000]);
    expect((await stored()).equals(content)).toBe(true);
  });

  it('produce one file if three are sent in parallel and out of order', async () => {
    const content = randomBytes(980_000);
    const replies: Promise<Reply>[] = [];
    for (const number of [3, 1, 2, 9, 4, 6, 5, 8, 7]) replies.push(chunk(content, number));
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    expect(statuses).toEqual(Array(9).fill(200));
    expect((await stored()).equals(content)).toBe(true);
    expect(await incoming()).toEqual(before);
  });

  it('of two contents sent in parallel are never mixed in one file', async () => {
    const [a, b] = [randomBytes(400_000), randomBytes(400_000)];
    const one = await Promise.all([chunk(a, 1), chunk(b, 1)]);
    expect(one.map(({ status }) => status).sort()).toEqual([200, 409]);
    const rest = await Promise.all([2, 3, 4].flatMap((number) => [chunk(a, number), chunk(b, number)]));
    expect(rest.every(({ status }) => status === 409)).toBe(true);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['of two sign-ins', 'of two names'])('%s, all at once, are two uploads', async (which) => {
    const [a, b] = [randomBytes(400_000), randomBytes(400_000)];
    const second = which === 'of two sign-ins' ? await household.signIn() : api;
    const name = which === 'of two sign-ins' ? {} : { flowIdentifier: 'another-name' };
    const sent = [2, 1, 4, 3].flatMap((number) => [chunk(a, number), chunk(b, number, name, second)]);
    const replies = await Promise.all(sent);
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const result = await stored();
    expect(result.equals(a) || result.equals(b)).toBe(true);
    expect(await incoming()).toEqual(before);
  });

  it('of a changed content after a pause, its middle first, never complete the old one', async () => {
    const [a, b] = [randomBytes(300_000), randomBytes(300_000)];
    await chunk(a, 1);
    await chunk(a, 2);
    household.clock.advance(15_000);
    const replies = [chunk(b, 3)];
    await oneWaits();
    replies.push(chunk(b, 1), chunk(b, 2));
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('of the same content after a pause continue once the first one was repeated', async () => {
    const content = randomBytes(300_000);
    await chunk(content, 1);
    await chunk(content, 2);
    household.clock.advance(15_000);
    const last = chunk(content, 3);
    await oneWaits();
    expect(await readdir(folder)).toEqual([]);
    expect(outcome(await chunk(content, 1))).toEqual([200, 100_000]);
    expect(outcome(await last)).toEqual([200, 300_000]);
    expect((await stored()).equals(content)).toBe(true);
  });

  it('that continue after a pause without the first one are refused, and nothing of two contents is stored', async () => {
    const [a, b] = [randomBytes(200_000), randomBytes(200_000)];
    await chunk(a, 1);
    household.clock.advance(15_000);
    const waits = holdWaits();
    const refused = chunk(b, 2);
    await waits.begun();
    waits.end();
    const reply = await refused;
    expect([...outcome(reply), reply.body.details.offset]).toEqual([409, 'conflict', 0]);
    expect(await readdir(folder)).toEqual([]);
    // From the first one on it succeeds; slow clients are not treated as others.
    expect(outcome(await chunk(a, 1))).toEqual([200, 100_000]);
    household.clock.advance(8_000);
    expect(outcome(await chunk(a, 2))).toEqual([200, 200_000]);
    expect((await stored()).equals(a)).toBe(true);
  });

  it('that wait are refused once their token is no longer valid', async () => {
    const content = randomBytes(200_000);
    const client = { client_id: household.clientId, client_secret: household.clientSecret };
    const form = { grant_type: 'password', ...OWNER, scope: 'upload', ...client };
    const token = String((await household.api.token(form)).body.access_token);
    const one = household.api.with(token);
    await chunk(content, 1, {}, one);
    household.clock.advance(15_000);
    const waits = holdWaits();
    const waiting = chunk(content, 2, {}, one).catch(() => null);
    await waits.begun();
    await household.api.send('POST', '/oauth2/revoke/', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, ...client }).toString(),
    });
    waits.end();
    expect((await waiting)?.status ?? 401).not.toBe(200);
    // It waits for its predecessor in vain, and is erased: only what came before it is left.
    await expect.poll(async () => (await incoming()).length).toBe(before.length + 1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('with a wrong stated size are refused', async () => {
    const content = randomBytes(250_000);
    const reply = await chunk(content, 1, { flowCurrentChunkSize: 7 });
    expect(outcome(reply)).toEqual([400, 'invalid_parameter']);
    expect(outcome(await post({ flowTotalSize: 8, flowChunkNumber: 1 }, Buffer.from('four')))).toEqual([
      400,
      'missing_parameter',
    ]);
    expect(outcome(await post({ flowChunkNumber: 1, flowChunkSize: 4 }, Buffer.from('four')))).toEqual([
      400,
      'missing_parameter',
    ]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('are all sent, because the query before a chunk is refused', async () => {
    const reply = await api.send('GET', `/api.php/files/upload?${encodeQuery({ path, flowChunkNumber: 1 })}`);
    expect(reply.status).toBe(405);
  });
});

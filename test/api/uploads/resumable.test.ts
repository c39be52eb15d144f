import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../dist/server/lib/clock.js';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { beginChunk, offsetOf, sendChunk } from '../../support/requests/chunks.ts';

let household: Household;
let api: ApiClient;
let count = 0;
let folder = '';
let path = '';
let file = '';
/** The parameters that identify the uploads of a test. */
let named = { uploadId: '' };

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());
beforeEach(async () => {
  count += 1;
  folder = join(household.home, `test ${count}`);
  await mkdir(folder);
  path = `/ROOT/HOME/test ${count}/film.bin`;
  file = join(folder, 'film.bin');
  named = { uploadId: `the-upload-of-test-${count}` };
});

const sha = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const incoming = () => readdir(join(household.folder, '.larder', 'incoming'));
const outcome = ({ status, body }: Reply) => [status, body.code ?? body.data.offset ?? body.data.fileSize];
const piece = (content: Buffer, start: number, end?: number, more = {}) =>
  sendChunk(api, path, content, start, end, { ...named, ...more });
const offset = () => offsetOf(api, path, named);
const begin = (startByte: number, totalSize: number, announced: number) =>
  beginChunk({ port: household.port, ca: household.ca, token: api.token_ }, path, {
    ...{ startByte, totalSize, announced },
    ...named,
  });

describe('a chunked upload', () => {
  it.each([
    [1, 7, 3],
    [4_000_037, 999_983, 1_048_576],
    [9_000_001, 3_333_333, 65_537],
  ])('of %i bytes appears with its last chunk, byte for byte', async (size, ...steps) => {
    const content = randomBytes(size);
    expect(await offset()).toBe(0);
    for (let start = 0, turn = 0; start < size; turn += 1) {
      const end = Math.min(size, start + (steps[turn % steps.length] ?? size));
      expect(await readdir(folder)).toEqual([]);
      const reply = await piece(content, start, end);
      if (end === size) expect(reply.body.data).toMatchObject({ path, filename: 'film.bin', fileSize: size });
      else expect(outcome(reply)).toEqual([200, end]);
      expect(reply.status).toBe(end === size ? 201 : 200);
      expect(await offset()).toBe(end === size ? 0 : end);
      start = end;
    }
    expect(sha(await readFile(file))).toBe(sha(content));
    expect(await incoming()).toEqual([]);
  });

  it('accepts chunks of unknown length', async () => {
    const content = randomBytes(300_000);
    const chunks = async function* (from: number, to: number) {
      for (let at = from; at < to; at += 7_001) yield content.subarray(at, Math.min(to, at + 7_001));
    };
    const query = (startByte: number) => ({ path, totalSize: content.length, startByte, ...named });
    expect(outcome(await api.put(query(0), chunks(0, 100_000) as never))).toEqual([200, 100_000]);
    const beyond = await api.put({ ...query(100_000), totalSize: 100_000 }, chunks(100_000, 300_000) as never);
    expect(outcome(beyond)).toEqual([409, 'conflict']);
    expect(outcome(await api.put(query(100_000), chunks(100_000, 300_000) as never))).toEqual([201, 300_000]);
    expect(sha(await readFile(file))).toBe(sha(content));
  });

  it('refuses a chunk that leaves a gap, and returns the offset to continue at', async () => {
    const content = randomBytes(1_000);
    for (const start of [1, 500, 1_000]) {
      const reply = await piece(content, start);
      expect(outcome(reply)).toEqual([409, 'conflict']);
      expect(reply.body.details).toEqual({ offset: 0, totalSize: 1_000 });
    }
    await piece(content, 0, 400);
    const gap = await piece(content, 401);
    expect([...outcome(gap), gap.body.details]).toEqual([409, 'conflict', { offset: 400, totalSize: 1_000 }]);
    expect(await offset()).toBe(400);
    expect(outcome(await piece(content, 400))).toEqual([201, 1_000]);
    expect(sha(await readFile(file))).toBe(sha(content));
  });

  it('accepts an overlapping chunk: the newer bytes count, and later ones are discarded', async () => {
    const content = randomBytes(3_000_000);
    await piece(Buffer.alloc(content.length, 1), 0, 2_500_000);
    expect(outcome(await piece(content, 0, 1_200_000))).toEqual([200, 1_200_000]);
    expect(outcome(await piece(content, 1_000_000, 1_900_000))).toEqual([200, 1_900_000]);
    expect(outcome(await piece(content, 1_900_000))).toEqual([201, 3_000_000]);
    expect(sha(await readFile(file))).toBe(sha(content));
  });

  it('keeps its initial size; another size is another upload', async () => {
    const content = randomBytes(1_000);
    await piece(content, 0, 600);
    const other = await api.put({ path, totalSize: 900, startByte: 600, ...named }, content.subarray(600, 900));
    expect([...outcome(other), other.body.details]).toEqual([409, 'conflict', { offset: 0, totalSize: 900 }]);
    const tooMuch = await api.put({ path, totalSize: 1_000, startByte: 600, ...named }, randomBytes(401));
    expect([...outcome(tooMuch), tooMuch.body.details]).toEqual([400, 'invalid_parameter', { parameter: 'totalSize' }]);
    expect(await offset()).toBe(600);
    expect(outcome(await piece(content, 600))).toEqual([201, 1_000]);
    const shorter = content.subarray(0, 900);
    named = { uploadId: `${named.uploadId}-again` };
    expect(outcome(await piece(shorter, 0, 300))).toEqual([200, 300]);
    expect(outcome(await piece(shorter, 300))).toEqual([200, 900]);
    expect(sha(await readFile(file))).toBe(sha(shorter));
  });

  it('may be empty, as a whole or in a chunk', async () => {
    expect(outcome(await piece(Buffer.alloc(0), 0))).toEqual([201, 0]);
    expect((await stat(file)).size).toBe(0);
    const content = randomBytes(10);
    expect(outcome(await piece(content, 0, 0))).toEqual([200, 0]);
    expect(outcome(await piece(content, 0, 4))).toEqual([200, 4]);
    expect(outcome(await piece(content, 4, 4))).toEqual([200, 4]);
    expect(outcome(await piece(content, 4))).toEqual([200, 10]);
    expect((await readFile(file)).equals(content)).toBe(true);
  });

  it('whose last chunk is repeated because its reply was lost is stored once and intact', async () => {
    const content = randomBytes(2_000_000);
    await piece(content, 0, 1_500_000);
    expect((await piece(content, 1_500_000)).status).toBe(201);
    for (const start of [1_500_000, 2_000_000]) {
      const again = await piece(content, start);
      expect([...outcome(again), again.body.details.offset]).toEqual([409, 'conflict', 0]);
    }
    expect(sha(await readFile(file))).toBe(sha(content));
    const { body } = await api.get('files/versions/list', { path });
    expect(body.data.versions).toHaveLength(1);
  });

  it('continues after a restart of the server', async () => {
    const content = randomBytes(2_000_000);
    await piece(content, 0, 700_000);
    await household.restart();
    api = await household.signIn();
    expect(await incoming()).toHaveLength(1);
    expect(await offset()).toBe(700_000);
    await piece(content, 700_000, 1_100_000);
    await household.restart();
    api = await household.signIn();
    expect(outcome(await piece(content, 1_100_000))).toEqual([201, 2_000_000]);
    expect(sha(await readFile(file))).toBe(sha(content));
    expect(await incoming()).toEqual([]);
    expect(await household.control('doctor')).toMatchObject({ problems: [] });
  });

  it('keeps what arrived of a chunk whose client disconnected', async () => {
    const content = randomBytes(6_000_000);
    await piece(content, 0, 1_000_000);
    const socket = begin(1_000_000, content.length, 5_000_000);
    socket.write(content.subarray(1_000_000, 4_000_000));
    await expect
      .poll(async () => (await stat(join(household.folder, '.larder', 'incoming', (await incoming())[0] ?? ''))).size)
      .toBeGreaterThan(1_500_000);
    socket.destroy();
    await expect.poll(offset).toBeGreaterThan(1_500_000);
    const from = Number(await offset());
    expect(from).toBeLessThanOrEqual(4_000_000);
    expect(outcome(await piece(content, from))).toEqual([201, 6_000_000]);
    expect(sha(await readFile(file))).toBe(sha(content));
  });

  it('aborts a stalled chunk if a newer one arrives for the same path', async () => {
    // As much as the server writes at once, so that the file shows when it has come.
    const part = 1024 * 1024;
    const content = randomBytes(100_000 + 2 * part);
    await piece(content, 0, 100_000);
    const hanging = begin(100_000, content.length, 2 * part);
    const closed = new Promise((resolve) => hanging.once('close', resolve));
    hanging.write(content.subarray(100_000, 100_000 + part));
    await expect
      .poll(async () => (await stat(join(household.folder, '.larder', 'incoming', (await incoming())[0] ?? ''))).size)
      .toBe(100_000 + part);
    expect(outcome(await piece(content, 100_000))).toEqual([201, content.length]);
    await closed;
    expect(sha(await readFile(file))).toBe(sha(content));
    expect(await incoming()).toEqual([]);
  });

  it('sent by many clients concurrently results in one complete content', async () => {
    const contents = Array.from({ length: 6 }, (_, index) => Buffer.alloc(400_000, index + 1));
    await Promise.allSettled(contents.map((content) => sendChunk(api, path, content, 0)));
    const stored = await readFile(file);
    expect(contents.some((content) => content.equals(stored))).toBe(true);
    expect(await incoming()).toEqual([]);
    expect(await household.control('doctor')).toMatchObject({ problems: [] });
  });
});

describe('the offset', () => {
  it('is returned without a body and without a length, by POST too, and by path or filePath', async () => {
    const content = randomBytes(100);
    await piece(content, 0, 60);
    expect(await offset()).toBe(60);
    const form = await api.post('files/upload', { path, getOffset: 1, ...named });
    expect(outcome(form)).toEqual([200, 60]);
    expect(outcome(await api.post('files/upload', { filePath: path, getOffset: 'yes', ...named }))).toEqual([200, 60]);
    // Another spelling of the same name is the same upload.
    expect(await offsetOf(api, path.replace('film', 'FILM'), named)).toBe(60);
    expect(await offsetOf(api, path.replace('film', 'other'), named)).toBe(0);
    expect(await offsetOf(api, '/ROOT/HOME')).toEqual([400, 'invalid_path']);
    expect(await offsetOf(api, '/TRASH/x')).toEqual([404, 'not_found']);
    expect(outcome(await api.post('files/upload', { getOffset: 1 }))).toEqual([400, 'missing_parameter']);
    const other = await household.signIn('list download');
    expect(await offsetOf(other, path)).toEqual([403, 'insufficient_scope']);
    expect(outcome(await piece(content, 60))).toEqual([201, 100]);
  });
});

describe('the name of a chunked upload', () => {
  it('is checked at the end: it is refused if a folder has it, and can be retried with an empty chunk', async () => {
    const content = randomBytes(50_000);
    await piece(content, 0, 20_000);
    await mkdir(file);
    expect(outcome(await piece(content, 20_000))).toEqual([409, 'already_exists']);
    expect(await offset()).toBe(50_000);
    expect(outcome(await piece(content, 50_000))).toEqual([409, 'already_exists']);
    await rm(file, { recursive: true });
    expect(outcome(await piece(content, 50_000))).toEqual([201, 50_000]);
    expect(sha(await readFile(file))).toBe(sha(content));
  });

  it('requires its folder at the end, even if it was missing in between', async () => {
    const content = randomBytes(50_000);
    await piece(content, 0, 20_000);
    await rename(folder, `${folder} moved`);
    expect(outcome(await piece(content, 20_000))).toEqual([404, 'not_found']);
    expect(await offset()).toBe(50_000);
    await rename(`${folder} moved`, folder);
    expect(outcome(await piece(content, 50_000))).toEqual([201, 50_000]);
    expect(sha(await readFile(file))).toBe(sha(content));
  });

  it('with filePath creates missing folders, with the last chunk only', async () => {
    const content = randomBytes(50_000);
    const filePath = `/ROOT/HOME/test ${count}/new/deep/film.bin`;
    const query = (startByte: number) => ({ ...named, filePath, totalSize: content.length, startByte });
    await api.put(query(0), content.subarray(0, 30_000));
    expect(await readdir(folder)).toEqual([]);
    expect(outcome(await api.put(query(30_000), content.subarray(30_000)))).toEqual([201, 50_000]);
    expect(sha(await readFile(join(folder, 'new', 'deep', 'film.bin')))).toBe(sha(content));
  });

  it('may be that of a file: its content becomes a version', async () => {
    await api.put({ path }, 'the first');
    const content = randomBytes(50_000);
    await piece(content, 0, 30_000);
    expect(await readFile(file, 'utf8')).toBe('the first');
    const reply = await piece(content, 30_000);
    expect([reply.status, reply.body.data.version]).toEqual([200, 2]);
    expect((await api.get('files/download', { path, version: 1 })).text).toBe('the first');
  });

  it('that is invalid is refused with the first chunk', async () => {
    for (const name of ['a:b', 'nul', 'x'.repeat(256)]) {
      const target = path.replace('film.bin', name);
      const reply = await sendChunk(api, target, randomBytes(70_000), 0, 66_000);
      expect(outcome(reply), name).toEqual([400, 'invalid_name']);
      const small = await sendChunk(api, target, randomBytes(10), 0);
      expect(outcome(small), name).toEqual([400, 'invalid_name']);
    }
    for (const name of ['.larder-home', '.larder-area']) {
      expect(outcome(await sendChunk(api, `/ROOT/HOME/${name}`, randomBytes(10), 0)), name).toEqual([
        409,
        'already_exists',
      ]);
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('an abandoned upload', () => {
  it('expires after seven days, and not before', async () => {
    const content = randomBytes(50_000);
    const before = (await incoming()).length;
    await piece(content, 0, 10_000);
    household.clock.advance(6 * DAY);
    await household.larder.maintenance();
    api = await household.signIn();
    expect(outcome(await piece(content, 10_000, 20_000))).toEqual([200, 20_000]);
    household.clock.advance(7 * DAY - HOUR);
    await household.larder.maintenance();
    api = await household.signIn();
    expect(await offset()).toBe(20_000);
    household.clock.advance(2 * HOUR);
    await household.larder.maintenance();
    api = await household.signIn();
    expect(await offset()).toBe(0);
    expect((await incoming()).length).toBeLessThanOrEqual(before);
    expect(outcome(await piece(content, 20_000))).toEqual([409, 'conflict']);
    expect(outcome(await piece(content, 0))).toEqual([201, 50_000]);
  });
});

describe('lastModified', () => {
  const WHEN = 1_234_567_890;

  it('sets the time of a file sent whole, in a form, or in chunks', async () => {
    const mtime = async (name: string) => (await stat(join(folder, name))).mtimeMs / 1_000;
    const at = (name: string) => `/ROOT/HOME/test ${count}/${name}`;
    await api.put({ path: at('put'), lastModified: WHEN }, 'content');
    expect(await mtime('put')).toBe(WHEN);
    for (const [name, parts] of [
      ['before', ['lastModified', 'file']],
      ['after', ['file', 'lastModified']],
    ] as const) {
      const form = new FormData();
      for (const part of parts) {
        if (part === 'file') form.set('file', new Blob(['content']));
        else form.set(part, String(WHEN));
      }
      form.set('path', at(name));
      const { headers, body } = await encoded(form);
      expect((await api.send('POST', '/api.php/files/upload', { headers, body })).status).toBe(200);
      expect(await mtime(name), name).toBe(WHEN);
    }
    const content = randomBytes(100);
    await sendChunk(api, at('pieces'), content, 0, 50, { lastModified: WHEN });
    await sendChunk(api, at('pieces'), content, 50, 100, { lastModified: WHEN });
    expect(await mtime('pieces')).toBe(WHEN);
    const { body } = await api.get('files/browse', { path: `/ROOT/HOME/test ${count}`, 'details[]': ['mdate'] });
    const dates = body.data.files.map(({ mdate }: { mdate: string }) => mdate);
    expect(new Set(dates)).toEqual(new Set(['2009-02-13T23:31:30Z']));
    // The catalogue treats it as the same file afterwards.
    expect(await household.control('doctor')).toMatchObject({ problems: [] });
  });

  it('may be from 1901 to the far future, but not outside of that range', async () => {
    for (const [lastModified, status] of [
      [0, 201],
      [-(2 ** 31), 200],
      [4_102_444_800, 200],
      [253_402_300_800, 400],
      [-(2 ** 31) - 1, 400],
      ['2024-01-01', 400],
      ['1e9', 400],
      ['', 400],
    ] as const) {
      expect((await api.put({ path, lastModified }, 'x')).status, String(lastModified)).toBe(status);
    }
    expect((await stat(file)).mtimeMs).toBe(4_102_444_800_000);
  });
});

describe('invalid chunks', () => {
  it.each([
    [{ totalSize: -1, startByte: 0 }, 'invalid_parameter'],
    [{ totalSize: 10, startByte: -1 }, 'invalid_parameter'],
    [{ totalSize: '10.5', startByte: 0 }, 'invalid_parameter'],
    [{ totalSize: '0x10', startByte: 0 }, 'invalid_parameter'],
    [{ totalSize: '9007199254740993', startByte: 0 }, 'invalid_parameter'],
    [{ totalSize: 'NaN', startByte: 0 }, 'invalid_parameter'],
    [{ totalSize: 10, startByte: '' }, 'invalid_parameter'],
    [{ startByte: 0 }, 'missing_parameter'],
    [{ startByte: 5 }, 'missing_parameter'],
    [{ totalSize: 3, startByte: 0 }, 'invalid_parameter'],
    [{ totalSize: 10, startByte: 8 }, 'invalid_parameter'],
    [{ totalSize: 10, startByte: 999_999_999_999_999 }, 'invalid_parameter'],
    [{ totalSize: 10, startByte: 0, getOffset: 'maybe' }, 'invalid_parameter'],
  ])('%j are refused as %s, and leave nothing', async (query, code) => {
    const reply = await api.put({ path, ...query }, 'four');
    expect(outcome(reply)).toEqual([400, code]);
    expect(await readdir(folder)).toEqual([]);
    expect(await offset()).toBe(0);
    expect(await incoming()).toEqual([]);
  });

  it('or valid ones may be sent in a form', async () => {
    const send = async (content: string, fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ path, ...named, ...fields })) form.set(name, value);
      form.set('file', new Blob([content]));
      const { headers, body } = await encoded(form);
      return api.send('POST', '/api.php/files/upload', { headers, body });
    };
    expect(outcome(await send('four', { totalSize: '3', startByte: '0' }))).toEqual([400, 'invalid_parameter']);
    expect(outcome(await send('four', { totalSize: '10', startByte: '2' }))).toEqual([409, 'conflict']);
    expect(await incoming()).toEqual([]);
    expect(outcome(await send('four', { totalSize: '10', startByte: '0' }))).toEqual([200, 4]);
    expect(outcome(await send(' more', { totalSize: '10', startByte: '4' }))).toEqual([200, 9]);
    expect(await readdir(folder)).toEqual([]);
    const last = await send('!', { totalSize: '10', startByte: '9' });
    expect([...outcome(last), last.body.data.created]).toEqual([200, 10, true]);
    expect(await readFile(file, 'utf8')).toBe('four more!');
    expect(await incoming()).toEqual([]);
  });

  it('are refused when the announced length exceeds the whole, without waiting for it', async () => {
    await writeFile(file, 'old');
    const socket = begin(0, 1_000, 5_000);
    const reply = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
    socket.destroy();
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(await offset()).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('old');
  });
});

async function encoded(form: FormData): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const response = new Response(form);
  return {
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
    body: Buffer.from(await response.arrayBuffer()),
  };
}

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wrongCounts } from '../../../dist/server/catalogue/storage-use.js';
import { Connection } from '../../../dist/server/database/connection.js';
import { DAY } from '../../../dist/server/lib/clock.js';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, signInAs } from '../../support/households/member.ts';
import { type ApiClient, outcome } from '../../support/requests/api-client.ts';
import { beginChunk, offsetOf, sendChunk } from '../../support/requests/chunks.ts';

const MEGABYTE = 1_048_576;
const KILOBYTE = 1_024;

let household: Household;
let api: ApiClient;
let rows: Connection;
let member = 0;

beforeAll(async () => {
  household = await openHousehold();
  // One for every test: an empty home of two megabytes.
  const members = Array.from({ length: 20 }, (_, index) => [`m${index + 1}`, { space_quota_max: 2 }] as const);
  await addMembersWithHomes(household, Object.fromEntries(members));
  rows = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
});
afterAll(async () => {
  await rows.close();
  await household.close();
});
beforeEach(async () => {
  member += 1;
  await household.control('settings.update', { versionsKept: 20, versionDays: 0 });
  api = await signInAs(household, `m${member}`);
});

const path = (name: string) => `/ROOT/HOME/${name}`;
const onDisk = (...names: string[]) => join(homeOf(household, `m${member}`), ...names);
let contents = 0;
/** Each time with another content: the same one again would change nothing. */
const put = (name: string, bytes: number) => {
  contents += 1;
  return outcome(api.put({ path: path(name) }, Buffer.alloc(bytes, `${contents} `)));
};
const post = (operation: string, form: Record<string, string | number>) => outcome(api.post(operation, form));
const OK = [200, undefined];
const NEW = [201, undefined];
const REFUSED = [507, 'quota_exceeded'];

async function used(): Promise<number> {
  expect(await wrongCounts(rows)).toEqual([]);
  const [row] = await rows.all<{ used: number }>('SELECT used FROM homes WHERE path = ?', [`homes/m${member}`]);
  return row?.used ?? Number.NaN;
}

describe('a quota of 2 MB', () => {
  it('accepts the last byte and no more, and reports the usage', async () => {
    expect(await put('a', 2 * MEGABYTE)).toEqual(NEW);
    const { status, body } = await api.put({ path: path('b') }, 'x');
    expect([status, body.code, body.details]).toEqual([
      507,
      'quota_exceeded',
      { quota: 2 * MEGABYTE, used: 2 * MEGABYTE, needed: 1 },
    ]);
    expect(body.error).toContain('2 MB');
    expect(await put('empty', 0)).toEqual(NEW);
    expect(await used()).toBe(2 * MEGABYTE);
  });

  it('applies to content of unknown length while it arrives', async () => {
    const chunks = (count: number) => Readable.from(Array.from({ length: count }, () => Buffer.alloc(KILOBYTE)));
    expect(await outcome(api.put({ path: path('a') }, chunks(2_049)))).toEqual(REFUSED);
    expect(await used()).toBe(0);
    expect(await outcome(api.put({ path: path('a') }, chunks(2_048)))).toEqual(NEW);
    expect(await used()).toBe(2 * MEGABYTE);
  });

  it.each([20, 0])('counts what an overwrite replaces, with %i versions retained', async (versionsKept) => {
    await household.control('settings.update', { versionsKept });
    expect(await put('a', MEGABYTE)).toEqual(NEW);
    expect(await put('a', MEGABYTE + 1)).toEqual(REFUSED);
    expect(await put('a', MEGABYTE)).toEqual(OK);
    expect(await used()).toBe(2 * MEGABYTE);
    expect(await put('a', 1)).toEqual(REFUSED);
  });

  it('counts the trash, and frees its space at once', async () => {
    await put('a', 2 * MEGABYTE);
    const { body } = await api.post('files/delete', { path: path('a') });
    expect(await put('b', 1)).toEqual(REFUSED);
    expect(await post('files/trash/restore', { path: body.data.trash_path })).toEqual(OK);
    await api.post('files/delete', { path: path('a') });
    expect(await post('files/trash/empty', {})).toEqual(OK);
    expect(await put('b', 2 * MEGABYTE)).toEqual(NEW);
    expect(await post('files/delete', { path: path('b'), permanent: 1 })).toEqual(OK);
    expect(await used()).toBe(0);
  });

  it('counts versions, and frees their space when they expire or are deleted', async () => {
    for (let count = 0; count < 4; count += 1) await put('a', MEGABYTE / 2);
    expect(await used()).toBe(2 * MEGABYTE);
    expect(await post('files/versions/restore', { path: path('a'), version: 1 })).toEqual(REFUSED);
    expect(await post('files/versions/delete', { path: path('a'), version: 2 })).toEqual(OK);
    expect(await post('files/versions/restore', { path: path('a'), version: 1 })).toEqual(OK);
    expect(await put('b', 1)).toEqual(REFUSED);
    await household.control('settings.update', { versionDays: 1 });
    household.clock.advance(2 * DAY);
    await household.larder.maintenance();
    expect(await used()).toBe(MEGABYTE / 2);
    api = await signInAs(household, `m${member}`);
    expect(await put('b', 1.5 * MEGABYTE)).toEqual(NEW);
  });

  it('is checked for the whole of a copy, which counts at once', async () => {
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'to' });
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'again' });
    for (const name of ['tree/a', 'tree/in/b', 'tree/in/deep/c'])
      await api.put({ filePath: path(name) }, Buffer.alloc(300 * KILOBYTE));
    expect(await post('files/copy', { path: path('tree'), copyTo: path('to') })).toEqual(OK);
    expect(await used()).toBe(1_800 * KILOBYTE);
    const before = await used();
    expect(await post('files/copy', { path: path('tree'), copyTo: path('again') })).toEqual(REFUSED);
    expect(await post('files/copy', { path: path('tree/a'), copyTo: path('again') })).toEqual(REFUSED);
    expect(await used()).toBe(before);
    expect((await api.get('files/browse', { path: path('again') })).body.data.files).toEqual([]);
    await api.get('files/browse', { path: '/ROOT/HOME', recursive: '1' });
    expect(await used()).toBe(before);
  });

  it('allows everything else when other programs have exceeded it', async () => {
    await put('a', 10);
    await mkdir(onDisk('folder'));
    await writeFile(onDisk('large'), Buffer.alloc(3 * MEGABYTE));
    await api.get('files/browse', { path: '/ROOT/HOME' });
    expect(await used()).toBe(3 * MEGABYTE + 10);
    expect(await put('b', 1)).toEqual(REFUSED);
    expect(await put('a', 1)).toEqual(REFUSED);
    expect(await put('empty', 0)).toEqual(NEW);
    expect(await post('files/rename', { path: path('large'), newName: 'larger' })).toEqual(OK);
    expect(await post('files/move', { path: path('larger'), moveTo: path('folder') })).toEqual(OK);
    expect(await post('files/createfolder', { path: '/ROOT/HOME', name: 'new' })).toEqual(OK);
    expect((await api.get('files/download', { path: path('folder/larger') })).bytes).toHaveLength(3 * MEGABYTE);
    await rm(onDisk('folder', 'larger'));
    await api.get('files/browse', { path: path('folder') });
    expect(await put('b', 1)).toEqual(NEW);
  });

  it('counts a file that reappears after it was missing', async () => {
    await put('a', 2 * MEGABYTE);
    await rm(onDisk('a'));
    await api.get('files/browse', { path: '/ROOT/HOME' });
    expect(await used()).toBe(0);
    expect(await put('b', MEGABYTE)).toEqual(NEW);
    await writeFile(onDisk('a'), Buffer.alloc(2 * MEGABYTE));
    await api.get('files/browse', { path: '/ROOT/HOME' });
    expect(await used()).toBe(3 * MEGABYTE);
  });
});

describe('concurrent uploads', () => {
  it('of which only one fits: exactly one succeeds', async () => {
    const outcomes = await Promise.all(['a', 'b'].map((name) => put(name, 1.5 * MEGABYTE)));
    expect(outcomes.sort()).toEqual([NEW, REFUSED]);
    expect(await used()).toBe(1.5 * MEGABYTE);
  });

  const fifty = (content: () => Buffer | Readable) =>
    Promise.all(Array.from({ length: 50 }, (_, index) => outcome(api.put({ path: path(`${index}`) }, content()))));

  it('fill the quota to the last byte, with fifty of them', async () => {
    const outcomes = await fifty(() => Buffer.alloc(128 * KILOBYTE));
    expect(outcomes.filter(([status]) => status === 201)).toHaveLength(16);
    expect(outcomes.filter(([status]) => status === 507)).toHaveLength(34);
    expect(await used()).toBe(2 * MEGABYTE);
  });

  itInFull('of unknown length never exceed it, though fifty of them may displace each other', async () => {
    const outcomes = await fifty(() => Readable.from([Buffer.alloc(128 * KILOBYTE)]));
    const taken = outcomes.filter(([status]) => status === 201).length;
    expect(outcomes.filter(([status]) => status === 507)).toHaveLength(50 - taken);
    expect(taken).toBeGreaterThan(0);
    expect(await used()).toBe(taken * 128 * KILOBYTE);
    expect(await used()).toBeLessThanOrEqual(2 * MEGABYTE);
  });

  itInFull('with overwrites and copies among them never exceed it', async () => {
    await put('a', 100 * KILOBYTE);
    for (const name of ['x', 'y', 'z']) await api.post('files/createfolder', { path: '/ROOT/HOME', name });
    const work = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0
        ? post('files/copy', { path: path('a'), copyTo: path('xyz'[(index / 3) % 3] ?? 'x'), overwrite: 1 })
        : put(index % 3 === 1 ? 'a' : `new${index}`, 100 * KILOBYTE),
    );
    const refused = (await Promise.all(work)).filter(([status]) => status === 507);
    expect(await used()).toBe((31 - refused.length) * 100 * KILOBYTE);
    expect(await used()).toBe(2_000 * KILOBYTE);
  });
});

describe('a chunked upload and the quota', () => {
  const content = Buffer.alloc(1.5 * MEGABYTE, 7);

  it('reserves what has arrived, also after a restart, until it expires', async () => {
    const named = { uploadId: 'an-upload-with-a-quota' };
    const sent = await sendChunk(api, path('a'), content, 0, MEGABYTE, named);
    expect(sent.body.data).toEqual({ offset: MEGABYTE, ...named });
    expect(await put('b', MEGABYTE + 1)).toEqual(REFUSED);
    await household.restart();
    api = await signInAs(household, `m${member}`);
    expect(await put('b', MEGABYTE + 1)).toEqual(REFUSED);
    expect(await put('b', MEGABYTE)).toEqual(NEW);
    const rest = await sendChunk(api, path('a'), content, MEGABYTE, content.length, named);
    expect([rest.status, rest.body.code]).toEqual(REFUSED);
    expect(await offsetOf(api, path('a'), named)).toBe(MEGABYTE);
    household.clock.advance(8 * DAY);
    await household.larder.maintenance();
    api = await signInAs(household, `m${member}`);
    expect(await put('c', MEGABYTE)).toEqual(NEW);
  });

  it('continues when there is space again, and counts once', async () => {
    await put('b', 0.75 * MEGABYTE);
    const first = await sendChunk(api, path('a'), content, 0, MEGABYTE);
    expect([first.status, first.body.code]).toEqual(REFUSED);
    expect(await offsetOf(api, path('a'))).toBe(0);
    await api.post('files/delete', { path: path('b'), permanent: 1 });
    await sendChunk(api, path('a'), content, 0, MEGABYTE);
    expect((await sendChunk(api, path('a'), content, MEGABYTE)).status).toBe(201);
    expect(await used()).toBe(1.5 * MEGABYTE);
    expect(await put('b', 0.5 * MEGABYTE + 1)).toEqual(REFUSED);
    expect(await put('b', 0.5 * MEGABYTE)).toEqual(NEW);
  });

  it('reserves the whole size while a chunk arrives, and releases it after an abort', async () => {
    const { port, ca } = household;
    const piece = { startByte: 0, totalSize: 1.5 * MEGABYTE, announced: MEGABYTE };
    const socket = beginChunk({ port, ca, token: api.token_ }, path('a'), piece);
    socket.write(Buffer.alloc(1_000));
    const inPieces = () =>
      rows.all('SELECT id FROM uploads WHERE home_id = (SELECT id FROM homes WHERE path = ?)', [`homes/m${member}`]);
    await expect.poll(inPieces).toHaveLength(1);
    expect(await put('b', MEGABYTE)).toEqual(REFUSED);
    socket.destroy();
    await expect.poll(() => put('b', MEGABYTE)).toEqual(NEW);
  });
});

it('the quota does not apply to the owner', async () => {
  const owner = await household.signIn();
  await rows.run(`UPDATE accounts SET permissions = '{"space_quota_max":1,"upload_max_size":1}' WHERE id = 1`);
  await household.restart();
  const again = await household.signIn();
  expect(owner).not.toBe(again);
  expect((await again.put({ path: path('large') }, Buffer.alloc(3 * MEGABYTE))).status).toBe(201);
});

import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { MINUTE } from '../../dist/server/lib/clock.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMember, MEMBER, signInAs } from '../support/households/member.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { sendChunk } from '../support/requests/chunks.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';
import { fixture } from '../workers/embedded-support.ts';

// What a request costs beside the processor: SQL statements and messages to the threads of the disks. A bound that is exceeded is
// a gain that was lost; a lower number is a new bound.

const HOME = '/ROOT/HOME';
const REPEATS = 6;

let household: Household;
let owner: ApiClient;
let member: ApiClient;
let shared: string;

const statements = [vi.spyOn(Connection.prototype, 'all'), vi.spyOn(Connection.prototype, 'run')];
const messages = vi.spyOn(Worker.prototype, 'postMessage');

beforeAll(async () => {
  household = await openHousehold();
  owner = await household.signIn();
  await owner.put({ filePath: `${HOME}/Photos/a.txt` }, 'content');
  await owner.put({ filePath: `${HOME}/Photos/camera.jpg` }, await fixture('pictures/camera.jpg'));
  await addMember(household);
  member = await signInAs(household, MEMBER.username);
  const uid = Number((await member.get('account/info')).body.id);
  const { body } = await owner.post('files/share', { path: `${HOME}/Photos`, uid, upload: 1, alter: 1 });
  shared = `/ROOT/1/${body.data.shareid}`;
});
afterAll(async () => {
  vi.restoreAllMocks();
  await household?.close();
});

interface Cost {
  readonly sql: number;
  readonly disk: number;
}

let next = 0;

/** Each with a number of its own. */
const REQUESTS: Readonly<Record<string, { request: (n: number) => Promise<Reply>; most: Cost }>> = {
  'a listing': {
    request: () => owner.get('files/browse', { path: `${HOME}/Photos`, 'details[]': ['fileSize', 'mdate'] }),
    most: { sql: 0, disk: 0 },
  },
  'a listing with hashes': {
    request: () => owner.get('files/browse', { path: `${HOME}/Photos`, 'details[]': ['etag', 'sha256'] }),
    most: { sql: 1, disk: 0 },
  },
  'a listing of a share': {
    request: () => member.get('files/browse', { path: shared, 'details[]': ['fileSize', 'mdate'] }),
    most: { sql: 4, disk: 0 },
  },
  'the information about an account': { request: () => owner.get('account/info'), most: { sql: 0, disk: 0 } },
  'a download': {
    request: () => owner.get('files/download', { path: `${HOME}/Photos/a.txt` }),
    most: { sql: 0, disk: 1 },
  },
  'a thumbnail': {
    request: () => owner.get('files/thumbnail', { path: `${HOME}/Photos/camera.jpg`, width: 64, height: 64 }),
    most: { sql: 0, disk: 1 },
  },
  'a search by name': {
    request: () => owner.post('files/search', { path: HOME, filename: 'camera' }),
    most: { sql: 4, disk: 1 },
  },
  'a small upload': {
    request: (n) => owner.put({ path: `${HOME}/new ${n}.txt` }, 'content'),
    most: { sql: 2, disk: 2 },
  },
  'an overwrite': {
    request: (n) => owner.put({ path: `${HOME}/Photos/a.txt`, overwrite: 1 }, `content ${n}`),
    most: { sql: 15, disk: 5 },
  },
  'a new folder': {
    request: (n) => owner.post('files/createfolder', { path: HOME, name: `folder ${n}` }),
    most: { sql: 2, disk: 1 },
  },
  'a tag': {
    request: (n) => owner.post('files/tags/add', { path: `${HOME}/Photos/a.txt`, 'tags[]': `tag ${n}` }),
    most: { sql: 12, disk: 2 },
  },
};

/** The least of several: what the server does by itself meanwhile is not part of it. */
async function costOf(request: (n: number) => Promise<Reply>): Promise<Cost> {
  let [sql, disk] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    next += 1;
    for (const spy of [...statements, messages]) spy.mockClear();
    const { status } = await request(next);
    expect(status).toBeLessThan(300);
    sql = Math.min(
      sql,
      statements.reduce((sum, spy) => sum + spy.mock.calls.length, 0),
    );
    disk = Math.min(disk, messages.mock.calls.length);
  }
  return { sql, disk };
}

it.each(Object.entries(REQUESTS))(
  '%s needs no more SQL statements and messages to disk threads than before',
  async (_, { request, most }) => {
    // The first ones find nothing in memory yet.
    await expect
      .poll(async () => {
        const { sql, disk } = await costOf(request);
        return { sql: Math.max(sql, most.sql), disk: Math.max(disk, most.disk) };
      })
      .toEqual(most);
  },
);

describe('what no list shows', () => {
  let dav: DavClient;
  beforeAll(async () => {
    dav = await davClient(owner);
  });

  const ran = (part: string) =>
    statements.flatMap(({ mock }) => mock.calls).filter(([sql]) => String(sql).includes(part)).length;

  it.each<[string, (n: number) => Promise<void>]>([
    [
      'a chunk of an upload',
      async (n) => {
        const { status } = await sendChunk(owner, `${HOME}/film ${n}.bin`, Buffer.alloc(100), 0, 50);
        expect([status, ran('UPDATE uploads')]).toEqual([200, 2]);
      },
    ],
    [
      'a use of a token and of an app password',
      async () => {
        household.clock.advance(2 * MINUTE);
        expect((await owner.get('account/info')).status).toBe(200);
        expect((await dav.send('OPTIONS', '/')).status).toBe(200);
        expect((await dav.send('PROPFIND', '/', { headers: { depth: '0' } })).status).toBe(207);
        await expect
          .poll(() => [ran('UPDATE authorizations SET last_used_at'), ran('UPDATE app_passwords SET last_used_at')])
          .toEqual([1, 1]);
      },
    ],
  ])('%s leaves what is known of files: nothing is counted again', async (_, write) => {
    const again: number[] = [];
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      await household.control('status');
      for (const spy of statements) spy.mockClear();
      next += 1;
      await write(next);
      await household.control('status');
      again.push(ran('RECURSIVE present'));
    }
    expect(Math.min(...again)).toBe(0);
    // A new file is counted.
    expect((await owner.put({ path: `${HOME}/counted ${next}.txt` }, 'x')).status).toBe(201);
    await household.control('status');
    expect(ran('RECURSIVE present')).toBeGreaterThan(0);
  });
});

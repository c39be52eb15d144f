import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../dist/server/lib/clock.js';
import type { Household } from '../support/households/household.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { davClient } from '../support/webdav/dav-client.ts';
import { codeOf, newBox, openTransfers, statusOf, TransferClient } from './transfers.ts';

let household: Household;
let api: ApiClient;
let app: TransferClient;
let id = '';
let box = '';
let next = 0;

beforeAll(async () => {
  ({ household, api, app } = await openTransfers());
});
afterAll(() => household?.close());
afterEach(async () => {
  // What a test leaves would count in the next one.
  for (const left of [id, `${id}-2`]) await app.abort(left);
});
beforeEach(async () => {
  ({ next, id, box } = await newBox(household, next + 1));
});

const at = (name: string) => join(household.home, `box ${next}`, name);
const read = (name: string) => readFile(at(name), 'utf8');
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const info = async (name: string, details: readonly string[]) =>
  (await api.get('files/info', { path: `/ROOT/HOME/box ${next}/${name}`, 'details[]': details })).body.data;

/** The files of all transfers. */
async function areaFiles(): Promise<string[]> {
  const base = join(household.folder, '.larder', 'incoming');
  const all = await readdir(base, { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe('MOVE', () => {
  it('replaces a file and adds one version', async () => {
    await api.put({ path: `/ROOT/HOME/box ${next}/a.txt` }, 'old');
    await app.parts(id, ['new ', 'content']);
    const moved = await app.finish(id, `${box}/a.txt`);
    expect([moved.status, moved.headers['x-oc-mtime']]).toEqual([204, undefined]);
    const { version, etag } = await info('a.txt', ['version', 'etag']);
    expect([await read('a.txt'), version, moved.headers.etag]).toEqual(['new content', 2, etag]);
    const { body } = await api.get('files/versions/list', { path: `/ROOT/HOME/box ${next}/a.txt` });
    // The present one is in the list, too.
    expect(body.data.versions).toHaveLength(2);
  });

  it('accepts every address of files as its destination', async () => {
    for (const [name, destination] of [
      ['1.txt', `/remote.php/webdav${box}/1.txt`],
      ['2.txt', `/remote.php/dav/files/ANN${box}/2.txt`],
      ['3.txt', `${app.app.base}/dav${box}/3.txt`],
    ] as const) {
      await app.parts(id, ['here']);
      expect([name, await statusOf(app.finish(id, '', { destination }))]).toEqual([name, 201]);
      expect(await read(name)).toBe('here');
    }
  });

  it.each([
    ['of another length than the file', { 'oc-total-length': '7' }, [400, 'invalid_parameter']],
    ['with a wrong checksum', { 'oc-checksum': `SHA256:${sha256('other')}` }, [400, 'digest_mismatch']],
    [
      'with a wrong digest',
      { 'repr-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` },
      [400, 'digest_mismatch'],
    ],
    ['to a folder that does not exist', { destination: '/remote.php/webdav/My%20files/none/a.txt' }, [409, 'conflict']],
    ['to another server', { destination: 'https://elsewhere.example/dav/My%20files/a.txt' }, [502, 'bad_gateway']],
    ['to no file', { destination: '/account/' }, [502, 'bad_gateway']],
    ['to the list of lists', { destination: '/remote.php/webdav/a.txt' }, [403, 'permission_denied']],
    ['to another transfer', { destination: '/remote.php/dav/uploads/ann/other/1' }, [404, 'not_found']],
    ['to the trash', { destination: '/remote.php/dav/trashbin/ann/trash/a.txt' }, [404, 'not_found']],
    ['to the files of another account', { destination: '/remote.php/dav/files/ben/a.txt' }, [404, 'not_found']],
    [
      'with a name that no file may have',
      { destination: '/remote.php/webdav/My%20files/a%3Fb' },
      [403, 'invalid_name'],
    ],
    ['that needs a content which is not there', { 'if-match': '"none"' }, [412, 'precondition_failed']],
    ['under a condition that cannot be read', { if: '(<' }, [400, 'invalid_parameter']],
    ['with a length that is no number', { 'oc-total-length': '-1' }, [400, 'invalid_parameter']],
    ['with a time that is none', { 'x-oc-mtime': 'today' }, [400, 'invalid_parameter']],
    ['with an unknown answer to whether it may replace', { overwrite: 'X' }, [400, 'invalid_parameter']],
  ])('%s changes nothing, and succeeds after its correction', async (_what, headers, refusal) => {
    await app.parts(id, ['abc', 'def']);
    expect(codeOf(await app.finish(id, `${box}/a.txt`, headers as Record<string, string>))).toEqual(refusal);
    expect(await app.listed(id)).toEqual({ '1': 3, '2': 3 });
    expect(await areaFiles()).toHaveLength(2);
    expect(await statusOf(app.finish(id, `${box}/a.txt`))).toBe(201);
    expect(await read('a.txt')).toBe('abcdef');
  });

  it('requires a Destination header, also if earlier requests had one', async () => {
    await app.begin(id, app.destination(`${box}/a.txt`));
    await app.part(id, 1, 'x');
    expect(codeOf(await app.send('MOVE', `/${id}/.file`))).toEqual([400, 'missing_parameter']);
    expect(await statusOf(app.abort(id))).toBe(204);
  });

  it('checks the total length from the first request', async () => {
    await app.begin(id, { 'oc-total-length': '6' });
    await app.part(id, 1, 'abc');
    expect(codeOf(await app.finish(id, `${box}/a.txt`))).toEqual([400, 'invalid_parameter']);
    await app.part(id, 2, 'def');
    expect(await statusOf(app.finish(id, `${box}/a.txt`))).toBe(201);
  });

  it('respects conditions for the file that it replaces', async () => {
    const { headers: first } = await app.app.put(`${box}/a.txt`, 'old');
    const { etag = '' } = first;
    const path = `/remote.php/dav/files/ann${box}/a.txt`;
    await app.parts(id, ['new']);
    for (const refused of [
      { overwrite: 'F' },
      { 'if-none-match': '*' },
      { 'if-match': '"other"' },
      { if: '(["other"])' },
      { if: `<${path}> (["other"])` },
    ]) {
      expect([refused, codeOf(await app.finish(id, `${box}/a.txt`, refused))]).toEqual([
        refused,
        [412, 'precondition_failed'],
      ]);
    }
    expect(await read('a.txt')).toBe('old');
    // As the desktop client states it.
    expect(await statusOf(app.finish(id, `${box}/a.txt`, { if: `<${path}> ([${etag}])` }))).toBe(204);
    expect(await read('a.txt')).toBe('new');
    await app.parts(id, ['newer']);
    expect(await statusOf(app.finish(id, `${box}/b.txt`, { overwrite: 'F', 'if-none-match': '*' }))).toBe(201);
  });

  it('requires the token of a lock, and keeps the parts if it is missing', async () => {
    const { token } = await app.app.lock(`${box}/a.txt`);
    await app.parts(id, ['new']);
    expect(await statusOf(app.finish(id, `${box}/a.txt`))).toBe(423);
    expect(await statusOf(app.part(id, 2, 'x', app.destination(`${box}/a.txt`)))).toBe(423);
    const submitted = { if: `(<${token}>)` };
    const goal = { ...app.destination(`${box}/a.txt`), ...submitted };
    expect(await statusOf(app.part(id, 2, 'er', goal))).toBe(201);
    expect(await statusOf(app.finish(id, `${box}/a.txt`, submitted))).toBe(204);
    expect(await read('a.txt')).toBe('newer');
    await app.app.send('UNLOCK', `${box}/a.txt`, { headers: { 'lock-token': `<${token}>` } });
  });

  it('does not replace a folder', async () => {
    await mkdir(at('folder'));
    await app.parts(id, ['x']);
    expect(await statusOf(app.finish(id, `${box}/folder`))).toBe(405);
    expect(await statusOf(app.begin(`${id}-2`, app.destination(`${box}/folder`)))).toBe(405);
  });
});

describe('a MOVE that is repeated after its reply was lost', () => {
  const ofReply = ({ status, headers }: Reply) => [status, headers.etag, headers['oc-etag'], headers['oc-fileid']];

  it('is answered like the first one, also while that is in progress', async () => {
    for (const [attempt, status] of [
      ['first', 201],
      ['second', 204],
    ] as const) {
      // Later than what counts as one save.
      household.clock.advance(MINUTE);
      await app.parts(id, [attempt, ' content']);
      const headers = { 'x-oc-mtime': '1700000000' };
      const replies = await Promise.all([1, 2, 3].map(() => app.finish(id, `${box}/a.txt`, headers)));
      replies.push(await app.finish(id, `${box}/a.txt`, headers));
      expect(new Set(replies.map((one) => one.headers['x-oc-mtime']))).toEqual(new Set(['accepted']));
      const [one = [], ...others] = replies.map(ofReply);
      expect(one[0]).toBe(status);
      expect(others).toEqual([one, one, one]);
      expect(await read('a.txt')).toBe(`${attempt} content`);
    }
    // It is a reply only: nothing was stored again.
    const { versions } = (await api.get('files/versions/list', { path: `/ROOT/HOME/box ${next}/a.txt` })).body.data;
    // The present one is in the list, too.
    expect(versions).toHaveLength(2);
  });

  it('is not found for another destination, length, app or time, and after a new transfer of the name', async () => {
    const finish = (headers: Record<string, string> = {}, to = 'a.txt', by = app) =>
      by.finish(id, `${box}/${to}`, headers);
    await app.parts(id, ['abc']);
    expect((await finish()).status).toBe(201);
    const other = new TransferClient(await davClient(api));
    expect(
      await Promise.all(
        [finish({}, 'b.txt'), finish({ 'oc-total-length': '4' }), finish({}, 'a.txt', other)].map(statusOf),
      ),
    ).toEqual([404, 404, 404]);
    expect((await finish()).status).toBe(201);
    household.clock.advance(HOUR);
    expect((await finish()).status).toBe(404);
    await app.parts(id, ['def']);
    expect((await finish()).status).toBe(204);
    await app.begin(id);
    await app.abort(id);
    expect((await finish()).status).toBe(404);
    expect(await read('a.txt')).toBe('def');
  });
});

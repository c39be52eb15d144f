import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../dist/server/lib/clock.js';
import { areaOf, expectAllWell } from '../faults/support.ts';
import { itInFull } from '../support/forms.ts';
import type { Household } from '../support/households/household.ts';
import { addMembersWithHomes, signInAs } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { holdBody } from '../support/requests/held-body.ts';
import { davClient, parsed } from '../support/webdav/dav-client.ts';
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
const hashOf = (algorithm: string, content: Buffer) => createHash(algorithm).update(content).digest('hex');
const info = async (name: string, details: readonly string[]) =>
  (await api.get('files/info', { path: `/ROOT/HOME/box ${next}/${name}`, 'details[]': details })).body.data;

describe('a file in parts', () => {
  it('arrives with the requests of the Android app', async () => {
    const content = randomBytes(250_000);
    const goal = app.destination(`${box}/photo%20%C3%A9.jpg`);
    expect((await app.begin(id, goal)).status).toBe(201);
    expect(await app.listed(id)).toEqual({});
    for (const [index, start] of [0, 100_000, 200_000].entries()) {
      const body = content.subarray(start, start + 100_000);
      expect((await app.part(id, `00000${index + 1}`, body, goal)).status).toBe(201);
    }
    const moved = await app.finish(id, `${box}/photo%20%C3%A9.jpg`, { 'x-oc-mtime': '1700000000', overwrite: 'T' });
    expect([moved.status, moved.text, moved.headers['x-oc-mtime']]).toEqual([201, '', 'accepted']);
    expect((await readFile(at('photo é.jpg'))).equals(content)).toBe(true);
    expect((await stat(at('photo é.jpg'))).mtimeMs).toBe(1_700_000_000_000);
    const { etag } = await info('photo é.jpg', ['etag']);
    expect([moved.headers.etag, moved.headers['oc-etag']]).toEqual([etag, etag]);
    const asked = await app.app.propfind(
      `${box}/photo%20%C3%A9.jpg`,
      '0',
      '<propfind xmlns="DAV:" xmlns:o="http://owncloud.org/ns"><prop><o:id/></prop></propfind>',
    );
    expect([...parsed(asked.text).values()][0]?.found.get('id')).toBe(moved.headers['oc-fileid']);
    expect([await app.listed(id), await areaOf(household, 'incoming')]).toEqual([404, []]);
  });

  it('arrives with the requests of the desktop client, and its checksum is stored', async () => {
    const content = Buffer.from('a part and another one');
    const [total, checksum] = [{ 'oc-total-length': String(content.length) }, `SHA1:${hashOf('sha1', content)}`];
    expect((await app.begin(id, total)).status).toBe(201);
    expect((await app.part(id, '0000000000000000', content.subarray(0, 10))).status).toBe(201);
    expect((await app.part(id, '0000000000000001', content.subarray(10))).status).toBe(201);
    expect((await app.finish(id, `${box}/a.txt`, { ...total, 'oc-checksum': checksum })).status).toBe(201);
    const { headers, text } = await app.app.send('GET', `${box}/a.txt`);
    expect([text, headers['oc-checksum']]).toEqual([String(content), checksum]);
  });

  it('arrives with the requests of iPhones, which all state the destination and the length', async () => {
    const headers = { ...app.destination(`${box}/film.mov`), 'oc-total-length': '6' };
    expect((await app.begin(id, headers)).status).toBe(201);
    expect((await app.part(id, '1', 'abc', headers)).status).toBe(201);
    expect((await app.part(id, '2', 'def', headers)).status).toBe(201);
    expect((await app.finish(id, `${box}/film.mov`, { ...headers, 'x-oc-mtime': '1700000000.25' })).status).toBe(201);
    expect(await read('film.mov')).toBe('abcdef');
  });

  it('is joined by part number, in whatever order the parts arrive', async () => {
    await app.begin(id);
    const contents = Array.from({ length: 12 }, (_, index) => `${index + 1};`);
    const replies = await Promise.all(contents.map((content, index) => app.part(id, index + 1, content)).reverse());
    expect(new Set(replies.map((one) => one.status))).toEqual(new Set([201]));
    const names = Object.keys((await app.listed(id)) as object);
    expect(names).toEqual(contents.map((_, index) => String(index + 1)));
    expect((await app.finish(id, `${box}/a.txt`)).status).toBe(201);
    expect(await read('a.txt')).toBe(contents.join(''));
  });

  it('can have parts that are named by their byte ranges', async () => {
    await app.begin(id);
    await app.part(id, '000000000000003-000000000000005', 'def');
    await app.part(id, '000000000000000-000000000000002', 'abc');
    expect(codeOf(await app.part(id, '1', 'x'))).toEqual([400, 'invalid_parameter']);
    expect((await app.finish(id, `${box}/a.txt`)).status).toBe(201);
    expect(await read('a.txt')).toBe('abcdef');
    // A part that is missing is no content of zeros, and none is left out.
    await app.begin(id);
    await app.part(id, '0-2', 'abc');
    await app.part(id, '4-5', 'ef');
    expect(codeOf(await app.finish(id, `${box}/b.txt`))).toEqual([400, 'invalid_parameter']);
    await app.part(id, '3-3', 'd');
    expect((await app.finish(id, `${box}/b.txt`)).status).toBe(201);
    expect(await read('b.txt')).toBe('abcdef');
  });

  it('is not joined while a numbered part is missing, unless its length is known', async () => {
    await app.begin(id);
    await app.part(id, '1', 'a');
    await app.part(id, '3', 'c');
    expect(codeOf(await app.finish(id, `${box}/a.txt`))).toEqual([400, 'invalid_parameter']);
    expect((await app.finish(id, `${box}/known.txt`, { 'oc-total-length': '2' })).status).toBe(201);
    // Apps count from 0 or 1.
    for (const [first, expected] of [
      [0, 201],
      [1, 201],
      [2, 400],
    ] as const) {
      const counted = `${id}-${first}`;
      await app.begin(counted);
      for (const number of [first, first + 1]) await app.part(counted, String(number), 'x');
      expect([first, await statusOf(app.finish(counted, `${box}/from ${first}.txt`))]).toEqual([first, expected]);
    }
  });

  it('replaces a part that is sent again, regardless of leading zeros in its name', async () => {
    await app.parts(id, ['a wrong one', 'end']);
    expect((await app.part(id, '00001', 'right ')).status).toBe(201);
    expect(await app.listed(id)).toEqual({ '00001': 6, '2': 3 });
    expect((await app.finish(id, `${box}/a.txt`, { 'oc-total-length': '9' })).status).toBe(201);
    expect(await read('a.txt')).toBe('right end');
    expect(await areaOf(household, 'incoming')).toEqual([]);
  });

  it('accepts parts without a length, and parts can be removed', async () => {
    await app.begin(id);
    const body = Readable.from([Buffer.from('in '), Buffer.from('pieces')]);
    expect((await app.part(id, 1, body)).status).toBe(201);
    expect((await app.part(id, 2, 'stale')).status).toBe(201);
    expect(await statusOf(app.send('DELETE', `/${id}/2`))).toBe(204);
    expect(await statusOf(app.send('DELETE', `/${id}/2`))).toBe(404);
    expect(await app.listed(id)).toEqual({ '1': 9 });
    expect((await app.finish(id, `${box}/a.txt`)).status).toBe(201);
    expect(await read('a.txt')).toBe('in pieces');
  });

  it('can be empty, but only if its stated length is 0', async () => {
    await app.begin(id);
    expect(codeOf(await app.finish(id, `${box}/a.txt`))).toEqual([400, 'invalid_parameter']);
    expect((await app.finish(id, `${box}/a.txt`, { 'oc-total-length': '0' })).status).toBe(201);
    expect((await stat(at('a.txt'))).size).toBe(0);
  });
});

describe('a transfer', () => {
  it('lists its parts for a client that continues', async () => {
    await app.begin(id);
    await app.part(id, '00002', 'two!');
    await app.part(id, '00001', 'one');
    const body = '<propfind xmlns="DAV:"><prop><getcontentlength/><resourcetype/><getlastmodified/></prop></propfind>';
    const { status: listed, text } = await app.send('PROPFIND', `/${id}/`, { headers: { depth: '1' }, body });
    expect(listed).toBe(207);
    const base = `/remote.php/dav/uploads/ann/${id}/`;
    const responses = parsed(text);
    expect([...responses.keys()]).toEqual([base, `${base}00001`, `${base}00002`]);
    expect(responses.get(base)?.found.get('resourcetype')).toBe('<d:collection/>');
    const { found } = responses.get(`${base}00002`) ?? {};
    const time = new Date(household.clock.now()).toUTCString();
    expect([found?.get('getcontentlength'), found?.get('resourcetype')]).toEqual(['4', '']);
    expect(found?.get('getlastmodified')).toBe(time);
    const own = await app.send('PROPFIND', `/${id}`, { headers: { depth: '0' } });
    expect([...parsed(own.text).keys()]).toEqual([base]);
    for (const headers of [{ depth: 'infinity' }, {}]) {
      const refused = await app.send('PROPFIND', `/${id}`, { headers });
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('propfind-finite-depth')]);
    }
    expect(await app.listed('unknown')).toBe(404);
  });

  it('can be created only once', async () => {
    expect(await statusOf(app.begin(id))).toBe(201);
    expect(await statusOf(app.begin(id))).toBe(405);
    expect(await statusOf(app.send('MKCOL', `/${id}-2`, { body: 'x' }))).toBe(415);
    expect(await statusOf(app.part('unknown', 1, 'x'))).toBe(404);
    expect(await statusOf(app.finish('unknown', `${box}/a.txt`))).toBe(404);
    expect(await statusOf(app.abort('unknown'))).toBe(404);
  });

  it('is removed with its parts when aborted, also while a part is arriving', async () => {
    await app.parts(id, ['one', 'two']);
    const held = holdBody(randomBytes(4_000_000));
    const arriving = app.part(id, 3, held.body, held.headers);
    await expect.poll(async () => (await areaFiles()).length).toBe(3);
    expect(await statusOf(app.abort(id))).toBe(204);
    held.release();
    expect(await statusOf(arriving)).toBe(404);
    expect(await app.listed(id)).toBe(404);
    expect(await areaOf(household, 'incoming')).toEqual([]);
  });

  it('keeps an earlier part if the connection is lost while the part is sent again', async () => {
    await app.parts(id, ['here', ' to stay']);
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('bro');
        throw new Error('the connection is lost');
      })(),
    );
    await expect(app.part(id, 1, broken, { 'content-length': '10' })).rejects.toThrow();
    // It is cleared away before the next request of the same connection could be answered.
    await expect.poll(async () => (await areaFiles()).length).toBe(2);
    expect(await app.listed(id)).toEqual({ '1': 4, '2': 8 });
    expect(await statusOf(app.finish(id, `${box}/a.txt`))).toBe(201);
    expect(await read('a.txt')).toBe('here to stay');
  });

  it('continues after a restart, which removes incomplete parts', async () => {
    await app.parts(id, ['one, ', 'two']);
    const [folder = ''] = await areaOf(household, 'incoming');
    await household.whileStopped(() => writeFile(join(household.folder, '.larder', 'incoming', folder, 'half'), 'x'));
    app = app.after(household);
    api = await household.signIn();
    expect(await areaFiles()).toHaveLength(2);
    expect(await app.listed(id)).toEqual({ '1': 5, '2': 3 });
    expect(await statusOf(app.finish(id, `${box}/a.txt`))).toBe(201);
    expect(await read('a.txt')).toBe('one, two');
    await expectAllWell(household);
  });

  it('ends if a part was removed from the disk, so that its client starts again', async () => {
    await app.parts(id, ['one', 'two']);
    const [folder = ''] = await areaOf(household, 'incoming');
    const [file = ''] = await areaFiles();
    await rm(join(household.folder, '.larder', 'incoming', folder, file));
    expect(await statusOf(app.finish(id, `${box}/a.txt`))).toBe(404);
    expect([await app.listed(id), await areaOf(household, 'incoming')]).toEqual([404, []]);
    // The same at a start.
    await app.parts(id, ['one', 'two']);
    await household.whileStopped(async () => {
      await rm(
        join(
          household.folder,
          '.larder',
          'incoming',
          (await areaOf(household, 'incoming'))[0] ?? '',
          (await areaFiles())[0] ?? '',
        ),
      );
    });
    [app, api] = [app.after(household), await household.signIn()];
    expect([await app.listed(id), await areaOf(household, 'incoming')]).toEqual([404, []]);
    await expectAllWell(household);
  });

  it('expires a week after its last part', async () => {
    await app.parts(id, ['one']);
    household.clock.advance(6 * DAY);
    await household.larder.maintenance();
    await app.part(id, 2, 'two');
    household.clock.advance(6 * DAY);
    await household.larder.maintenance();
    expect(await app.listed(id)).toEqual({ '1': 3, '2': 3 });
    household.clock.advance(2 * DAY);
    await household.larder.maintenance();
    expect([await app.listed(id), await areaOf(household, 'incoming')]).toEqual([404, []]);
    api = await household.signIn();
  });

  itInFull('is limited to a thousand per account', async () => {
    await addMembersWithHomes(household, { max: {} });
    const max = new TransferClient(await davClient(await signInAs(household, 'max')));
    for (let begun = 0; begun < 1_000; begun += 100) {
      const some = Array.from({ length: 100 }, (_, index) => max.begin(`${begun + index}`));
      expect(new Set((await Promise.all(some)).map((one) => one.status))).toEqual(new Set([201]));
    }
    expect(codeOf(await max.begin('one-more'))).toEqual([429, 'too_many_requests']);
    expect(await statusOf(max.abort('0'))).toBe(204);
    expect(await statusOf(max.begin('one-more'))).toBe(201);
  });
});

/** The files of all transfers. */
async function areaFiles(): Promise<string[]> {
  const base = join(household.folder, '.larder', 'incoming');
  const all = await readdir(base, { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe('a part', () => {
  it('is verified with its checksum, and an earlier one is kept on failure', async () => {
    await app.parts(id, ['abc']);
    const wrong = await app.part(id, 1, 'abd', { 'oc-checksum': `SHA256:${sha256('abc')}` });
    expect(codeOf(wrong)).toEqual([400, 'digest_mismatch']);
    expect(codeOf(await app.part(id, 1, 'x', { 'oc-checksum': 'SHA256:12' }))).toEqual([400, 'invalid_parameter']);
    expect(await statusOf(app.part(id, 2, 'def', { 'oc-checksum': `MD5:${hashOf('md5', Buffer.from('def'))}` }))).toBe(
      201,
    );
    expect(await areaFiles()).toHaveLength(2);
    expect(await statusOf(app.finish(id, `${box}/a.txt`))).toBe(201);
    expect(await read('a.txt')).toBe('abcdef');
  });

  it.each([
    'a',
    '-1',
    '1.5',
    '10001',
    '99999999999999999999',
    '1-',
    '5-2',
    '.file.zsync',
    '%20',
    '1%2F2',
    '%FF',
    '1e3',
  ])('cannot be named "%s"', async (name) => {
    await app.begin(id);
    expect(codeOf(await app.part(id, name, 'x'))).toEqual([400, 'invalid_parameter']);
    expect(await app.listed(id)).toEqual({});
  });

  it('is refused with Content-Range or an invalid length', async () => {
    await app.begin(id);
    expect(await statusOf(app.part(id, 1, 'x', { 'content-range': 'bytes 0-0/1' }))).toBe(400);
    expect(await statusOf(app.part(id, 1, 'x', { 'oc-total-length': 'many' }))).toBe(400);
    expect(await statusOf(app.begin(`${id}-2`, { 'oc-total-length': '1.5' }))).toBe(400);
  });
});

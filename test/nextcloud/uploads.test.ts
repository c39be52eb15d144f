import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../dist/server/lib/clock.js';
import { areaOf, expectAllWell } from '../faults/support.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, homeOf, signInAs } from '../support/households/member.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { holdBody } from '../support/requests/held-body.ts';
import { davClient, parsed } from '../support/webdav/dav-client.ts';
import { send } from './support.ts';
import { TransferClient } from './transfers.ts';

let household: Household;
let api: ApiClient;
let app: TransferClient;
let id = '';
let box = '';
let next = 0;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  app = new TransferClient(await davClient(api));
});
afterAll(() => household?.close());
afterEach(async () => {
  // What a test leaves would count in the next one.
  for (const left of [id, `${id}-2`]) await app.abort(left);
});
beforeEach(async () => {
  next += 1;
  [id, box] = [`transfer-${next}`, `/My%20files/box%20${next}`];
  await mkdir(join(household.home, `box ${next}`));
});

const at = (name: string) => join(household.home, `box ${next}`, name);
const read = (name: string) => readFile(at(name), 'utf8');
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const hashOf = (algorithm: string, content: Buffer) => createHash(algorithm).update(content).digest('hex');
const codeOf = ({ status, text }: Reply) => [status, /<s:exception>(\w+)/.exec(text)?.[1]];
const status = async (reply: Promise<Reply>) => (await reply).status;
const info = async (name: string, details: readonly string[]) =>
  (await api.get('files/info', { path: `/ROOT/HOME/box ${next}/${name}`, 'details[]': details })).body.data;

describe('a file in parts', () => {
  it('arrives as the Android app sends it', async () => {
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

  it('arrives as the desktop client sends it, and its checksum is kept', async () => {
    const content = Buffer.from('a part and another one');
    const [total, checksum] = [{ 'oc-total-length': String(content.length) }, `SHA1:${hashOf('sha1', content)}`];
    expect((await app.begin(id, total)).status).toBe(201);
    expect((await app.part(id, '0000000000000000', content.subarray(0, 10))).status).toBe(201);
    expect((await app.part(id, '0000000000000001', content.subarray(10))).status).toBe(201);
    expect((await app.finish(id, `${box}/a.txt`, { ...total, 'oc-checksum': checksum })).status).toBe(201);
    const { headers, text } = await app.app.send('GET', `${box}/a.txt`);
    expect([text, headers['oc-checksum']]).toEqual([String(content), checksum]);
  });

  it('arrives as iPhones send it: every request names the destination and the length', async () => {
    const headers = { ...app.destination(`${box}/film.mov`), 'oc-total-length': '6' };
    expect((await app.begin(id, headers)).status).toBe(201);
    expect((await app.part(id, '1', 'abc', headers)).status).toBe(201);
    expect((await app.part(id, '2', 'def', headers)).status).toBe(201);
    expect((await app.finish(id, `${box}/film.mov`, { ...headers, 'x-oc-mtime': '1700000000.25' })).status).toBe(201);
    expect(await read('film.mov')).toBe('abcdef');
  });

  it('is joined in the order of the numbers, however the parts come', async () => {
    await app.begin(id);
    const contents = Array.from({ length: 12 }, (_, index) => `${index + 1};`);
    const replies = await Promise.all(contents.map((content, index) => app.part(id, index + 1, content)).reverse());
    expect(new Set(replies.map((one) => one.status))).toEqual(new Set([201]));
    const names = Object.keys((await app.listed(id)) as object);
    expect(names).toEqual(contents.map((_, index) => String(index + 1)));
    expect((await app.finish(id, `${box}/a.txt`)).status).toBe(201);
    expect(await read('a.txt')).toBe(contents.join(''));
  });

  it('can have parts that are named by their bytes', async () => {
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

  it('takes a part that is sent again instead of the earlier one, whatever zeros its name has', async () => {
    await app.parts(id, ['a wrong one', 'end']);
    expect((await app.part(id, '00001', 'right ')).status).toBe(201);
    expect(await app.listed(id)).toEqual({ '00001': 6, '2': 3 });
    expect((await app.finish(id, `${box}/a.txt`, { 'oc-total-length': '9' })).status).toBe(201);
    expect(await read('a.txt')).toBe('right end');
    expect(await areaOf(household, 'incoming')).toEqual([]);
  });

  it('takes parts without a length, and parts that are removed again', async () => {
    await app.begin(id);
    const body = Readable.from([Buffer.from('in '), Buffer.from('pieces')]);
    expect((await app.part(id, 1, body)).status).toBe(201);
    expect((await app.part(id, 2, 'stale')).status).toBe(201);
    expect(await status(app.send('DELETE', `/${id}/2`))).toBe(204);
    expect(await status(app.send('DELETE', `/${id}/2`))).toBe(404);
    expect(await app.listed(id)).toEqual({ '1': 9 });
    expect((await app.finish(id, `${box}/a.txt`)).status).toBe(201);
    expect(await read('a.txt')).toBe('in pieces');
  });

  it('can be empty, but only if its length says so', async () => {
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

  it('begins once', async () => {
    expect(await status(app.begin(id))).toBe(201);
    expect(await status(app.begin(id))).toBe(405);
    expect(await status(app.send('MKCOL', `/${id}-2`, { body: 'x' }))).toBe(415);
    expect(await status(app.part('unknown', 1, 'x'))).toBe(404);
    expect(await status(app.finish('unknown', `${box}/a.txt`))).toBe(404);
    expect(await status(app.abort('unknown'))).toBe(404);
  });

  it('is removed with its parts when it is aborted, also while one is arriving', async () => {
    await app.parts(id, ['one', 'two']);
    const held = holdBody(randomBytes(4_000_000));
    const arriving = app.part(id, 3, held.body, held.headers);
    await expect.poll(async () => (await areaFiles()).length).toBe(3);
    expect(await status(app.abort(id))).toBe(204);
    held.release();
    expect(await status(arriving)).toBe(404);
    expect(await app.listed(id)).toBe(404);
    expect(await areaOf(household, 'incoming')).toEqual([]);
  });

  it('keeps an earlier part when the connection is lost while it is sent again', async () => {
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
    expect(await status(app.finish(id, `${box}/a.txt`))).toBe(201);
    expect(await read('a.txt')).toBe('here to stay');
  });

  it('goes on after a restart, and what was arriving then is cleared away', async () => {
    await app.parts(id, ['one, ', 'two']);
    const [folder = ''] = await areaOf(household, 'incoming');
    await household.whileStopped(() => writeFile(join(household.folder, '.larder', 'incoming', folder, 'half'), 'x'));
    app = app.after(household);
    api = await household.signIn();
    expect(await areaFiles()).toHaveLength(2);
    expect(await app.listed(id)).toEqual({ '1': 5, '2': 3 });
    expect(await status(app.finish(id, `${box}/a.txt`))).toBe(201);
    expect(await read('a.txt')).toBe('one, two');
    await expectAllWell(household);
  });

  it('ends when a part was removed from the disk, so that its client begins again', async () => {
    await app.parts(id, ['one', 'two']);
    const [folder = ''] = await areaOf(household, 'incoming');
    const [file = ''] = await areaFiles();
    await rm(join(household.folder, '.larder', 'incoming', folder, file));
    expect(await status(app.finish(id, `${box}/a.txt`))).toBe(404);
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

  itInFull('is one of at most a thousand of an account', async () => {
    await addMembersWithHomes(household, { max: {} });
    const max = new TransferClient(await davClient(await signInAs(household, 'max')));
    for (let begun = 0; begun < 1_000; begun += 100) {
      const some = Array.from({ length: 100 }, (_, index) => max.begin(`${begun + index}`));
      expect(new Set((await Promise.all(some)).map((one) => one.status))).toEqual(new Set([201]));
    }
    expect(codeOf(await max.begin('one-more'))).toEqual([429, 'too_many_requests']);
    expect(await status(max.abort('0'))).toBe(204);
    expect(await status(max.begin('one-more'))).toBe(201);
  });
});

/** The files of all transfers. */
async function areaFiles(): Promise<string[]> {
  const base = join(household.folder, '.larder', 'incoming');
  const all = await readdir(base, { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe('MOVE', () => {
  it('replaces a file with one new version', async () => {
    await app.app.put(`${box}/a.txt`, 'old');
    await app.parts(id, ['new ', 'content']);
    const moved = await app.finish(id, `${box}/a.txt`);
    expect([moved.status, moved.headers['x-oc-mtime']]).toEqual([204, undefined]);
    const { version, etag } = await info('a.txt', ['version', 'etag']);
    expect([await read('a.txt'), version, moved.headers.etag]).toEqual(['new content', 2, etag]);
    const { body } = await api.get('files/versions/list', { path: `/ROOT/HOME/box ${next}/a.txt` });
    // The present one is in the list, too.
    expect(body.data.versions).toHaveLength(2);
  });

  it('takes every address of files as its destination', async () => {
    for (const [name, destination] of [
      ['1.txt', `/remote.php/webdav${box}/1.txt`],
      ['2.txt', `/remote.php/dav/files/ANN${box}/2.txt`],
      ['3.txt', `${app.app.base}/dav${box}/3.txt`],
    ] as const) {
      await app.parts(id, ['here']);
      expect([name, await status(app.finish(id, '', { destination }))]).toEqual([name, 201]);
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
    ['to another transfer', { destination: '/remote.php/dav/uploads/ann/other/1' }, [409, 'conflict']],
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
  ])('%s changes nothing, and works when it is right', async (_what, headers, refusal) => {
    await app.parts(id, ['abc', 'def']);
    expect(codeOf(await app.finish(id, `${box}/a.txt`, headers as Record<string, string>))).toEqual(refusal);
    expect(await app.listed(id)).toEqual({ '1': 3, '2': 3 });
    expect(await areaFiles()).toHaveLength(2);
    expect(await status(app.finish(id, `${box}/a.txt`))).toBe(201);
    expect(await read('a.txt')).toBe('abcdef');
  });

  it('needs a destination, which it may have from nowhere else', async () => {
    await app.begin(id, app.destination(`${box}/a.txt`));
    await app.part(id, 1, 'x');
    expect(codeOf(await app.send('MOVE', `/${id}/.file`))).toEqual([400, 'missing_parameter']);
    expect(await status(app.abort(id))).toBe(204);
  });

  it('respects the length that was stated in the beginning', async () => {
    await app.begin(id, { 'oc-total-length': '6' });
    await app.part(id, 1, 'abc');
    expect(codeOf(await app.finish(id, `${box}/a.txt`))).toEqual([400, 'invalid_parameter']);
    await app.part(id, 2, 'def');
    expect(await status(app.finish(id, `${box}/a.txt`))).toBe(201);
  });

  it('keeps the conditions of the file that it replaces', async () => {
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
    expect(await status(app.finish(id, `${box}/a.txt`, { if: `<${path}> ([${etag}])` }))).toBe(204);
    expect(await read('a.txt')).toBe('new');
    await app.parts(id, ['newer']);
    expect(await status(app.finish(id, `${box}/b.txt`, { overwrite: 'F', 'if-none-match': '*' }))).toBe(201);
  });

  it('needs the token of a lock, and keeps the parts without it', async () => {
    const { token } = await app.app.lock(`${box}/a.txt`);
    await app.parts(id, ['new']);
    expect(await status(app.finish(id, `${box}/a.txt`))).toBe(423);
    expect(await status(app.part(id, 2, 'x', app.destination(`${box}/a.txt`)))).toBe(423);
    const submitted = { if: `(<${token}>)` };
    const goal = { ...app.destination(`${box}/a.txt`), ...submitted };
    expect(await status(app.part(id, 2, 'er', goal))).toBe(201);
    expect(await status(app.finish(id, `${box}/a.txt`, submitted))).toBe(204);
    expect(await read('a.txt')).toBe('newer');
    await app.app.send('UNLOCK', `${box}/a.txt`, { headers: { 'lock-token': `<${token}>` } });
  });

  it('is no folder', async () => {
    await mkdir(at('folder'));
    await app.parts(id, ['x']);
    expect(await status(app.finish(id, `${box}/folder`))).toBe(405);
    expect(await status(app.begin(`${id}-2`, app.destination(`${box}/folder`)))).toBe(405);
  });
});

describe('a part', () => {
  it('is compared with its checksum, and an earlier one stays', async () => {
    await app.parts(id, ['abc']);
    const wrong = await app.part(id, 1, 'abd', { 'oc-checksum': `SHA256:${sha256('abc')}` });
    expect(codeOf(wrong)).toEqual([400, 'digest_mismatch']);
    expect(codeOf(await app.part(id, 1, 'x', { 'oc-checksum': 'SHA256:12' }))).toEqual([400, 'invalid_parameter']);
    expect(await status(app.part(id, 2, 'def', { 'oc-checksum': `MD5:${hashOf('md5', Buffer.from('def'))}` }))).toBe(
      201,
    );
    expect(await areaFiles()).toHaveLength(2);
    expect(await status(app.finish(id, `${box}/a.txt`))).toBe(201);
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
  ])('cannot be called "%s"', async (name) => {
    await app.begin(id);
    expect(codeOf(await app.part(id, name, 'x'))).toEqual([400, 'invalid_parameter']);
    expect(await app.listed(id)).toEqual({});
  });

  it('may not be one of a range, and its length may not be nonsense', async () => {
    await app.begin(id);
    expect(await status(app.part(id, 1, 'x', { 'content-range': 'bytes 0-0/1' }))).toBe(400);
    expect(await status(app.part(id, 1, 'x', { 'oc-total-length': 'many' }))).toBe(400);
    expect(await status(app.begin(`${id}-2`, { 'oc-total-length': '1.5' }))).toBe(400);
  });
});

describe('addresses', () => {
  it.each([
    ['a%20b', 400],
    ['a%2Fb', 400],
    ['%00', 400],
    ['%FF', 400],
    ['x'.repeat(256), 400],
    ['x'.repeat(255), 201],
    ['A.b-c_d~e@f+g=h', 201],
  ])('of a transfer "%s"', async (name, expected) => {
    expect(await status(app.send('MKCOL', `/${name}`))).toBe(expected);
    if (expected === 201) expect(await status(app.abort(name))).toBe(204);
  });

  it('have the methods that they say', async () => {
    await app.begin(id);
    for (const [path, method, allow] of [
      [`/${id}`, 'PUT', 'OPTIONS, MKCOL, PROPFIND, DELETE'],
      [`/${id}`, 'GET', 'OPTIONS, MKCOL, PROPFIND, DELETE'],
      [`/${id}/1`, 'GET', 'OPTIONS, PUT, DELETE'],
      [`/${id}/1`, 'MOVE', 'OPTIONS, PUT, DELETE'],
      [`/${id}/.file`, 'PUT', 'OPTIONS, MOVE'],
      [`/${id}/.file`, 'LOCK', 'OPTIONS, MOVE'],
    ] as const) {
      const reply = await app.send(method, path);
      expect([path, method, reply.status, reply.headers.allow]).toEqual([path, method, 405, allow]);
    }
    const options = await app.send('OPTIONS', `/${id}`);
    expect([options.status, options.headers.dav]).toEqual([200, '1, 2, 3']);
    for (const path of ['', '/', `/${id}/1/2`])
      expect([path, await status(app.send('PROPFIND', path))]).toEqual([path, 404]);
  });

  it('cannot be used by pages, and read no cookie', async () => {
    const bare = await send(household, 'PROPFIND', `/remote.php/dav/uploads/ann/${id}`, { headers: { depth: '1' } });
    expect([bare.status, bare.headers['www-authenticate']]).toEqual([401, expect.stringContaining('Basic')]);
    expect(bare.headers['content-security-policy']).toBe("sandbox; default-src 'none'");
    const fromPage = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' };
    expect(await status(app.begin(id, fromPage))).toBe(403);
    expect(await status(app.begin(id))).toBe(201);
  });

  it('are not there while the apps are switched off', async () => {
    await app.parts(id, ['x']);
    const path = `/remote.php/dav/uploads/ann/${id}`;
    await household.control('settings.update', { nextcloudApps: false });
    const [here, there] = [await send(household, 'PROPFIND', path), await send(household, 'PROPFIND', '/status.php')];
    expect([here.status, here.body.code]).toEqual([404, there.body.code]);
    expect([await app.listed(id), await status(app.abort(id))]).toEqual([404, 404]);
    await household.control('settings.update', { nextcloudApps: true });
    expect(await app.listed(id)).toEqual({ '1': 1 });
    expect(await status(app.abort(id))).toBe(204);
  });

  it('are announced', async () => {
    const { body } = await send(household, 'GET', '/ocs/v2.php/cloud/capabilities?format=json', {
      headers: { authorization: app.app.authorization, 'ocs-apirequest': 'true' },
    });
    const { dav, files } = body.ocs.data.capabilities;
    expect([dav, files.bigfilechunking]).toEqual([{ chunking: '1.0' }, true]);
  });
});

describe('rights', () => {
  it('a transfer belongs to the app that began it', async () => {
    await addMembersWithHomes(household, { ben: {} });
    const ben = new TransferClient(await davClient(await signInAs(household, 'ben')));
    const phone = new TransferClient(await davClient(api));
    await app.parts(id, ['mine']);
    const addresses = ben.app.at('/remote.php/dav/uploads/ann');
    for (const other of [addresses, phone.app.at('/remote.php/dav/uploads/ann')]) {
      expect(await status(other.propfind(`/${id}`, '1'))).toBe(404);
      expect(await status(other.put(`/${id}/2`, 'x'))).toBe(404);
      expect(await status(other.send('DELETE', `/${id}`))).toBe(404);
      const { destination = '' } = app.destination(`${box}/a.txt`);
      expect(await status(other.send('MOVE', `/${id}/.file`, { headers: { destination } }))).toBe(404);
    }
    // Nobody learns which ids others use.
    expect([await status(ben.begin(id)), await status(phone.begin(id))]).toEqual([201, 201]);
    expect(await app.listed(id)).toEqual({ '1': 4 });
    for (const one of [app, ben, phone]) expect(await status(one.abort(id))).toBe(204);
  });

  it('an app that may only read sends nothing', async () => {
    const reading = new TransferClient(await davClient(api, { read_only: 1 }));
    expect(await status(reading.begin(id))).toBe(403);
    expect(await status(reading.begin(id, reading.destination(`${box}/a.txt`)))).toBe(403);
  });

  it('an app that is limited to a folder stores files there only', async () => {
    const limited = new TransferClient(await davClient(api, { folder: `/ROOT/HOME/box ${next}` }));
    await limited.parts(id, ['in the box']);
    const outside = await limited.finish(id, '/../other.txt', { destination: '/dav/My%20files/other.txt' });
    expect(codeOf(outside)).toEqual([409, 'conflict']);
    expect(await status(limited.finish(id, '/a.txt'))).toBe(201);
    expect(await read('a.txt')).toBe('in the box');
    expect(await status(limited.begin(id, limited.destination('/b.txt')))).toBe(201);
    expect(await status(limited.begin(`${id}-2`, limited.destination('/none/b.txt')))).toBe(409);
    expect(await status(limited.abort(id))).toBe(204);
  });

  it('of a share decide, and its owner gets the file', async () => {
    await addMembersWithHomes(household, { mia: { space_quota_max: 1 } });
    const mia = await signInAs(household, 'mia');
    const uid = Number((await api.get('account/info')).body.id);
    for (const [name, granted] of [
      ['ours', { upload: 1, alter: 1 }],
      ['hers', { upload: 0, alter: 0 }],
    ] as const) {
      await mia.post('files/createfolder', { path: '/ROOT/HOME', name });
      const shared = await mia.post('files/share', { path: `/ROOT/HOME/${name}`, uid, download: 1, ...granted });
      expect([name, shared.status]).toEqual([name, 200]);
    }
    const there = (path: string) => `/Shared%20with%20me/Mia/${path}`;
    expect(await status(app.begin(id, app.destination(there('hers/a.txt'))))).toBe(403);
    await app.parts(id, ['for ', 'both']);
    expect(await status(app.part(id, 2, 'none', app.destination(there('hers/a.txt'))))).toBe(403);
    expect(await status(app.finish(id, there('hers/a.txt')))).toBe(403);
    expect(await app.listed(id)).toEqual({ '1': 4, '2': 4 });
    // The parts wait in the home of their sender, and the file arrives in another one.
    expect(await status(app.finish(id, there('ours/a.txt')))).toBe(201);
    expect(await readFile(join(homeOf(household, 'mia'), 'ours', 'a.txt'), 'utf8')).toBe('for both');
    // With a destination, they count where they go.
    const large = randomBytes(700_000);
    await app.begin(id, app.destination(there('ours/b.bin')));
    expect(await status(app.part(id, 1, large))).toBe(201);
    expect(await status(app.part(id, 2, large))).toBe(507);
    expect(await status(app.finish(id, `${box}/b.bin`))).toBe(201);
    expect((await readFile(at('b.bin'))).equals(large)).toBe(true);
    expect(await areaOf(household, 'incoming')).toEqual([]);
  });

  it('a quota counts parts that wait, and a file may not exceed it', async () => {
    await addMembersWithHomes(household, { lea: { space_quota_max: 1, upload_max_size: 0 } });
    const lea = new TransferClient(await davClient(await signInAs(household, 'lea')));
    const large = { 'oc-total-length': '1100000', ...lea.destination('/My%20files/a.bin') };
    expect(codeOf(await lea.begin(id, large))).toEqual([507, 'quota_exceeded']);
    await lea.parts(id, [randomBytes(400_000), randomBytes(400_000)]);
    expect(codeOf(await lea.part(id, 3, randomBytes(400_000)))).toEqual([507, 'quota_exceeded']);
    expect(codeOf(await lea.part(id, 3, Readable.from([randomBytes(400_000)])))).toEqual([507, 'quota_exceeded']);
    // The parts are the content: they count once.
    expect(await status(lea.finish(id, '/My%20files/a.bin'))).toBe(201);
    expect((await stat(join(homeOf(household, 'lea'), 'a.bin'))).size).toBe(800_000);
    await lea.parts(id, [randomBytes(200_000)]);
    expect(await status(lea.app.put('/My%20files/b.bin', randomBytes(100_000)))).toBe(507);
    expect(await status(lea.abort(id))).toBe(204);
    expect(await status(lea.app.put('/My%20files/b.bin', randomBytes(100_000)))).toBe(201);
  });

  it('the largest file that an account may upload limits all parts together', async () => {
    await addMembersWithHomes(household, { tim: { upload_max_size: 1 } });
    const tim = new TransferClient(await davClient(await signInAs(household, 'tim')));
    const megabyte = 1024 * 1024;
    expect(await status(tim.begin(id, { 'oc-total-length': String(megabyte + 1) }))).toBe(413);
    await tim.parts(id, [randomBytes(megabyte)]);
    expect(await status(tim.part(id, 2, 'x', { 'oc-total-length': String(megabyte + 1) }))).toBe(413);
    expect(await status(tim.part(id, 2, 'x'))).toBe(413);
    expect(await status(tim.part(id, 1, randomBytes(megabyte)))).toBe(201);
    expect(await status(tim.finish(id, '/My%20files/a.bin'))).toBe(201);
  });
});

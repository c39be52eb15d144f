import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';

let household: Household;
let api: ApiClient;
let dav: DavClient;
let box = '';
let next = 0;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  dav = await davClient(api);
});
afterAll(() => household?.close());
beforeEach(async () => {
  next += 1;
  box = `/My%20files/box%20${next}`;
  expect((await dav.send('MKCOL', box)).status).toBe(201);
});

const at = (name: string) => join(household.home, `box ${next}`, name);
const info = async (name: string, details: readonly string[]) =>
  (await api.get('files/info', { path: `/ROOT/HOME/box ${next}/${name}`, 'details[]': details })).body.data;
const statuses = async (...replies: Promise<Reply>[]) => (await Promise.all(replies)).map(({ status }) => status);

describe('PUT', () => {
  it('creates a file, and replaces one, whose content becomes a version', async () => {
    const created = await dav.put(`${box}/a%20%C3%A9.txt`, 'first');
    expect([created.status, created.text]).toEqual([201, '']);
    const replaced = await dav.put(`${box}/a%20%C3%A9.txt`, 'second');
    expect(replaced.status).toBe(204);
    expect(replaced.headers.etag).not.toBe(created.headers.etag);
    expect(await readFile(at('a é.txt'), 'utf8')).toBe('second');
    const { version, etag } = await info('a é.txt', ['version', 'etag']);
    expect([version, etag]).toEqual([2, replaced.headers.etag]);
    const read = await dav.send('GET', `${box}/a%20%C3%A9.txt`);
    expect([read.status, read.text, read.headers.etag]).toEqual([200, 'second', etag]);
    expect(read.headers['content-disposition']).toMatch(/^attachment/);
  });

  it('needs no length, and accepts the one that Finder states', async () => {
    async function* content() {
      yield Buffer.from('in ');
      yield Buffer.from('chunks');
    }
    const { Readable } = await import('node:stream');
    const body = Readable.from(content());
    const sent = await dav.send('PUT', `${box}/a.txt`, { headers: { 'x-expected-entity-length': '9' }, body });
    expect(sent.status).toBe(201);
    expect(await readFile(at('a.txt'), 'utf8')).toBe('in chunks');
    expect((await dav.put(`${box}/empty.txt`, '')).status).toBe(201);
    expect((await stat(at('empty.txt'))).size).toBe(0);
  });

  it('applies the modification time of sync programs', async () => {
    const sent = await dav.put(`${box}/a.txt`, 'x', { 'x-oc-mtime': '1000000000' });
    expect(sent.headers['x-oc-mtime']).toBe('accepted');
    expect((await stat(at('a.txt'))).mtimeMs).toBe(1_000_000_000_000);
    expect(await statuses(dav.put(`${box}/b.txt`, 'x', { 'x-oc-mtime': 'yesterday' }))).toEqual([400]);
    expect((await dav.put(`${box}/c.txt`, 'x')).headers['x-oc-mtime']).toBeUndefined();
    expect(await statuses(dav.put(`${box}/d.txt`, 'x', { 'x-oc-ctime': 'yesterday' }))).toEqual([400]);
    expect(await statuses(dav.propfind(`${box}/d.txt`, '0'))).toEqual([404]);
  });

  it.each([
    ['SHA1', createHash('sha1').update('Wikipedia').digest('hex')],
    ['MD5', createHash('md5').update('Wikipedia').digest('hex')],
    ['SHA256', createHash('sha256').update('Wikipedia').digest('hex')],
    // The example that is found everywhere.
    ['ADLER32', '11e60398'],
  ])('verifies a checksum by %s', async (algorithm, value) => {
    const stated = { 'oc-checksum': `${algorithm}:${value.toUpperCase()}` };
    expect(await statuses(dav.put(`${box}/a.txt`, 'Wikipedia', stated))).toEqual([201]);
    // The one that was stated comes first.
    expect((await dav.send('HEAD', `${box}/a.txt`)).headers['oc-checksum']).toBe(`${algorithm}:${value}`);
    const asked = '<propfind xmlns="DAV:"><prop><checksums xmlns="http://owncloud.org/ns"/></prop></propfind>';
    const sha256 = `SHA256:${createHash('sha256').update('Wikipedia').digest('hex')}`;
    const all = algorithm === 'SHA256' ? sha256 : `${algorithm}:${value} ${sha256}`;
    expect((await dav.propfind(`${box}/a.txt`, '0', asked)).text).toContain(`<oc:checksum>${all}</oc:checksum>`);
    expect((await dav.propfind(box, '1', asked)).text).toContain(`<oc:checksum>${all}</oc:checksum>`);
    await dav.put(`${box}/a.txt`, 'another');
    expect((await dav.send('HEAD', `${box}/a.txt`)).headers['oc-checksum']).toMatch(/^SHA256:/);
    const wrong = await dav.put(`${box}/b.txt`, 'wikipedia', stated);
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('digest_mismatch')]);
    expect(await statuses(dav.send('GET', `${box}/b.txt`))).toEqual([404]);
    expect(await statuses(dav.put(`${box}/b.txt`, 'x', { 'oc-checksum': `${algorithm}:12` }))).toEqual([400]);
  });

  it('verifies each of several checksums, and refuses what is none of its kind', async () => {
    const [md5, sha1] = ['md5', 'sha1'].map((kind) => createHash(kind).update('right').digest('hex'));
    const put = (content: string, stated: string) => dav.put(`${box}/a.txt`, content, { 'oc-checksum': stated });
    for (const stated of ['MD5', 'MD5:', `MD5:${'z'.repeat(32)}`, `SHA1:${sha1} MD5:1`, `MD5:${md5}:`])
      expect((await put('right', stated)).status, stated).toBe(400);
    for (const stated of [`SHA1:${sha1} MD5:${md5}`, `MD5:${md5},SHA1:${sha1}`])
      expect((await put('wrong', stated)).status, stated).toBe(400);
    expect((await put('right', `SHA1:${sha1} MD5:${'0'.repeat(32)}`)).status).toBe(400);
    expect(await statuses(dav.send('GET', `${box}/a.txt`))).toEqual([404]);
    expect((await put('right', `CRC32:1 MD5:${md5} SHA1:${sha1} MD5:${md5}`)).status).toBe(201);
    expect((await dav.send('HEAD', `${box}/a.txt`)).headers['oc-checksum']).toBe(`MD5:${md5}`);
  });

  it('verifies an Adler-32 checksum over several megabytes', async () => {
    const content = Buffer.alloc(3_000_000, 0xff);
    // By zlib: the trailer of a stream is the checksum of its content.
    const { deflateSync } = await import('node:zlib');
    const value = deflateSync(content).subarray(-4).toString('hex');
    expect(await statuses(dav.put(`${box}/a.bin`, content, { 'oc-checksum': `ADLER32:${value}` }))).toEqual([201]);
  });

  it('verifies the digests of RFC 9530', async () => {
    const digest = `sha-256=:${createHash('sha256').update('right').digest('base64')}:`;
    expect(await statuses(dav.put(`${box}/a.txt`, 'right', { 'repr-digest': digest }))).toEqual([201]);
    expect(await statuses(dav.put(`${box}/b.txt`, 'wrong', { 'repr-digest': digest }))).toEqual([400]);
  });

  it('refuses partial contents, folders, and folders that do not exist', async () => {
    await dav.send('MKCOL', `${box}/sub`);
    expect(
      await statuses(
        dav.put(`${box}/a.txt`, 'x', { 'content-range': 'bytes 0-0/2' }),
        dav.put(`${box}/sub`, 'x'),
        dav.put(`${box}/none/a.txt`, 'x'),
        dav.put('/My%20files', 'x'),
        dav.put('/', 'x'),
        dav.put('/new.txt', 'x'),
        dav.put('/Shared%20with%20me/new.txt', 'x'),
        dav.put(`${box}/con.txt`, 'x'),
      ),
    ).toEqual([400, 405, 409, 405, 403, 403, 403, 403]);
  });

  it.each(['X-NC-WebDAV-Auto-Mkcol', 'X-NC-WebDAV-AutoMkcol'])('creates missing folders with %s: 1', async (name) => {
    const make = (path: string, value: string, more = {}) => dav.put(`${box}/${path}`, 'x', { [name]: value, ...more });
    expect(
      await statuses(
        make('2026/11/a.txt', '1'),
        make('2026/11/b.txt', '1'),
        make('b.txt', '1'),
        make('none/a.txt', 'true'),
        make('con/a.txt', '1'),
      ),
    ).toEqual([201, 201, 201, 409, 403]);
    // After a.txt is stored: before, its name is free for a folder.
    expect((await make('2026/11/a.txt/b.txt', '1')).status).toBe(409);
    expect(await readFile(at('2026/11/a.txt'), 'utf8')).toBe('x');
    expect((await make('2026/11/a.txt', '1', { 'if-none-match': '*' })).status).toBe(412);
    // A content that is not stored leaves no folders.
    const wrong = `sha-256=:${createHash('sha256').update('other').digest('base64')}:`;
    expect((await make('wrong/a.txt', '1', { 'repr-digest': wrong })).status).toBe(400);
    expect((await make('matched/a.txt', '1', { 'if-match': '"none"' })).status).toBe(412);
    expect((await readdir(at(''))).sort()).toEqual(['2026', 'b.txt']);
  });

  it('refuses a name that differs in case only, with a readable message', async () => {
    await dav.put(`${box}/Report.txt`, 'x');
    const twin = await dav.put(`${box}/report.txt`, 'y');
    expect([twin.status, twin.text]).toEqual([409, expect.stringContaining('Report.txt')]);
    expect(await readFile(at('Report.txt'), 'utf8')).toBe('x');
  });

  it('does not change a file with the same content', async () => {
    const first = await dav.put(`${box}/a.txt`, 'same');
    const again = await dav.put(`${box}/a.txt`, 'same');
    expect([again.status, again.headers.etag]).toEqual([204, first.headers.etag]);
    expect((await info('a.txt', ['version'])).version).toBe(1);
  });
});

describe('conditions (RFC 9110 §13)', () => {
  it.each([
    ['If-Match of the current tag', { 'if-match': 'ETAG' }, 204],
    ['If-Match of another tag', { 'if-match': '"other"' }, 412],
    ['If-Match of several', { 'if-match': '"other", ETAG' }, 204],
    ['If-Match of anything', { 'if-match': '*' }, 204],
    ['If-Match of a weak tag', { 'if-match': 'W/ETAG' }, 412],
    ['If-None-Match of the current tag', { 'if-none-match': 'ETAG' }, 412],
    ['If-None-Match of anything', { 'if-none-match': '*' }, 412],
    ['If-None-Match of another', { 'if-none-match': '"other"' }, 204],
    ['If-Unmodified-Since before', { 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:37 GMT' }, 412],
    ['If-Unmodified-Since after', { 'if-unmodified-since': 'Fri, 06 Nov 2099 08:49:37 GMT' }, 204],
    ['If of the current tag', { if: '([ETAG])' }, 204],
    ['If of another tag', { if: '(["other"])' }, 412],
    ['If of another tag, negated', { if: '(Not ["other"])' }, 204],
    ['If of one of two lists', { if: '(["other"]) ([ETAG])' }, 204],
    ['If of no lock', { if: '(<DAV:no-lock>)' }, 412],
    ['If of no lock, negated', { if: '(Not <DAV:no-lock> [ETAG])' }, 204],
    ['If about another resource', { if: '<OTHER> (["other"])' }, 412],
    ['If about a resource elsewhere', { if: '<https://elsewhere.example/a.txt> (["other"])' }, 412],
    ['If about the files of another account', { if: '<FOREIGN> (["other"])' }, 404],
    ['If about the files of another account, negated', { if: '<FOREIGN> (Not ["other"])' }, 404],
    ['If that cannot be read', { if: '([ETAG)' }, 400],
    ['If without a list', { if: '<OTHER>' }, 400],
  ])('%s', async (_, sent, expected) => {
    const { etag = '' } = (await dav.put(`${box}/a.txt`, 'first')).headers;
    const places = { OTHER: `${dav.base}/dav${box}/b.txt`, FOREIGN: '/remote.php/dav/files/mia/a.txt' };
    const fill = (value: string) =>
      Object.entries({ ...places, ETAG: etag }).reduce((text, [name, filled]) => text.replaceAll(name, filled), value);
    const headers = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, fill(value)]));
    expect((await dav.put(`${box}/a.txt`, 'second', headers)).status).toBe(expected);
    expect(await readFile(at('a.txt'), 'utf8')).toBe(expected === 204 ? 'second' : 'first');
  });

  it.each(['if-match', 'if'])('allow one of twenty writers with the same tag in %s', async (name) => {
    let { etag = '' } = (await dav.put(`${box}/a.txt`, 'start')).headers;
    for (let round = 0; round < 5; round += 1) {
      const value = name === 'if' ? `([${etag}])` : etag;
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, writer) => dav.put(`${box}/a.txt`, `${round} ${writer}`, { [name]: value })),
      );
      const winners = replies.filter(({ status }) => status === 204);
      expect(winners.length, replies.map(({ status }) => status).join()).toBe(1);
      expect(replies.filter(({ status }) => status === 412).length).toBe(19);
      etag = winners[0]?.headers.etag ?? '';
      const content = await dav.send('GET', `${box}/a.txt`);
      expect([content.headers.etag, content.text]).toEqual([etag, expect.stringContaining(`${round} `)]);
    }
  });

  it('apply to DELETE, MOVE, COPY and PROPPATCH', async () => {
    const { etag = '' } = (await dav.put(`${box}/a.txt`, 'x')).headers;
    const wrong = { 'if-match': '"other"' };
    const body =
      '<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><x xmlns="y">1</x></d:prop></d:set></d:propertyupdate>';
    expect(
      await statuses(
        dav.send('DELETE', `${box}/a.txt`, { headers: wrong }),
        dav.transfer('MOVE', `${box}/a.txt`, `${box}/b.txt`, wrong),
        dav.transfer('COPY', `${box}/a.txt`, `${box}/b.txt`, wrong),
        dav.send('PROPPATCH', `${box}/a.txt`, { headers: wrong, body }),
        dav.send('DELETE', `${box}/a.txt`, { headers: { if: '(["other"])' } }),
      ),
    ).toEqual([412, 412, 412, 412, 412]);
    const { found } = parsed((await dav.propfind(`${box}/a.txt`, '0')).text).get(`/dav${box}/a.txt`) ?? {};
    expect(found?.get('getetag')).toBe(etag.replaceAll('"', '&quot;'));
    expect(found?.has('x')).toBe(false);
    expect((await dav.propfind(`${box}/b.txt`, '0')).status).toBe(404);
    expect((await dav.send('DELETE', `${box}/a.txt`, { headers: { 'if-match': etag } })).status).toBe(204);
  });
});

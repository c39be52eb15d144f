import { createHash } from 'node:crypto';
import { mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PROPERTY_LIMITS } from '../../dist/server/files/dead-properties.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, signInAs } from '../support/households/member.ts';
import { shareHome } from '../support/households/shared-home.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';

let household: Household;
let api: ApiClient;
let dav: DavClient;
let name = '';
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
  name = `box ${next}`;
  box = `/My%20files/${encodeURIComponent(name)}`;
  await mkdir(join(household.home, name, 'sub'), { recursive: true });
  await writeFile(join(household.home, name, 'a & b.txt'), 'content');
});

const ALL = '<d:propfind xmlns:d="DAV:"><d:allprop/></d:propfind>';
const ask = (...elements: string[]) =>
  `<d:propfind xmlns:d="DAV:" xmlns:o="http://owncloud.org/ns"><d:prop>${elements.map((one) => `<${one}/>`).join('')}</d:prop></d:propfind>`;
const properties = async (path: string, body?: string) =>
  parsed((await dav.propfind(path, '0', body)).text)
    .values()
    .next().value;
const set = (path: string, ...elements: string[]) =>
  dav.send('PROPPATCH', path, {
    body: `<d:propertyupdate xmlns:d="DAV:" xmlns:z="urn:schemas-microsoft-com:">${elements.map((one) => `<d:set><d:prop>${one}</d:prop></d:set>`).join('')}</d:propertyupdate>`,
  });

describe('PROPFIND', () => {
  it('describes a file', async () => {
    const at = join(household.home, name, 'a & b.txt');
    await utimes(at, new Date(), new Date(1_000_000_000_000));
    const file = `${box}/a%20%26%20b.txt`;
    const { found, missing } = (await properties(file)) ?? {};
    const { etag } = (await dav.send('HEAD', file)).headers;
    expect(Object.fromEntries(found ?? [])).toMatchObject({
      displayname: 'a &amp; b.txt',
      getcontentlength: '7',
      getcontenttype: 'text/plain',
      getetag: etag?.replaceAll('"', '&quot;'),
      getlastmodified: 'Sun, 09 Sep 2001 01:46:40 GMT',
      lockdiscovery: '',
      resourcetype: '',
    });
    expect(missing).toEqual([]);
  });

  it('describes a folder and its entries, each at its address', async () => {
    const reply = await dav.propfind(box, '1', ALL);
    expect([reply.status, reply.headers['content-type']]).toEqual([207, 'application/xml; charset=utf-8']);
    const found = parsed(reply.text);
    expect([...found.keys()]).toEqual([`/dav${box}/`, `/dav${box}/sub/`, `/dav${box}/a%20%26%20b.txt`]);
    expect(found.get(`/dav${box}/sub/`)?.found.get('resourcetype')).toBe('<d:collection/>');
    expect(found.get(`/dav${box}/sub/`)?.found.has('getcontentlength')).toBe(false);
  });

  it('changes with its contents', async () => {
    const names = async () => [...parsed((await dav.propfind(`${box}/`, '1')).text).keys()].length;
    expect([await names(), await names()]).toEqual([3, 3]);
    await dav.put(`${box}/new.txt`, 'x');
    expect(await names()).toBe(4);
    await writeFile(join(household.home, name, 'other.txt'), 'x');
    await expect.poll(names).toBe(5);
    await dav.lock(`${box}/new.txt`);
    expect((await dav.propfind(`${box}/`, '1')).text).toContain('<d:activelock>');
  });

  it('returns properties of sync programs by name', async () => {
    await dav.put(`${box}/sub/c.txt`, 'four');
    const { uuid } = (await api.get('files/info', { path: `/ROOT/HOME/${name}/sub/c.txt`, 'details[]': ['uuid'] })).body
      .data;
    const names = ['o:id', 'o:fileid', 'o:permissions', 'o:size', 'o:checksums', 'd:quota-used-bytes'];
    const file = await properties(`${box}/sub/c.txt`, ask(...names));
    // The first 63 bits of the uuid.
    const id = String(BigInt(`0x${uuid.replaceAll('-', '')}`) >> 65n);
    expect(Object.fromEntries(file?.found ?? [])).toEqual({
      id: `${id}larder`,
      fileid: id,
      permissions: 'RGDNVW',
      size: '4',
      checksums: `<oc:checksum>SHA256:${createHash('sha256').update('four').digest('hex')}</oc:checksum>`,
    });
    expect(file?.missing).toEqual(['404 quota-used-bytes']);
    const folder = await properties(box, ask(...names, 'd:quota-available-bytes'));
    expect(folder?.found.get('size')).toBe(String('content'.length + 4));
    expect(folder?.found.get('permissions')).toBe('RGDNVCK');
    expect(Number(folder?.found.get('quota-used-bytes'))).toBeGreaterThan(0);
    // Without a quota, what the disk has.
    expect(Number(folder?.found.get('quota-available-bytes'))).toBeGreaterThan(0);
    expect(folder?.missing).toEqual(['404 checksums']);
    const children = parsed((await dav.propfind(box, '1', ask('o:size', 'o:fileid'))).text);
    expect(children.get(`/dav${box}/sub/`)?.found.get('size')).toBe('4');
    const moved = await dav.transfer('MOVE', `${box}/sub/c.txt`, `${box}/moved.txt`);
    expect(moved.status).toBe(201);
    expect((await properties(`${box}/moved.txt`, ask('o:fileid')))?.found.get('fileid')).toBe(id);
  });

  it('reports the quota of the account', async () => {
    await addMembersWithHomes(household, { mia: { space_quota_max: 1 } });
    const mia = await davClient(await signInAs(household, 'mia'));
    await mia.put('/My%20files/a.txt', 'four');
    const { text } = await mia.propfind('/', '0', ask('d:quota-used-bytes', 'd:quota-available-bytes'));
    const found = parsed(text).get('/dav/')?.found;
    expect([found?.get('quota-used-bytes'), found?.get('quota-available-bytes')]).toEqual(['4', '1048572']);
    const full = await mia.put('/My%20files/b.bin', Buffer.alloc(1_048_576));
    expect([full.status, full.text]).toEqual([507, expect.stringContaining('<d:quota-not-exceeded/>')]);
  });

  it('reports the larger quota of two accounts with one home, as it counts for both', async () => {
    await addMembersWithHomes(household, { kim: { space_quota_max: 1 }, lee: { space_quota_max: 3 } });
    await shareHome(household, 'kim', ['lee']);
    api = await household.signIn();
    dav = dav.over(api);
    const kim = await davClient(await signInAs(household, 'kim'));
    const { text } = await kim.propfind('/', '0', ask('d:quota-used-bytes', 'd:quota-available-bytes'));
    const found = parsed(text).get('/dav/')?.found;
    expect([found?.get('quota-used-bytes'), found?.get('quota-available-bytes')]).toEqual(['0', '3145728']);
    expect((await kim.put('/My%20files/b.bin', Buffer.alloc(2_000_000))).status).toBe(201);
  });

  it('lists names, and accepts further ones with allprop', async () => {
    await set(`${box}/sub`, '<x xmlns="y">1</x>');
    const names = await properties(`${box}/sub`, '<propfind xmlns="DAV:"><propname/></propfind>');
    expect([...(names?.found.keys() ?? [])].sort()).toEqual(
      [
        ...['creationdate', 'displayname', 'getetag', 'getlastmodified', 'lockdiscovery', 'resourcetype'],
        ...['supportedlock', 'x'],
      ].sort(),
    );
    const body = '<propfind xmlns="DAV:"><allprop/><include><quota-used-bytes/></include></propfind>';
    const all = await properties(`${box}/sub`, body);
    expect(all?.found.has('quota-used-bytes')).toBe(true);
    expect(all?.found.get('x')).toBe('1');
  });

  it('refuses depth infinity', async () => {
    for (const headers of [{ depth: 'infinity' }, {}]) {
      const { status, text } = await dav.send('PROPFIND', box, { headers });
      expect([status, text]).toEqual([403, expect.stringContaining('<d:propfind-finite-depth/>')]);
    }
  });

  it('streams a folder with many entries', async () => {
    await Promise.all(
      Array.from({ length: 3_000 }, (_, index) => writeFile(join(household.home, name, 'sub', `${index}.txt`), '')),
    );
    // A lock in the home: nothing is taken from memory.
    await dav.lock(`${box}/a%20%26%20b.txt`);
    await expect.poll(async () => parsed((await dav.propfind(`${box}/sub/`, '1')).text).size).toBe(3_001);
  });
});

describe('PROPPATCH', () => {
  it('stores properties of clients, with language and markup, and keeps them with a move', async () => {
    const value = '<r:x xmlns:r="urn:r" xml:lang="de" r:a="1">Grüße <b xmlns="">&amp;</b></r:x>';
    const reply = await set(`${box}/a%20%26%20b.txt`, value);
    expect(parsed(reply.text).get(`/dav${box}/a%20%26%20b.txt`)?.found.has('x')).toBe(true);
    await dav.transfer('MOVE', `${box}/a%20%26%20b.txt`, `${box}/sub/c.txt`);
    const { text } = await dav.propfind(
      `${box}/sub/c.txt`,
      '0',
      '<propfind xmlns="DAV:"><prop><x xmlns="urn:r"/></prop></propfind>',
    );
    expect(text).toContain('<x xmlns="urn:r" xml:lang="de" xmlns:a1="urn:r" a1:a="1">Grüße <b xmlns="">&amp;</b></x>');
  });

  it('is atomic', async () => {
    await set(box, '<x xmlns="y">before</x>');
    const reply = await set(box, '<x xmlns="y">after</x>', '<d:getetag>"mine"</d:getetag>');
    expect(parsed(reply.text).get(`/dav${box}/`)?.missing).toEqual(['424 x', '403 getetag']);
    expect(reply.text).toContain('<d:cannot-modify-protected-property/>');
    const asked = '<propfind xmlns="DAV:"><prop><x xmlns="y"/></prop></propfind>';
    expect((await properties(box, asked))?.found.get('x')).toBe('before');
  });

  it('sets the time of a file, as Windows and sync programs do', async () => {
    const file = `${box}/a%20%26%20b.txt`;
    const time = async () => (await stat(join(household.home, name, 'a & b.txt'))).mtimeMs;
    await dav.put(file, 'uploaded');
    await set(file, '<d:getlastmodified>Sun, 09 Sep 2001 01:46:40 GMT</d:getlastmodified>');
    expect(await time()).toBe(1_000_000_000_000);
    const windows = await set(
      file,
      '<z:Win32CreationTime>Tue, 06 Nov 2001 08:49:37 GMT</z:Win32CreationTime>',
      '<z:Win32LastModifiedTime>Tue, 06 Nov 2001 08:49:37 GMT</z:Win32LastModifiedTime>',
      '<z:Win32FileAttributes>00000020</z:Win32FileAttributes>',
    );
    expect(parsed(windows.text).get(`/dav${file}`)?.missing).toEqual([]);
    expect(await time()).toBe(Date.parse('Tue, 06 Nov 2001 08:49:37 GMT'));
    // The content is still the same one.
    const details = (await api.get('files/info', { path: `/ROOT/HOME/${name}/a & b.txt`, 'details[]': ['version'] }))
      .body.data;
    expect(details.version).toBe(2);
    expect((await properties(file, ask('o:checksums')))?.found.get('checksums')).toContain('SHA256:');
    const wrong = await set(file, '<d:getlastmodified>yesterday</d:getlastmodified>');
    expect(parsed(wrong.text).get(`/dav${file}`)?.missing).toEqual(['403 getlastmodified']);
  });

  const windowsTimes = (created: string, modified: string) => [
    `<z:Win32CreationTime>${created}</z:Win32CreationTime>`,
    '<z:Win32LastAccessTime>Thu, 26 Nov 2026 10:00:00 GMT</z:Win32LastAccessTime>',
    `<z:Win32LastModifiedTime>${modified}</z:Win32LastModifiedTime>`,
    '<z:Win32FileAttributes>00000010</z:Win32FileAttributes>',
  ];
  const CREATED = 'Tue, 06 Nov 2001 08:49:37 GMT';
  const MODIFIED = 'Wed, 04 Nov 2020 10:00:00 GMT';

  it('sets the time as programs for ownCloud and Nextcloud do, with the checksum that they know', async () => {
    const file = `${box}/a%20%26%20b.txt`;
    const time = async (of = 'a & b.txt') => (await stat(join(household.home, name, of))).mtimeMs;
    const md5 = createHash('md5').update('uploaded').digest('hex');
    await dav.put(file, 'uploaded', { 'oc-checksum': `MD5:${md5}` });
    const setTime = async (seconds: number, checksum: string, path = file) => {
      const checksums = `<o:checksums xmlns:o="http://owncloud.org/ns"><o:checksum>${checksum}</o:checksum></o:checksums>`;
      const elements = [`<d:lastmodified>${seconds}</d:lastmodified>`, ...(checksum === '' ? [] : [checksums])];
      return [...parsed((await set(path, ...elements)).text).values()][0]?.missing;
    };
    expect([await setTime(1_000_000_000, ''), await time()]).toEqual([[], 1_000_000_000_000]);
    expect([await setTime(1_100_000_000, `MD5:${md5.toUpperCase()}`), await time()]).toEqual([[], 1_100_000_000_000]);
    const refused = ['424 lastmodified', '403 checksums'];
    for (const wrong of [`MD5:${md5} SHA1:${md5}`, `MD5:${'0'.repeat(32)}`, ' ']) {
      expect([await setTime(1_200_000_000, wrong), await time()], wrong).toEqual([refused, 1_100_000_000_000]);
    }
    expect((await properties(file, ask('o:checksums')))?.found.get('checksums')).toContain(`MD5:${md5} SHA256:`);
    expect([await setTime(1_000_000_000, '', `${box}/sub`), await time('sub')]).toEqual([[], 1_000_000_000_000]);
  });

  it.each(['sub', 'a%20%26%20b.txt'])(
    'keeps the times that Explorer sets, also with a copy and a move: %s',
    async (entry) => {
      const at = `${box}/${entry}`;
      const reply = await set(at, ...windowsTimes(CREATED, MODIFIED));
      expect([...parsed(reply.text).values()][0]?.missing).toEqual([]);
      const expected = {
        creationdate: '2001-11-06T08:49:37Z',
        Win32CreationTime: CREATED,
        Win32LastAccessTime: 'Thu, 26 Nov 2026 10:00:00 GMT',
        Win32FileAttributes: '00000010',
      };
      expect(Object.fromEntries((await properties(at, ALL))?.found ?? [])).toMatchObject({
        ...expected,
        getlastmodified: MODIFIED,
      });
      expect((await properties(at, ask('d:creationdate')))?.found.get('creationdate')).toBe(expected.creationdate);
      const named =
        '<propfind xmlns="DAV:"><prop><Win32LastModifiedTime xmlns="urn:schemas-microsoft-com:"/></prop></propfind>';
      expect((await properties(at, named))?.found.get('Win32LastModifiedTime')).toBe(MODIFIED);
      const inFolder = parsed((await dav.propfind(box, '1', ask('d:creationdate', 'd:getlastmodified'))).text);
      const own = [...inFolder].find(([href]) => href.startsWith(`/dav${at}`))?.[1].found;
      expect(Object.fromEntries(own ?? [])).toEqual({ creationdate: expected.creationdate, getlastmodified: MODIFIED });

      expect((await dav.transfer('COPY', at, `${box}/copied`)).status).toBe(201);
      expect(Object.fromEntries((await properties(`${box}/copied`, ALL))?.found ?? [])).toMatchObject(expected);
      expect((await dav.transfer('MOVE', at, `${box}/moved`)).status).toBe(201);
      expect(Object.fromEntries((await properties(`${box}/moved`, ALL))?.found ?? [])).toMatchObject({
        ...expected,
        getlastmodified: MODIFIED,
      });
    },
  );

  it('a copy that replaces a file has the properties of its original alone', async () => {
    const [file, other, plain] = ['a%20%26%20b.txt', 'other.txt', 'plain.txt'].map((one) => `${box}/${one}`);
    for (const one of [other, plain]) await dav.put(one ?? '', 'content');
    await set(file ?? '', '<x:color xmlns:x="urn:x">green</x:color>');
    await set(other ?? '', '<x:color xmlns:x="urn:x">red</x:color>', '<x:shape xmlns:x="urn:x">round</x:shape>');
    const own = async () => {
      const { found } = (await properties(other ?? '', ALL)) ?? {};
      return ['color', 'shape'].map((one) => found?.get(one) ?? null);
    };
    expect(await own()).toEqual(['red', 'round']);
    expect((await dav.transfer('COPY', file ?? '', other ?? '')).status).toBe(204);
    expect(await own()).toEqual(['green', null]);
    expect((await dav.transfer('COPY', plain ?? '', other ?? '')).status).toBe(204);
    expect(await own()).toEqual([null, null]);
  });

  it('shows the time of a later change instead of the one that Explorer has set', async () => {
    const file = `${box}/a%20%26%20b.txt`;
    await set(file, ...windowsTimes(CREATED, MODIFIED));
    await utimes(join(household.home, name, 'a & b.txt'), new Date(), new Date(1_000_000_000_000));
    const found = Object.fromEntries((await properties(file, ALL))?.found ?? []);
    expect(found).toMatchObject({ getlastmodified: 'Sun, 09 Sep 2001 01:46:40 GMT' });
    expect(found).not.toHaveProperty('Win32LastModifiedTime');
  });

  it('does not change times that Explorer does not know', async () => {
    const at = join(household.home, name, 'sub');
    const before = (await stat(at)).mtimeMs;
    const unknown = 'Mon, 01 Jan 1601 00:00:00 GMT';
    const reply = await set(`${box}/sub`, ...windowsTimes(unknown, unknown));
    expect([...parsed(reply.text).values()][0]?.missing).toEqual([]);
    expect((await stat(at)).mtimeMs).toBe(before);
  });

  it('detects what another program adds to a folder after its time was set', async () => {
    const at = join(household.home, name, 'sub');
    const tag = async () => (await properties(`${box}/sub`))?.found.get('getetag');
    await set(`${box}/sub`, ...windowsTimes(CREATED, MODIFIED));
    await dav.propfind(`${box}/sub`, '1');
    const before = await tag();
    await writeFile(join(at, 'new.txt'), 'by another program');
    await set(`${box}/sub`, ...windowsTimes(CREATED, MODIFIED));
    expect((await stat(at)).mtimeMs).toBe(Date.parse(MODIFIED));
    const found = parsed((await dav.propfind(`${box}/sub`, '1')).text);
    expect([...found.keys()]).toContain(`/dav${box}/sub/new.txt`);
    expect(await tag()).not.toBe(before);
  });

  it('limits what clients store', async () => {
    const long = 'x'.repeat(PROPERTY_LIMITS.bytes);
    expect(parsed((await set(box, `<x xmlns="y">${long}</x>`)).text).get(`/dav${box}/`)?.missing).toEqual(['507 x']);
    const many = Array.from({ length: PROPERTY_LIMITS.count + 1 }, (_, index) => `<x${index} xmlns="y"/>`);
    const refused = parsed((await set(box, ...many)).text).get(`/dav${box}/`);
    expect(refused?.missing.length).toBe(many.length);
    expect((await properties(box))?.found.has('x0')).toBe(false);
  });

  it('is refused for virtual folders and missing items', async () => {
    expect((await set('/', '<x xmlns="y">1</x>')).status).toBe(403);
    expect((await set(`${box}/none`, '<x xmlns="y">1</x>')).status).toBe(404);
    expect((await set('/My%20files', '<x xmlns="y">home</x>')).status).toBe(207);
    const asked = '<propfind xmlns="DAV:"><prop><x xmlns="y"/></prop></propfind>';
    expect((await properties('/My%20files', asked))?.found.get('x')).toBe('home');
  });
});

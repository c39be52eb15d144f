import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ApiClient } from '../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';

// What programs are known to send, request by request.

let household: SharingHousehold;
let olga: ApiClient;
let dav: DavClient;
let name = '';
let box = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
  dav = await davClient(olga);
});
afterAll(() => household?.close());
beforeEach(async () => {
  name = await household.newBox();
  box = `/My%20files/${name}`;
});

const WINDOWS = { 'user-agent': 'Microsoft-WebDAV-MiniRedir/10.0.19045', translate: 'f' };
const content = (path: string) => readFile(household.at(`${name}/${path}`), 'utf8');
const versions = async (path: string) =>
  (await olga.get('files/versions/list', { path: `/ROOT/HOME/${name}/${path}` })).body.data.versions.length;

it('Explorer copies a file: an empty PUT, LOCK, PROPPATCH, PUT, PROPPATCH, UNLOCK', async () => {
  const file = `${box}/Report.docx`;
  expect((await dav.send('PROPFIND', file, { headers: { ...WINDOWS, depth: '0' } })).status).toBe(404);
  expect((await dav.put(file, '', WINDOWS)).status).toBe(201);
  const lock = await dav.send('LOCK', file, {
    headers: { ...WINDOWS, timeout: 'Second-3600', 'content-type': 'text/xml; charset="utf-8"' },
    body: '<?xml version="1.0" encoding="utf-8" ?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner><D:href>PC\\olga</D:href></D:owner></D:lockinfo>',
  });
  expect(lock.status).toBe(200);
  const token = /<(urn:uuid:[^>]+)>/.exec(lock.headers['lock-token'] ?? '')?.[1] ?? '';
  const own = { ...WINDOWS, if: `(<${token}>)` };
  const times =
    '<Z:Win32CreationTime>Wed, 25 Nov 2026 10:00:00 GMT</Z:Win32CreationTime><Z:Win32LastAccessTime>Wed, 25 Nov 2026 10:00:00 GMT</Z:Win32LastAccessTime><Z:Win32LastModifiedTime>Wed, 04 Nov 2020 10:00:00 GMT</Z:Win32LastModifiedTime><Z:Win32FileAttributes>00000020</Z:Win32FileAttributes>';
  const body = `<?xml version="1.0" encoding="utf-8" ?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:"><D:set><D:prop>${times}</D:prop></D:set></D:propertyupdate>`;
  expect((await dav.send('PROPPATCH', file, { headers: own, body })).status).toBe(207);
  expect((await dav.send('HEAD', file, { headers: WINDOWS })).status).toBe(200);
  expect((await dav.put(file, 'the document', own)).status).toBe(204);
  expect((await dav.send('PROPPATCH', file, { headers: own, body })).text).not.toMatch(/4\d\d/);
  expect((await dav.send('UNLOCK', file, { headers: { ...WINDOWS, 'lock-token': `<${token}>` } })).status).toBe(204);
  expect(await content('Report.docx')).toBe('the document');
  const { found } = parsed((await dav.propfind(file, '0')).text).get(`/dav${file}`) ?? {};
  expect(found?.get('getlastmodified')).toBe('Wed, 04 Nov 2020 10:00:00 GMT');
  expect(found?.get('Win32FileAttributes')).toBe('00000020');
  expect(await versions('Report.docx')).toBe(1);
});

it('Finder saves a file: LOCK creates it, a chunked PUT with If, and its companion', async () => {
  for (const file of [`${box}/Photo.jpg`, `${box}/._Photo.jpg`]) {
    const { status, token } = await dav.lock(file, {
      headers: { timeout: 'Second-600' },
      owner: '<href>http://www.apple.com/webdav_fs/</href>',
    });
    expect(status).toBe(201);
    const sent = await dav.send('PUT', file, {
      headers: { if: `(<${token}>)`, 'x-expected-entity-length': '5', 'user-agent': 'WebDAVFS/3.0.0 Darwin/23.0.0' },
      body: Readable.from([Buffer.from('by'), Buffer.from('tes')]),
    });
    expect(sent.status).toBe(204);
    expect((await dav.send('UNLOCK', file, { headers: { 'lock-token': `<${token}>` } })).status).toBe(204);
  }
  expect(await content('Photo.jpg')).toBe('bytes');
  expect(await versions('Photo.jpg')).toBe(1);
  expect(await readdir(household.at(name))).toContain('._Photo.jpg');
});

it('LibreOffice saves a document: a lock, a temporary file, and a move onto the document', async () => {
  const document = `${box}/Letter.odt`;
  await dav.put(document, 'first');
  await olga.post('files/star', { path: `/ROOT/HOME/${name}/Letter.odt` });
  const { token } = await dav.lock(document, { headers: { depth: '0', timeout: 'Second-300' } });
  expect((await dav.put(`${box}/lu123.tmp`, 'second')).status).toBe(201);
  const headers = { overwrite: 'T', if: `<${dav.base}/dav${document}> (<${token}>)` };
  expect((await dav.transfer('MOVE', `${box}/lu123.tmp`, document, headers)).status).toBe(204);
  expect((await dav.send('LOCK', document, { headers: { if: `(<${token}>)`, timeout: 'Second-300' } })).status).toBe(
    200,
  );
  expect((await dav.send('UNLOCK', document, { headers: { 'lock-token': `<${token}>` } })).status).toBe(204);
  expect([await content('Letter.odt'), await versions('Letter.odt')]).toEqual(['second', 2]);
});

it('KeePass saves a database: PUT beside it, DELETE, MOVE', async () => {
  const database = `${box}/Passwords.kdbx`;
  await dav.put(database, 'first');
  await dav.put(`${database}.tmp`, 'second');
  expect((await dav.send('DELETE', database)).status).toBe(204);
  expect((await dav.transfer('MOVE', `${database}.tmp`, database)).status).toBe(201);
  expect(await content('Passwords.kdbx')).toBe('second');
});

it('Joplin synchronizes: all requests but GET have an If-None-Match that is no entity tag', async () => {
  const headers = { 'if-none-match': 'JoplinIgnore-42130', 'user-agent': 'Joplin/1.0' };
  const send = (method: string, path: string, more: Record<string, string> = {}, body?: string) =>
    dav.send(method, `${box}/${path}`, { headers: { ...headers, ...more }, ...(body === undefined ? {} : { body }) });
  const asked = '<d:propfind xmlns:d="DAV:"><d:prop><d:getlastmodified/><d:resourcetype/></d:prop></d:propfind>';
  const list = (path: string, depth: string) =>
    send('PROPFIND', path, { depth, 'content-type': 'text/xml' }, asked).then(({ status }) => status);
  expect([await list('', '1'), await list('info.json', '0')]).toEqual([207, 404]);
  for (const folder of ['locks', 'temp', '.resource']) expect((await send('MKCOL', folder)).status).toBe(201);
  expect((await send('MKCOL', 'locks')).status).toBe(405);
  const octets = { 'content-type': 'application/octet-stream' };
  expect((await send('PUT', 'info.json', octets, '{}')).status).toBe(201);
  expect((await send('PUT', 'info.json', octets, '{"version":3}')).status).toBe(204);
  expect((await dav.send('GET', `${box}/info.json`)).text).toBe('{"version":3}');
  const destination = `${dav.base}/dav${box}/temp/info.json`;
  expect((await send('MOVE', 'info.json', { destination, overwrite: 'T' })).status).toBe(201);
  expect(await list('temp', '1')).toBe(207);
  expect((await send('DELETE', 'temp/info.json')).status).toBe(204);
  // The tag of the file without its quotes still is that tag.
  const { etag = '' } = (await dav.put(`${box}/note.md`, 'note')).headers;
  const bare = { 'if-none-match': etag.replaceAll('"', '') };
  expect((await dav.put(`${box}/note.md`, 'other', bare)).status).toBe(412);
});

it('an app password that is revoked during an upload ends it, and nothing is stored', async () => {
  const { body } = await olga.post('account/app-passwords/add', { label: 'Lost phone' });
  const { DavClient: Client } = await import('../support/webdav/dav-client.ts');
  const lost = new Client(olga.with(''), 'olga', body.data.password);
  const incoming = () => readdir(join(household.folder, '.larder', 'incoming'));
  const before = (await incoming()).length;
  async function* endless() {
    yield Buffer.alloc(1024);
    await new Promise(() => undefined);
  }
  const upload = lost.send('PUT', `${box}/upload.bin`, { body: Readable.from(endless()) }).then(
    ({ status }) => status,
    () => 'broken',
  );
  await expect.poll(async () => (await incoming()).length).toBe(before + 1);
  await olga.post('account/app-passwords/delete', { id: body.data.id });
  expect(['broken', 401]).toContain(await upload);
  await expect.poll(async () => (await incoming()).length).toBe(before);
  expect(await readdir(household.at(name))).not.toContain('upload.bin');
  expect((await lost.propfind('/', '0')).status).toBe(401);
});

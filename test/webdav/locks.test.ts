import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LONGEST_LOCK } from '../../dist/server/files/locks/token-locks.js';
import { itInFull } from '../support/forms.ts';
import { rowsOf } from '../support/requests/activity.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { DavClient, davClient } from '../support/webdav/dav-client.ts';

let household: SharingHousehold;
let olga: ApiClient;
let dav: DavClient;
/** Another program of Olga, and one of Ben, with whom she shares. */
let other: DavClient;
let ben: DavClient;
let name = '';
let box = '';
let shared = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
  dav = await davClient(olga);
  other = await davClient(olga);
  ben = await davClient(household.as('ben'));
});
afterAll(() => household?.close());
beforeEach(async () => {
  name = await household.newBox();
  box = `/My%20files/${name}`;
  await household.share(`/ROOT/HOME/${name}`, { uid: household.ids.ben, upload: 1, alter: 1, download: 1 });
  shared = `/Shared%20with%20me/Mia/${name}`;
});

const path = (item = '') => `/ROOT/HOME/${name}${item === '' ? '' : `/${item}`}`;
const status = async (reply: Promise<Reply>) => (await reply).status;
const withToken = (token: string) => ({ if: `(<${token}>)` });

describe('an exclusive lock of a file', () => {
  it('allows writes only to its program, with the token', async () => {
    const { token, status: locked, text } = await dav.lock(`${box}/a.txt`);
    expect([locked, text]).toEqual([
      200,
      expect.stringContaining(`<d:lockroot><d:href>/dav${box}/a.txt</d:href></d:lockroot>`),
    ]);
    const write = (client: DavClient, at: string, headers = {}) => status(client.put(at, 'x', headers));
    expect(await write(dav, `${box}/a.txt`)).toBe(423);
    expect(await write(dav, `${box}/a.txt`, withToken('urn:uuid:00000000-0000-0000-0000-000000000000'))).toBe(412);
    // The token alone is no credential.
    expect(await write(other, `${box}/a.txt`, withToken(token))).toBe(423);
    expect(await write(ben, `${shared}/a.txt`, withToken(token))).toBe(423);
    expect(await write(dav, `${box}/a.txt`, withToken(token))).toBe(204);
    // Everybody can read, and write beside it.
    expect(await status(ben.send('GET', `${shared}/a.txt`))).toBe(200);
    expect(await write(ben, `${shared}/b.txt`)).toBe(201);
  });

  it('also applies to the API and the pages, for the same account, too', async () => {
    const { token } = await dav.lock(`${box}/a.txt`);
    const refused = async (reply: Promise<Reply>) => [(await reply).status, (await reply).body.code];
    const api = household.as('ben');
    const { body } = await api.get('files/browse', { path: `/ROOT/${household.ids.olga}` });
    const at = body.data.files.find(({ filename }: { filename: string }) => filename === name).path;
    expect(await refused(olga.put({ path: path('a.txt') }, 'x'))).toEqual([423, 'locked']);
    expect(await refused(api.put({ path: `${at}/a.txt` }, 'x'))).toEqual([423, 'locked']);
    expect(await refused(api.post('files/delete', { path: `${at}/a.txt` }))).toEqual([423, 'locked']);
    expect(await refused(olga.post('files/rename', { path: path('a.txt'), newName: 'c.txt' }))).toEqual([
      423,
      'locked',
    ]);
    expect(await refused(olga.post('files/lock', { path: path('a.txt') }))).toEqual([423, 'locked']);
    const listed = (await olga.get('files/info', { path: path('a.txt'), 'details[]': ['isLocked'] })).body.data;
    expect(listed.isLocked).toBe(true);
    // The owner of the home can break any lock.
    expect(await refused(olga.post('files/unlock', { path: path('a.txt') }))).toEqual([200, undefined]);
    expect(await status(dav.put(`${box}/a.txt`, 'x', withToken(token)))).toBe(412);
    expect(await refused(olga.put({ path: path('a.txt') }, 'x'))).toEqual([200, undefined]);
  });

  it('a lock of the API applies to other accounts, not to the programs of its own', async () => {
    await olga.post('files/lock', { path: path('a.txt') });
    expect(await status(dav.put(`${box}/a.txt`, 'x'))).toBe(204);
    expect(await status(ben.put(`${shared}/a.txt`, 'x'))).toBe(423);
    expect(await status(dav.lock(`${box}/a.txt`))).toBe(423);
    const { text } = await ben.propfind(`${shared}/a.txt`, '0');
    expect(text).toContain('<d:timeout>Infinite</d:timeout>');
    expect(text).not.toContain('<d:locktoken>');
  });

  it('ends once if UNLOCK is sent many times', async () => {
    const { token } = await dav.lock(`${box}/a.txt`);
    const unlock = () => status(dav.send('UNLOCK', `${box}/a.txt`, { headers: { 'lock-token': `<${token}>` } }));
    const rows = await rowsOf(household, async () => {
      const statuses = await Promise.all(Array.from({ length: 10 }, unlock));
      expect(statuses.sort()).toEqual([204, ...Array.from({ length: 9 }, () => 409)]);
    });
    expect(rows.filter(({ kind }) => kind === 'file.unlocked')).toHaveLength(1);
  });

  it('can be removed by its program and the owner of the home only', async () => {
    const { token } = await ben.lock(`${shared}/a.txt`);
    const unlock = (client: DavClient, at: string, sent = `<${token}>`) =>
      status(client.send('UNLOCK', at, { headers: { 'lock-token': sent } }));
    const gil = await davClient(household.as('ben'));
    expect(await unlock(gil, `${shared}/a.txt`)).toBe(403);
    expect(await unlock(ben, `${shared}/a.txt`, `<${token}`)).toBe(400);
    expect(await unlock(ben, `${shared}/a.txt`, '<urn:uuid:1>')).toBe(409);
    expect(await unlock(ben, `${shared}/sub/b.txt`)).toBe(409);
    expect(await status(dav.put(`${box}/a.txt`, 'x'))).toBe(423);
    expect(await unlock(dav, `${box}/a.txt`)).toBe(204);
    expect(await unlock(ben, `${shared}/a.txt`)).toBe(409);
    expect(await status(dav.put(`${box}/a.txt`, 'x'))).toBe(204);
  });

  it('stays if a condition of UNLOCK does not hold', async () => {
    const { token } = await dav.lock(`${box}/a.txt`);
    const { headers } = await dav.send('HEAD', `${box}/a.txt`);
    const unlock = (condition: Record<string, string>) =>
      status(dav.send('UNLOCK', `${box}/a.txt`, { headers: { 'lock-token': `<${token}>`, ...condition } }));
    expect(await unlock({ 'if-match': '"another"' })).toBe(412);
    expect(await unlock({ 'if-none-match': '*' })).toBe(412);
    expect(await unlock({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(412);
    expect(await status(other.put(`${box}/a.txt`, 'x'))).toBe(423);
    expect(await unlock({ 'if-match': String(headers.etag) })).toBe(204);
    expect(await status(other.put(`${box}/a.txt`, 'x'))).toBe(204);
  });

  it('ends after its timeout, unless it is refreshed', async () => {
    const { token, text } = await dav.lock(`${box}/a.txt`, { headers: { timeout: 'Second-60' } });
    expect(text).toContain('<d:timeout>Second-60</d:timeout>');
    household.clock.advance(50_000);
    const refresh = (client = dav) =>
      client.send('LOCK', `${box}/a.txt`, { headers: { timeout: 'Second-60', ...withToken(token) } });
    expect((await refresh()).text).toContain('<d:timeout>Second-60</d:timeout>');
    household.clock.advance(50_000);
    expect(await status(dav.put(`${box}/a.txt`, 'x'))).toBe(423);
    expect(await status(refresh(other))).toBe(412);
    household.clock.advance(11_000);
    expect(await status(dav.put(`${box}/a.txt`, 'x'))).toBe(204);
    expect(await status(refresh())).toBe(412);
    const endless = await dav.lock(`${box}/a.txt`, { headers: { timeout: 'Infinite, Second-4100000000' } });
    expect(endless.text).toContain(`<d:timeout>Second-${LONGEST_LOCK / 1000}</d:timeout>`);
  });

  it('does not move with the file, and is not copied; one of the API does', async () => {
    const { token } = await dav.lock(`${box}/a.txt`);
    expect(await status(dav.transfer('COPY', `${box}/a.txt`, `${box}/copy.txt`))).toBe(201);
    expect(await status(other.put(`${box}/copy.txt`, 'x'))).toBe(204);
    expect(await status(dav.transfer('MOVE', `${box}/a.txt`, `${box}/b.txt`))).toBe(423);
    expect(await status(dav.transfer('MOVE', `${box}/a.txt`, `${box}/b.txt`, withToken(token)))).toBe(201);
    expect(await status(other.put(`${box}/b.txt`, 'x'))).toBe(204);
    await olga.post('files/lock', { path: path('b.txt') });
    await dav.transfer('MOVE', `${box}/b.txt`, `${box}/c.txt`);
    expect(await status(ben.put(`${shared}/c.txt`, 'x'))).toBe(423);
  });

  it('stays on a file that is saved through a temporary one', async () => {
    const { token } = await dav.lock(`${box}/a.txt`);
    await dav.put(`${box}/tmp`, 'edited');
    expect(await status(dav.transfer('MOVE', `${box}/tmp`, `${box}/a.txt`))).toBe(423);
    const headers = { if: `<${dav.base}/dav${box}/a.txt> (<${token}>)` };
    expect(await status(dav.transfer('MOVE', `${box}/tmp`, `${box}/a.txt`, headers))).toBe(204);
    expect(await status(other.put(`${box}/a.txt`, 'x'))).toBe(423);
  });
});

describe('shared locks', () => {
  it('allow writes to each of their holders only', async () => {
    const first = await dav.lock(`${box}/a.txt`, { scope: 'shared' });
    const second = await ben.lock(`${shared}/a.txt`, { scope: 'shared' });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await status(other.lock(`${box}/a.txt`))).toBe(423);
    expect(await status(other.put(`${box}/a.txt`, 'x'))).toBe(423);
    expect(await status(dav.put(`${box}/a.txt`, 'x', withToken(first.token)))).toBe(204);
    expect(await status(ben.put(`${shared}/a.txt`, 'x', withToken(second.token)))).toBe(204);
    expect(await status(ben.put(`${shared}/a.txt`, 'x', withToken(first.token)))).toBe(423);
    expect(await status(dav.lock(`${box}/a.txt`, { scope: 'shared' }))).toBe(200);
  });
});

describe('a lock of a folder', () => {
  it('of depth infinity protects everything below it, by every protocol', async () => {
    const { token } = await dav.lock(box, { headers: { depth: 'infinity' } });
    const attempts = (headers: Record<string, string>) => [
      other.put(`${box}/a.txt`, 'x', headers),
      other.put(`${box}/new.txt`, 'x', headers),
      other.put(`${box}/sub/new.txt`, 'x', headers),
      other.send('MKCOL', `${box}/folder`, { headers }),
      other.send('DELETE', `${box}/sub`, { headers }),
      other.transfer('COPY', `${box}/a.txt`, `${box}/sub/copy.txt`, headers),
      other.lock(`${box}/sub/b.txt`),
      ben.put(`${shared}/new.txt`, 'x', headers),
    ];
    expect(await Promise.all(attempts({}).map(status))).toEqual(attempts({}).map(() => 423));
    expect(await Promise.all(attempts(withToken(token)).map(status))).toEqual(attempts({}).map(() => 423));
    const calls = [
      olga.post('files/createfolder', { path: path(), name: 'folder' }),
      olga.put({ path: path('sub/x.txt') }, 'x'),
      olga.post('files/move', { path: path('a.txt'), moveTo: path('sub') }),
      olga.post('files/copy', { path: path('a.txt'), copyTo: path('sub') }),
      olga.post('files/zip', { 'paths[]': [path('a.txt')], target: path(), archiveName: 'x.zip' }),
    ];
    expect((await Promise.all(calls)).map((one) => one.body.code)).toEqual(calls.map(() => 'locked'));
    expect(await status(dav.put(`${box}/sub/new.txt`, 'x', withToken(token)))).toBe(201);
    // An indirect refresh (RFC 4918 §9.10.2).
    expect(await status(dav.send('LOCK', `${box}/sub/b.txt`, { headers: withToken(token) }))).toBe(200);
  });

  it('of depth infinity is refused for a whole home and a whole share, but not for what is in them', async () => {
    const deep = (client: DavClient, at: string) => status(client.lock(at, { headers: { depth: 'infinity' } }));
    expect(await deep(dav, '/My%20files')).toBe(403);
    expect(await deep(ben, shared)).toBe(403);
    expect(await deep(ben, `${shared}/sub`)).toBe(200);
  });

  it('of depth 0 protects its entries, but not their contents', async () => {
    const { token } = await dav.lock(`${box}/sub`);
    expect(await status(other.put(`${box}/sub/b.txt`, 'x'))).toBe(204);
    expect(await status(other.put(`${box}/sub/new.txt`, 'x'))).toBe(423);
    expect(await status(other.send('DELETE', `${box}/sub/b.txt`))).toBe(423);
    expect(await status(other.transfer('MOVE', `${box}/a.txt`, `${box}/sub/a.txt`))).toBe(423);
    expect(
      await status(dav.transfer('MOVE', `${box}/a.txt`, `${box}/sub/a.txt`, { if: `</dav${box}/sub> (<${token}>)` })),
    ).toBe(201);
  });

  it('is refused while something in it is locked', async () => {
    await ben.lock(`${shared}/sub/b.txt`);
    expect(await status(dav.lock(box, { headers: { depth: 'infinity' } }))).toBe(423);
    expect(await status(dav.lock(box))).toBe(200);
  });

  it('does not keep the owner of the home from restoring into it', async () => {
    const { body } = await olga.post('files/delete', { path: path('sub/b.txt') });
    const { token } = await ben.lock(`${shared}/sub`, { headers: { depth: 'infinity' } });
    const restored = await olga.post('files/trash/restore', { path: body.data.trash_path });
    expect([restored.status, restored.body.data]).toEqual([200, { path: path('sub/b.txt') }]);
    // The folder stays locked: only it was.
    expect(await status(dav.put(`${box}/sub/b.txt`, 'x'))).toBe(423);
    expect(await status(ben.put(`${shared}/sub/b.txt`, 'x', withToken(token)))).toBe(204);
  });

  it('is given to one of two concurrent requests', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? dav : other).lock(`${box}/sub`, { headers: { depth: 'infinity' } }),
      ),
    );
    expect(replies.filter((one) => one.status === 200).length).toBe(1);
  });
});

describe('LOCK', () => {
  it('creates an empty file that is locked', async () => {
    const { status: created, token } = await dav.lock(`${box}/new.txt`);
    expect(created).toBe(201);
    expect((await other.send('GET', `${box}/new.txt`)).headers['content-length']).toBe('0');
    expect(await status(other.put(`${box}/new.txt`, 'x'))).toBe(423);
    expect(await status(dav.put(`${box}/new.txt`, 'x', withToken(token)))).toBe(204);
    expect(await status(dav.lock(`${box}/none/new.txt`))).toBe(409);
  });

  it('leaves no empty file if the folder of a free name is locked, by the same program, too', async () => {
    const { token } = await dav.lock(`${box}/sub`, { scope: 'shared', headers: { depth: 'infinity' } });
    const headers = { if: `</dav${box}/sub> (<${token}>)` };
    expect(await status(dav.lock(`${box}/sub/new.txt`, { headers }))).toBe(423);
    expect(await status(dav.send('GET', `${box}/sub/new.txt`))).toBe(404);
    expect(await status(dav.lock(`${box}/sub/new.txt`, { headers, scope: 'shared' }))).toBe(201);
  });

  itInFull('is refused for an account with a thousand locks, which leaves no empty file', async () => {
    const mia = await davClient(household.as('sam'));
    await mia.put('/My%20files/a.txt', 'x');
    const lock = () => status(mia.lock('/My%20files/a.txt', { scope: 'shared' }));
    for (let count = 0; count < 1_000; count += 10) {
      expect(new Set(await Promise.all(Array.from({ length: 10 }, lock)))).toEqual(new Set([200]));
    }
    expect(await lock()).toBe(409);
    expect(await status(mia.lock('/My%20files/new.txt'))).toBe(409);
    expect(await status(mia.send('GET', '/My%20files/new.txt'))).toBe(404);
  });

  it('refuses unknown kinds of locks', async () => {
    const lock = (body: string, headers: Record<string, string> = {}) =>
      status(dav.send('LOCK', `${box}/a.txt`, { headers, body }));
    const info = (scope: string, type: string) =>
      `<lockinfo xmlns="DAV:"><lockscope><${scope}/></lockscope><locktype><${type}/></locktype></lockinfo>`;
    expect(await lock(info('exclusive', 'read'))).toBe(400);
    expect(await lock(info('none', 'write'))).toBe(400);
    expect(await lock('<lockinfo xmlns="DAV:"/>')).toBe(400);
    expect(await lock(info('exclusive', 'write'), { depth: '1' })).toBe(400);
    expect(await status(dav.send('LOCK', `${box}/a.txt`))).toBe(412);
    expect(await status(dav.lock('/'))).toBe(403);
  });

  it('reveals the holder of a lock only to those who may know', async () => {
    const { text } = await ben.lock(`${shared}/a.txt`, { owner: '<href>mailto:ben@home.example</href>' });
    expect(text).toContain('<href xmlns="DAV:">mailto:ben@home.example</href>');
    const seen = await dav.propfind(`${box}/a.txt`, '0');
    expect(seen.text).toContain('<d:owner>Mia</d:owner>');
    expect(seen.text).not.toContain('mailto');
  });
});

describe('the owner of the home', () => {
  /** Every way to delete, with what it leaves in the trash. */
  const DELETIONS: readonly (readonly [string, (item: string) => Promise<Reply>])[] = [
    ['over WebDAV', (item) => dav.send('DELETE', `${box}/${item}`)],
    ['by the API', (item) => olga.post('files/delete', { path: path(item) })],
    ['by the API, permanently', (item) => olga.post('files/delete', { path: path(item), permanent: 1 })],
  ];

  it.each(DELETIONS)('can delete %s items that others have locked, which ends the locks', async (_how, remove) => {
    const file = await ben.lock(`${shared}/a.txt`);
    const folder = await ben.lock(`${shared}/sub`, { headers: { depth: 'infinity' } });
    expect([file.status, folder.status]).toEqual([200, 200]);
    expect(await status(dav.put(`${box}/a.txt`, 'x'))).toBe(423);
    expect((await remove('a.txt')).status).toBeLessThan(300);
    // Inside of what is locked, and then all of it.
    expect((await remove('sub/b.txt')).status).toBeLessThan(300);
    expect(await status(dav.put(`${box}/sub/b.txt`, 'x'))).toBe(423);
    expect((await remove('sub')).status).toBeLessThan(300);
    // Who had the lock is answered as if it had never been.
    expect(await status(ben.put(`${shared}/a.txt`, 'x', withToken(file.token)))).toBe(412);
    expect(await status(ben.send('UNLOCK', `${shared}/a.txt`, { headers: { 'lock-token': `<${file.token}>` } }))).toBe(
      409,
    );
    expect(await status(ben.put(`${shared}/a.txt`, 'new'))).toBe(201);
    expect(await status(ben.put(`${shared}/sub/b.txt`, 'new'))).toBe(409);
    expect(await status(dav.put(`${box}/a.txt`, 'newer'))).toBe(204);
  });

  it('can restore by the Nextcloud trash bin into a folder that another person has locked', async () => {
    const { body } = await olga.post('files/delete', { path: path('sub/b.txt') });
    const id = body.data.trash_path.split('/').at(-1);
    const restore = () =>
      dav.at('/remote.php/dav').send('MOVE', `/trashbin/olga/trash/${id}`, {
        headers: { destination: `${dav.base}/remote.php/dav/trashbin/olga/restore/b.txt` },
      });
    const own = await other.lock(`${box}/sub`);
    // Programs of the same account heed each other's locks.
    expect((await restore()).status).toBe(423);
    await other.send('UNLOCK', `${box}/sub`, { headers: { 'lock-token': `<${own.token}>` } });
    expect((await ben.lock(`${shared}/sub`)).status).toBe(200);
    expect((await restore()).status).toBe(201);
  });

  it('can delete and restore on the pages and by the API what their own program has locked, but not by WebDAV', async () => {
    const { token } = await dav.lock(`${box}/a.txt`);
    for (const program of [dav, other]) expect(await status(program.send('DELETE', `${box}/a.txt`))).toBe(423);
    const { status: deleted, body } = await olga.post('files/delete', { path: path('a.txt') });
    expect(deleted).toBe(200);
    await dav.lock(box);
    expect((await olga.post('files/trash/restore', { path: body.data.trash_path })).status).toBe(200);
    expect(await status(dav.put(`${box}/a.txt`, 'x', withToken(token)))).toBe(412);
    expect(await status(other.put(`${box}/a.txt`, 'x'))).toBe(204);
  });

  it('cannot replace items that others have locked', async () => {
    await ben.lock(`${shared}/a.txt`);
    await ben.lock(`${shared}/sub/b.txt`);
    await dav.put(`${box}/c.txt`, 'x');
    await dav.send('MKCOL', `${box}/folder`);
    expect(await status(dav.transfer('MOVE', `${box}/c.txt`, `${box}/a.txt`))).toBe(423);
    expect(await status(dav.transfer('COPY', `${box}/folder`, `${box}/sub`))).toBe(423);
  });

  it('has rights that other editors of a share do not have', async () => {
    await dav.lock(`${box}/a.txt`);
    await olga.post('files/lock', { path: path('sub/b.txt') });
    for (const item of ['a.txt', 'sub/b.txt', 'sub']) {
      expect(await status(ben.send('DELETE', `${shared}/${item}`))).toBe(423);
    }
  });
});

it('a lock ends with the app password, or the authorization, of its program', async () => {
  const { body } = await household.as('ben').post('account/app-passwords/add', { label: 'Lost laptop' });
  const lost = new DavClient(household.api, 'ben', body.data.password);
  await lost.lock(`${shared}/a.txt`);
  expect(await status(ben.put(`${shared}/a.txt`, 'x'))).toBe(423);
  await household.as('ben').post('account/app-passwords/delete', { id: body.data.id });
  expect(await status(ben.put(`${shared}/a.txt`, 'x'))).toBe(204);
});

it('a lock survives a restart', async () => {
  const { token } = await dav.lock(`${box}/a.txt`);
  await household.restart();
  // At another port.
  const again = new DavClient(household.api, dav.username, dav.password);
  expect(await status(again.put(`${box}/a.txt`, 'x'))).toBe(423);
  expect(await status(again.put(`${box}/a.txt`, 'x', withToken(token)))).toBe(204);
});

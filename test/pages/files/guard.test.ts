import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { type PageReply, WebVisitor } from '../../support/browser/web-visitor.ts';
import { DRAWING } from '../../support/content/drawing.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER, setPermissions, signInAs } from '../../support/households/member.ts';
import { shareHome } from '../../support/households/shared-home.ts';
import { rowsOf } from '../../support/requests/activity.ts';
import { fillHome } from './support.ts';

const HOME = '/ROOT/HOME';
const JSON_ONLY = { accept: 'application/json' };

let household: Household;
let ann: WebVisitor;
let mia: WebVisitor;

beforeAll(async () => {
  household = await openHousehold();
  await addMembersWithHomes(household, { mia: {}, tom: { readonly: true } });
  ann = await signedIn(OWNER.username, OWNER.password);
  mia = await signedIn('mia');
});
afterAll(() => household.close());

async function signedIn(username: string, password = MEMBER.password): Promise<WebVisitor> {
  const visitor = new WebVisitor(household);
  const page = await visitor.get('/files/');
  const fields = { form_token: page.field('form_token'), next: page.field('next') };
  const reply = await visitor.post('/account/sign-in', { ...fields, username, password });
  expect([reply.status, reply.location]).toEqual([303, '/files/']);
  return visitor;
}

const sessionToken = async (visitor: WebVisitor) =>
  JSON.parse((await visitor.get('/files/session', JSON_ONLY)).text).data.token as string;

async function act(visitor: WebVisitor, action: string, fields: Record<string, string>, headers = JSON_ONLY) {
  const form_token = await sessionToken(visitor);
  return visitor.post(`/files/do/${action}`, { form_token, ...fields }, headers);
}

const body = (reply: PageReply) => JSON.parse(reply.text);
const first = (reply: PageReply) => body(reply).data.results[0];

async function put(visitor: WebVisitor, path: string, content: string, query = '', headers = {}) {
  const token = await sessionToken(visitor);
  return visitor.put(`/files/upload?path=${encodeURIComponent(path)}${query}`, content, {
    'x-form-token': token,
    ...headers,
  });
}

describe('a path with dots', () => {
  it('reveals nothing outside of the share, in any form and on any page', async () => {
    const api = await household.signIn();
    for (const folder of ['beside/within', 'beside-too', 'neighbour', 'beside/neighbour'])
      await api.put({ filePath: `${HOME}/${folder}/a.txt` }, 'a');
    const { body: people } = await signInAs(household, 'mia').then((client) => client.get('account/info'));
    const given = await api.post('files/share', { path: `${HOME}/beside/within`, uid: people.id, alter: 1, upload: 1 });
    const base = `/ROOT/1/${given.body.data.shareid}`;
    for (const up of ['..', '../..', '../../beside-too', '../../beside-too/a.txt', '../../../mia', './a.txt']) {
      for (const page of [
        'do/rename',
        'do/move',
        'do/copy',
        'do/delete',
        'do/create-folder',
        'item',
        'search',
        'view',
        '',
      ]) {
        const { status, text } = await mia.get(`/files/${page}?path=${encodeURIComponent(`${base}/${up}`)}`);
        // Their forms look up nothing.
        if (!['do/create-folder', 'search'].includes(page)) expect(status, `${page} ${up}`).toBeGreaterThanOrEqual(400);
        expect(text, `${page} ${up}`).not.toContain('neighbour');
      }
    }
    expect((await mia.get(`/files/do/rename?path=${encodeURIComponent(`${base}/a.txt`)}`)).status).toBe(200);
  });
});

describe('access to the file pages', () => {
  it('visitors sign in first, and then reach the requested page', async () => {
    const stranger = new WebVisitor(household);
    const wanted = '/files/item?path=/ROOT/HOME/a%20%26%20b%20%23%3F%25.txt&from=/PHOTOS';
    const page = await stranger.get(wanted);
    expect([page.status, page.field('next')]).toEqual([200, wanted]);
    expect(page.text).toContain(t('signIn.heading'));
    const fields = { form_token: page.field('form_token'), next: page.field('next'), ...OWNER };
    expect((await stranger.post('/account/sign-in', fields)).location).toBe(wanted);
    for (const next of [
      '/files/..//evil.example',
      '//evil.example/files/',
      '/filesystem',
      'https://evil.example/files/',
    ]) {
      const again = new WebVisitor(household);
      const form_token = (await again.get('/files/')).field('form_token');
      expect([next, (await again.post('/account/sign-in', { form_token, next, ...OWNER })).location]).toEqual([
        next,
        '/account/',
      ]);
    }
  });

  it('scripts without a session get only a 401 in JSON', async () => {
    const stranger = new WebVisitor(household);
    for (const path of [
      '/files/?path=/ROOT/HOME',
      '/files/item?path=/ROOT/HOME/a.txt',
      '/files/session',
      '/files/do/move',
    ]) {
      const reply = await stranger.get(path, JSON_ONLY);
      expect([path, reply.status, body(reply).code]).toEqual([path, 401, 'invalid_token']);
    }
    const upload = await stranger.put('/files/upload?path=/ROOT/HOME/x.txt', 'x', { 'x-form-token': 'y' });
    expect([upload.status, body(upload).code]).toEqual([401, 'invalid_token']);
  });

  it('an ended session has no access', async () => {
    await household.control('accounts.add', { ...MEMBER, username: 'ben', name: 'Ben', createHomeFolder: true });
    const ben = await signedIn('ben');
    expect((await ben.get(`/files/?path=${HOME}`)).text).toContain(t('files.myFiles'));
    await household.control('accounts.update', { username: 'ben', activated: false });
    expect((await ben.get('/files/session', JSON_ONLY)).status).toBe(401);
  });

  it('works while the API is disabled', async () => {
    await household.control('settings.update', { apiEnabled: false });
    try {
      expect((await put(ann, `${HOME}/off.txt`, 'works')).status).toBe(201);
      expect((await ann.get(`/files/?path=${HOME}`)).text).toContain('off.txt');
      expect((await ann.get(`/files/download?path=${HOME}/off.txt`)).text).toBe('works');
    } finally {
      await household.control('settings.update', { apiEnabled: true });
    }
  });
});

describe('a request forged by another site', () => {
  it.each([
    ['without a token', { form_token: '' }, {}],
    ['with the token of somebody else', {}, {}],
    ['from another site', null, { 'sec-fetch-site': 'cross-site' }],
    ['from another origin', null, { origin: 'https://evil.example' }],
  ])('is refused: %s', async (_what, fields, headers) => {
    await fillHome(household.home, { 'kept.txt': 'kept' });
    const form_token = fields === null ? await sessionToken(ann) : await sessionToken(mia);
    const sent = { form_token, ...fields, 'path[]': `${HOME}/kept.txt` };
    for (const path of ['/files/do/delete', '/files/download']) {
      const reply = await ann.post(path, sent, { ...JSON_ONLY, ...headers });
      expect([path, reply.status, body(reply).code]).toEqual([path, 403, 'permission_denied']);
    }
    const token = (fields as { form_token?: string } | null)?.form_token ?? form_token;
    const upload = await ann.put(`/files/upload?path=${HOME}/kept.txt`, 'lost', { 'x-form-token': token, ...headers });
    expect([upload.status, body(upload).code]).toEqual([403, 'permission_denied']);
    expect(await readFile(join(household.home, 'kept.txt'), 'utf8')).toBe('kept');
  });

  it('a form with a file stores nothing if its token is wrong', async () => {
    const boundary = 'xyz';
    const part = (name: string, value: string, file = '') =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
    const sent = `${part('form_token', 'wrong')}${part('file', 'content', '; filename="b.txt"')}--${boundary}--\r\n`;
    const reply = await ann.postRaw(`/files/upload?path=${HOME}`, sent, `multipart/form-data; boundary=${boundary}`);
    expect(reply.status).toBe(403);
    expect((await ann.get(`/files/?path=${HOME}`)).text).not.toContain('b.txt');
  });
});

describe('content', () => {
  it('is sandboxed, whatever its type', async () => {
    const files = {
      'page.html': ['attachment', 'text/html; charset=utf-8'],
      'drawing.svg': ['attachment', 'image/svg+xml'],
      'script.js': ['attachment', 'text/javascript; charset=utf-8'],
      'picture.png': ['inline', 'image/png'],
      'notes.txt': ['inline', 'text/plain; charset=utf-8'],
      'odd.qqq': ['attachment', 'application/octet-stream'],
    };
    await fillHome(
      household.home,
      Object.fromEntries(Object.keys(files).map((name) => [name, '<script>alert(1)</script>'])),
    );
    for (const [name, [disposition, type]] of Object.entries(files)) {
      const { status, headers } = await ann.get(`/files/download?path=${HOME}/${name}&openInBrowser=1`);
      expect([name, status, headers['content-disposition']?.split(';')[0], headers['content-type']]).toEqual([
        ...[name, 200],
        ...[disposition, type],
      ]);
      expect(headers['content-security-policy']).toBe("sandbox; default-src 'none'; frame-ancestors 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
      const saved = await ann.get(`/files/download?path=${HOME}/${name}`);
      expect(saved.headers['content-disposition']).toMatch(/^attachment/);
    }
    // In the place of the drawing stands a picture that was made of it, and an icon where none can be.
    await fillHome(household.home, { 'real.svg': DRAWING });
    const real = await ann.get(`/files/thumbnail?path=${HOME}/real.svg`);
    expect([real.status, real.headers['content-type']]).toEqual([200, 'image/jpeg']);
    expect(real.headers['content-security-policy']).toBe("sandbox; default-src 'none'; frame-ancestors 'none'");
    for (const [name, type] of [
      ['drawing.svg', 'image'],
      ['page.html', 'code'],
    ]) {
      const none = await ann.get(`/files/thumbnail?path=${HOME}/${name}`);
      expect([none.status, none.headers.location]).toEqual([302, `/icons/tile/${type}.svg`]);
    }
    const tile = await ann.get('/icons/tile/image.svg');
    expect([tile.status, tile.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect((await ann.get(`/files/thumbnail?path=${HOME}/nowhere.png`, JSON_ONLY)).status).toBe(404);
  });

  it('of a text file is escaped in the page, which runs no inline scripts', async () => {
    await fillHome(household.home, { 'evil.txt': '</pre><script>alert(1)</script><img src=x onerror=alert(2)>' });
    const page = await ann.get(`/files/item?path=${HOME}/evil.txt`);
    expect(page.text).toContain('&lt;/pre&gt;&lt;script&gt;alert(1)');
    expect(page.text).not.toContain('<script>alert');
    expect(page.headers['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
    );
  });

  it('is sent in ranges, for seeking in films', async () => {
    await fillHome(household.home, { 'film.mp4': 'abcdefghij' });
    const reply = await ann.get(`/files/download?path=${HOME}/film.mp4&openInBrowser=1`, { range: 'bytes=2-4' });
    expect([reply.status, reply.text]).toEqual([206, 'cde']);
  });

  it('of several items is sent as one archive, and refused before the first byte if one cannot be downloaded', async () => {
    await fillHome(household.home, { 'one/x.txt': 'x', 'two.txt': 'two' });
    const form_token = await sessionToken(ann);
    const paths = `path%5B%5D=${HOME}/one&path%5B%5D=${HOME}/two.txt`;
    const form = (more: string) => `form_token=${form_token}&${paths}${more}`;
    const type = 'application/x-www-form-urlencoded';
    const reply = await ann.postRaw('/files/download', form('&name=My%20%2F%20Files'), type);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/zip']);
    expect(reply.headers['content-disposition']).toContain('My   Files.zip');
    expect(reply.text).toContain('one/x.txt');
    const refused = await ann.postRaw('/files/download', form(`&path%5B%5D=${HOME}/gone`), type, JSON_ONLY);
    expect([refused.status, body(refused).code]).toEqual([404, 'not_found']);
    await setPermissions(household, { mia: { download_folders: false } });
    await fillHome(homeOf(household, 'mia'), { 'one/x.txt': 'x', 'two.txt': 'two' });
    const token = await sessionToken(mia);
    const denied = await mia.postRaw('/files/download', `form_token=${token}&${paths}`, type, JSON_ONLY);
    expect([denied.status, body(denied).details.permission]).toEqual([403, 'download_folders']);
    await setPermissions(household, { mia: {} });
  });

  it('is logged as downloaded if a picture is opened, but not for the thumbnails of a gallery', async () => {
    await fillHome(household.home, { 'seen.svg': DRAWING });
    const rows = await rowsOf(household, async () => {
      await ann.get(`/files/thumbnail?path=${HOME}/seen.svg`);
      await ann.get(`/files/download?path=${HOME}/seen.svg&openInBrowser=1`);
    });
    expect(rows.map(({ kind, channel, username }) => [kind, channel, username])).toEqual([
      ['file.downloaded', 'page', 'ann'],
    ]);
  });
});

describe('permissions and refusals', () => {
  it('actions without permission are refused, whatever the page shows', async () => {
    const tom = await signedIn('tom');
    await fillHome(homeOf(household, 'tom'), { 'a.txt': 'a' });
    const path = { 'path[]': `${HOME}/a.txt` };
    for (const [action, fields] of Object.entries({
      delete: path,
      rename: { ...path, name: 'b.txt' },
      move: { ...path, to: HOME },
      copy: { ...path, to: HOME },
      'create-folder': { 'path[]': HOME, name: 'new' },
    })) {
      expect([action, first(await act(tom, action, fields)).code]).toEqual([action, 'permission_denied']);
    }
    expect((await put(tom, `${HOME}/new.txt`, 'x')).status).toBe(403);
    expect(first(await act(tom, 'star', path)).error).toBeUndefined();
  });

  it('the homes of others cannot be accessed', async () => {
    await fillHome(household.home, { 'secret.txt': 'secret' });
    for (const path of ['/ROOT/1/secret.txt', '/ROOT/HOME/../ann/secret.txt', '/ROOT/HOME/..%2Fann']) {
      const reply = await mia.get(`/files/download?path=${path}`, JSON_ONLY);
      expect([path, [400, 404].includes(reply.status)]).toEqual([path, true]);
    }
  });

  it('a failed item is reported, and the others are processed', async () => {
    await fillHome(household.home, { 'l2.txt': '2' });
    const form_token = await sessionToken(ann);
    const form = `form_token=${form_token}&path%5B%5D=${HOME}/gone.txt&path%5B%5D=${HOME}/l2.txt`;
    const reply = await ann.postRaw('/files/do/delete', form, 'application/x-www-form-urlencoded', JSON_ONLY);
    const [gone, done] = body(reply).data.results;
    expect([gone.code, gone.error, done.to]).toEqual([
      'not_found',
      t('files.errors.notFound'),
      expect.stringMatching(/^\/TRASH\//),
    ]);
  });

  it('a full quota, a type that is not allowed and a file that is too large have different error codes', async () => {
    await setPermissions(household, { mia: { space_quota_max: 1, upload_limit_types: 'txt,jpg', upload_max_size: 2 } });
    const big = 'x'.repeat(1_100_000);
    for (const [name, content, status, code] of [
      ['a.txt', big, 507, 'quota_exceeded'],
      ['a.exe', 'x', 415, 'type_not_allowed'],
      ['b.txt', 'x'.repeat(2_200_000), 413, 'upload_too_large'],
    ] as const) {
      const reply = await put(mia, `${HOME}/${name}`, content);
      expect([reply.status, body(reply).code]).toEqual([status, code]);
    }
    await setPermissions(household, { mia: {} });
  });

  it('an unavailable disk is reported to scripts with 503, and works again once it is available', async () => {
    const home = homeOf(household, 'mia');
    await rename(home, join(household.folder, 'away'));
    const reply = await mia.get(`/files/?path=${HOME}`, JSON_ONLY);
    expect([reply.status, body(reply).code, reply.headers['retry-after']]).toEqual([503, 'storage_offline', '30']);
    await rename(join(household.folder, 'away'), home);
    expect((await mia.get(`/files/?path=${HOME}`, JSON_ONLY)).status).toBe(200);
  });

  it('a cancelled upload leaves no data', async () => {
    const piece = await put(mia, `${HOME}/half.bin`, 'x'.repeat(1_000), '&totalSize=5000&startByte=0');
    expect(body(piece).data).toMatchObject({ offset: 1_000 });
    await act(mia, 'cancel-upload', { 'path[]': `${HOME}/half.bin` });
    const offset = await put(mia, `${HOME}/half.bin`, '', '&getOffset=1');
    expect(body(offset).data).toEqual({ offset: 0 });
  });

  it('a file locked by another account is not changed, and the message names who locked it', async () => {
    await household.control('accounts.add', { ...MEMBER, username: 'kim', name: 'Kim' });
    await shareHome(household, 'mia', ['kim']);
    await fillHome(homeOf(household, 'mia'), { 'locked.txt': 'mine' });
    const api = await signInAs(household, 'mia');
    expect((await api.post('files/lock', { path: `${HOME}/locked.txt` })).status).toBe(200);
    const kim = await signedIn('kim');
    const path = { 'path[]': `${HOME}/locked.txt` };
    const refused = first(await act(kim, 'rename', { ...path, name: 'other.txt' }));
    expect([refused.code, refused.error]).toEqual(['locked', '"locked.txt" is locked by Mia.']);
    const upload = await put(kim, `${HOME}/locked.txt`, 'yours');
    expect([upload.status, body(upload).code]).toEqual([423, 'locked']);
    const page = await act(kim, 'delete', path, { accept: 'text/html' });
    expect([page.status, page.text.includes('role="alert"')]).toEqual([423, true]);
    expect((await kim.get(`/files/?path=${HOME}`)).text).toContain(t('files.row.locked'));
  });
});

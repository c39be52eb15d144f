import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_SCOPES, type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, signInAs } from '../support/households/member.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { encodedForm } from '../support/requests/forms.ts';

const run = promisify(execFile);
const HOME = '/ROOT/HOME';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  await addMembersWithHomes(household, { mia: {}, ben: {}, kim: {} });
});
afterAll(() => household.close());

const outcome = ({ status, body }: Reply) => [status, body.code];
const namesIn = ({ body }: Reply) => body.data.files.map(({ filename }: { filename: string }) => filename);

describe('files/search', () => {
  it('accepts keyword for filename, which takes precedence', async () => {
    await api.put({ path: `${HOME}/holiday plan.txt` }, 'x');
    await api.put({ path: `${HOME}/taxes.txt` }, 'x');
    expect(namesIn(await api.post('files/search', { path: HOME, keyword: 'holiday' }))).toEqual(['holiday plan.txt']);
    const both = await api.post('files/search', { path: HOME, keyword: 'holiday', filename: 'taxes' });
    expect(namesIn(both)).toEqual(['taxes.txt']);
    const contents = await api.post('files/search', { path: HOME, keyword: 'holiday', contents: 'x' });
    expect(outcome(contents)).toEqual([400, 'invalid_parameter']);
  });

  it('names all criteria when none is sent', async () => {
    const reply = await api.post('files/search', { path: HOME });
    expect(outcome(reply)).toEqual([400, 'missing_parameter']);
    for (const name of ['filename', 'keyword', 'contents', 'metatype', 'meta']) {
      expect(reply.body.error).toContain(`"${name}"`);
    }
  });

  it('and files/browse have no limit with limit=0', async () => {
    const path = `${HOME}/many`;
    await mkdir(join(household.home, 'many'));
    for (let number = 0; number < 5; number += 1) await writeFile(join(household.home, 'many', `n ${number}.txt`), '');
    const browsed = await api.get('files/browse', { path, limit: 0 });
    expect([namesIn(browsed).length, browsed.body.data.meta.total]).toEqual([5, 5]);
    expect(namesIn(await api.get('files/browse', { path, limit: 0, start: 3 }))).toEqual(['n 3.txt', 'n 4.txt']);
    expect(namesIn(await api.get('files/browse', { path, limit: 0, recursive: 1 }))).toHaveLength(5);
    expect(namesIn(await api.get('files/browse', { path: '/STARRED', limit: 0 }))).toEqual([]);
    for (const what of [{ filename: 'n' }, { filename: '*' }]) {
      const found = await api.post('files/search', { path, ...what, limit: 0 });
      expect([namesIn(found).length, found.body.data.meta.truncated], JSON.stringify(what)).toEqual([5, false]);
    }
    expect((await api.post('files/search', { path, contents: 'word', limit: 0 })).status).toBe(200);
    expect(outcome(await api.get('files/browse', { path, limit: -1 }))).toEqual([400, 'invalid_parameter']);
  });
});

describe('avatars', () => {
  it('of an account without a picture show its initials on its colour', async () => {
    const mia = await signInAs(household, 'mia');
    const reply = await mia.get('account/avatar');
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(reply.text).toContain('>M<');
    const { width, height } = await sharp(reply.bytes).metadata();
    expect([width, height]).toEqual([256, 256]);
    const again = await mia.send('GET', '/api.php/account/avatar', {
      headers: { 'if-none-match': String(reply.headers.etag) },
    });
    expect(again.status).toBe(304);
  });

  it('contain no markup from a name', async () => {
    const { uid } = (
      await api.post('admin-users/add', { 'data[username]': 'odd', 'data[name]': '<script>', 'data[last_name]': '&' })
    ).body.data;
    const reply = await api.get('admin-users/avatar', { UID: uid });
    expect(reply.text).toContain('>&lt;&amp;<');
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('are shown to administrators, by GET and POST, with the account’s picture if there is one', async () => {
    const mia = await signInAs(household, 'mia');
    const id = Number((await mia.get('account/info')).body.id);
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    expect((await mia.send('PUT', '/api.php/account/avatar', { body: picture })).status).toBe(200);
    for (const reply of [
      await api.get('admin-users/avatar', { UID: id }),
      await api.post('admin-users/avatar', { UID: id }),
    ]) {
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/jpeg']);
      expect((await mia.get('account/avatar')).bytes.equals(reply.bytes)).toBe(true);
    }
    expect(outcome(await api.get('admin-users/avatar'))).toEqual([400, 'missing_parameter']);
    expect(outcome(await api.get('admin-users/avatar', { UID: 'x' }))).toEqual([400, 'invalid_parameter']);
    expect(outcome(await api.get('admin-users/avatar', { UID: 999 }))).toEqual([404, 'not_found']);
  });

  it('are hidden from administrators who do not manage the account', async () => {
    const idOf = async (uname: string) => Number((await api.post('admin-users/info', { uname })).body.data.id);
    const [mia, ben] = [await idOf('mia'), await idOf('ben')];
    // Without the scope, and with it on an account that manages nobody.
    expect(outcome(await (await household.signIn('profile')).get('admin-users/avatar', { UID: mia }))).toEqual([
      403,
      'insufficient_scope',
    ]);
    const edit = {
      UID: String(ben),
      'perms[admin_type]': 'simple',
      'perms[admin_users]': 1,
      'perms[admin_over]': `u${mia}`,
    };
    expect((await api.post('admin-users/edit', edit)).status).toBe(200);
    const token = await household.api.token({
      ...{ grant_type: 'password', username: 'ben', password: OWNER.password, scope: 'admin profile' },
      ...{ client_id: household.clientId, client_secret: household.clientSecret },
    });
    const admin = household.api.with(String(token.body.access_token));
    expect((await admin.get('admin-users/avatar', { UID: mia })).status).toBe(200);
    expect((await admin.get('admin-users/avatar', { UID: ben })).status).toBe(200);
    for (const hidden of [1, await idOf('kim')]) {
      expect(outcome(await admin.get('admin-users/avatar', { UID: hidden }))).toEqual([404, 'not_found']);
    }
    await api.post('admin-users/edit', { UID: String(ben), 'perms[admin_users]': 0 });
    expect((await admin.get('admin-users/avatar', { UID: mia })).status).toBe(403);
  });
});

describe('the token endpoint', () => {
  const grant = () => ({
    ...{ grant_type: 'password', ...OWNER, scope: ALL_SCOPES },
    ...{ client_id: household.clientId, client_secret: household.clientSecret },
  });

  it('accepts a multipart form', async () => {
    const form = await encodedForm(grant());
    const reply = await household.api.send('POST', '/oauth2/token/', form);
    expect([reply.status, reply.body.token_type]).toEqual([200, 'Bearer']);
    const revoked = await household.api.send(
      'POST',
      '/oauth2/revoke/',
      await encodedForm({
        ...{ token: String(reply.body.refresh_token) },
        ...{ client_id: household.clientId, client_secret: household.clientSecret },
      }),
    );
    expect(revoked.status).toBe(200);
    const old = household.api.with(String(reply.body.access_token));
    expect((await old.get('account/info')).status).toBe(401);
  });

  it('refuses repeated parameters in a multipart form', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(grant())) form.append(name, value);
    form.append('username', 'mia');
    const response = new Response(form);
    const headers = { 'content-type': response.headers.get('content-type') ?? '' };
    const body = Buffer.from(await response.arrayBuffer());
    const reply = await household.api.send('POST', '/oauth2/token/', { headers, body });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
  });

  it.each(['application/x-www-form-urlencoded', 'application/json', 'text/plain'])(
    'explains for JSON as %s how to send the parameters',
    async (type) => {
      const reply = await household.api.send('POST', '/oauth2/token/', {
        headers: { 'content-type': type },
        body: JSON.stringify(grant()),
      });
      expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
      expect(reply.body.error_description).toContain('application/x-www-form-urlencoded');
    },
  );
});

describe('JSON parameters', () => {
  const send = (type: string | null, body: string) =>
    api.send('POST', '/api.php/files/browse', { headers: type === null ? {} : { 'content-type': type }, body });
  const body = JSON.stringify({ path: HOME });

  it.each(['application/json; charset=utf-8', 'text/json', 'application/vnd.example+json'])(
    'are parsed as %s',
    async (type) => {
      expect((await send(type, body)).status).toBe(200);
    },
  );

  it.each(['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', 'application/octet-stream', null])(
    'sent as %s are refused with a reason',
    async (type) => {
      const reply = await send(type, body);
      expect(outcome(reply)).toEqual([400, 'malformed_body']);
      expect(reply.body.error).toMatch(/JSON.*application\/json/);
    },
  );

  it('are not assumed in other texts', async () => {
    expect(outcome(await send('text/plain', 'path=/ROOT/HOME'))).toEqual([400, 'missing_parameter']);
    expect((await send('application/x-www-form-urlencoded', `path=${HOME}&{}`)).status).toBe(200);
  });
});

describe('an upload', () => {
  it('may have the file’s name after its address, as sent by curl -T', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'larder-curl-'));
    try {
      const file = join(folder, 'my film.txt');
      await writeFile(file, 'by curl');
      await writeFile(join(folder, 'ca.crt'), household.ca);
      const address = `https://127.0.0.1:${household.port}/api.php/files/upload/?path=${HOME}/by-curl.txt`;
      const { stdout } = await run('curl', [
        ...['-sS', '--cacert', join(folder, 'ca.crt'), '-H', `Authorization: Bearer ${api.token_}`],
        ...['-T', file, address],
      ]);
      expect(JSON.parse(stdout).data).toMatchObject({ path: `${HOME}/by-curl.txt`, fileSize: 7 });
      expect(await readFile(join(household.home, 'by-curl.txt'), 'utf8')).toBe('by curl');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('accepts one more segment by PUT only, and the path from the query only', async () => {
    const put = (path: string) => api.send('PUT', `/api.php/${path}`, { body: 'x' });
    expect((await put(`files/upload/any%20name?path=${HOME}/one.txt`)).body.data.filename).toBe('one.txt');
    expect(outcome(await put('files/upload/name.txt'))).toEqual([400, 'missing_parameter']);
    expect(outcome(await put(`files/upload/a/b?path=${HOME}/two.txt`))).toEqual([404, 'unknown_endpoint']);
    expect(outcome(await put(`files/browse/name?path=${HOME}`))).toEqual([404, 'unknown_endpoint']);
    expect(outcome(await api.post('files/upload/name', { path: HOME }))).toEqual([404, 'unknown_endpoint']);
  });

  it('into a missing folder names it, and how to create it', async () => {
    await mkdir(join(household.home, 'there'));
    for (const content of ['small', Buffer.alloc(100_000)]) {
      const reply = await api.put({ path: `${HOME}/there/not there/nor here/a.txt` }, content);
      expect([...outcome(reply), reply.body.details]).toEqual([
        404,
        'not_found',
        { folder: `${HOME}/there/not there` },
      ]);
      expect(reply.body.error).toContain(`"${HOME}/there/not there"`);
      expect(reply.body.error).toContain('"filePath"');
    }
    await writeFile(join(household.home, 'there', 'file'), '');
    const below = await api.put({ path: `${HOME}/there/file/a.txt` }, 'x');
    expect([...outcome(below), below.body.details]).toEqual([404, 'not_found', { folder: `${HOME}/there/file` }]);
    const elsewhere = await api.put({ path: '/ROOT/77/1/a.txt' }, 'x');
    expect([...outcome(elsewhere), elsewhere.body.details]).toEqual([404, 'not_found', undefined]);
  });
});

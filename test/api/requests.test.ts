import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { validate as validateOpenApi } from '../support/requests/validate-openapi.ts';
import { lintDescription } from '../trust/values/lint-description.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

/** Everything a raw connection answers until the server closes it. */
function exchange(kind: 'tls' | 'tcp', data: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const options = { port: household.port, host: '127.0.0.1' };
    const socket = kind === 'tls' ? connectTls({ ...options, ca: household.ca }) : connectTcp(options);
    let text = '';
    const done = () => {
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (chunk) => (text += chunk));
    socket.on('error', done).on('close', done);
    socket.write(data);
  });
}

describe('a request', () => {
  it('is described by a valid OpenAPI 3.1 document', async () => {
    const { body, status } = await household.api.send('GET', '/api.php/openapi.json');
    expect(status).toBe(200);
    expect(await validateOpenApi(body)).toEqual({ valid: true, errors: undefined });
    expect((await lintDescription(household.api)).problems).toEqual([]);
    expect(Object.keys(body.paths).sort()).toEqual([
      '/account/app-passwords/add',
      '/account/app-passwords/delete',
      '/account/app-passwords/list',
      '/account/avatar',
      '/account/info',
      '/account/password',
      '/admin-users/add',
      '/admin-users/avatar',
      '/admin-users/delete',
      '/admin-users/edit',
      '/admin-users/info',
      '/albums/add',
      '/albums/delete',
      '/albums/edit',
      '/albums/folder',
      '/albums/items',
      '/albums/items/add',
      '/albums/items/remove',
      '/albums/link',
      '/albums/links',
      '/albums/list',
      '/albums/share',
      '/albums/shares',
      '/albums/unlink',
      '/albums/unshare',
      '/files/browse',
      '/files/comments/add',
      '/files/comments/delete',
      '/files/comments/list',
      '/files/copy',
      '/files/createfolder',
      '/files/delete',
      '/files/download',
      '/files/extract',
      '/files/info',
      '/files/known',
      '/files/label',
      '/files/lock',
      '/files/metadata',
      '/files/metadata/fields',
      '/files/metadata/set',
      '/files/move',
      '/files/rating',
      '/files/receipt',
      '/files/rename',
      '/files/search',
      '/files/share',
      '/files/star',
      '/files/tags/add',
      '/files/tags/remove',
      '/files/thumbnail',
      '/files/trash/delete',
      '/files/trash/empty',
      '/files/trash/restore',
      '/files/unlock',
      '/files/unshare',
      '/files/unstar',
      '/files/unweblink',
      '/files/upload',
      '/files/versions/delete',
      '/files/versions/list',
      '/files/versions/restore',
      '/files/weblink',
      '/files/weblink/edit',
      '/files/zip',
      '/imports/add',
      '/imports/cancel',
      '/imports/item',
      '/imports/list',
      '/imports/resume',
    ]);
  });

  it('are all in the table of docs/api.md', async () => {
    const { body } = await household.api.send('GET', '/api.php/openapi.json');
    const table = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
    const named = [...table.matchAll(/^\| ([a-z].*?) \|/gm)].flatMap(([, cell = '']) => {
      // `files/lock, unlock` are two of one folder.
      let folder = '';
      return cell.split(', ').map((name) => {
        if (!name.includes('/')) return folder + name;
        folder = name.slice(0, name.lastIndexOf('/') + 1);
        return name;
      });
    });
    const paths = Object.keys(body.paths).map((path) => path.replace(/^\//, ''));
    expect(paths.filter((path) => !named.includes(path))).toEqual([]);
  });

  it('methods and scopes of the declarations match the table of the API document', async () => {
    const { body } = await household.api.send('GET', '/api.php/openapi.json');
    const table: Record<string, [methods: string[], scopes: string[]]> = {
      '/account/info': [['get', 'post'], ['profile']],
      '/account/password': [['post'], ['profile']],
      '/admin-users/info': [['post'], ['admin']],
      '/admin-users/avatar': [['get', 'post'], ['admin']],
      '/admin-users/add': [['post'], ['admin']],
      '/admin-users/edit': [['post'], ['admin']],
      '/admin-users/delete': [['post'], ['admin']],
      '/account/app-passwords/list': [['get', 'post'], ['profile']],
      '/account/app-passwords/add': [['post'], ['profile']],
      '/account/app-passwords/delete': [['post'], ['profile']],
      '/account/avatar': [['get', 'put', 'post'], ['profile']],
      '/files/browse': [['get', 'post'], ['list']],
      '/files/info': [['get', 'post'], ['list']],
      '/files/known': [['post'], ['list', 'download']],
      '/files/receipt': [['post'], ['list', 'download']],
      '/files/search': [['post'], ['list']],
      '/files/share': [['get', 'post'], ['share']],
      '/files/unshare': [['get', 'post'], ['share']],
      '/files/weblink': [['get', 'post'], ['weblink']],
      '/files/weblink/edit': [['get', 'post'], ['weblink']],
      '/files/unweblink': [['get', 'post'], ['weblink']],
      '/files/comments/list': [['get', 'post'], ['metadata']],
      '/files/comments/add': [['get', 'post'], ['metadata']],
      '/files/comments/delete': [['get', 'post'], ['metadata']],
      '/files/metadata': [['get', 'post'], ['metadata']],
      '/files/metadata/set': [['get', 'post'], ['metadata']],
      '/files/metadata/fields': [['get', 'post'], ['metadata']],
      '/files/label': [['get', 'post'], ['metadata']],
      '/files/rating': [['get', 'post'], ['metadata']],
      '/files/tags/add': [['get', 'post'], ['metadata']],
      '/files/tags/remove': [['get', 'post'], ['metadata']],
      '/files/star': [['get', 'post'], ['modify']],
      '/files/unstar': [['get', 'post'], ['modify']],
      '/albums/list': [['get', 'post'], ['list']],
      '/albums/add': [['post'], ['modify']],
      '/albums/folder': [['post'], ['modify']],
      '/albums/edit': [['post'], ['modify']],
      '/albums/delete': [['post'], ['modify']],
      '/albums/items': [['get', 'post'], ['list']],
      '/albums/items/add': [['post'], ['modify']],
      '/albums/items/remove': [['post'], ['modify']],
      '/albums/shares': [['get', 'post'], ['list']],
      '/albums/share': [['post'], ['share']],
      '/albums/unshare': [['post'], ['share']],
      '/albums/link': [['post'], ['weblink']],
      '/albums/links': [['get', 'post'], ['weblink']],
      '/albums/unlink': [['post'], ['weblink']],
      '/imports/add': [['post'], ['upload', 'modify']],
      '/imports/list': [['get', 'post'], ['list']],
      '/imports/item': [['get', 'post'], ['list']],
      '/imports/cancel': [['post'], ['modify']],
      '/imports/resume': [['post'], ['upload', 'modify']],
      '/files/createfolder': [['get', 'post'], ['upload']],
      '/files/upload': [['put', 'post'], ['upload']],
      '/files/download': [['get', 'head', 'post'], ['download']],
      '/files/thumbnail': [['get', 'head', 'post'], ['download']],
      '/files/rename': [['get', 'post'], ['modify']],
      '/files/trash/restore': [['get', 'post'], ['delete']],
      '/files/trash/delete': [['get', 'post'], ['delete']],
      '/files/trash/empty': [['get', 'post'], ['delete']],
      '/files/copy': [['post'], ['download', 'upload']],
      '/files/versions/list': [['get', 'post'], ['list']],
      '/files/versions/restore': [['get', 'post'], ['modify']],
      '/files/versions/delete': [['get', 'post'], ['delete']],
      '/files/extract': [['post'], ['modify']],
      '/files/zip': [['post'], ['download', 'upload']],
      '/files/lock': [['get', 'post'], ['modify']],
      '/files/unlock': [['get', 'post'], ['modify']],
      '/files/move': [['post'], ['download', 'upload']],
      '/files/delete': [['get', 'post'], ['delete']],
    };
    for (const [path, item] of Object.entries<Record<string, { security: { oauth2: string[] }[] }>>(body.paths)) {
      expect([Object.keys(item), item[Object.keys(item)[0] ?? '']?.security[0]?.oauth2], path).toEqual(table[path]);
    }
  });

  it('answers account/info at the top level and in data, all strings, with the e-mail only by its scope', async () => {
    const info = { id: '1', activated: '1', username: 'ann', name: 'ann', name2: '' };
    const without = await household.signIn('profile');
    expect((await without.get('account/info')).body).toEqual({ success: true, error: false, ...info, data: info });
    const withEmail = await household.signIn('profile email');
    expect((await withEmail.post('account/info/')).body).toEqual({
      success: true,
      error: false,
      ...info,
      email: '',
      data: { ...info, email: '' },
    });
  });

  it('accepts parameters from query, form, multipart and JSON; the body takes precedence', async () => {
    const form = (body: string, type: string, query = '') =>
      api.send('POST', `/api.php/files/browse/${query}`, { headers: { 'content-type': type }, body });
    const bodies: [string, string][] = [
      ['path=%2FROOT%2FHOME', 'application/x-www-form-urlencoded'],
      ['{"path":"/ROOT/HOME","details":["uuid"],"limit":5}', 'application/json; charset=utf-8'],
      [
        '--b\r\nContent-Disposition: form-data; name="path"\r\n\r\n/ROOT/HOME\r\n--b--\r\n',
        'multipart/form-data; boundary=b',
      ],
    ];
    for (const [body, type] of bodies) {
      const reply = await form(body, type, '?path=/ROOT/nowhere');
      expect([type, reply.status, reply.body.data?.meta.path]).toEqual([type, 200, '/ROOT/HOME']);
    }
    const field = (name: string, value: string) => `--b\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n`;
    const path = field('name="path"', '/ROOT/HOME');
    const unasked = `${field('name="picture"; filename="large.bin"', 'x'.repeat(12_000_000))}${path}--b--\r\n`;
    expect((await form(unasked, 'multipart/form-data; boundary=b')).body.data?.meta.path).toBe('/ROOT/HOME');
    const large = await form(
      `${path}${field('name="other"', 'x'.repeat(12_000_000))}`,
      'multipart/form-data; boundary=b',
    );
    expect([large.status, large.body.code]).toEqual([400, 'malformed_body']);
    expect((await form('', 'text/plain', '?path=/')).status).toBe(200);
    expect((await api.get('files/browse', { path: '/', details: 'uuid', unknown: 'x' })).status).toBe(200);
    await mkdir(join(household.home, 'flags', 'inner', 'leaf'), { recursive: true });
    const count = async (recursive: string) =>
      (await api.get('files/browse', { path: '/ROOT/HOME/flags', recursive })).body.data.files.length;
    for (const yes of ['1', 'true', 'ON', 'Yes']) expect(await count(yes), yes).toBe(2);
    for (const no of ['0', 'false', 'OFF', 'No', '']) expect(await count(no), no).toBe(1);
    expect((await api.get('files/browse', { path: '/', recursive: 'maybe' })).status).toBe(400);
  });

  it.each([
    [
      'a form of 10,000 parameters',
      'application/x-www-form-urlencoded',
      Array.from({ length: 10_000 }, (_, i) => `a${i}=1`).join('&'),
      'too_many_parameters',
    ],
    [
      'an object of 10,000 keys',
      'application/json',
      JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [i, 1]))),
      'too_many_parameters',
    ],
    ['brackets 50 deep', 'application/x-www-form-urlencoded', `a${'[b]'.repeat(50)}=1`, 'too_many_parameters'],
    ['JSON that is an array', 'application/json', '["path"]', 'malformed_body'],
    ['JSON that is null', 'application/json', 'null', 'malformed_body'],
    ['JSON that is none', 'application/json', '{"path":', 'malformed_body'],
    ['two megabytes of JSON', 'application/json', JSON.stringify({ path: 'x'.repeat(2_000_000) }), 'malformed_body'],
    [
      'a form that is no UTF-8',
      'application/x-www-form-urlencoded',
      Buffer.from([0x70, 0x3d, 0xff, 0xfe]),
      'malformed_body',
    ],
    ['a path that is an object', 'application/json', '{"path":{"a":1}}', 'invalid_parameter'],
    ['a path that is a list', 'application/json', '{"path":["/ROOT"]}', 'invalid_parameter'],
    ['a path with half a surrogate', 'application/json', '{"path":"/ROOT/HOME/\\ud800"}', 'invalid_path'],
    ['prototype pollution', 'application/json', '{"__proto__":{"path":"/"}}', 'missing_parameter'],
    [
      'prototype pollution in a form',
      'application/x-www-form-urlencoded',
      '__proto__[path]=/&constructor[prototype][path]=/',
      'missing_parameter',
    ],
  ])('refuses %s', async (_what, type, body, code) => {
    const reply = await api.send('POST', '/api.php/files/browse/', { headers: { 'content-type': type }, body });
    expect([reply.status, reply.body.code]).toEqual([400, code]);
    expect(reply.headers['x-request-id']).toBeTruthy();
  });

  it.each([
    ['GET', '/api.php/files/nothing', 404, 'unknown_endpoint'],
    ['GET', '/api.php/', 404, 'unknown_endpoint'],
    ['GET', '/API.PHP/files/browse?path=/', 404, 'unknown_endpoint'],
    ['GET', '/nothing', 404, 'unknown_endpoint'],
    ['POST', '/oauth2/token/anything', 404, 'unknown_endpoint'],
    ['DELETE', '/api.php/files/delete?path=/ROOT/HOME/x', 405, 'method_not_allowed'],
    ['GET', '/api.php/files/upload?path=/ROOT/HOME/x', 405, 'method_not_allowed'],
    ['PUT', '/api.php/files/browse?path=/', 405, 'method_not_allowed'],
    ['GET', `/api.php/files/browse?path=/${'x'.repeat(17_000)}`, 414, 'uri_too_long'],
  ])('gets for %s %.40s: %i %s', async (method, path, status, code) => {
    const reply = await api.send(method, path);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    if (status === 405) expect(reply.headers.allow).toMatch(/GET|PUT/);
  });

  it('is allowed from pages of any origin, with a token and without cookies', async () => {
    const preflight = await household.api.send('OPTIONS', '/api.php/files/upload', {
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(preflight.headers['access-control-allow-methods']).toContain('PUT');
    expect(preflight.headers['access-control-allow-headers']).toContain('Authorization');
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
    const page = await household.api.send('GET', '/', { headers: { origin: 'https://app.example' } });
    expect(page.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '8.8.8.8', 'a b', 'x@localhost', ''])(
    'refuses the foreign Host %j',
    async (host) => {
      const reply = await exchange(
        'tls',
        `GET /api.php/account/info HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(reply).toMatch(/^HTTP\/1\.1 421 [\s\S]*"code":"unknown_host"/);
    },
  );

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '[::1]:8443'])('has the issuer %s', async (host) => {
    const reply = await exchange('tls', `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('with a megabyte of headers gets 431, and invalid HTTP gets 400', async () => {
    const large = await exchange(
      'tls',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(1_000_000)}\r\n\r\n`,
    );
    expect(large).toMatch(/^HTTP\/1\.1 431 [\s\S]*"code":"headers_too_large"/);
    const nonsense = await exchange('tls', 'hello there\r\n\r\n');
    expect(nonsense).toMatch(/^HTTP\/1\.1 400 [\s\S]*"success":false/);
  });

  it('may expect nothing but 100-continue; otherwise the connection is closed', async () => {
    const asked = (expectation: string) =>
      exchange(
        'tls',
        `GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: ${expectation}\r\nConnection: close\r\n\r\n`,
      );
    expect(await asked('100-Continue')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await asked('a-miracle')).toMatch(
      /^HTTP\/1\.1 417 [\s\S]*Connection: close[\s\S]*"code":"expectation_failed"/,
    );
  });

  it('is answered before a following malformed one, which is answered as well', async () => {
    const good = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const large = `GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`;
    const statuses = (await exchange('tls', `${good}${good}${large}${good}`)).match(/HTTP\/1\.1 \d+/g);
    expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 431']);
  });

  it('over plain HTTP gets https_required, as JSON, and a page in a browser', async () => {
    const json = await exchange('tcp', 'GET /api.php/account/info HTTP/1.1\r\nHost: localhost:1234\r\n\r\n');
    expect(json).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*"code":"https_required"/);
    const page = await exchange('tcp', 'GET / HTTP/1.1\r\nHost: localhost:1234\r\nAccept: text/html,*/*\r\n\r\n');
    expect(page).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*href="https:\/\/localhost:1234\/"/);
    const markup = await exchange('tcp', 'GET / HTTP/1.1\r\nHost: "><script>\r\nAccept: text/html\r\n\r\n');
    expect(markup).not.toContain('<script>');
    const oauth = await exchange('tcp', 'POST /oauth2/token/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
    expect(oauth).toMatch(/^HTTP\/1\.1 403 [\s\S]*"error":"temporarily_unavailable"[\s\S]*"code":"https_required"/);
    // Garbage, and a client that says nothing, cost nothing and stop nobody.
    const others = [Buffer.from([0x16, 0x03, 0x01, 0xff, 0xff, 0x00]), null].map((data) => {
      const socket = connectTcp({ port: household.port, host: '127.0.0.1' }).on('error', () => undefined);
      if (data !== null) socket.write(data);
      return socket;
    });
    // The server accepts connections in the order in which they are made.
    await Promise.all(others.map((socket) => once(socket, 'connect')));
    expect((await api.with(api.token_ ?? '').get('account/info')).status).toBe(200);
    for (const socket of others) socket.destroy();
  });

  it('uses TLS 1.2 or 1.3, with AES-128-GCM first', async () => {
    const negotiated = (version: 'TLSv1.2' | 'TLSv1.3' | 'TLSv1.1') =>
      new Promise<string>((resolve) => {
        const socket = connectTls({
          port: household.port,
          host: '127.0.0.1',
          ca: household.ca,
          minVersion: version,
          maxVersion: version,
        });
        socket.on('secureConnect', () => resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`));
        socket.on('error', () => resolve('refused'));
        socket.on('secureConnect', () => socket.destroy());
      });
    expect(await negotiated('TLSv1.3')).toBe('TLSv1.3 TLS_AES_128_GCM_SHA256');
    expect(await negotiated('TLSv1.2')).toBe('TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256');
    expect(await negotiated('TLSv1.1')).toBe('refused');
  });

  it('is refused until the API is enabled, and when it is disabled again', async () => {
    await household.control('settings.update', { apiEnabled: false });
    const reply = await api.get('account/info');
    expect([reply.status, reply.body.code]).toEqual([403, 'api_disabled']);
    expect((await household.api.send('GET', '/healthz')).status).toBe(200);
    await household.control('settings.update', { apiEnabled: true });
    expect((await api.get('account/info')).status).toBe(200);
  });

  it('below a prefix works if one is configured', async () => {
    const prefixed = await openHousehold({ config: { basePath: '/files' } });
    const client = await prefixed.signIn();
    expect((await client.get('account/info')).status).toBe(200);
    await prefixed.close();
  });
});

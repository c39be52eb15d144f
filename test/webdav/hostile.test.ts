import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

let household: Household;
let api: ApiClient;
let dav: DavClient;

const METHODS = ['GET', 'HEAD', 'PUT', 'DELETE', 'PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK'];

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  dav = await davClient(api);
  await writeFile(join(household.home, 'page.html'), '<script>alert(1)</script>');
});
afterAll(() => household?.close());

describe('XML bodies', () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><propfind xmlns="DAV:"><prop>&b;</prop></propfind>`;
  it.each([
    ['nothing that is XML', 'hello'],
    ['an unclosed element', '<propfind xmlns="DAV:"><prop>'],
    ['a document type', bomb],
    ['an entity of a file', '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><propfind xmlns="DAV:"/>'],
    ['an unknown entity', '<propfind xmlns="DAV:"><prop><x>&nothing;</x></prop></propfind>'],
    ['an undeclared prefix', '<d:propfind><d:prop/></d:propfind>'],
    ['an empty namespace for a prefix', '<d:propfind xmlns:d="DAV:"><d:prop><b:x xmlns:b=""/></d:prop></d:propfind>'],
    ['another root', '<lockinfo xmlns="DAV:"/>'],
    ['two forms', '<propfind xmlns="DAV:"><propname/><allprop/></propfind>'],
    ['no form', '<propfind xmlns="DAV:"/>'],
    ['deep nesting', `<propfind xmlns="DAV:"><prop>${'<x>'.repeat(200)}${'</x>'.repeat(200)}</prop></propfind>`],
    ['very many elements', `<propfind xmlns="DAV:"><prop>${'<x/>'.repeat(20_000)}</prop></propfind>`],
    ['a control character', '<propfind xmlns="DAV:"><prop><x>\u0001</x></prop></propfind>'],
    ['two roots', '<propfind xmlns="DAV:"><propname/></propfind><x/>'],
  ])('with %s are refused', async (_, body) => {
    for (const method of ['PROPFIND', 'PROPPATCH', 'LOCK']) {
      const { status, text } = await dav.send(method, '/My%20files/page.html', { headers: { depth: '0' }, body });
      expect([method, status], text).toEqual([method, 400]);
      expect(text).not.toContain('root:');
    }
  });

  it('of other encodings and of too many bytes are refused', async () => {
    const send = (body: Buffer) => dav.send('PROPFIND', '/', { headers: { depth: '0' }, body });
    expect((await send(Buffer.from([0xff, 0xfe, 0x3c, 0x00]))).status).toBe(400);
    expect((await send(Buffer.alloc(1024 * 1024, 0x20))).status).toBe(400);
    expect((await send(Buffer.from('\ufeff<propfind xmlns="DAV:"><allprop/></propfind>'))).status).toBe(207);
  });
});

describe('an app password that a browser adds to a request', () => {
  it.each([
    { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' },
    { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
  ])('is refused for a page: %j', async (headers) => {
    for (const method of METHODS) {
      const reply = await dav.send(method, '/My%20files/page.html', { headers: { depth: '0', ...headers } });
      expect([method, reply.status, reply.headers['www-authenticate']]).toEqual([method, 403, undefined]);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
    const { status, headers: got } = await dav.send('GET', '/My%20files/page.html', {
      headers: { authorization: 'None', ...headers },
    });
    expect([status, String(got['www-authenticate'])]).toEqual([401, 'Bearer']);
  });

  it('is accepted from a script of the same origin, and from programs', async () => {
    const own = { origin: api.base, 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' };
    for (const headers of [own, {}]) {
      expect((await dav.send('GET', '/My%20files/page.html', { headers })).status).toBe(200);
    }
    const { headers } = await dav.send('GET', '/My%20files/page.html', { headers: { authorization: 'None' } });
    expect(String(headers['www-authenticate'])).toContain('Basic');
  });
});

describe('addresses', () => {
  it.each(['/My%20files/..%2f..%2fetc', '/My%20files/a%00b', '/My%20files/%ff', '/My%20files/%', '/My%20files/a%2Fb'])(
    '%s is refused by every method',
    async (path) => {
      for (const method of METHODS) {
        const headers = { depth: '0', destination: '/dav/My%20files/x', 'lock-token': '<urn:x>' };
        const body = method === 'PUT' ? 'x' : undefined;
        const { status } = await dav.send(method, path, { headers, ...(body === undefined ? {} : { body }) });
        expect([method, status]).toEqual([method, 403]);
        if (method !== 'COPY' && method !== 'MOVE') continue;
        const reply = await dav.send(method, '/My%20files/page.html', { headers: { destination: `/dav${path}` } });
        expect([method, reply.status]).toEqual([method, 403]);
      }
    },
  );

  it('of other accounts, and unknown ones, are not found', async () => {
    for (const path of ['/dav/files/ben/', '/dav/files', '/dav/none', '/remote.php/dav/principals/ann', '/dav/TRASH']) {
      expect([path, (await dav.at('').propfind(path, '0')).status]).toEqual([path, 404]);
    }
    expect((await dav.at('').propfind('/remote.php/dav/files/ANN/My%20files', '0')).status).toBe(207);
  });
});

describe('every reply', () => {
  it('runs no code in a browser, and is an attachment', async () => {
    for (const method of [...METHODS, 'OPTIONS', 'TRACE', 'REPORT', 'SEARCH']) {
      for (const path of ['/My%20files/page.html', '/', '/none']) {
        const { headers } = await dav.send(method, path, { headers: { depth: '0' } });
        expect([method, path, headers['content-security-policy']]).toEqual([
          method,
          path,
          "sandbox; default-src 'none'",
        ]);
        expect(headers['x-content-type-options']).toBe('nosniff');
        if (path === '/') break;
      }
      if (method === 'DELETE') await writeFile(join(household.home, 'page.html'), 'x');
    }
    const { headers } = await dav.send('GET', '/My%20files/page.html');
    expect(headers['content-disposition']).toMatch(/^attachment/);
  });

  it.each([true, false])(
    'for a missing address has the form of WebDAV, with apps for Nextcloud allowed: %s',
    async (nextcloudApps) => {
      await household.control('settings.update', { nextcloudApps });
      const trees = nextcloudApps
        ? []
        : ['uploads', 'trashbin', 'versions'].map((tree) => `/remote.php/dav/${tree}/ann/`);
      for (const path of ['/remote.php', '/remote.php/', '/remote.php/none', '/remote.php/davs/', ...trees]) {
        for (const method of ['GET', 'OPTIONS', 'PROPFIND', 'PUT']) {
          const { status, headers, text } = await dav.at('').send(method, path, { headers: { depth: '0' } });
          const policy = headers['content-security-policy'];
          expect([method, path, status, policy]).toEqual([method, path, 404, "sandbox; default-src 'none'"]);
          expect(text).toMatch(/^<\?xml .*<d:error /);
        }
      }
      await household.control('settings.update', { nextcloudApps: true });
    },
  );

  it('requires its own credentials: no cookie, no account password, no token in the address', async () => {
    const { body } = await api.get('account/info');
    const account = `Basic ${Buffer.from(`${body.username}:correct horse battery`).toString('base64')}`;
    const attempts = [{}, { cookie: 'larder_session=x' }, { authorization: account }, { authorization: 'Basic x' }];
    for (const headers of attempts) {
      for (const method of METHODS) {
        const reply = await household.api.send(method, '/dav/My%20files/page.html?access_token=x', { headers });
        expect([method, reply.status]).toEqual([method, 401]);
        expect(reply.headers['www-authenticate']).toMatch(/Basic realm="Larder"/);
      }
    }
  });

  it('to an unknown method lists the allowed ones', async () => {
    for (const method of ['POST', 'REPORT', 'SEARCH', 'MKCALENDAR']) {
      const { status, headers } = await dav.send(method, '/My%20files/page.html');
      expect([method, status, headers.allow]).toEqual([method, 405, expect.stringContaining('PROPFIND')]);
    }
  });
});

it('OPTIONS needs no sign-in, also at the root of the server', async () => {
  for (const path of ['/', '/dav', '/dav/', '/dav/My%20files/none', '/remote.php/webdav/']) {
    const { status, headers } = await household.api.send('OPTIONS', path);
    expect([path, status, headers.dav, headers['ms-author-via']]).toEqual([path, 200, '1, 2, 3', 'DAV']);
  }
});

it('is off while the API is off', async () => {
  await household.control('settings.update', { apiEnabled: false });
  try {
    const { status } = await dav.propfind('/', '0');
    expect(status).toBe(403);
  } finally {
    await household.control('settings.update', { apiEnabled: true });
  }
});

import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { createUpload, head, newUpload, OFFSET_TYPE, patch, TUS, terminate } from '../../support/requests/tus.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold({ config: { basePath: '/larder' } });
  api = await household.signIn();
});
afterAll(() => household.close());

/** An upload below the prefix, whose address is one of the server, as the client has it. */
const own = (address: string) => address.replace(/^\/larder/, '');

const list = (header: string | undefined) => (header ?? '').split(',').map((name) => name.trim());

function expectConfined({ headers }: Pick<Reply, 'headers'>): void {
  expect(headers['content-security-policy']).toBe("sandbox; default-src 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['tus-resumable']).toBe('1.0.0');
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
  expect(headers).not.toHaveProperty('set-cookie');
  expect(list(headers['access-control-expose-headers'])).toEqual(
    expect.arrayContaining([
      ...['Location', 'Upload-Offset', 'Upload-Length', 'Upload-Expires', 'Upload-Metadata', 'Larder-Uuid', 'ETag'],
      ...['Tus-Version', 'Tus-Resumable', 'Tus-Max-Size', 'Tus-Extension', 'Tus-Checksum-Algorithm'],
      ...['WWW-Authenticate', 'Retry-After', 'X-Request-Id'],
    ]),
  );
}

describe('every reply below /tus/ is sandboxed and readable for other origins', () => {
  it('successes', async () => {
    const created = await createUpload(api, 10, { filename: 'a.html', filetype: 'text/html' });
    const location = created.headers.location ?? '';
    expect(location).toMatch(/^\/larder\/tus\//);
    const address = own(location);
    const other = own(await (async () => (await createUpload(api, 10, { filename: 'b' })).headers.location ?? '')());
    const replies = [
      created,
      await api.send('OPTIONS', '/tus/'),
      await head(api, address),
      await patch(api, address, 0, Buffer.from('12345')),
      await patch(api, address, 5, Buffer.from('67890')),
      await head(api, address),
      await terminate(api, other),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 204, 200, 204, 204, 200, 204]);
    for (const reply of replies) expectConfined(reply);
  });

  it.each<[string, string, string, Record<string, string>, number]>([
    ['no token', 'POST', '/tus/', { ...TUS, authorization: '' }, 401],
    ['another version', 'POST', '/tus/', {}, 412],
    ['no length', 'POST', '/tus/', TUS, 400],
    ['an unknown upload', 'PATCH', '/tus/none', { ...TUS, ...OFFSET_TYPE, 'upload-offset': '0' }, 404],
    ['an unknown method', 'GET', '/tus/', TUS, 405],
    ['an unknown address', 'GET', '/tus/a/b', TUS, 404],
    ['a long address', 'GET', `/tus/${'a'.repeat(16_000)}`, TUS, 414],
  ])('a refusal: %s', async (_what, method, path, headers, status) => {
    const reply = await api.send(method, path, { headers });
    expect(reply.status).toBe(status);
    expectConfined(reply);
    expect(reply.headers['content-type']).toContain('application/json');
    expect(reply.body).toMatchObject({ success: false, code: expect.any(String) });
  });

  it.each([
    ['of the server', '127.0.0.1', 204],
    ['of another host', 'evil.example', 421],
  ])('an absolute address as request target %s', async (_whose, name, status) => {
    const { port, ca } = household;
    const reply = await new Promise<Pick<Reply, 'status' | 'headers'>>((resolve, reject) => {
      const path = `https://${name}:${port}/larder/tus/`;
      const sent = request({ host: '127.0.0.1', port, ca, method: 'OPTIONS', path }, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, headers: response.headers as Record<string, string> });
      });
      sent.once('error', reject).end();
    });
    expect(reply.status).toBe(status);
    expectConfined(reply);
  });

  it('while the API is disabled', async () => {
    await household.control('settings.update', { apiEnabled: false });
    try {
      const reply = await createUpload(api, 1, { filename: 'a' });
      expect([reply.status, reply.body.code]).toEqual([403, 'api_disabled']);
      expectConfined(reply);
    } finally {
      await household.control('settings.update', { apiEnabled: true });
    }
  });
});

it('a CORS preflight allows every method and header of the protocol', async () => {
  const address = own(
    (await createUpload(api, 10, { filename: 'preflight.bin' })).headers.location ?? (await newUpload(api, 1, {})),
  );
  for (const path of ['/tus/', address]) {
    const { status, headers } = await household.api.send('OPTIONS', path, {
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,content-type,tus-resumable,upload-offset',
      },
    });
    expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(list(headers['access-control-allow-methods'])).toEqual(['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS']);
    expect(list(headers['access-control-allow-headers']?.toLowerCase())).toEqual(
      expect.arrayContaining([
        ...['authorization', 'content-type', 'tus-resumable', 'upload-length', 'upload-offset', 'upload-metadata'],
        ...['upload-checksum', 'x-http-method-override', 'x-requested-with', 'x-request-id'],
      ]),
    );
  }
  await terminate(api, address);
});

it('an address that only begins with the same letters does not belong to tus', async () => {
  const reply = await household.api.send('OPTIONS', '/tusk');
  expect(reply.headers).not.toHaveProperty('tus-resumable');
});

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { fillHome } from './files/support.ts';
import { linkTo } from './links/links-support.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
  await fillHome(household.home, Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`Plums/${at}.txt`, ''])));
});
afterAll(() => household?.close());

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  household.api.send(method, path, { headers });

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync } as const;

/** The panel's page names its script and styles. */
async function panelScript(): Promise<string> {
  const { text } = await ask('GET', '/panel/');
  const name = /src="\.?\/?([^"]+\.js)"/.exec(text)?.[1] ?? '';
  expect(name).not.toBe('');
  return `/panel/${name}`;
}

describe('the files of the panel', () => {
  it.each(['br', 'gzip'] as const)(
    'are sent with %s to clients that accept it, with the same content',
    async (encoding) => {
      const path = await panelScript();
      const plain = await ask('GET', path);
      expect(plain.headers['content-encoding']).toBeUndefined();
      const packed = await ask('GET', path, { 'accept-encoding': encoding });
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect([plain.headers.vary, packed.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(DECODE[encoding](packed.bytes).equals(plain.bytes)).toBe(true);
    },
  );

  it('follow the preferences of the client', async () => {
    const path = await panelScript();
    const encodingFor = async (accepted: string) =>
      (await ask('GET', path, { 'accept-encoding': accepted })).headers['content-encoding'] ?? 'none';
    const expected = {
      'gzip, deflate, br, zstd': 'br',
      'gzip;q=1, br;q=0': 'gzip',
      '*': 'br',
      identity: 'none',
      'br;q=0, gzip;q=0': 'none',
      zstd: 'none',
      GZIP: 'gzip',
    };
    for (const [accepted, encoding] of Object.entries(expected))
      expect([accepted, await encodingFor(accepted)]).toEqual([accepted, encoding]);
  });
});

describe('a compressed page', () => {
  it('has the same headers and no body for HEAD', async () => {
    const path = await linkTo(household, '/ROOT/HOME/Plums');
    for (const encoding of ['br', 'gzip']) {
      const headers = { 'accept-encoding': encoding, accept: 'text/html' };
      const [got, head] = [await ask('GET', path, headers), await ask('HEAD', path, headers)];
      expect([got.status, head.status]).toEqual([200, 200]);
      expect(head.bytes.length).toBe(0);
      expect(got.headers['content-encoding']).toBe(encoding);
      for (const name of ['content-type', 'content-encoding', 'vary', 'cache-control', 'content-security-policy'])
        expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
      expect(Number(got.headers['content-length'])).toBe(got.bytes.length);
    }
  });

  it('is sent completely to a client that requests a range', async () => {
    const path = await linkTo(household, '/ROOT/HOME/Plums');
    const headers = { 'accept-encoding': 'br', accept: 'text/html', range: 'bytes=0-9' };
    const { status, headers: got, bytes } = await ask('GET', path, headers);
    expect([status, got['content-range']]).toEqual([200, undefined]);
    expect(brotliDecompressSync(bytes).toString()).toContain('<h1>Plums</h1>');
  });
});

it('the content of files is never compressed', async () => {
  const session = await household.signIn();
  const { status, headers } = await session.send('GET', '/api.php/files/download?path=/ROOT/HOME/Plums/1.txt', {
    headers: { 'accept-encoding': 'br, gzip' },
  });
  expect([status, headers['content-encoding']]).toEqual([200, undefined]);
});

import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { answer, asked, CALLBACK, household, inOneHousehold, newVisitor, toConsent, visitor } from './flow-support.ts';
import { pairOf } from './support.ts';

inOneHousehold();

const verifier = randomBytes(32).toString('base64url');
const pkce = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
};
let publicId = '';
let confidentialId = '';

beforeAll(async () => {
  const redirectUris = ['http://127.0.0.1/callback', 'http://[::1]:7000/callback?app=1', 'http://localhost/callback'];
  const add = (input: object) => household.control('clients.add', { redirectUris, ...input });
  publicId = String((await add({ name: 'Installed', public: true })).clientId);
  confidentialId = String((await add({ name: 'Server side' })).clientId);
});

const request = (redirectUri: string, changes: Record<string, string | null> = {}) =>
  asked({ client_id: publicId, redirect_uri: redirectUri, ...pkce, ...changes });

describe('RFC 8252 §7.3: redirect URIs on this computer', () => {
  it.each([
    'http://127.0.0.1/callback',
    'http://127.0.0.1:1/callback',
    'http://127.0.0.1:51004/callback',
    'http://127.0.0.1:65535/callback',
    'http://[::1]/callback?app=1',
    'http://[::1]:51004/callback?app=1',
  ])('of a public client are accepted with any port: %s', async (redirectUri) => {
    expect((await visitor.get(request(redirectUri))).status).toBe(200);
  });

  it.each([
    ['another path', 'http://127.0.0.1:51004/other'],
    ['a slash more', 'http://127.0.0.1:51004/callback/'],
    ['a query', 'http://127.0.0.1:51004/callback?app=1'],
    ['another query', 'http://[::1]:51004/callback?app=2'],
    ['a fragment', 'http://127.0.0.1:51004/callback#'],
    ['another host', 'http://127.0.0.2:51004/callback'],
    ['localhost', 'http://localhost:51004/callback'],
    ['a name before it', 'http://evil.example@127.0.0.1:51004/callback'],
    ['a name behind it', 'http://127.0.0.1.evil.example:51004/callback'],
    ['a port that is a name', 'http://127.0.0.1:51004@evil.example/callback'],
    ['no port after the colon', 'http://127.0.0.1:/callback'],
    ['port 0', 'http://127.0.0.1:0/callback'],
    ['a port with zeros before it', 'http://127.0.0.1:00080/callback'],
    ['a port too large', 'http://127.0.0.1:65536/callback'],
    ['https', 'https://127.0.0.1:51004/callback'],
    ['capitals', 'HTTP://127.0.0.1:51004/callback'],
    ['the same address written otherwise', 'http://127.1:51004/callback'],
  ])('are exact except for the port: not %s', async (_what, redirectUri) => {
    const reply = await visitor.get(request(redirectUri));
    expect([reply.status, reply.location]).toEqual([400, null]);
  });

  it('of a confidential client are exact', async () => {
    const changes = { client_id: confidentialId };
    expect((await visitor.get(request('http://127.0.0.1:51004/callback', changes))).status).toBe(400);
    expect((await visitor.get(request('http://127.0.0.1/callback', changes))).status).toBe(200);
  });

  it('require PKCE', async () => {
    const without = { code_challenge: null, code_challenge_method: null };
    const reply = await visitor.get(request('http://127.0.0.1:51004/callback', without));
    expect(reply.location).toMatch(/^http:\/\/127\.0\.0\.1:51004\/callback\?error=invalid_request/);
  });

  it('have to be repeated exactly by the token request', async () => {
    const redirectUri = 'http://127.0.0.1:51004/callback';
    /** A fresh code each time: one that was shown with another address is spent. */
    const exchanged = async (repeated: string) => {
      newVisitor();
      const allowed = await answer(await toConsent(request(redirectUri)), 'allow');
      expect(allowed.location).toMatch(/^http:\/\/127\.0\.0\.1:51004\/callback\?code=/);
      const code = new URL(allowed.location ?? '').searchParams.get('code') ?? '';
      const exchange = { grant_type: 'authorization_code', client_id: publicId, code, code_verifier: verifier };
      return household.api.token({ ...exchange, redirect_uri: repeated });
    };
    for (const other of ['http://127.0.0.1/callback', 'http://127.0.0.1:51005/callback', CALLBACK]) {
      expect((await exchanged(other)).status, other).toBe(400);
    }
    pairOf(await exchanged(redirectUri));
  });
});

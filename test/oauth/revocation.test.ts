import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { appOf } from './support.ts';

let household: Household;
let app: ReturnType<typeof appOf>;

beforeAll(async () => {
  household = await openHousehold();
  app = appOf(household);
});
afterAll(() => household.close());

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const revoke = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  household.api.send('POST', '/oauth2/revoke/', {
    headers: { ...FORM, ...headers },
    body: `${new URLSearchParams(form)}`,
  });

describe('RFC 7009: token revocation', () => {
  it.each(['access', 'refresh'] as const)('§2.1: an %s token ends the whole authorization', async (kind) => {
    const pair = await app.signIn();
    const other = await app.signIn();
    expect((await revoke({ token: pair[kind], ...app.credentials })).status).toBe(200);
    expect(await app.use(pair.access)).toBe(401);
    expect((await app.refresh(pair.refresh)).body.error).toBe('invalid_grant');
    expect(await app.use(other.access)).toBe(200);
  });

  it('§2.2: an unknown or revoked token is accepted', async () => {
    const { access } = await app.signIn();
    for (const token of [access, access, 'nonsense', '\0', 'x'.repeat(5_000)]) {
      expect((await revoke({ token, ...app.credentials })).status).toBe(200);
    }
  });

  it('§2.1: a client authenticates, and can revoke its own tokens only', async () => {
    const { access } = await app.signIn();
    const foreign = await household.control('clients.add', { name: 'Other', redirectUris: ['https://b.example/'] });
    const other = { client_id: String(foreign.clientId), client_secret: String(foreign.clientSecret) };
    expect((await revoke({ token: access, ...other })).status).toBe(200);
    expect(await app.use(access)).toBe(200);
    for (const credentials of [
      {},
      { client_id: app.credentials.client_id },
      { ...app.credentials, client_secret: 'wrong' },
      { client_id: 'nobody', client_secret: 'x' },
    ]) {
      const reply = await revoke({ token: access, ...credentials } as Record<string, string>);
      expect([reply.status, reply.body.error]).toEqual([401, 'invalid_client']);
    }
    // A header that cannot be decoded is no reason to look into the body.
    const broken = await revoke({ token: access, ...app.credentials }, { authorization: 'Basic %%%' });
    expect([broken.status, broken.body.error]).toEqual([401, 'invalid_client']);
    expect(await app.use(access)).toBe(200);
    const { client_id: id, client_secret: secret } = app.credentials;
    const basic = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
    expect((await revoke({ token: access }, basic)).status).toBe(200);
    expect(await app.use(access)).toBe(401);
  });

  it('§2.1: names missing parameters, and accepts POST only', async () => {
    const reply = await revoke({ ...app.credentials });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
    expect((await household.api.send('GET', '/oauth2/revoke/')).status).toBe(405);
  });

  it('is accessible to apps in browsers', async () => {
    const preflight = await household.api.send('OPTIONS', '/oauth2/revoke/', {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
  });
});

describe('RFC 8414: authorization server metadata', () => {
  it('lists the endpoints at the requested address', async () => {
    const { body, headers } = await household.api.send('GET', '/.well-known/oauth-authorization-server');
    const issuer = household.api.base;
    expect(body).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oauth2/authorize/`,
      token_endpoint: `${issuer}/oauth2/token/`,
      revocation_endpoint: `${issuer}/oauth2/revoke/`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    });
    expect(body.scopes_supported).toContain('weblink');
    expect(headers['access-control-allow-origin']).toBe('*');
  });

  it('§3.1: is located before the prefix of an installation', async () => {
    const own = await openHousehold({ config: { basePath: '/files' } });
    const origin = `https://127.0.0.1:${own.port}`;
    for (const path of [
      '/.well-known/oauth-authorization-server/files',
      '/files/.well-known/oauth-authorization-server',
    ]) {
      const { request } = await import('undici');
      const { Agent } = await import('undici');
      const reply = await request(`${origin}${path}`, { dispatcher: new Agent({ connect: { ca: own.ca } }) });
      expect(((await reply.body.json()) as { issuer: string }).issuer).toBe(`${origin}/files`);
    }
    await own.close();
  });
});

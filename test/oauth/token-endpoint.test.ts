import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../dist/server/lib/clock.js';
import { ALL_SCOPES, type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { appOf, basic, expectFailure, pairOf } from './support.ts';

let household: Household;
let app: ReturnType<typeof appOf>;

beforeAll(async () => {
  household = await openHousehold();
  app = appOf(household);
});
afterAll(() => household.close());

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const encoded = (form: Record<string, string>) => new URLSearchParams(form).toString();
const without = (form: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)));

describe('RFC 6749 §5.1: a successful response', () => {
  it.each(['/oauth2/token/', '/oauth2/token'])('contains the pair, at %s', async (path) => {
    const reply = await household.api.send('POST', path, {
      headers: FORM,
      body: encoded(app.passwordForm({ scope: 'list profile' })),
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: 3600,
      token_type: 'Bearer',
      scope: 'profile list',
    });
    expect(reply.body.access_token).not.toBe(reply.body.refresh_token);
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(await app.use(reply.body.access_token)).toBe(200);
    expect(await app.use(reply.body.refresh_token), 'a refresh token is no access token').toBe(401);
  });

  it('has no cookie and can be read by any origin', async () => {
    const reply = await household.api.token(app.passwordForm(), { origin: 'https://elsewhere.example' });
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(reply.headers).not.toHaveProperty('set-cookie');
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('has the same form for a refresh', async () => {
    const { refresh } = await app.signIn({ scope: 'list' });
    const reply = await app.refresh(refresh);
    expect(reply.body).toMatchObject({ expires_in: 3600, token_type: 'Bearer', scope: 'list' });
    expect(Object.keys(reply.body).sort()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);
  });
});

describe('RFC 6749 §2.3.1: client authentication', () => {
  it('accepts credentials in the body and in HTTP Basic', async () => {
    pairOf(await app.password());
    const { client_id: id, client_secret: secret } = app.credentials;
    const form = app.passwordForm();
    pairOf(await household.api.token(without(form, 'client_id', 'client_secret'), basic(id, secret)));
    // As strict libraries do: everything but letters and digits is encoded before both are joined (RFC 6749 §2.3.1).
    const strict = (text: string) => text.replace(/[^A-Za-z0-9]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
    expect(strict(`${secret}-_`)).toMatch(/%2d%5f$/);
    for (let i = 0; i < 8; i += 1) {
      const { clientId, clientSecret } = await household.control('clients.add', { name: `Strict ${i}` });
      const credentials = basic(strict(String(clientId)), strict(String(clientSecret)));
      pairOf(await household.api.token(without(form, 'client_id', 'client_secret'), credentials));
    }
    pairOf(await household.api.token(without(form, 'client_secret'), basic(id, secret)));
    const { refresh } = await app.signIn();
    const refreshed = without(app.refreshForm(refresh), 'client_id', 'client_secret');
    pairOf(await household.api.token(refreshed, basic(id, secret)));
  });

  it('challenges with Basic only clients that used Basic', async () => {
    const { client_id: id } = app.credentials;
    const byBasic = await household.api.token(
      without(app.passwordForm(), 'client_id', 'client_secret'),
      basic(id, 'x'),
    );
    expectFailure(byBasic, 401, 'invalid_client');
    expect(byBasic.headers['www-authenticate']).toMatch(/^Basic realm="/);
    const byBody = await app.password({ client_secret: 'x' });
    expectFailure(byBody, 401, 'invalid_client');
    expect(byBody.headers).not.toHaveProperty('www-authenticate');
  });

  it.each([
    ['a wrong secret', () => ({ client_secret: 'wrong' })],
    ['the right secret in another case', () => ({ client_secret: app.credentials.client_secret.toUpperCase() })],
    ['the right secret with a character more', () => ({ client_secret: `${app.credentials.client_secret}A` })],
    ['no secret', () => ({ client_secret: '' })],
    ['an unknown client', () => ({ client_id: 'nobody' })],
    ['the client id in another case', () => ({ client_id: app.credentials.client_id.toUpperCase() })],
    ['a pattern for a client id', () => ({ client_id: '%' })],
    ['no client id', () => ({ client_id: '' })],
    ['a secret for the public client', () => ({ client_id: 'larder-mobile' })],
  ])('refuses %s for both grants', async (_name, changes) => {
    const { refresh } = await app.signIn();
    expectFailure(await app.password(changes()), 401, 'invalid_client');
    expectFailure(await app.refresh(refresh, changes()), 401, 'invalid_client');
    pairOf(await app.refresh(refresh));
  });

  it('refuses a confidential client without a secret, or with an empty one in Basic', async () => {
    const { refresh } = await app.signIn();
    for (const headers of [{}, basic(app.credentials.client_id, '')]) {
      for (const form of [app.passwordForm(), app.refreshForm(refresh)]) {
        expectFailure(await household.api.token(without(form, 'client_secret'), headers), 401, 'invalid_client');
      }
    }
  });

  it.each([
    ['nothing to decode', { authorization: 'Basic' }],
    ['no colon', { authorization: `Basic ${Buffer.from('nocolon').toString('base64')}` }],
    ['another scheme', { authorization: 'Bearer abcdef' }],
  ])('refuses an Authorization header with %s and no credentials in the body', async (_name, headers) => {
    const reply = await household.api.token(without(app.passwordForm(), 'client_id', 'client_secret'), headers);
    expectFailure(reply, 401, 'invalid_client');
    expect(reply.headers['www-authenticate']).toMatch(/^Basic /);
  });

  it('refuses two clients in one request (§2.3)', async () => {
    const { client_id: id, client_secret: secret } = app.credentials;
    expectFailure(
      await household.api.token({ ...app.passwordForm(), client_id: 'larder-mobile' }, basic(id, secret)),
      400,
      'invalid_request',
    );
  });

  it('never accepts credentials in the query', async () => {
    const reply = await household.api.send('POST', `/oauth2/token/?${encoded({ ...app.credentials })}`, {
      headers: FORM,
      body: encoded(without(app.passwordForm(), 'client_id', 'client_secret')),
    });
    expectFailure(reply, 401, 'invalid_client');
  });

  it('limits the public client to its own refresh tokens, without the password grant', async () => {
    const form = without(app.passwordForm({ client_id: 'larder-mobile' }), 'client_secret');
    expectFailure(await household.api.token(form), 400, 'unauthorized_client');
    expectFailure(
      await household.api.token(without(form, 'client_id'), basic('larder-mobile', '')),
      400,
      'unauthorized_client',
    );
    const { refresh } = await app.signIn();
    const stolen = without(app.refreshForm(refresh, { client_id: 'larder-mobile' }), 'client_secret');
    expectFailure(await household.api.token(stolen), 400, 'invalid_grant');
  });
});

describe('RFC 6749 §3.2: the request', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('refuses %s', async (method) => {
    const reply = await household.api.send(method, `/oauth2/token/?${encoded(app.passwordForm())}`);
    expectFailure(reply, 405, 'invalid_request');
    expect(reply.headers.allow).toBe('POST');
  });

  it.each([
    ['JSON', 'application/json', () => JSON.stringify(app.passwordForm())],
    ['plain text', 'text/plain', () => encoded(app.passwordForm())],
    ['a type that only begins like a form', 'application/x-www-form-urlencoded-not', () => encoded(app.passwordForm())],
    [
      'multipart without a boundary',
      'multipart/form-data',
      () => '--x\r\nContent-Disposition: form-data; name="grant_type"\r\n\r\npassword\r\n--x--\r\n',
    ],
  ])('refuses %s', async (_name, type, body) => {
    const reply = await household.api.send('POST', '/oauth2/token/', {
      headers: { 'content-type': type },
      body: body(),
    });
    expectFailure(reply, 400, 'invalid_request');
  });

  it('refuses a body without a type, and accepts one with a charset', async () => {
    expectFailure(
      await household.api.send('POST', '/oauth2/token/', { body: encoded(app.passwordForm()) }),
      400,
      'invalid_request',
    );
    const reply = await household.api.send('POST', '/oauth2/token/', {
      headers: { 'content-type': 'Application/x-www-form-urlencoded; charset=UTF-8' },
      body: encoded(app.passwordForm()),
    });
    expect(reply.status).toBe(200);
  });

  it.each(['grant_type', 'username', 'password', 'scope', 'client_id', 'client_secret', 'redirect_uri', 'unknown'])(
    'refuses %s if it is repeated, or has brackets',
    async (name) => {
      const form = encoded(app.passwordForm());
      const value = encodeURIComponent(
        (app.passwordForm() as Record<string, string>)[name] ?? 'https://app.example/callback',
      );
      for (const extra of [`${name}=${value}&${name}=${value}`, `${name}[]=${value}`, `${name}[a]=${value}`]) {
        const body = `${encoded(without(app.passwordForm(), name))}&${extra}`;
        const reply = await household.api.send('POST', '/oauth2/token/', { headers: FORM, body });
        expectFailure(reply, 400, 'invalid_request');
      }
      const trap = await household.api.send('POST', '/oauth2/token/', {
        headers: FORM,
        body: `${form}&__proto__[x]=1`,
      });
      expect(trap.status).toBe(200);
    },
  );

  it.each([
    ['2 MB of body', () => `${encoded(app.passwordForm())}&pad=${'x'.repeat(2 * 1024 * 1024)}`],
    [
      '10,000 parameters',
      () => `${encoded(app.passwordForm())}&${Array.from({ length: 10_000 }, (_, i) => `p${i}=`).join('&')}`,
    ],
    ['brackets without end', () => `${encoded(app.passwordForm())}&a${'[b]'.repeat(500)}=1`],
    [
      'bytes that are no UTF-8',
      () => Buffer.concat([Buffer.from(`${encoded(app.passwordForm())}&x=`), Buffer.from([0xff])]),
    ],
  ])('refuses %s', async (_name, body) => {
    expectFailure(
      await household.api.send('POST', '/oauth2/token/', { headers: FORM, body: body() }),
      400,
      'invalid_request',
    );
  });

  it.each([
    ['no body at all', '', 'invalid_client', 401],
    ['no grant type', encoded({ a: 'b' }), 'invalid_client', 401],
  ])('refuses %s', async (_name, body, error, status) => {
    expectFailure(await household.api.send('POST', '/oauth2/token/', { headers: FORM, body }), status, error);
  });

  it.each(['grant_type', 'username', 'password'])('refuses a missing or empty %s', async (name) => {
    expectFailure(await household.api.token(without(app.passwordForm(), name)), 400, 'invalid_request');
    expectFailure(await app.password({ [name]: '' }), 400, 'invalid_request');
  });

  it.each([
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'Password',
    'a b',
    'toString',
  ])('refuses the grant %s', async (grant) => {
    expectFailure(await app.password({ grant_type: grant }), 400, 'unsupported_grant_type');
  });
});

describe('a body that is too large', () => {
  it.each(['/oauth2/token/', '/oauth2/revoke/'])('is refused at %s, in any number of chunks', async (path) => {
    const form = new FormData();
    for (let part = 0; part < 10; part += 1) form.append(`field${part}`, 'x'.repeat(10_000));
    const request = new Request('https://127.0.0.1/', { method: 'POST', body: form });
    const headers = { 'content-type': request.headers.get('content-type') ?? '' };
    const reply = await household.api.send('POST', path, { headers, body: Buffer.from(await request.arrayBuffer()) });
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('larger than 64 KB')]);
  });
});

describe('RFC 6749 §3.3: scope', () => {
  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['a space', ' '],
    ['unknown', 'everything'],
    ['partly unknown', 'list everything'],
    ['in another case', 'List'],
    ['divided by commas', 'list,profile'],
    ['divided by a tab', 'list\tprofile'],
    ['a property of every object', 'constructor'],
  ])('refuses a scope that is %s', async (_name, scope) => {
    const form = without(app.passwordForm(), 'scope');
    expectFailure(await household.api.token(scope === undefined ? form : { ...form, scope }), 400, 'invalid_scope');
  });

  it('refuses an invalid scope before it checks the password', async () => {
    expectFailure(await app.password({ scope: 'nope', password: 'wrong' }), 400, 'invalid_scope');
    const { body } = await app.password();
    expect(body.access_token).toBeTruthy();
  });

  it.each([
    ['list', 'list'],
    ['list list', 'list'],
    ['upload  list', 'list upload'],
    [ALL_SCOPES, ALL_SCOPES],
  ])('grants for "%s" exactly "%s"', async (asked, granted) => {
    expect((await app.signIn({ scope: asked })).scope).toBe(granted);
  });
});

describe('RFC 6749 §4.3: the password grant', () => {
  it.each([
    ['https://app.example/callback', 200],
    ['https://app.example/callback/', 400],
    ['https://app.example/Callback', 400],
    ['https://APP.example/callback', 400],
    ['HTTPS://app.example/callback', 400],
    ['http://app.example/callback', 400],
    ['https://app.example:443/callback', 400],
    ['https://app.example/callback?', 400],
    ['https://app.example/callback#', 400],
    ['https://app.example/callback ', 400],
    ['https://app.example/', 400],
    ['https://evil.example/', 400],
  ])('compares the redirect URI %s with the registered ones', async (uri, status) => {
    const reply = await app.password({ redirect_uri: uri });
    if (status === 200) pairOf(reply);
    else expectFailure(reply, 400, 'invalid_request');
  });

  it('accepts the user name in any case, and both Unicode forms of the password', async () => {
    pairOf(await app.password({ username: 'ANN' }));
    const long = '😀 é '.repeat(90).trim();
    const password = `${long}${'x'.repeat(1_000 - Buffer.byteLength(long))}`;
    expect(Buffer.byteLength(password)).toBe(1_000);
    const folder = await openHousehold({ owner: { ...OWNER, password } });
    try {
      const its = appOf(folder);
      pairOf(await its.password({ password }));
      pairOf(await its.password({ password: password.normalize('NFD') }));
      expectFailure(await its.password({ password: password.slice(0, -1) }), 400, 'invalid_grant');
      expectFailure(await its.password({ password: `${password} ` }), 400, 'invalid_grant');
    } finally {
      await folder.close();
    }
  });

  it.each([
    ['a NUL', 'ann\0'],
    ['a quote', "ann' OR '1'='1"],
    ['a pattern', '%'],
    ['an emoji', '😀'],
    ['fifty thousand letters', 'x'.repeat(50_000)],
    ['another case and a space', 'ANN '],
  ])('answers a user name with %s like every unknown one', async (_name, username) => {
    const reply = await app.password({ username });
    expectFailure(reply, 400, 'invalid_grant');
    expect(reply.body).toEqual((await app.password({ username: 'nobody at all' })).body);
    household.clock.advance(DAY);
  });
});

describe('decisions of the owner', () => {
  it('answer api_disabled to every request while the API is off', async () => {
    const pair = await app.signIn();
    await household.control('settings.update', { apiEnabled: false });
    try {
      for (const reply of [
        await app.password(),
        await app.refresh(pair.refresh),
        await app.password({ client_id: 'x' }),
      ]) {
        expectFailure(reply, 403, 'temporarily_unavailable');
        expect(reply.body.code).toBe('api_disabled');
      }
      expect(await app.use(pair.access)).toBe(403);
    } finally {
      await household.control('settings.update', { apiEnabled: true });
    }
    expect(await app.use(pair.access)).toBe(200);
  });

  it('end every token of a removed client', async () => {
    const { clientId, clientSecret } = await household.control('clients.add', { name: 'Short' });
    const short = appOf(household, { client_id: String(clientId), client_secret: String(clientSecret) });
    const pair = await short.signIn();
    const kept = await app.signIn();
    await household.control('clients.remove', { clientId });
    expect(await short.use(pair.access)).toBe(401);
    expectFailure(await short.refresh(pair.refresh), 401, 'invalid_client');
    expectFailure(await short.password(), 401, 'invalid_client');
    expectFailure(await app.refresh(pair.refresh), 400, 'invalid_grant');
    expect(await app.use(kept.access)).toBe(200);
  });
});

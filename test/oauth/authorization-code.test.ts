import { createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../dist/server/lib/clock.js';
import { type Household, OWNER, openHousehold } from '../support/household.ts';
import { type PageReply, WebVisitor } from '../support/web-visitor.ts';

const CALLBACK = 'https://app.example/callback';

let household: Household;
let visitor: WebVisitor;

beforeAll(async () => {
  household = await openHousehold();
  visitor = new WebVisitor(household);
});
afterAll(() => household.close());
afterEach(() => {
  visitor = new WebVisitor(household);
});

const verifier = () => randomBytes(32).toString('base64url');
const challengeOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

function asked(changes: Record<string, string | null> = {}): string {
  const query = new URLSearchParams();
  const values = {
    response_type: 'code',
    client_id: household.clientId,
    redirect_uri: CALLBACK,
    scope: 'profile list',
    state: 'af0ifjsldkj',
    ...changes,
  };
  for (const [name, value] of Object.entries(values)) if (value !== null) query.set(name, value);
  return `/oauth2/authorize/?${query}`;
}

async function signIn(reply: PageReply, changes: Record<string, string> = {}): Promise<PageReply> {
  return visitor.post('/account/sign-in', {
    form_token: reply.field('form_token'),
    next: reply.field('next'),
    ...OWNER,
    ...changes,
  });
}

/** Through sign-in to the page that asks. */
async function toConsent(request: string): Promise<PageReply> {
  const first = await visitor.get(request);
  const signedIn = await signIn(first);
  expect(signedIn.status).toBe(303);
  return visitor.get(signedIn.location ?? '');
}

const answer = (page: PageReply, value: string) =>
  visitor.post('/oauth2/authorize/', {
    form_token: page.field('form_token'),
    request: page.field('request'),
    answer: value,
  });

async function codeFor(request: string): Promise<string> {
  const reply = await answer(await toConsent(request), 'allow');
  return new URL(reply.location ?? '').searchParams.get('code') ?? '';
}

const redeem = (code: string, changes: Record<string, string> = {}) =>
  household.api.token({
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    client_id: household.clientId,
    client_secret: household.clientSecret,
    ...changes,
  });

const errorOf = (reply: PageReply) => {
  const { searchParams } = new URL(reply.location ?? '');
  return [reply.status, searchParams.get('error'), searchParams.get('state')];
};

describe('RFC 6749 §4.1: the authorization code grant', () => {
  it('leads from the app through sign-in and consent to a token, with the state unchanged', async () => {
    const state = 'ä b+c&d=e/?#';
    const consent = await toConsent(asked({ state }));
    expect(consent.text).toContain('Tests wants to use your files');
    const reply = await answer(consent, 'allow');
    expect(reply.status).toBe(303);
    const location = new URL(reply.location ?? '');
    expect(`${location.origin}${location.pathname}`).toBe(CALLBACK);
    expect(location.searchParams.get('state')).toBe(state);
    const token = await redeem(location.searchParams.get('code') ?? '');
    expect(token.status).toBe(200);
    expect(token.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'profile list' });
    const info = await household.api.send('GET', '/api.php/account/info', {
      headers: { authorization: `Bearer ${token.body.access_token}` },
    });
    expect(info.body.username).toBe(OWNER.username);
  });

  it('sends an answer of no as access_denied', async () => {
    const reply = await answer(await toConsent(asked({ prompt: 'consent' })), 'cancel');
    expect(errorOf(reply)).toEqual([303, 'access_denied', 'af0ifjsldkj']);
    expect(reply.location).not.toContain('code=');
  });

  it('adds to a redirect URI with a query of its own', async () => {
    const uri = 'https://app.example/cb?a=1';
    const added = await household.control('clients.add', { name: 'With query', redirectUris: [uri] });
    const reply = await answer(
      await toConsent(asked({ client_id: String(added.clientId), redirect_uri: uri })),
      'allow',
    );
    expect(reply.location?.startsWith(`${uri}&code=`)).toBe(true);
  });

  it('asks a client that proves itself once, unless it wants more or says prompt=consent', async () => {
    const added = await household.control('clients.add', { name: 'Again', redirectUris: [CALLBACK] });
    const again = { client_id: String(added.clientId) };
    const code = await codeFor(asked(again));
    await redeem(code, { ...again, client_secret: String(added.clientSecret) });
    expect((await visitor.get(asked(again))).location).toContain('code=');
    expect((await visitor.get(asked({ ...again, scope: 'list' }))).location).toContain('code=');
    expect((await visitor.get(asked({ ...again, scope: 'list delete' }))).text).toContain('Look twice');
    expect((await visitor.get(asked({ ...again, prompt: 'consent' }))).status).toBe(200);
  });

  it('§4.1.2: a code works once; its second use revokes what the first one got', async () => {
    const code = await codeFor(asked({ prompt: 'consent' }));
    const { body } = await redeem(code);
    const use = () =>
      household.api
        .send('GET', '/api.php/account/info', { headers: { authorization: `Bearer ${body.access_token}` } })
        .then(({ status }) => status);
    expect(await use()).toBe(200);
    const second = await redeem(code);
    expect([second.status, second.body.error]).toEqual([400, 'invalid_grant']);
    expect(await use()).toBe(401);
    const refresh = await household.api.token({
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      client_id: household.clientId,
      client_secret: household.clientSecret,
    });
    expect(refresh.body.error).toBe('invalid_grant');
  });

  it('§4.1.2: of a code that is sent many times at once, nothing is left', async () => {
    const code = await codeFor(asked({ prompt: 'consent' }));
    const replies = await Promise.all(Array.from({ length: 8 }, () => redeem(code)));
    const good = replies.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    for (const { body } of good) {
      const reply = await household.api.send('GET', '/api.php/account/info', {
        headers: { authorization: `Bearer ${body.access_token}` },
      });
      expect(reply.status).toBe(401);
    }
  });

  it('§4.1.2: a code lives ten minutes', async () => {
    const codes = [await codeFor(asked({ prompt: 'consent' })), ''];
    codes[1] = await (async () => {
      visitor = new WebVisitor(household);
      return codeFor(asked({ prompt: 'consent' }));
    })();
    household.clock.advance(10 * MINUTE - 5_000);
    expect((await redeem(codes[0] ?? '')).status).toBe(200);
    household.clock.advance(10_000);
    expect((await redeem(codes[1] ?? '')).body.error).toBe('invalid_grant');
  });

  it('§4.1.3: a code is for its client and its redirect URI only, and others cannot spoil it', async () => {
    const other = await household.control('clients.add', { name: 'Other', redirectUris: [CALLBACK, `${CALLBACK}2`] });
    const foreign = { client_id: String(other.clientId), client_secret: String(other.clientSecret) };
    const code = await codeFor(asked({ prompt: 'consent' }));
    expect((await redeem(code, foreign)).body.error).toBe('invalid_grant');
    expect((await redeem(code)).status).toBe(200);
    const elsewhere = await codeFor(asked({ prompt: 'consent' })).catch(() => '');
    expect((await redeem(elsewhere, { redirect_uri: `${CALLBACK}/` })).status).toBe(400);
  });
});

describe('RFC 6749 §4.1.2.1: what is told to the person and never to an address', () => {
  it.each([
    ['no client', { client_id: null }],
    ['an unknown client', { client_id: 'nobody' }],
    ['no redirect URI', { redirect_uri: null }],
    ['another path', { redirect_uri: `${CALLBACK}/more` }],
    ['a slash more', { redirect_uri: `${CALLBACK}/` }],
    ['another case', { redirect_uri: 'https://app.example/Callback' }],
    ['another host', { redirect_uri: 'https://evil.example/callback' }],
    ['a port', { redirect_uri: 'https://app.example:444/callback' }],
    ['the port that is meant anyway', { redirect_uri: 'https://app.example:443/callback' }],
    ['a query', { redirect_uri: `${CALLBACK}?x=1` }],
    ['a fragment', { redirect_uri: `${CALLBACK}#x` }],
    ['userinfo', { redirect_uri: 'https://app.example@evil.example/callback' }],
    ['an encoded character', { redirect_uri: 'https://app.example/%63allback' }],
    ['plain HTTP', { redirect_uri: 'http://app.example/callback' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
  ])('%s', async (_, changes) => {
    const reply = await visitor.get(asked(changes));
    expect([reply.status, reply.location]).toEqual([400, null]);
    expect(reply.text).toContain('not safe');
  });

  it('a parameter that is there twice', async () => {
    for (const twice of ['client_id=x', `redirect_uri=${encodeURIComponent('https://evil.example/')}`, 'scope=list']) {
      expect((await visitor.get(`${asked()}&${twice}`)).status).toBe(400);
    }
  });
});

describe('RFC 6749 §4.1.2.1: what is told to the client, with its state', () => {
  it.each([
    ['no response type', { response_type: null }, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['no scope', { scope: null }, 'invalid_scope'],
    ['an unknown scope', { scope: 'list everything' }, 'invalid_scope'],
    ['RFC 7636: plain', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    ['RFC 7636 §4.3: no method, which means plain', { code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    ['RFC 7636: a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['RFC 7636: a challenge that is none', { code_challenge: 'abc', code_challenge_method: 'S256' }, 'invalid_request'],
  ])('%s', async (_, changes, error) => {
    expect(errorOf(await visitor.get(asked(changes)))).toEqual([303, error, 'af0ifjsldkj']);
  });

  it('a public client without PKCE, and the default mobile client with it goes on', async () => {
    const mobile = { client_id: 'larder-mobile', redirect_uri: 'larder://oauth' };
    const refused = await visitor.get(asked(mobile));
    expect(refused.location).toMatch(/^larder:\/\/oauth\?error=invalid_request&/);
    const secret = verifier();
    const request = asked({ ...mobile, code_challenge: challengeOf(secret), code_challenge_method: 'S256' });
    const reply = await answer(await toConsent(request), 'allow');
    const code = /[?&]code=([^&]+)/.exec(reply.location ?? '')?.[1] ?? '';
    const form = { grant_type: 'authorization_code', code, ...mobile };
    expect((await household.api.token({ ...form, code_verifier: secret })).status).toBe(200);
    // A public client proves nothing, so that it is asked about every time.
    expect((await visitor.get(request)).status).toBe(200);
  });
});

describe('RFC 7636: proof key for code exchange', () => {
  it('§4.6: wants the verifier, and a wrong one spends the code', async () => {
    const secret = verifier();
    const pkce = { code_challenge: challengeOf(secret), code_challenge_method: 'S256', prompt: 'consent' };
    const good = await codeFor(asked(pkce));
    expect((await redeem(good, { code_verifier: secret })).status).toBe(200);
    visitor = new WebVisitor(household);
    const guessed = await codeFor(asked(pkce));
    expect((await redeem(guessed, { code_verifier: verifier() })).body.error).toBe('invalid_grant');
    expect((await redeem(guessed, { code_verifier: secret })).body.error).toBe('invalid_grant');
    visitor = new WebVisitor(household);
    const missing = await codeFor(asked(pkce));
    expect((await redeem(missing)).body.error).toBe('invalid_grant');
  });

  it('RFC 9700 §4.8.2: a verifier for a code without a challenge is refused', async () => {
    const code = await codeFor(asked({ prompt: 'consent' }));
    expect((await redeem(code, { code_verifier: verifier() })).body.error).toBe('invalid_grant');
  });
});

describe('sessions and forms', () => {
  it('come in a cookie that only this host gets, over HTTPS, out of reach of scripts', async () => {
    const first = await visitor.get(asked());
    const reply = await signIn(first);
    const cookie = reply.headers['set-cookie'] ?? '';
    expect(cookie).toMatch(/__Host-larder-session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax/);
    const kept = await signIn(await visitor.get(asked()), { keep: '1' });
    expect(kept.headers['set-cookie'] ?? kept.status).toBeDefined();
    expect(first.headers['cache-control']).toBe('no-store');
    expect(first.headers['x-frame-options']).toBe('DENY');
    expect(first.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(first.headers['content-security-policy']).toContain("form-action 'self' https://app.example");
    expect(first.headers['referrer-policy']).toBe('no-referrer');
  });

  it('begin with a new id: one that was planted before proves nothing', async () => {
    const planted = randomBytes(32).toString('base64url');
    visitor.cookies.set('__Host-larder-session', planted);
    const reply = await signIn(await visitor.get(asked()));
    expect(reply.status).toBe(303);
    expect(visitor.cookies.get('__Host-larder-session')).not.toBe(planted);
  });

  it('are refused from other sites, without the token of the form, and with that of somebody else', async () => {
    const page = await visitor.get(asked());
    const fields = { form_token: page.field('form_token'), next: page.field('next'), ...OWNER };
    const stranger = await new WebVisitor(household).get(asked());
    for (const [changes, headers] of [
      [{ form_token: '' }, {}],
      [{ form_token: stranger.field('form_token') }, {}],
      [{}, { origin: 'https://evil.example' }],
      [{}, { origin: 'null' }],
      [{}, { origin: 'null', 'sec-fetch-site': 'cross-site' }],
      [{}, { 'sec-fetch-site': 'cross-site' }],
      [{}, { 'sec-fetch-site': 'same-site' }],
    ] as const) {
      const reply = await visitor.post('/account/sign-in', { ...fields, ...changes }, headers);
      expect(reply.text).toContain('waited too long');
      expect([reply.status, JSON.stringify(changes), JSON.stringify(headers)][0]).toBe(403);
      expect(visitor.cookies.has('__Host-larder-session')).toBe(false);
    }
    const consent = await toConsent(asked({ prompt: 'consent' }));
    const forged = await visitor.post('/oauth2/authorize/', { request: consent.field('request'), answer: 'allow' });
    expect(forged.status).toBe(403);
  });

  it('lead on to pages of ours only', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/oauth2/authorize/@evil', 'x']) {
      visitor = new WebVisitor(household);
      const reply = await signIn(await visitor.get(asked()), { next });
      expect(new URL(reply.location ?? '', visitor.origin).origin).toBe(visitor.origin);
    }
  });

  it('end after thirty idle minutes, and by themselves not when they are kept', async () => {
    const first = await toConsent(asked({ prompt: 'consent' }));
    expect(first.text).toContain('Not you?');
    const keeper = new WebVisitor(household);
    const page = await keeper.get(asked({ prompt: 'consent' }));
    await keeper.post('/account/sign-in', {
      form_token: page.field('form_token'),
      next: page.field('next'),
      keep: '1',
      ...OWNER,
    });
    household.clock.advance(29 * MINUTE);
    expect((await visitor.get(asked({ prompt: 'consent' }))).text).toContain('Not you?');
    household.clock.advance(29 * MINUTE);
    expect((await visitor.get(asked({ prompt: 'consent' }))).text).toContain('Not you?');
    household.clock.advance(31 * MINUTE);
    expect((await visitor.get(asked({ prompt: 'consent' }))).text).toContain('Keep me signed in');
    expect((await keeper.get(asked({ prompt: 'consent' }))).text).toContain('Not you?');
  });

  it('end with "switch", at once and on the server too', async () => {
    const consent = await toConsent(asked({ prompt: 'consent' }));
    const cookie = visitor.cookies.get('__Host-larder-session') ?? '';
    const reply = await visitor.post('/account/sign-out', {
      form_token: consent.field('form_token'),
      next: consent.field('next'),
    });
    expect((await visitor.get(reply.location ?? '')).text).toContain('Keep me signed in');
    visitor.cookies.set('__Host-larder-session', cookie);
    expect((await visitor.get(asked({ prompt: 'consent' }))).text).toContain('Keep me signed in');
  });

  it('a wrong password says one thing for all, keeps the name, and counts with the password flow', async () => {
    const own = await openHousehold();
    const there = new WebVisitor(own);
    const request = asked({ client_id: own.clientId });
    const wrong = async (username: string) => {
      const page = await there.get(request);
      return there.post('/account/sign-in', {
        form_token: page.field('form_token'),
        next: page.field('next'),
        username,
        password: 'not it at all',
      });
    };
    const note = (reply: PageReply) => /role="alert">.*?<span>([^<]*)/.exec(reply.text)?.[1];
    const [known, unknown] = [await wrong('ann'), await wrong('nobody')];
    expect([known.status, unknown.status]).toEqual([422, 422]);
    expect(note(known)).toBe(note(unknown));
    expect(known.text).toContain('value="ann"');
    expect(known.text).not.toContain('not it at all');
    for (let count = 0; count < 4; count += 1) {
      own.clock.advance(20 * MINUTE);
      await wrong('ann');
    }
    own.clock.advance(60 * MINUTE);
    const token = await own.api.token({
      grant_type: 'password',
      ...OWNER,
      scope: 'list',
      client_id: own.clientId,
      client_secret: own.clientSecret,
    });
    expect(token.body.error_description).toContain('deactivated');
    const page = await there.get(request);
    const right = await there.post('/account/sign-in', {
      form_token: page.field('form_token'),
      next: page.field('next'),
      ...OWNER,
    });
    expect(note(right)).toContain('switched off');
    await own.close();
  });
});

describe('the API off, and plain HTTP', () => {
  it('answer as everywhere', async () => {
    const own = await openHousehold();
    await own.control('settings.update', { apiEnabled: false });
    const there = new WebVisitor(own);
    const reply = await there.get(asked({ client_id: own.clientId }), { accept: '*/*' });
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([403, 'api_disabled']);
    const page = await there.get(asked({ client_id: own.clientId }));
    expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    expect(page.text).toContain('Apps are switched off');
    await own.close();
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../dist/server/lib/clock.js';
import { t } from '../../dist/server/messages/messages.js';
import type { PageReply } from '../support/browser/web-visitor.ts';
import { OWNER } from '../support/households/household.ts';
import { answer, asked, CALLBACK, household, inOneHousehold, newVisitor, toConsent, visitor } from './flow-support.ts';

inOneHousehold();

const verifier = () => randomBytes(32).toString('base64url');
const challengeOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

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
    expect(consent.text).toContain(t('consent.heading', { app: 'Tests' }));
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

  it('returns access_denied if the person refuses', async () => {
    const reply = await answer(await toConsent(asked({ prompt: 'consent' })), 'cancel');
    expect(errorOf(reply)).toEqual([303, 'access_denied', 'af0ifjsldkj']);
    expect(reply.location).not.toContain('code=');
  });

  it('extends the query of a redirect URI', async () => {
    const uri = 'https://app.example/cb?a=1';
    const added = await household.control('clients.add', { name: 'With query', redirectUris: [uri] });
    const reply = await answer(
      await toConsent(asked({ client_id: String(added.clientId), redirect_uri: uri })),
      'allow',
    );
    expect(reply.location?.startsWith(`${uri}&code=`)).toBe(true);
  });

  it('asks for consent to a confidential client once, unless it requests more or sends prompt=consent', async () => {
    const added = await household.control('clients.add', { name: 'Again', redirectUris: [CALLBACK] });
    const again = { client_id: String(added.clientId) };
    const code = await codeFor(asked(again));
    await redeem(code, { ...again, client_secret: String(added.clientSecret) });
    expect((await visitor.get(asked(again))).location).toContain('code=');
    expect((await visitor.get(asked({ ...again, scope: 'list' }))).location).toContain('code=');
    expect((await visitor.get(asked({ ...again, scope: 'list delete' }))).text).toContain(t('consent.sensitive'));
    expect((await visitor.get(asked({ ...again, prompt: 'consent' }))).status).toBe(200);
  });

  it('§4.1.2: a code works once; its second use revokes the tokens of the first', async () => {
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

  it('§4.1.2: a code that is sent many times at once leaves no valid token', async () => {
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

  it('§4.1.2: a code expires after ten minutes', async () => {
    const codes = [await codeFor(asked({ prompt: 'consent' })), ''];
    codes[1] = await (async () => {
      newVisitor();
      return codeFor(asked({ prompt: 'consent' }));
    })();
    household.clock.advance(10 * MINUTE - 5_000);
    expect((await redeem(codes[0] ?? '')).status).toBe(200);
    household.clock.advance(10_000);
    expect((await redeem(codes[1] ?? '')).body.error).toBe('invalid_grant');
  });

  it('§4.1.3: a code is valid for its client and redirect URI only, and others cannot invalidate it', async () => {
    const other = await household.control('clients.add', { name: 'Other', redirectUris: [CALLBACK, `${CALLBACK}2`] });
    const foreign = { client_id: String(other.clientId), client_secret: String(other.clientSecret) };
    const code = await codeFor(asked({ prompt: 'consent' }));
    expect((await redeem(code, foreign)).body.error).toBe('invalid_grant');
    expect((await redeem(code)).status).toBe(200);
    newVisitor();
    const elsewhere = await codeFor(asked({ prompt: 'consent' }));
    expect(elsewhere).not.toBe('');
    expect((await redeem(elsewhere, { redirect_uri: `${CALLBACK}/` })).status).toBe(400);
  });
});

describe('RFC 6749 §4.1.2.1: errors that are shown to the person and never sent to the redirect URI', () => {
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
    expect(reply.text).toContain(t('refusal.heading'));
  });

  it('a repeated parameter', async () => {
    for (const twice of ['client_id=x', `redirect_uri=${encodeURIComponent('https://evil.example/')}`, 'scope=list']) {
      expect((await visitor.get(`${asked()}&${twice}`)).status).toBe(400);
    }
  });
});

describe('RFC 6749 §4.1.2.1: errors that are sent to the client, with its state', () => {
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

  it('a public client without PKCE, while the default mobile client with PKCE continues', async () => {
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
  it('§4.6: requires the verifier, and a wrong one invalidates the code', async () => {
    const secret = verifier();
    const pkce = { code_challenge: challengeOf(secret), code_challenge_method: 'S256', prompt: 'consent' };
    const good = await codeFor(asked(pkce));
    expect((await redeem(good, { code_verifier: secret })).status).toBe(200);
    newVisitor();
    const guessed = await codeFor(asked(pkce));
    expect((await redeem(guessed, { code_verifier: verifier() })).body.error).toBe('invalid_grant');
    expect((await redeem(guessed, { code_verifier: secret })).body.error).toBe('invalid_grant');
    newVisitor();
    const missing = await codeFor(asked(pkce));
    expect((await redeem(missing)).body.error).toBe('invalid_grant');
  });

  it('RFC 9700 §4.8.2: a verifier for a code without a challenge is refused', async () => {
    const code = await codeFor(asked({ prompt: 'consent' }));
    expect((await redeem(code, { code_verifier: verifier() })).body.error).toBe('invalid_grant');
  });
});

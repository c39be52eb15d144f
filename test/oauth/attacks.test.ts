import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { SCOPES } from '../../dist/server/oauth/scopes.js';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { OWNER } from '../support/households/household.ts';
import {
  answer,
  asked,
  CALLBACK,
  household,
  inOneHousehold,
  newVisitor,
  signIn,
  toConsent,
  visitor,
} from './flow-support.ts';
import { withToken } from './support.ts';

inOneHousehold();

const redeem = (code: string) =>
  household.api.token({
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    client_id: household.clientId,
    client_secret: household.clientSecret,
  });

describe('RFC 6749 §4.1.2: the state', () => {
  it('is returned unchanged, whatever it contains, and never adds a header', async () => {
    await toConsent(asked());
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), async (state) => {
        fc.pre(state.isWellFormed());
        const reply = await visitor.get(asked({ state, response_type: 'token' }));
        expect(new URL(reply.location ?? '').searchParams.get('state')).toBe(state);
      }),
      { numRuns: 60 },
    );
    for (const state of [
      'x\r\nSet-Cookie: planted=1',
      'x\nLocation: https://evil.example/',
      'x\0y',
      '\u2028\u0085',
      '<script>',
    ]) {
      const reply = await visitor.get(asked({ state, response_type: 'token' }));
      expect(new URL(reply.location ?? '').searchParams.get('state')).toBe(state);
      expect(reply.location).toMatch(/^https:\/\/app\.example\/callback\?[\x21-\x7e]+$/);
      expect(reply.headers['set-cookie'] ?? '').not.toContain('planted');
    }
  });
});

describe('RFC 9700 §4.1: redirect URIs', () => {
  const mutation = fc.oneof(
    fc.constantFrom('/', '?', '#', '.', '%2F', '%00', '..', '/..', ';', '@evil.example', ':443', '\\', ' ', '\t'),
    fc.string({ minLength: 1, maxLength: 6 }),
  );

  it('are matched as a whole: nothing is sent to a changed one', async () => {
    await fc.assert(
      fc.asyncProperty(mutation, fc.nat(CALLBACK.length), fc.nat(3), async (text, at, without) => {
        const redirectUri = CALLBACK.slice(0, at) + text + CALLBACK.slice(at + without);
        fc.pre(redirectUri !== CALLBACK);
        const reply = await visitor.get(asked({ redirect_uri: redirectUri }));
        expect([reply.status, reply.location]).toEqual([400, null]);
      }),
      { numRuns: 150 },
    );
  });

  it('of another client are refused', async () => {
    await household.control('clients.add', { name: 'Other', redirectUris: ['https://other.example/cb'] });
    expect((await visitor.get(asked({ redirect_uri: 'https://other.example/cb' }))).status).toBe(400);
  });
});

describe('RFC 6749 §3.3: scopes', () => {
  it('are granted as requested, in any order, and refused with an unknown one', async () => {
    await toConsent(asked());
    const some = fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1 });
    const word = fc.constantFrom('', 'everything', 'LIST', 'list,upload', 'list\tupload', 'admin*', '__proto__');
    await fc.assert(
      fc.asyncProperty(some, fc.option(word), async (scopes, foreign) => {
        const scope = [...scopes, ...(foreign === null || foreign === '' ? [] : [foreign])].join(' ');
        const page = await visitor.get(asked({ scope, prompt: 'consent' }));
        if (foreign !== null && foreign !== '') {
          expect(new URL(page.location ?? '').searchParams.get('error')).toBe('invalid_scope');
          return;
        }
        const reply = await answer(page, 'allow');
        const { body } = await redeem(new URL(reply.location ?? '').searchParams.get('code') ?? '');
        expect(new Set(body.scope.split(' '))).toEqual(new Set(scopes));
        const listing = await withToken(household.api, body.access_token, 'files/browse', { path: '/ROOT/HOME' });
        expect(listing.status).toBe(scopes.includes('list') ? 200 : 403);
      }),
      { numRuns: 25 },
    );
  });

  it('cannot be extended between the consent page and the answer', async () => {
    const page = await toConsent(asked({ scope: 'profile', prompt: 'consent' }));
    // What is sent back is checked and granted as it is sent: whoever can change it can as well ask for it.
    const request = page.field('request').replace('scope=profile', 'scope=everything');
    const reply = await visitor.post('/oauth2/authorize/', {
      form_token: page.field('form_token'),
      request,
      answer: 'allow',
    });
    expect(new URL(reply.location ?? '').searchParams.get('error')).toBe('invalid_scope');
  });
});

describe('RFC 9700 §4.5: code injection', () => {
  it('a code of one person is not redeemed with the PKCE verifier of another', async () => {
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256', prompt: 'consent' };
    const reply = await answer(await toConsent(asked(pkce)), 'allow');
    const code = new URL(reply.location ?? '').searchParams.get('code') ?? '';
    expect((await redeem(code)).body.error).toBe('invalid_grant');
  });
});

describe('RFC 9700 §4.16: clickjacking; the headers of every page', () => {
  it('forbid framing, referrers, storing and foreign scripts', async () => {
    await toConsent(asked({ prompt: 'consent' }));
    const signedIn = [
      '/account/',
      '/account/profile',
      '/account/password',
      '/account/two-step',
      asked({ prompt: 'consent' }),
    ];
    const anybody = ['/account/sign-in', '/account/forgotten', '/account/reset?code=x', asked({ client_id: 'nobody' })];
    const stranger = new WebVisitor(household);
    for (const [who, pages] of [
      [visitor, signedIn],
      [stranger, anybody],
    ] as const) {
      for (const page of pages) {
        const { headers, text, status } = await who.get(page);
        expect([page, status < 500, headers['x-frame-options']]).toEqual([page, true, 'DENY']);
        expect(headers['referrer-policy'], page).toBe('no-referrer');
        expect(headers['cache-control'], page).toBe('no-store');
        const policy = headers['content-security-policy'] ?? '';
        expect(policy, page).toContain("default-src 'none'");
        expect(policy, page).toContain("frame-ancestors 'none'");
        expect(policy, page).not.toMatch(/unsafe|\*/);
        // Pages without fields for passwords or the search need no script, and allow none.
        const isScripted = /type="password"|id="codes"|role="search"/.test(text);
        expect(/script-src([^;]*)/.exec(policy)?.[1] ?? '', page).toBe(isScripted ? " 'self'" : '');
        const foreign = text.replaceAll(/<script type="module" src="\/assets\/[\w.-]+"><\/script>/g, '');
        expect(foreign, page).not.toMatch(/<script|\son[a-z]+=|\sstyle=|javascript:/i);
        expect(headers['access-control-allow-origin'], page).toBeUndefined();
      }
    }
  });

  it('a first visit is below 60 KB', async () => {
    await toConsent(asked());
    for (const page of ['/account/', '/account/two-step', asked({ prompt: 'consent' })]) {
      const { text } = await visitor.get(page);
      const loaded = [...text.matchAll(/(?:href|src|srcset)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
      expect(loaded.length).toBeGreaterThan(2);
      const sizes = await Promise.all(
        [...new Set(loaded)].map(async (path) => Buffer.byteLength((await visitor.get(path)).text)),
      );
      expect(
        sizes.reduce((sum, size) => sum + size, Buffer.byteLength(text)),
        page,
      ).toBeLessThan(60_000);
    }
  });
});

describe('the forms of the account page', () => {
  it('have no effect without the token of the form, from another site, or on items of others', async () => {
    const page = await visitor.get('/account/');
    await signIn(page);
    const token = (await visitor.get('/account/')).field('form_token');
    const forms = {
      '/account/apps/revoke': { app: household.clientId },
      '/account/devices/sign-out': { session: 'others' },
      '/account/profile': { name: 'Planted' },
      '/account/password': { password: OWNER.password, new_password: 'planted password', repeat: 'planted password' },
      '/account/two-step/enable': { key: 'A'.repeat(32), otp: '000000', password: OWNER.password },
      '/account/sign-out': {},
    };
    for (const [path, fields] of Object.entries(forms)) {
      expect([path, (await visitor.post(path, fields)).status]).toEqual([path, 403]);
      expect([path, (await visitor.post(path, { ...fields, form_token: 'x' })).status]).toEqual([path, 403]);
      const foreign = { origin: 'https://evil.example' };
      expect([path, (await visitor.post(path, { ...fields, form_token: token }, foreign)).status]).toEqual([path, 403]);
    }
    const after = await visitor.get('/account/');
    expect([after.status, after.text.includes('Planted')]).toEqual([200, false]);
    // Without a session there is nothing to send a form of.
    newVisitor();
    const signedOut = await visitor.post('/account/profile', { name: 'Planted' });
    expect(signedOut.text).toContain(t('signIn.keep'));
  });
});

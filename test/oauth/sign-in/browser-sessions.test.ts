import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../dist/server/lib/clock.js';
import { t } from '../../../dist/server/messages/messages.js';
import { type PageReply, WebVisitor } from '../../support/browser/web-visitor.ts';
import { OWNER, openHousehold } from '../../support/households/household.ts';
import { addMember, MEMBER } from '../../support/households/member.ts';
import { asked, household, inOneHousehold, newVisitor, signIn, toConsent, visitor } from '../flow-support.ts';

inOneHousehold();

describe('sessions and forms', () => {
  it('use a cookie for this host and HTTPS only, without access for scripts', async () => {
    const first = await visitor.get(asked());
    const reply = await signIn(first);
    const cookie = reply.headers['set-cookie'] ?? '';
    expect(cookie).toMatch(/__Host-larder-session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax/);
    expect(cookie).not.toMatch(/session=[^,]*Max-Age/);
    newVisitor();
    const kept = await signIn(await visitor.get(asked()), { keep: '1' });
    expect(kept.headers['set-cookie']).toMatch(/session=[A-Za-z0-9_-]{43}; Max-Age=7776000; Path=\//);
    expect(first.headers['cache-control']).toBe('no-store');
    expect(first.headers['x-frame-options']).toBe('DENY');
    expect(first.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(first.headers['content-security-policy']).toContain("form-action 'self' https://app.example");
    expect(first.headers['referrer-policy']).toBe('no-referrer');
  });

  it('keep a sign-in page valid while scripts of earlier pages send requests without a session', async () => {
    newVisitor();
    const page = await visitor.get(asked());
    const late = new WebVisitor(household);
    for (const path of ['/files/storage', '/files/sizes?path=/ROOT/HOME', '/files/?path=/ROOT/HOME']) {
      const reply = await late.get(path, { accept: 'application/json' });
      expect([path, reply.status, reply.headers['set-cookie']]).toEqual([path, 401, undefined]);
    }
    expect((await signIn(page)).status).toBe(303);
  });

  it('begin with a new id: one that was set before has no effect', async () => {
    const planted = randomBytes(32).toString('base64url');
    visitor.cookies.set('__Host-larder-session', planted);
    const reply = await signIn(await visitor.get(asked()));
    expect(reply.status).toBe(303);
    expect(visitor.cookies.get('__Host-larder-session')).not.toBe(planted);
  });

  it('are refused from other sites, without the token of the form, and with that of another session', async () => {
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
      expect(reply.text).toContain(t('failed.staleForm'));
      expect([reply.status, JSON.stringify(changes), JSON.stringify(headers)][0]).toBe(403);
      expect(visitor.cookies.has('__Host-larder-session')).toBe(false);
    }
    const consent = await toConsent(asked({ prompt: 'consent' }));
    const forged = await visitor.post('/oauth2/authorize/', { request: consent.field('request'), answer: 'allow' });
    expect(forged.status).toBe(403);
  });

  it('redirect to pages of this server only', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/oauth2/authorize/@evil', 'x']) {
      newVisitor();
      const reply = await signIn(await visitor.get(asked()), { next });
      expect(new URL(reply.location ?? '', visitor.origin).origin).toBe(visitor.origin);
    }
  });

  it('end after thirty minutes of inactivity, unless they are kept', async () => {
    const first = await toConsent(asked({ prompt: 'consent' }));
    expect(first.text).toContain(t('consent.switch'));
    const reconciler = new WebVisitor(household);
    const page = await reconciler.get(asked({ prompt: 'consent' }));
    await reconciler.post('/account/sign-in', {
      form_token: page.field('form_token'),
      next: page.field('next'),
      keep: '1',
      ...OWNER,
    });
    household.clock.advance(29 * MINUTE);
    expect((await visitor.get(asked({ prompt: 'consent' }))).text).toContain(t('consent.switch'));
    household.clock.advance(29 * MINUTE);
    expect((await visitor.get(asked({ prompt: 'consent' }))).text).toContain(t('consent.switch'));
    household.clock.advance(31 * MINUTE);
    expect((await visitor.get(asked({ prompt: 'consent' }))).text).toContain(t('signIn.keep'));
    expect((await reconciler.get(asked({ prompt: 'consent' }))).text).toContain(t('consent.switch'));
  });

  it('end with "switch", at once and also on the server', async () => {
    const consent = await toConsent(asked({ prompt: 'consent' }));
    const cookie = visitor.cookies.get('__Host-larder-session') ?? '';
    const reply = await visitor.post('/account/sign-out', {
      form_token: consent.field('form_token'),
      next: consent.field('next'),
    });
    // By way of the service worker.
    const onward = await visitor.get(reply.location ?? '');
    expect((await visitor.get(onward.location ?? '')).text).toContain(t('signIn.keep'));
    visitor.cookies.set('__Host-larder-session', cookie);
    expect((await visitor.get(asked({ prompt: 'consent' }))).text).toContain(t('signIn.keep'));
  });

  it('show one message for all wrong passwords, keep the name, and count with the password grant', async () => {
    const own = await openHousehold();
    await addMember(own);
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
    const [known, unknown] = [await wrong(MEMBER.username), await wrong('nobody')];
    expect([known.status, unknown.status]).toEqual([422, 422]);
    expect(note(known)).toBe(note(unknown));
    expect(known.text).toContain(`value="${MEMBER.username}"`);
    expect(known.text).not.toContain('not it at all');
    for (let count = 0; count < 4; count += 1) {
      own.clock.advance(20 * MINUTE);
      await wrong(MEMBER.username);
    }
    own.clock.advance(MINUTE);
    const token = await own.api.token({
      grant_type: 'password',
      ...MEMBER,
      scope: 'list',
      client_id: own.clientId,
      client_secret: own.clientSecret,
    });
    expect(token.body.error_description).toBe(t('api.oauth.wrongPassword'));
    own.clock.advance(MINUTE);
    const page = await there.get(request);
    const right = await there.post('/account/sign-in', {
      form_token: page.field('form_token'),
      next: page.field('next'),
      ...MEMBER,
    });
    expect([right.status, note(right)], 'while it lasts a right one is like a wrong one').toEqual([422, note(known)]);
    own.clock.advance(16 * MINUTE);
    const again = await there.get(request);
    const fields = { form_token: again.field('form_token'), next: again.field('next') };
    expect((await there.post('/account/sign-in', { ...fields, ...MEMBER })).status).toBe(303);
    await own.close();
  });
});

describe('the API off, and plain HTTP', () => {
  it('return the usual errors', async () => {
    const own = await openHousehold();
    await own.control('settings.update', { apiEnabled: false });
    const there = new WebVisitor(own);
    const reply = await there.get(asked({ client_id: own.clientId }), { accept: '*/*' });
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([403, 'api_disabled']);
    const page = await there.get(asked({ client_id: own.clientId }));
    expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    expect(page.text).toContain(t('failed.apiDisabled'));
    await own.close();
  });
});

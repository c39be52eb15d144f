import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../dist/server/lib/clock.js';
import { t } from '../../dist/server/messages/messages.js';
import {
  answer,
  asked,
  CALLBACK,
  household,
  inOneHousehold,
  signIn,
  toConsent,
  visitor,
} from '../oauth/flow-support.ts';
import { appOf, expectFailure } from '../oauth/support.ts';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { addMember, MEMBER } from '../support/households/member.ts';

describe('the API', () => {
  it('is off until the owner enables it, after the set-up as before it', async () => {
    const own = await openHousehold({ owner: null });
    try {
      const info = async () => {
        const { status, body } = await own.api.get('account/info');
        return [status, body.code];
      };
      expect(await info()).toEqual([403, 'api_disabled']);
      await own.control('setup', { owner: OWNER.username, password: OWNER.password });
      expect(await own.control('settings.get')).toMatchObject({ apiEnabled: false, httpTesting: false });
      expect(await info()).toEqual([403, 'api_disabled']);
      await own.control('settings.update', { apiEnabled: true });
      expect(await info()).toEqual([401, 'invalid_token']);
    } finally {
      await own.close();
    }
  });

  it('answers over plain HTTP while that is allowed for testing, and not before and after', async () => {
    const own = await openHousehold();
    try {
      const form = new URLSearchParams(appOf(own).passwordForm());
      const over = async (base: string) => {
        const issued = await fetch(`${base}/oauth2/token/`, { method: 'POST', body: form });
        const { access_token: token } = (await issued.json()) as { access_token: string };
        const headers = { authorization: `Bearer ${token}` };
        const { status } = await fetch(`${base}/api.php/account/info`, { headers });
        return [issued.status, status];
      };
      // On the port of HTTPS too, so that whoever writes http by mistake is told.
      expect(await over(`http://127.0.0.1:${own.port}`)).toEqual([403, 403]);
      await own.control('settings.update', { httpTesting: true });
      const { httpAddresses } = (await own.control('status')) as { httpAddresses: string[] };
      const base = `http://127.0.0.1:${new URL(httpAddresses[0] ?? '').port}`;
      expect(await over(base)).toEqual([200, 200]);
      await own.control('settings.update', { httpTesting: false });
      await expect(fetch(`${base}/api.php/account/info`)).rejects.toThrow();
    } finally {
      await own.close();
    }
  });
});

describe('too many wrong passwords in the password flow', () => {
  let own: Household;
  beforeAll(async () => {
    own = await openHousehold();
    await addMember(own);
  });
  afterAll(() => own.close());

  it('shut the account for the regular sign-in as well', async () => {
    const app = appOf(own);
    for (let tries = 0; tries < 5; tries += 1) {
      own.clock.advance(120 * MINUTE);
      const wrong = { username: MEMBER.username, password: 'not it at all' };
      expectFailure(await app.password(wrong), 400, 'invalid_grant');
    }
    expect((await own.control('accounts.list', { state: 'deactivated' })).accounts).toMatchObject([
      { username: MEMBER.username, activated: false },
    ]);
    own.clock.advance(14 * MINUTE);
    const there = new WebVisitor(own);
    const page = await there.get('/account/sign-in');
    const fields = { form_token: page.field('form_token'), next: page.field('next') };
    const refused = await there.post('/account/sign-in', { ...fields, ...MEMBER });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(t('signIn.problem.refused'));
  });
});

describe('the authorization code flow', () => {
  inOneHousehold();

  it('brings no state where none was sent', async () => {
    const allowed = await answer(await toConsent(asked({ state: null, prompt: 'consent' })), 'allow');
    const location = new URL(allowed.location ?? '');
    expect([...location.searchParams.keys()]).toEqual(['code']);
    const refused = await answer(await visitor.get(asked({ state: null, prompt: 'consent' })), 'cancel');
    expect([...new URL(refused.location ?? '').searchParams.keys()].sort()).toEqual(['error', 'error_description']);
  });

  it('wants the client id as it is: not in another case, not with more, not with less', async () => {
    const { clientId } = household;
    for (const id of [
      clientId.toLowerCase(),
      clientId.toUpperCase(),
      `${clientId}A`,
      clientId.slice(1),
      ` ${clientId}`,
    ]) {
      const reply = await visitor.get(asked({ client_id: id }));
      expect([reply.status, reply.location], id).toEqual([400, null]);
      expectFailure(await appOf(household).password({ client_id: id }), 401, 'invalid_client');
    }
  });

  it('wants who proves which client it is, the code, and the redirect URI', async () => {
    const allowed = await answer(await toConsent(asked({ prompt: 'consent' })), 'allow');
    const form: Record<string, string> = {
      grant_type: 'authorization_code',
      code: new URL(allowed.location ?? '').searchParams.get('code') ?? '',
      client_id: household.clientId,
      client_secret: household.clientSecret,
      redirect_uri: CALLBACK,
    };
    const without = (name: string) => Object.fromEntries(Object.entries(form).filter(([key]) => key !== name));
    for (const [name, status, error] of [
      ['client_id', 401, 'invalid_client'],
      ['client_secret', 401, 'invalid_client'],
      ['grant_type', 400, 'invalid_request'],
      ['code', 400, 'invalid_request'],
    ] as const) {
      expectFailure(await household.api.token(without(name)), status, error);
    }
    expectFailure(await household.api.token({ ...form, client_secret: 'wrong' }), 401, 'invalid_client');
    const { status, body } = await household.api.token(form);
    expect(status, 'none of which spent the code').toBe(200);
    const another = await answer(await visitor.get(asked({ prompt: 'consent' })), 'allow');
    form.code = new URL(another.location ?? '').searchParams.get('code') ?? '';
    expectFailure(await household.api.token(without('redirect_uri')), 400, 'invalid_request');
    expect(body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 3600,
      token_type: 'Bearer',
      scope: 'profile list',
    });
  });

  it('asks who somebody is before it asks for their consent', async () => {
    const first = await visitor.get(asked());
    expect(first.text).toContain(t('signIn.keep'));
    expect(first.text).not.toContain(t('consent.allow'));
    const wrong = await signIn(first, { password: 'not it at all' });
    expect(wrong.status).toBe(422);
    expect((await toConsent(asked({ prompt: 'consent' }))).text).toContain(t('consent.allow'));
  });
});

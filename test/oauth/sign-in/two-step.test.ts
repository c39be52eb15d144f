import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../dist/server/lib/clock.js';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { OWNER } from '../../support/households/household.ts';
import { totp } from '../../support/requests/totp.ts';
import { t } from '../../support/server-texts.ts';
import { appOf, expectFailure } from '../support.ts';
import {
  HALF_A_MINUTE,
  household,
  inNewHouseholds,
  isSignedIn,
  send,
  signIn,
  switchOn,
  visitor,
} from './account-support.ts';

inNewHouseholds();

describe('two-step sign-in', () => {
  it('is requested after the right password only, and a code works once', async () => {
    const { key } = await switchOn();
    expect((await signIn({ password: 'wrong password' })).text).toContain(t('signIn.problem.refused'));
    const asked = await signIn();
    expect([asked.status, asked.text.includes(t('signIn.code.heading'))]).toEqual([200, true]);
    expect(await isSignedIn()).toBe(false);
    const otp = totp(key, household.clock.now());
    const fields = {
      form_token: asked.field('form_token'),
      pending: asked.field('pending'),
      next: asked.field('next'),
    };
    expect((await visitor.post('/account/sign-in/code', { ...fields, otp })).status).toBe(303);
    expect(await isSignedIn()).toBe(true);

    const other = new WebVisitor(household);
    const again = await signIn({ otp }, other);
    expect([again.status, again.text.includes(t('signIn.code.wrong'))]).toEqual([422, true]);
    household.clock.advance(HALF_A_MINUTE);
    expect((await signIn({ otp: totp(key, household.clock.now()) }, other)).status).toBe(303);
  });

  it('accepts the codes of the previous and next time step only', async () => {
    const { key } = await switchOn();
    household.clock.advance(10 * MINUTE);
    for (const [steps, status] of [
      [-2, 422],
      [2, 422],
      [-1, 303],
      [1, 303],
    ] as const) {
      const otp = totp(key, household.clock.now() + steps * HALF_A_MINUTE);
      expect([steps, (await signIn({ otp }, new WebVisitor(household))).status]).toEqual([steps, status]);
    }
    // A step that lies before one that was taken is over.
    expect((await signIn({ otp: totp(key, household.clock.now()) }, new WebVisitor(household))).status).toBe(422);
  });

  it('a recovery code works once, in any notation', async () => {
    const { codes } = await switchOn();
    const [one = '', two = ''] = codes;
    expect((await signIn({ otp: one.toUpperCase().replaceAll('-', ' ') }, new WebVisitor(household))).status).toBe(303);
    expect((await signIn({ otp: one }, new WebVisitor(household))).status).toBe(422);
    expect(
      (await signIn({ otp: two.replaceAll('0', 'O').replaceAll('1', 'l') }, new WebVisitor(household))).status,
    ).toBe(303);
  });

  it('new recovery codes replace the old ones', async () => {
    const { key, codes } = await switchOn();
    await signIn({ otp: totp(key, household.clock.now()) });
    household.clock.advance(HALF_A_MINUTE);
    const reply = await send('/account/two-step', '/account/two-step/change', {
      change: 'codes',
      password: OWNER.password,
      otp: totp(key, household.clock.now()),
    });
    const fresh = /<code>([^<]+)<\/code>/.exec(reply.text)?.[1] ?? '';
    expect((await signIn({ otp: codes[0] ?? '' }, new WebVisitor(household))).status).toBe(422);
    expect((await signIn({ otp: fresh }, new WebVisitor(household))).status).toBe(303);
  });

  it('a wrong code counts like a wrong password, on pages and in the API together', async () => {
    const { key } = await switchOn();
    const app = appOf(household);
    expect((await signIn({ otp: '000000' })).status).toBe(422);
    expectFailure(await app.password({ otp: '000001' }), 400, 'invalid_grant');
    household.clock.advance(MINUTE);
    const page = await signIn();
    const fields = { form_token: page.field('form_token'), pending: page.field('pending'), next: page.field('next') };
    await visitor.post('/account/sign-in/code', { ...fields, otp: '000002' });
    household.clock.advance(MINUTE);
    await signIn({ password: 'wrong password' });
    household.clock.advance(MINUTE);
    expect((await signIn({ otp: '000003' })).status).toBe(422);
    household.clock.advance(MINUTE);
    const shut = await signIn({ otp: totp(key, household.clock.now()) }, new WebVisitor(household));
    expect(shut.status).toBe(429);
    await household.control('accounts.activate', { username: OWNER.username });
    expect((await signIn({ otp: totp(key, household.clock.now()) })).status).toBe(303);
  });

  it('a right password without a code does not reset the count', async () => {
    await switchOn();
    for (let tries = 0; tries < 5; tries += 1) {
      await signIn({ otp: '000000' });
      household.clock.advance(2 * MINUTE);
      await signIn();
    }
    expect((await signIn({}, new WebVisitor(household))).status).toBe(429);
  });

  it('the second step is valid for its browser and password, for ten minutes', async () => {
    const { key } = await switchOn();
    const asked = await signIn();
    const other = new WebVisitor(household);
    const elsewhere = await other.get('/account/');
    const fields = {
      pending: asked.field('pending'),
      next: asked.field('next'),
      otp: totp(key, household.clock.now()),
    };
    await other.post('/account/sign-in/code', { ...fields, form_token: elsewhere.field('form_token') });
    expect(await isSignedIn(other)).toBe(false);
    household.clock.advance(11 * MINUTE);
    const late = { ...fields, form_token: asked.field('form_token'), otp: totp(key, household.clock.now()) };
    expect((await visitor.post('/account/sign-in/code', late)).text).toContain(t('signIn.keep'));

    const begun = await signIn();
    await household.control('accounts.update', { username: OWNER.username, password: 'another password now' });
    const stale = { form_token: begun.field('form_token'), pending: begun.field('pending'), next: begun.field('next') };
    await visitor.post('/account/sign-in/code', { ...stale, otp: totp(key, household.clock.now()) });
    expect(await isSignedIn()).toBe(false);
  });

  it('the password grant accepts it as otp, and names what is missing only after the right password', async () => {
    const { key } = await switchOn();
    const app = appOf(household);
    const missing = await app.password();
    expectFailure(missing, 400, 'invalid_grant');
    expect([missing.body.code, missing.body.message]).toEqual(['missing_parameter', expect.stringContaining('otp')]);
    const wrong = await app.password({ password: 'wrong password' });
    expect(wrong.body.message).toBe(t('api.oauth.wrongPassword'));
    expect((await app.password({ otp: totp(key, household.clock.now()) })).status).toBe(200);
  });

  it('one of ten concurrent requests with the same code succeeds', async () => {
    const { key } = await switchOn();
    await household.control('settings.update', { wrongPasswordLimit: 100 });
    const otp = totp(key, household.clock.now());
    const replies = await Promise.all(Array.from({ length: 10 }, () => appOf(household).password({ otp })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('required by the owner, it is set up during the sign-in, and the password grant works only after that', async () => {
    await household.control('accounts.update', { username: OWNER.username, twoStepEnabled: true });
    const refused = await appOf(household).password();
    expectFailure(refused, 400, 'invalid_grant');
    expect(refused.body.message).toBe(t('api.oauth.twoStepNeeded'));
    const asked = await signIn();
    expect(asked.text).toContain(t('twoStep.setUp.heading'));
    const key = asked.field('key');
    const fields = { form_token: asked.field('form_token'), next: asked.field('next'), key };
    const wrong = await visitor.post('/account/sign-in/two-step', {
      ...fields,
      pending: asked.field('pending'),
      otp: '000000',
    });
    expect([wrong.status, wrong.field('key')]).toEqual([422, key]);
    const codes = await visitor.post('/account/sign-in/two-step', {
      ...fields,
      pending: wrong.field('pending'),
      otp: totp(key, household.clock.now()),
    });
    expect(codes.text).toContain(t('twoStep.codes.heading'));
    expect(await isSignedIn()).toBe(false);
    const last = { form_token: codes.field('form_token'), pending: codes.field('pending'), next: codes.field('next') };
    expect((await visitor.post('/account/sign-in/code', last)).status).toBe(303);
    expect(await isSignedIn()).toBe(true);
    const page = await visitor.get('/account/two-step');
    expect(page.text).toContain(t('twoStep.manage.required'));
    household.clock.advance(HALF_A_MINUTE);
    await send('/account/two-step', '/account/two-step/change', {
      change: 'off',
      password: OWNER.password,
      otp: totp(key, household.clock.now()),
    });
    expect((await visitor.get('/account/')).text).toContain(t('account.twoStep.codesLeft', { codes: 10 }));
  });

  it('the owner can switch it off for an account', async () => {
    await switchOn();
    await household.control('accounts.update', { username: OWNER.username, twoStepEnabled: false });
    expect((await signIn()).status).toBe(303);
  });

  it('a key of another origin is refused, and no key appears in a log', async () => {
    await signIn();
    for (const key of ['', 'A', 'a'.repeat(32), '0'.repeat(32), 'A'.repeat(64)]) {
      const reply = await send('/account/two-step', '/account/two-step/enable', {
        key,
        otp: '000000',
        password: OWNER.password,
      });
      expect(reply.status).toBe(422);
      if (key !== '') expect(reply.field('key')).not.toBe(key);
    }
    const { key, codes } = await switchOn();
    await signIn({ otp: codes[1] ?? '' });
    for (const secret of [key, codes[0], codes[1], OWNER.password]) expect(household.logged()).not.toContain(secret);
  });
});

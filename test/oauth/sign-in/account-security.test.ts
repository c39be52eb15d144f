import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../../dist/server/lib/clock.js';
import { isoSeconds } from '../../../dist/server/lib/datetime.js';
import { t } from '../../../dist/server/messages/messages.js';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { OWNER } from '../../support/households/household.ts';
import { addMember, MEMBER } from '../../support/households/member.ts';
import { totp } from '../../support/requests/totp.ts';
import { appOf, expectFailure } from '../support.ts';
import { household, inNewHouseholds, isSignedIn, send, signIn, switchOn, visitor } from './account-support.ts';

inNewHouseholds();

describe('a required change of the password', () => {
  beforeEach(() => household.control('accounts.update', { username: OWNER.username, requirePasswordChange: true }));

  it('happens during the sign-in, with the same rules', async () => {
    const asked = await signIn();
    expect(asked.text).toContain(t('newPassword.heading'));
    expect(await isSignedIn()).toBe(false);
    let pending = asked.field('pending');
    const fields = { form_token: asked.field('form_token'), next: asked.field('next') };
    for (const [password, repeat, problem] of [
      ['a rather good one', 'a rather good two', t('newPassword.differ')],
      ['short', 'short', t('api.passwords.tooShort', { min: 10 })],
      [OWNER.password, OWNER.password, t('api.passwords.same')],
    ] as const) {
      const reply = await visitor.post('/account/sign-in/password', {
        ...fields,
        pending,
        new_password: password,
        repeat,
      });
      expect([reply.status, reply.text.includes(problem)], problem).toEqual([422, true]);
      pending = reply.field('pending');
    }
    const done = { new_password: 'a rather good one', repeat: 'a rather good one' };
    expect((await visitor.post('/account/sign-in/password', { ...fields, pending, ...done })).status).toBe(303);
    expect(await isSignedIn()).toBe(true);
    expect((await signIn({ password: 'a rather good one' }, new WebVisitor(household))).status).toBe(303);
  });

  it('ends every app password that is not selected', async () => {
    await household.control('accounts.update', { username: OWNER.username, requirePasswordChange: false });
    await signIn();
    for (const label of ['Laptop', 'Phone']) {
      await send('/account/programs', '/account/programs/create', { label, password: OWNER.password });
    }
    await household.control('accounts.update', { username: OWNER.username, requirePasswordChange: true });
    const asked = await signIn();
    expect(asked.text).toContain(t('programs.keep.legend'));
    expect(asked.text).not.toMatch(/<input type="checkbox"[^>]* checked/);
    const phone = /name="(keep_app_password_\d+)"[^>]*><label[^>]*>Phone</.exec(asked.text)?.[1] ?? '';
    const carried = (page: typeof asked) => ({
      ...{ form_token: page.field('form_token'), next: page.field('next'), pending: page.field('pending') },
      [phone]: '1',
    });
    const wrong = { new_password: 'short', repeat: 'short' };
    const again = await visitor.post('/account/sign-in/password', { ...carried(asked), ...wrong });
    expect(again.text).toMatch(new RegExp(`name="${phone}" value="1" checked`));
    const right = { new_password: 'a rather good one', repeat: 'a rather good one' };
    expect((await visitor.post('/account/sign-in/password', { ...carried(again), ...right })).status).toBe(303);
    const { appPasswords } = await household.control('appPasswords.list', { accountId: 1 });
    expect((appPasswords as { label: string }[]).map(({ label }) => label)).toEqual(['Phone']);
  });

  it('blocks the password grant, and tokens for everything except changing it', async () => {
    const refused = await appOf(household).password();
    expectFailure(refused, 400, 'invalid_grant');
    expect(refused.body.code).toBe('password_change_required');
    await household.control('accounts.update', { username: OWNER.username, requirePasswordChange: false });
    const api = await household.signIn();
    await household.control('accounts.update', { username: OWNER.username, requirePasswordChange: true });
    const stopped = await api.get('account/info');
    expect([stopped.status, stopped.body.code]).toEqual([403, 'password_change_required']);
    const form = { current_password: OWNER.password, new_password: 'a rather good one' };
    expect((await api.post('account/password', form)).status).toBe(200);
    expect((await api.get('account/info')).status).toBe(200);
  });

  it('ends existing sessions, which change it when they sign in again', async () => {
    await household.control('accounts.update', { username: OWNER.username, requirePasswordChange: false });
    await signIn();
    expect(await isSignedIn()).toBe(true);
    await household.control('accounts.update', { username: OWNER.username, requirePasswordChange: true });
    expect(await isSignedIn()).toBe(false);
  });
});

describe('account/password', () => {
  const form = { current_password: OWNER.password, new_password: 'a rather good one' };

  it('changes it, ends everything else, and keeps the token of the request', async () => {
    const [api, other] = [await household.signIn(), await household.signIn()];
    await signIn();
    expect((await api.post('account/password', form)).body).toMatchObject({ success: true, data: {} });
    expect((await api.get('account/info')).status).toBe(200);
    expect((await other.get('account/info')).status).toBe(401);
    expect(await isSignedIn()).toBe(false);
    expectFailure(await appOf(household).password(), 400, 'invalid_grant');
    expect((await appOf(household).password({ password: form.new_password })).status).toBe(200);
  });

  it('counts wrong passwords together with others, and waits if the account is blocked', async () => {
    const api = await household.signIn();
    const wrong = () => api.post('account/password', { ...form, current_password: 'wrong password' });
    expect([(await wrong()).body.code, (await signIn({ password: 'wrong password' })).status]).toEqual([
      'invalid_parameter',
      422,
    ]);
    expectFailure(await appOf(household).password({ password: 'wrong password' }), 400, 'invalid_grant');
    expect((await wrong()).status).toBe(429);
    household.clock.advance(MINUTE);
    expect((await wrong()).status).toBe(400);
    household.clock.advance(MINUTE);
    expect((await wrong()).status).toBe(400);
    household.clock.advance(14 * MINUTE);
    const shut = await api.post('account/password', form);
    expect([shut.status, shut.body.code]).toEqual([429, 'too_many_requests']);
    // Guessing switches nobody off: the token lives on.
    expect((await api.get('account/info')).status).toBe(200);
    household.clock.advance(2 * MINUTE);
    expect((await api.post('account/password', form)).status).toBe(200);
  });

  it('requires the code of two-step sign-in, and names the invalid parameter', async () => {
    const api = await household.signIn();
    const { key } = await switchOn();
    for (const [changes, code, parameter] of [
      [{}, 'missing_parameter', 'otp'],
      [{ otp: '000000' }, 'invalid_parameter', 'otp'],
      [{ current_password: 'wrong password' }, 'invalid_parameter', 'current_password'],
    ] as const) {
      const reply = await api.post('account/password', { ...form, ...changes });
      expect([reply.body.code, reply.body.details.parameter]).toEqual([code, parameter]);
    }
    household.clock.advance(MINUTE);
    const otp = totp(key, household.clock.now());
    const short = await api.post('account/password', { ...form, new_password: 'short', otp });
    expect([short.body.code, short.body.details.parameter]).toEqual(['invalid_parameter', 'new_password']);
    household.clock.advance(MINUTE);
    expect((await api.post('account/password', { ...form, otp: totp(key, household.clock.now()) })).status).toBe(200);
  });
});

describe('an account with an expiry', () => {
  it('ends with tokens, sessions and sign-in, and is told only after the right password', async () => {
    await addMember(household);
    const member = { ...MEMBER, scope: 'profile' };
    const app = appOf(household);
    const { access: token, refresh } = await app.signIn(member);
    expect((await signIn(member)).status).toBe(303);
    await household.control('accounts.update', {
      username: MEMBER.username,
      expirationDate: isoSeconds(household.clock.now() + 5 * MINUTE),
    });
    expect([await app.use(token), await isSignedIn()]).toEqual([200, true]);
    household.clock.advance(6 * MINUTE);
    expect([await app.use(token), await isSignedIn()]).toEqual([403, false]);
    expectFailure(await app.refresh(refresh), 400, 'invalid_grant');
    expect((await signIn({ ...member, password: 'wrong password' })).text).toContain(t('signIn.problem.refused'));
    expect((await signIn(member)).text).toContain(t('signIn.problem.expired', { owner: 'ann' }));
    const refused = await app.password(member);
    expect([refused.body.code, refused.body.error]).toEqual(['account_expired', 'invalid_grant']);
    await household.control('accounts.update', {
      username: MEMBER.username,
      expirationDate: isoSeconds(household.clock.now() + DAY),
    });
    expect((await signIn(member)).status).toBe(303);
  });

  it('is never that of the owner', async () => {
    for (const changes of [{ expirationDate: isoSeconds(household.clock.now() + DAY) }, { activated: false }]) {
      await expect(household.control('accounts.update', { username: OWNER.username, ...changes })).rejects.toThrow(
        /owner/,
      );
    }
  });
});

describe('deactivation by the owner', () => {
  it('ends tokens and sessions at once, and is told only after the right password', async () => {
    await addMember(household);
    const member = { ...MEMBER, scope: 'profile' };
    const app = appOf(household);
    const { access, refresh } = await app.signIn(member);
    await signIn(member);
    await household.control('accounts.update', { username: MEMBER.username, activated: false });
    expect([await app.use(access), await isSignedIn()]).toEqual([401, false]);
    expectFailure(await app.refresh(refresh), 400, 'invalid_grant');
    expect((await app.password({ ...member, password: 'wrong' })).body.message).toBe(t('api.oauth.wrongPassword'));
    expect((await app.password(member)).body.code).toBe('account_deactivated');
    await household.control('accounts.update', { username: MEMBER.username, activated: true });
    expect((await app.password(member)).status).toBe(200);
  });

  it('also applies after a deactivation by wrong passwords, and is final', async () => {
    await addMember(household);
    const member = { ...MEMBER, scope: 'profile' };
    const app = appOf(household);
    const { access, refresh } = await app.signIn(member);
    await signIn(member);
    for (let tries = 0; tries < 5; tries += 1) {
      await app.password({ ...member, password: 'wrong password' });
      household.clock.advance(2 * MINUTE);
    }
    expect([await app.use(access), await isSignedIn()]).toEqual([200, true]);
    await household.control('accounts.update', { username: MEMBER.username, activated: false });
    await household.control('accounts.update', { username: MEMBER.username, activated: true });
    expect([await app.use(access), await isSignedIn()]).toEqual([401, false]);
    expectFailure(await app.refresh(refresh), 400, 'invalid_grant');
  });
});

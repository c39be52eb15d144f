import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../dist/server/lib/clock.js';
import { isoSeconds } from '../../dist/server/lib/datetime.js';
import { type Household, OWNER, openHousehold } from '../support/household.ts';
import { addMember, MEMBER } from '../support/member.ts';
import { totp } from '../support/totp.ts';
import { type PageReply, WebVisitor } from '../support/web-visitor.ts';
import { appOf, expectFailure } from './support.ts';

let household: Household;
let visitor: WebVisitor;

beforeEach(async () => {
  household = await openHousehold();
  visitor = new WebVisitor(household);
});
afterEach(() => household.close());

const HALF_A_MINUTE = 30_000;

async function signIn(changes: Record<string, string> = {}, there = visitor): Promise<PageReply> {
  const page = await there.get('/account/');
  const fields = { form_token: page.field('form_token'), next: page.field('next') };
  return there.post('/account/sign-in', { ...fields, ...OWNER, ...changes });
}

/** A form of the account page, sent with the fields that are hidden in it. */
async function send(page: string, to: string, fields: Record<string, string>): Promise<PageReply> {
  const form = await visitor.get(page);
  return visitor.post(to, { form_token: form.field('form_token'), key: form.field('key'), ...fields });
}

const isSignedIn = async (there = visitor) => (await there.get('/account/')).text.includes('Edit profile');

/** Two-step sign-in for the owner. @returns the key and the recovery codes */
async function switchOn(): Promise<{ key: string; codes: string[] }> {
  await signIn();
  const form = await visitor.get('/account/two-step');
  const key = form.field('key');
  const fields = { form_token: form.field('form_token'), key, otp: totp(key, household.clock.now()) };
  const reply = await visitor.post('/account/two-step/enable', { ...fields, password: OWNER.password });
  const codes = [...reply.text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code ?? '');
  expect(codes).toHaveLength(10);
  household.clock.advance(HALF_A_MINUTE);
  visitor = new WebVisitor(household);
  return { key, codes };
}

describe('two-step sign-in', () => {
  it('is asked for after the right password only, and its code works once', async () => {
    const { key } = await switchOn();
    expect((await signIn({ password: 'wrong password' })).text).toContain('user name or password is not right');
    const asked = await signIn();
    expect([asked.status, asked.text.includes('Type your code')]).toEqual([200, true]);
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
    expect([again.status, again.text.includes('was used already')]).toEqual([422, true]);
    household.clock.advance(HALF_A_MINUTE);
    expect((await signIn({ otp: totp(key, household.clock.now()) }, other)).status).toBe(303);
  });

  it('takes the code of the step before and after, and none further away', async () => {
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

  it('a recovery code works once, in any way of writing it', async () => {
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

  it('a wrong code counts like a wrong password, over all doors together', async () => {
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
    const shut = await signIn({ otp: totp(key, household.clock.now()) });
    expect(shut.text).toContain('This account is switched off.');
    await household.control('accounts.activate', { username: OWNER.username });
    expect((await signIn({ otp: totp(key, household.clock.now()) })).status).toBe(303);
  });

  it('a right password without a code resets no count', async () => {
    await switchOn();
    for (let tries = 0; tries < 5; tries += 1) {
      await signIn({ otp: '000000' });
      household.clock.advance(15 * MINUTE);
      await signIn();
    }
    expect((await signIn()).text).toContain('This account is switched off.');
  });

  it('the step is for the browser that began it, for ten minutes, and for the password that was shown', async () => {
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
    expect((await visitor.post('/account/sign-in/code', late)).text).toContain('Keep me signed in');

    const begun = await signIn();
    await household.control('accounts.update', { username: OWNER.username, password: 'another password now' });
    const stale = { form_token: begun.field('form_token'), pending: begun.field('pending'), next: begun.field('next') };
    await visitor.post('/account/sign-in/code', { ...stale, otp: totp(key, household.clock.now()) });
    expect(await isSignedIn()).toBe(false);
  });

  it('the password flow takes it as otp, and says what is missing to the right password only', async () => {
    const { key } = await switchOn();
    const app = appOf(household);
    const missing = await app.password();
    expectFailure(missing, 400, 'invalid_grant');
    expect([missing.body.code, missing.body.message]).toEqual(['missing_parameter', expect.stringContaining('otp')]);
    const wrong = await app.password({ password: 'wrong password' });
    expect(wrong.body.message).toBe('The user name or the password is wrong');
    expect((await app.password({ otp: totp(key, household.clock.now()) })).status).toBe(200);
  });

  it('of one code sent ten times at once, one gets in', async () => {
    const { key } = await switchOn();
    await household.control('settings.update', { wrongPasswordLimit: 100 });
    const otp = totp(key, household.clock.now());
    const replies = await Promise.all(Array.from({ length: 10 }, () => appOf(household).password({ otp })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('asked for by the owner, is set up on the way in, and not before does the password flow work', async () => {
    await household.control('accounts.update', { username: OWNER.username, twoStepEnabled: true });
    const refused = await appOf(household).password();
    expectFailure(refused, 400, 'invalid_grant');
    expect(refused.body.message).toContain('Two-step sign-in has to be set up first');
    const asked = await signIn();
    expect(asked.text).toContain('Set up two-step sign-in');
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
    expect(codes.text).toContain('Your recovery codes');
    expect(await isSignedIn()).toBe(false);
    const last = { form_token: codes.field('form_token'), pending: codes.field('pending'), next: codes.field('next') };
    expect((await visitor.post('/account/sign-in/code', last)).status).toBe(303);
    expect(await isSignedIn()).toBe(true);
    const page = await visitor.get('/account/two-step');
    expect(page.text).toContain('cannot be switched off here');
    household.clock.advance(HALF_A_MINUTE);
    await send('/account/two-step', '/account/two-step/change', {
      change: 'off',
      password: OWNER.password,
      otp: totp(key, household.clock.now()),
    });
    expect((await visitor.get('/account/')).text).toContain('recovery codes left');
  });

  it('the owner switches it off for somebody without a phone', async () => {
    await switchOn();
    await household.control('accounts.update', { username: OWNER.username, twoStepEnabled: false });
    expect((await signIn()).status).toBe(303);
  });

  it('a key that somebody else chose is none, and nothing of it stands in a log', async () => {
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

describe('a password that has to be changed', () => {
  beforeEach(() => household.control('accounts.update', { username: OWNER.username, requirePasswordChange: true }));

  it('is changed on the way in, with the same rules', async () => {
    const asked = await signIn();
    expect(asked.text).toContain('Choose a new password');
    expect(await isSignedIn()).toBe(false);
    let pending = asked.field('pending');
    const fields = { form_token: asked.field('form_token'), next: asked.field('next') };
    for (const [password, repeat, problem] of [
      ['a rather good one', 'a rather good two', 'The two passwords differ.'],
      ['short', 'short', 'A password has at least 10 characters.'],
      [OWNER.password, OWNER.password, 'This is the password you have already.'],
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

  it('stops the password flow, and tokens for everything but changing it', async () => {
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

  it('ends the sessions that there are: they sign in again, and change it there', async () => {
    await household.control('accounts.update', { username: OWNER.username, requirePasswordChange: false });
    await signIn();
    expect(await isSignedIn()).toBe(true);
    await household.control('accounts.update', { username: OWNER.username, requirePasswordChange: true });
    expect(await isSignedIn()).toBe(false);
  });
});

describe('account/password', () => {
  const form = { current_password: OWNER.password, new_password: 'a rather good one' };

  it('changes it, ends everything else, and keeps the token it was asked with', async () => {
    const [api, other] = [await household.signIn(), await household.signIn()];
    await signIn();
    expect((await api.post('account/password', form)).body).toMatchObject({ success: true, data: {} });
    expect((await api.get('account/info')).status).toBe(200);
    expect((await other.get('account/info')).status).toBe(401);
    expect(await isSignedIn()).toBe(false);
    expectFailure(await appOf(household).password(), 400, 'invalid_grant');
    expect((await appOf(household).password({ password: form.new_password })).status).toBe(200);
  });

  it('counts wrong passwords with the others, and stops when the account does', async () => {
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
    household.clock.advance(15 * MINUTE);
    const shut = await api.post('account/password', form);
    expect([shut.status, shut.body.code]).toEqual([403, 'account_deactivated']);
    // Guessing switches nobody off: the token lives on.
    expect((await api.get('account/info')).body.activated).toBe('0');
  });

  it('wants the code of two-step sign-in, and says which parameter is at fault', async () => {
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

describe('an account that expires', () => {
  it('stops at its moment: tokens, sessions and sign-in, and says so after the right password only', async () => {
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
    expect((await signIn({ ...member, password: 'wrong password' })).text).toContain('is not right');
    expect((await signIn(member)).text).toContain('ann can extend it.');
    const refused = await app.password(member);
    expect([refused.body.code, refused.body.error]).toEqual(['account_expired', 'invalid_grant']);
    await household.control('accounts.update', {
      username: MEMBER.username,
      expirationDate: isoSeconds(household.clock.now() + DAY),
    });
    expect((await signIn(member)).status).toBe(303);
  });

  it('is never the owner’s', async () => {
    for (const changes of [{ expirationDate: isoSeconds(household.clock.now() + DAY) }, { activated: false }]) {
      await expect(household.control('accounts.update', { username: OWNER.username, ...changes })).rejects.toThrow(
        /owner/,
      );
    }
  });
});

describe('deactivation by the owner', () => {
  it('ends tokens and sessions at once, and is said after the right password only', async () => {
    await addMember(household);
    const member = { ...MEMBER, scope: 'profile' };
    const app = appOf(household);
    const { access, refresh } = await app.signIn(member);
    await signIn(member);
    await household.control('accounts.update', { username: MEMBER.username, activated: false });
    expect([await app.use(access), await isSignedIn()]).toEqual([401, false]);
    expectFailure(await app.refresh(refresh), 400, 'invalid_grant');
    expect((await app.password({ ...member, password: 'wrong' })).body.message).toBe(
      'The user name or the password is wrong',
    );
    expect((await app.password(member)).body.code).toBe('account_deactivated');
    await household.control('accounts.update', { username: MEMBER.username, activated: true });
    expect((await app.password(member)).status).toBe(200);
  });

  it('ends them also where wrong passwords had shut the door before, and they stay ended', async () => {
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

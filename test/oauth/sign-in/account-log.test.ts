import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { activityOf } from '../../support/requests/activity.ts';
import { totp } from '../../support/requests/totp.ts';

let household: Household;
let visitor: WebVisitor;

beforeAll(async () => {
  household = await openHousehold({ config: { basePath: '/files' } });
  visitor = new WebVisitor(household, '/files');
});
afterAll(() => household?.close());

const HALF_A_MINUTE = 30_000;

async function send(page: string, to: string, fields: Record<string, string>) {
  const form = await visitor.get(page);
  const carried = { form_token: form.field('form_token'), next: form.field('next'), key: form.field('key') };
  return visitor.post(to, { ...carried, ...fields });
}

describe('every change of sign-in settings', () => {
  it('is logged with account, page or API, address, and no secret; also below a prefix', async () => {
    const since = new Date(household.clock.now()).toISOString();
    const { password } = OWNER;
    const signedIn = await send('/account/', '/account/sign-in', OWNER);
    expect(signedIn.location).toBe('/files/account/');
    const page = await visitor.get('/account/');
    expect([page.status, page.text.includes('href="/files/account/profile"')]).toEqual([200, true]);

    await send('/account/profile', '/account/profile', { name: 'Ann', email: 'ann@orchard.example', password });
    const { text, field } = await visitor.get('/account/two-step');
    const key = /name="key" value="([A-Z2-7]{32})"/.exec(text)?.[1] ?? '';
    const code = totp(key, household.clock.now());
    const enable = { form_token: field('form_token'), key, otp: code, password };
    const recovery =
      /<code>([^<]+)<\/code>/.exec((await visitor.post('/account/two-step/enable', enable)).text)?.[1] ?? '';
    household.clock.advance(HALF_A_MINUTE);
    const otp = totp(key, household.clock.now());
    await send('/account/two-step', '/account/two-step/change', { change: 'codes', password, otp });
    household.clock.advance(HALF_A_MINUTE);
    const off = { change: 'off', password, otp: totp(key, household.clock.now()) };
    await send('/account/two-step', '/account/two-step/change', off);
    const fresh = 'a rather good one';
    await send('/account/password', '/account/password', { password, new_password: fresh, repeat: fresh });
    await send('/account/', '/account/devices/sign-out', { session: 'others' });
    await send('/account/', '/account/sign-out', {});
    await household.control('accounts.update', { username: OWNER.username, requirePasswordChange: true, password });

    const { entries } = await activityOf(household, { since, group: 'security' });
    expect(entries.reverse().map(({ kind, channel }) => `${kind} by ${channel}`)).toEqual([
      'login.succeeded by page',
      'profile.changed by page',
      'two-step.enabled by page',
      'recovery-codes.renewed by page',
      'two-step.disabled by page',
      'password.changed by page',
      'session.ended by page',
      'session.ended by page',
      'account.changed by control',
    ]);
    expect(entries.every(({ username }) => username === OWNER.username)).toBe(true);
    expect(entries[0]?.address).toBe('127.0.0.1');
    expect(entries[1]?.details).toEqual({ fields: ['name', 'email'] });
    expect(entries.at(-1)?.details).toEqual({ fields: ['requirePasswordChange', 'password'] });
    for (const secret of [password, fresh, key, code, otp, recovery]) {
      expect(JSON.stringify(entries)).not.toContain(secret);
      expect(household.logged()).not.toContain(secret);
    }
  });
});

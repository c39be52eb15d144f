import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../../dist/server/lib/clock.js';
import { t } from '../../../dist/server/messages/messages.js';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { addMember, MEMBER } from '../../support/households/member.ts';

let household: Household;
/** A browser that has signed in before, as Mia and as the owner, and has signed out. */
let known: WebVisitor;

beforeEach(async () => {
  household = await openHousehold();
  await addMember(household);
  known = new WebVisitor(household);
  for (const person of [MEMBER, OWNER]) {
    expect(await signIn(known, person)).toBe(303);
    await signOut(known);
  }
});
afterEach(() => household.close());

async function signIn(visitor: WebVisitor, { username, password }: typeof OWNER): Promise<number> {
  const page = await visitor.get('/account/');
  const fields = { form_token: page.field('form_token'), next: page.field('next') };
  return (await visitor.post('/account/sign-in', { ...fields, username, password })).status;
}

async function signOut(visitor: WebVisitor): Promise<void> {
  const page = await visitor.get('/account/');
  await visitor.post('/account/sign-out', { form_token: page.field('form_token') });
}

/** Wrong passwords of strangers, until the account is blocked. */
async function guess(username: string): Promise<void> {
  for (let i = 0; i < 5; i += 1) {
    await signIn(new WebVisitor(household), { username, password: 'wrong' });
    household.clock.advance(MINUTE);
  }
}

describe('a browser that has signed in before', () => {
  it.each([MEMBER, OWNER])('can sign in to $username’s account while guesses block others', async (person) => {
    await guess(person.username);
    expect(await signIn(new WebVisitor(household), person), 'a stranger').not.toBe(303);
    expect(await signIn(known, person)).toBe(303);
    expect(await signIn(new WebVisitor(household), person), 'which lets no stranger in').not.toBe(303);
  });

  it('is known only for the accounts that it has signed in to', async () => {
    await household.control('accounts.add', { ...MEMBER, username: 'ben', name: 'Ben' });
    await guess('ben');
    expect(await signIn(known, { ...MEMBER, username: 'ben' })).not.toBe(303);
  });

  it('is unknown after too many wrong passwords of its own', async () => {
    for (let i = 0; i < 5; i += 1) expect(await signIn(known, { ...MEMBER, password: 'wrong' })).toBe(422);
    expect(await signIn(known, MEMBER)).not.toBe(303);
    household.clock.advance(16 * MINUTE);
    expect(await signIn(known, MEMBER)).toBe(303);
  });

  it('is unknown after the password was changed elsewhere, and after a year', async () => {
    await household.control('accounts.update', { username: MEMBER.username, password: 'a rather good one' });
    await guess(MEMBER.username);
    expect(await signIn(known, { ...MEMBER, password: 'a rather good one' })).not.toBe(303);
    household.clock.advance(366 * DAY);
    await guess(OWNER.username);
    expect(await signIn(known, OWNER)).not.toBe(303);
  });

  it('stays known if it changes the password itself', async () => {
    await signIn(known, OWNER);
    const page = await known.get('/account/password');
    const changed = { password: OWNER.password, new_password: 'a rather good one', repeat: 'a rather good one' };
    const reply = await known.post('/account/password', { form_token: page.field('form_token'), ...changed });
    expect(reply.location).toContain('done=password');
    await signOut(known);
    await guess(OWNER.username);
    expect(await signIn(known, { ...OWNER, password: 'a rather good one' })).toBe(303);
  });

  it('has a cookie for this host and HTTPS only, which is no credential', async () => {
    const visitor = new WebVisitor(household);
    const page = await visitor.get('/account/');
    const fields = { form_token: page.field('form_token'), next: page.field('next') };
    const reply = await visitor.post('/account/sign-in', { ...fields, ...OWNER });
    const cookie = [reply.headers['set-cookie']].flat().find((one) => String(one).startsWith('__Host-larder-device='));
    expect(cookie).toMatch(/; Path=\//);
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax']) expect(cookie).toContain(attribute);
    await signOut(visitor);
    expect((await visitor.get('/account/')).text).not.toContain(t('account.editProfile'));
  });
});

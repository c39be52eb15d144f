import { Agent, request } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../dist/server/lib/clock.js';
import { t } from '../../../dist/server/messages/messages.js';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { MEMBER } from '../../support/households/member.ts';
import { appOf, expectFailure, pairOf } from '../support.ts';
import { blockedUntil } from './block-of.ts';

let household: Household;
let app: ReturnType<typeof appOf>;
let agents: Agent[] = [];

/** A person of the household who is not its owner: the owner's account is never deactivated. Each test has its own. */
let username = '';
let count = 0;

beforeAll(async () => {
  household = await openHousehold();
  app = appOf(household);
});
afterAll(() => household.close());
beforeEach(async () => {
  // Addresses no longer wait for what an earlier test did.
  household.clock.advance(2 * DAY);
  username = `mia${++count}`;
  await household.control('accounts.add', { ...MEMBER, username, name: 'Mia' });
  await household.control('accounts.activate', { username: OWNER.username });
  await household.control('settings.update', { wrongPasswordLimit: 5 });
});
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
  agents = [];
});

const right = (name = username) => app.password({ username: name, password: MEMBER.password, scope: 'profile list' });
const wrong = (password = 'wrong password', name = username) => app.password({ username: name, password });

/** Wrong tries with so much time between them that no address waits. */
async function wrongTries(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    household.clock.advance(2 * HOUR);
    expectFailure(await wrong(), 400, 'invalid_grant');
  }
}

/** A try from another address: every one in 127.0.0.0/8 is this machine. */
async function tryFrom(address: string, password: string, name = username) {
  const agent = new Agent({ localAddress: address, connect: { ca: household.ca } });
  agents.push(agent);
  const reply = await request(`https://127.0.0.1:${household.port}/oauth2/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(app.passwordForm({ username: name, password, scope: 'profile' })).toString(),
    dispatcher: agent,
  });
  const body = (await reply.body.json()) as Record<string, unknown>;
  return { status: reply.statusCode, retryAfter: reply.headers['retry-after'], body };
}

const REFUSED = t('api.oauth.wrongPassword');

/** As the API says it to an administrator (§2.8). */
async function activated(): Promise<boolean> {
  const owner = await household.signIn('admin');
  const reply = await owner.post('admin-users/info', { uname: username });
  return reply.body.data.activated;
}

describe('§3, §5.3: wrong passwords deactivate the account', () => {
  it('happens at the fifth', async () => {
    await wrongTries(4);
    expect(await activated()).toBe(true);
    await wrongTries(1);
    expect(await activated()).toBe(false);
  });

  it('counts consecutive ones: a right one resets the count', async () => {
    for (let i = 0; i < 3; i += 1) {
      await wrongTries(4);
      household.clock.advance(HOUR);
      pairOf(await right());
    }
    expect(await activated()).toBe(true);
  });

  it('is not made permanent by an app that sends the account back unchanged', async () => {
    await wrongTries(5);
    const { body } = await (await household.signIn('admin')).post('admin-users/info', { uname: username });
    const edit = async (data: Record<string, string>) =>
      (await household.signIn('admin')).post('admin-users/edit', {
        UID: String(body.data.id),
        ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`data[${name}]`, value])),
      });
    const echoed = await edit({ name: 'Mia', activated: '0' });
    expect(echoed.text).toContain('"success":true');
    expect(await activated()).toBe(false);
    household.clock.advance(HOUR);
    expect(await activated()).toBe(true);
    // By itself it is one.
    await wrongTries(5);
    expect((await edit({ activated: '0' })).status).toBe(200);
    household.clock.advance(HOUR);
    expect(await activated()).toBe(false);
    await edit({ activated: '1' });
  });

  it('is made permanent by the owner, also together with other changes', async () => {
    await wrongTries(5);
    await household.control('accounts.update', { username, name: 'Mia', activated: false });
    household.clock.advance(HOUR);
    expect(await activated()).toBe(false);
  });

  it('uses the configured limit', async () => {
    await household.control('settings.update', { wrongPasswordLimit: 3 });
    await wrongTries(2);
    expect(await activated()).toBe(true);
    await wrongTries(1);
    expect(await activated()).toBe(false);
  });

  it('keeps the count and the deactivation across a restart', async () => {
    await wrongTries(4);
    await household.restart();
    await wrongTries(1);
    await household.restart();
    expect(await activated()).toBe(false);
    expectFailure(await right(), 400, 'invalid_grant');
  });

  it('refuses a right password with the reply for a wrong one while deactivated', async () => {
    await wrongTries(5);
    const replies = [await tryFrom('127.0.3.1', MEMBER.password), await tryFrom('127.0.3.2', 'wrong')];
    for (const { status, retryAfter, body } of replies) {
      expect([status, retryAfter, body.message]).toEqual([400, undefined, REFUSED]);
    }
    expect(replies[0]?.body).toEqual(replies[1]?.body);
  });

  it('delays an address with the right password like one with wrong ones', async () => {
    await wrongTries(5);
    const statuses = async (address: string, password: string) => {
      const replies: number[] = [];
      for (let i = 0; i < 5; i += 1) replies.push((await tryFrom(address, password)).status);
      return replies;
    };
    expect(await statuses('127.0.4.1', MEMBER.password)).toEqual(await statuses('127.0.4.2', 'wrong'));
  });

  it('ends by itself after 15 minutes, and each further time lasts twice as long, up to 24 hours', async () => {
    // Strangers go on as soon as it has ended, each from an address of its own.
    const lasts: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      for (let i = 0; i < 5; i += 1) await tryFrom(`127.0.${10 + round}.${i + 1}`, 'wrong');
      const until = await blockedUntil(household, username);
      lasts.push(Math.round((until - household.clock.now()) / MINUTE));
      expect(await activated()).toBe(false);
      household.clock.advance(until - household.clock.now() - SECOND);
      expect(await activated()).toBe(false);
      household.clock.advance(2 * SECOND);
      expect(await activated()).toBe(true);
    }
    expect(lasts).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440]);
    expect((await tryFrom('127.0.5.1', MEMBER.password)).status).toBe(200);
  });

  it('starts at 15 minutes again after a day without wrong passwords', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 5; i += 1) await tryFrom(`127.0.${10 + round}.${i + 1}`, 'wrong');
      const until = await blockedUntil(household, username);
      expect(Math.round((until - household.clock.now()) / MINUTE)).toBe(15);
      household.clock.advance(2 * DAY);
    }
  });

  it('does not end by itself if an administrator deactivated the account', async () => {
    await household.control('accounts.update', { username, activated: false });
    household.clock.advance(30 * DAY);
    expect(await activated()).toBe(false);
    const reply = await right();
    expectFailure(reply, 400, 'invalid_grant');
    expect(reply.body.code).toBe('account_deactivated');
    expect((await wrong()).body.message, 'which is said after the right password only').toBe(REFUSED);
  });

  it('keeps issued tokens valid, and refreshing', async () => {
    const pair = pairOf(await right());
    for (let i = 1; i <= 5; i += 1) await tryFrom(`127.0.0.${10 + i}`, 'wrong');
    expectFailure(await right(), 400, 'invalid_grant');
    expect(await app.use(pair.access)).toBe(200);
    const next = pairOf(await app.refresh(pair.refresh));
    const info = async () =>
      (
        await household.api.send('GET', '/api.php/account/info', {
          headers: { authorization: `Bearer ${next.access}` },
        })
      ).body.activated;
    expect(await info()).toBe('0');
    household.clock.advance(16 * MINUTE);
    expect(await info(), 'also where it is known from memory').toBe('1');
  });

  it('allows the owner to activate the account, with all attempts', async () => {
    await wrongTries(5);
    expect(await activated()).toBe(false);
    const upper = username.toUpperCase();
    expect(await household.control('accounts.activate', { username: upper })).toEqual({
      username: upper,
      activated: true,
    });
    expect(await activated()).toBe(true);
    await wrongTries(4);
    expect(await activated()).toBe(true);
  });

  it('does not happen with 20 concurrent right passwords', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => right()));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });
});

describe('the owner’s account', () => {
  const guessAll = async (from: string) => {
    const replies = [];
    for (let i = 0; i < 6; i += 1) replies.push(await tryFrom(`${from}.${i + 1}`, 'wrong', OWNER.username));
    return replies;
  };

  it('is never deactivated by guessing: unknown apps get 429 with Retry-After', async () => {
    const replies = await guessAll('127.0.6');
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429]);
    const stranger = await tryFrom('127.0.7.1', OWNER.password, OWNER.username);
    expect([stranger.status, stranger.body.code]).toEqual([429, 'too_many_requests']);
    expect(Number(stranger.retryAfter)).toBeGreaterThan(14 * 60);
    const { activated: isActivated } = await household.control('accounts.get', { id: 1 });
    expect(isActivated).toBe(true);
    household.clock.advance(16 * MINUTE);
    expect((await tryFrom('127.0.7.1', OWNER.password, OWNER.username)).status).toBe(200);
  });

  it('stays accessible to apps with refresh tokens, and to the control panel on this computer', async () => {
    const pair = await app.signIn();
    await guessAll('127.0.6');
    expect((await app.password()).status, 'a client id alone is not enough').toBe(429);
    pairOf(await app.refresh(pair.refresh));
    await household.control('accounts.activate', { username: OWNER.username });
    pairOf(await app.password());
  });
});

describe('an address', () => {
  it('has one limit for all user names', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 60; i += 1) statuses.push((await tryFrom('127.0.8.1', 'wrong', `nobody ${i}`)).status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(21);
    expect(statuses.filter((status) => status === 429)).toHaveLength(39);
    expect((await tryFrom('127.0.8.2', MEMBER.password)).status, 'others go on').toBe(200);
  });

  it('has it for concurrent attempts, too, and gets the time to wait', async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) => tryFrom('127.0.8.3', 'wrong', `somebody ${index}`)),
    );
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(39);
    for (const { retryAfter, body } of refused) {
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(body.code).toBe('too_many_requests');
    }
    expect(replies.every(({ status }) => status === 400 || status === 429)).toBe(true);
  });

  it('is not reset by a right password', async () => {
    await household.control('accounts.add', { ...MEMBER, username: 'mallory', name: 'Mallory' });
    const statuses: number[] = [];
    for (let i = 0; i < 30; i += 1) {
      statuses.push((await tryFrom('127.0.8.1', 'wrong', `nobody ${i}`)).status);
      await tryFrom('127.0.8.1', MEMBER.password, 'mallory');
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(21);
  });
});

describe('concurrent attempts', () => {
  it('are checked three of 20 from one address, and delayed otherwise', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => wrong(`wrong ${i}`)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(17);
    expect(await activated()).toBe(true);
  });

  it('are counted one by one from 20 addresses, so that a right one among the last is too late', async () => {
    const addresses = Array.from({ length: 20 }, (_, i) => `127.0.1.${i + 1}`);
    const replies = await Promise.all(addresses.map((address) => tryFrom(address, `wrong from ${address}`)));
    for (const { status, body } of replies) expect([status, body.message]).toEqual([400, REFUSED]);
    expectFailure(await right(), 400, 'invalid_grant');
    expect(await activated()).toBe(false);
  });
});

describe('the delay of an address from the third wrong password', () => {
  it('answers 429 with Retry-After for any password, and counts nothing', async () => {
    for (let i = 0; i < 3; i += 1) expectFailure(await wrong(), 400, 'invalid_grant');
    for (let i = 0; i < 10; i += 1) {
      const reply = await (i % 2 === 0 ? right() : wrong());
      expectFailure(reply, 429, 'temporarily_unavailable');
      expect(reply.body.code).toBe('too_many_requests');
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(5);
    }
    household.clock.advance(6 * SECOND);
    pairOf(await right());
  });

  it('grows every time, up to 15 minutes, and lasts as long as stated', async () => {
    await household.control('settings.update', { wrongPasswordLimit: 100 });
    const waits: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      expectFailure(await wrong(), 400, 'invalid_grant');
      const reply = await wrong();
      if (reply.status === 400) continue;
      const seconds = Number(reply.headers['retry-after']);
      waits.push(seconds);
      household.clock.advance((seconds - 1) * SECOND - 500);
      expect((await wrong()).status).toBe(429);
      household.clock.advance(1.5 * SECOND);
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits.slice(0, 3)).toEqual([5, 10, 20]);
    expect(waits.at(-1)).toBe(15 * 60);
  });

  it('applies only to that address and name', async () => {
    for (let i = 0; i < 3; i += 1) await wrong();
    expect((await right()).status).toBe(429);
    expect((await tryFrom('127.0.0.99', MEMBER.password)).status).toBe(200);
    expect((await wrong('x', 'somebody else')).status).toBe(400);
    expect((await right(username.toUpperCase())).status, 'the same name in another case').toBe(429);
  });

  it('ends with a right password, which resets it', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 3; i += 1) expectFailure(await wrong(), 400, 'invalid_grant');
      expect((await wrong()).status).toBe(429);
      household.clock.advance(MINUTE);
      pairOf(await right());
    }
  });
});

describe('a name that does not exist', () => {
  it('gets the same replies as an existing one, also above the limit and during a delay', async () => {
    const patterns: unknown[][] = [];
    for (const name of [username, 'nobody']) {
      const pattern: unknown[] = [];
      for (let i = 0; i < 14; i += 1) {
        const { status, body, headers } = await wrong(`wrong ${i}`, name);
        pattern.push([status, body, headers['retry-after']]);
        if (i % 3 === 2) household.clock.advance(40 * SECOND);
      }
      patterns.push(pattern);
    }
    expect(patterns[1]).toEqual(patterns[0]);
    expect(patterns[0]?.filter((entry) => (entry as number[])[0] === 429).length).toBeGreaterThan(2);
  });
});

it('logs no password, token or secret, and no user name that was tried', async () => {
  const pair = await app.signIn();
  const next = pairOf(await app.refresh(pair.refresh));
  await app.use(next.access);
  await app.use(next.access.slice(0, -1));
  await wrong('a very wrong password');
  await wrong('x', 'my password by mistake');
  await app.password({ username: 'ann\0broken' });
  await household.api.send('POST', `/oauth2/token/?${new URLSearchParams(app.passwordForm())}`);
  await household.api.send('GET', `/api.php/account/info?access_token=${next.access}`);
  await household.api.send('POST', '/oauth2/token/', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(app.passwordForm()),
  });
  const logged = household.logged();
  expect(logged).toContain('/oauth2/token/');
  const secrets = [pair.access, pair.refresh, next.access, next.refresh, app.credentials.client_secret];
  for (const secret of [...secrets, OWNER.password, 'very wrong', 'by mistake', encodeURIComponent(OWNER.password)]) {
    expect(logged).not.toContain(secret);
  }
});

import { Agent, request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../dist/server/lib/clock.js';
import { type Household, OWNER, openHousehold } from '../support/household.ts';
import { appOf, expectFailure, pairOf } from './support.ts';

let household: Household;
let app: ReturnType<typeof appOf>;
let agents: Agent[] = [];

beforeEach(async () => {
  household = await openHousehold();
  app = appOf(household);
});
afterEach(async () => {
  await household.close();
  await Promise.all(agents.map((agent) => agent.close()));
  agents = [];
});

const wrong = (password = 'wrong password', username = OWNER.username) => app.password({ username, password });

/** Wrong tries with so much time between them that no address waits. */
async function wrongTries(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    expectFailure(await wrong(), 400, 'invalid_grant');
    household.clock.advance(2 * HOUR);
  }
}

/** A try from another address: every one in 127.0.0.0/8 is this machine. */
async function tryFrom(address: string, password: string, username = OWNER.username) {
  const agent = new Agent({ localAddress: address, connect: { ca: household.ca } });
  agents.push(agent);
  const reply = await request(`https://127.0.0.1:${household.port}/oauth2/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(app.passwordForm({ username, password })).toString(),
    dispatcher: agent,
  });
  const body = (await reply.body.json()) as Record<string, unknown>;
  return { status: reply.statusCode, retryAfter: reply.headers['retry-after'], body };
}

const REFUSED = 'The user name or the password is wrong';
const deactivated = async () => {
  household.clock.advance(DAY);
  const reply = await app.password();
  if (reply.status === 200) return false;
  expectFailure(reply, 400, 'invalid_grant');
  expect(reply.body.message).toContain('deactivated');
  return true;
};

describe('§3, §5.3: wrong passwords deactivate the account', () => {
  it('does so at the fifth', async () => {
    await wrongTries(4);
    expect(await deactivated()).toBe(false);
    await wrongTries(5);
    expect(await deactivated()).toBe(true);
  });

  it('counts in a row: a right one resets the count', async () => {
    for (let i = 0; i < 3; i += 1) {
      await wrongTries(4);
      pairOf(await app.password());
    }
  });

  it('takes the limit from the settings', async () => {
    await household.control('settings.update', { wrongPasswordLimit: 3 });
    await wrongTries(2);
    expect(await deactivated()).toBe(false);
    await wrongTries(3);
    expect(await deactivated()).toBe(true);
  });

  it('remembers the count over a restart', async () => {
    await wrongTries(4);
    await household.restart();
    await wrongTries(1);
    expect(await deactivated()).toBe(true);
  });

  it('says so after the right password only; wrong ones keep the one text', async () => {
    await wrongTries(5);
    const reply = await wrong();
    expectFailure(reply, 400, 'invalid_grant');
    expect(reply.body.message).toBe(REFUSED);
    expect(await deactivated()).toBe(true);
  });

  it('lets issued tokens live on, and refresh', async () => {
    const pair = await app.signIn();
    for (let i = 1; i <= 5; i += 1) await tryFrom(`127.0.0.${10 + i}`, 'wrong');
    expectFailure(await app.password(), 400, 'invalid_grant');
    expect(await app.use(pair.access)).toBe(200);
    const next = pairOf(await app.refresh(pair.refresh));
    const info = await household.api.send('GET', '/api.php/account/info', {
      headers: { authorization: `Bearer ${next.access}` },
    });
    expect(info.body.activated).toBe('0');
  });

  it('lets the owner activate it again, with all tries', async () => {
    await wrongTries(5);
    expect(await deactivated()).toBe(true);
    expect(await household.control('accounts.activate', { username: 'ANN' })).toEqual({
      username: 'ANN',
      activated: true,
    });
    expect(await deactivated()).toBe(false);
    await wrongTries(4);
    expect(await deactivated()).toBe(false);
  });

  it('does not deactivate when 20 right tries come at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => app.password()));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });
});

describe('tries sent at once', () => {
  it('looks at three of 20 from one address, and lets the rest wait', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => wrong(`wrong ${i}`)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(17);
    expect(await deactivated()).toBe(false);
  });

  it('counts 20 from as many addresses one by one, so that a right one among the last comes too late', async () => {
    const addresses = Array.from({ length: 20 }, (_, i) => `127.0.1.${i + 1}`);
    const replies = await Promise.all(addresses.map((address) => tryFrom(address, `wrong from ${address}`)));
    for (const { status, body } of replies) expect([status, body.message]).toEqual([400, REFUSED]);
    expectFailure(await app.password(), 400, 'invalid_grant');
    expect(await deactivated()).toBe(true);
  });
});

describe('from the third wrong try an address waits', () => {
  it('answers 429 with Retry-After, whatever the password, and counts nothing', async () => {
    for (let i = 0; i < 3; i += 1) expectFailure(await wrong(), 400, 'invalid_grant');
    for (let i = 0; i < 10; i += 1) {
      const reply = await (i % 2 === 0 ? app.password() : wrong());
      expectFailure(reply, 429, 'temporarily_unavailable');
      expect(reply.body.code).toBe('too_many_requests');
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(5);
    }
    household.clock.advance(6 * SECOND);
    pairOf(await app.password());
  });

  it('waits longer every time, up to 15 minutes, and exactly as long as it says', async () => {
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

  it('holds for that address and that name alone', async () => {
    for (let i = 0; i < 3; i += 1) await wrong();
    expect((await app.password()).status).toBe(429);
    expect((await tryFrom('127.0.0.99', OWNER.password)).status).toBe(200);
    expect((await wrong('x', 'somebody else')).status).toBe(400);
    expect((await app.password({ username: 'ANN' })).status, 'the same name in another case').toBe(429);
  });

  it('ends with a right password, which gives the free tries back', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 3; i += 1) expectFailure(await wrong(), 400, 'invalid_grant');
      expect((await wrong()).status).toBe(429);
      household.clock.advance(MINUTE);
      pairOf(await app.password());
    }
  });
});

describe('a name that does not exist', () => {
  it('gives the same replies as one that does, also over the limit and while it waits', async () => {
    const patterns: unknown[][] = [];
    for (const username of [OWNER.username, 'nobody']) {
      const pattern: unknown[] = [];
      for (let i = 0; i < 14; i += 1) {
        const { status, body, headers } = await wrong(`wrong ${i}`, username);
        pattern.push([status, body, headers['retry-after']]);
        if (i % 3 === 2) household.clock.advance(40 * SECOND);
      }
      patterns.push(pattern);
    }
    expect(patterns[1]).toEqual(patterns[0]);
    expect(patterns[0]?.filter((entry) => (entry as number[])[0] === 429).length).toBeGreaterThan(2);
  });

  it('takes as long to refuse', async () => {
    const names = { known: OWNER.username, unknown: 'nobody' };
    const times = { known: [] as number[], unknown: [] as number[] };
    await household.control('settings.update', { wrongPasswordLimit: 100 });
    // In turns, so that whatever else this machine does meets both; the first round warms up.
    for (let round = 0; round < 16; round += 1) {
      for (const which of ['known', 'unknown'] as const) {
        const started = performance.now();
        await tryFrom(`127.0.2.${round + 1}`, 'wrong password', names[which]);
        if (round > 0) times[which].push(performance.now() - started);
      }
    }
    const [known = 0, unknown = 0] = [times.known, times.unknown].map((all) => all.sort((x, y) => x - y)[7]);
    // Without the decoy the unknown name is refused in a fraction of the time.
    expect(unknown).toBeGreaterThan(known / 2);
    expect(known).toBeGreaterThan(unknown / 3);
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

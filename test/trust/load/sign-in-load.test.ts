import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';

let household: Household;
const agents: Agent[] = [];

beforeEach(async () => {
  household = await openHousehold();
});
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
  await household.close();
});

/** A password grant from another address: every one in 127.0.0.0/8 is this machine. */
function signInFrom(address: string) {
  const agent = new Agent({ localAddress: address, connect: { ca: household.ca }, connections: 50 });
  agents.push(agent);
  return async (username: string, password: string) => {
    const { statusCode, body, headers } = await request(`https://127.0.0.1:${household.port}/oauth2/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        ...{ grant_type: 'password', username, password, scope: 'profile' },
        ...{ client_id: household.clientId, client_secret: household.clientSecret },
      }).toString(),
      dispatcher: agent,
    });
    await body.dump();
    return { status: statusCode, retryAfter: headers['retry-after'] };
  };
}

describe('an extremely long name or password', () => {
  /** Of what takes Unicode longest: letters that become eighteen, and marks that have to be sorted. */
  const LONG = {
    'ligatures of eighteen letters': '\ufdfa'.repeat(15_000),
    'combining marks': `a${'\u0345'.repeat(8_000)}${'\u0334'.repeat(8_000)}`,
  };

  it.each(Object.entries(LONG))('is refused without expensive work: %s', async (_name, long) => {
    const signIn = signInFrom('127.0.0.1');
    const started = performance.now();
    const visitor = new WebVisitor(household);
    const page = await visitor.get('/account/');
    const fields = { form_token: page.field('form_token'), next: page.field('next') };
    for (let i = 0; i < 3; i += 1) {
      expect([400, 429]).toContain((await signIn(long, 'wrong')).status);
      expect([400, 429]).toContain((await signIn(`nobody ${i}`, long)).status);
      const form = { ...fields, username: `${i}${long}`.slice(0, 5_000), password: long.slice(0, 5_000) };
      expect([422, 429]).toContain((await visitor.post('/account/sign-in', form)).status);
    }
    // Each took seconds.
    expect(performance.now() - started).toBeLessThan(6_000);
  });

  it('is refused unread in a form that exceeds the size limit', async () => {
    const visitor = new WebVisitor(household);
    const page = await visitor.get('/account/');
    const fields = { form_token: page.field('form_token'), next: page.field('next') };
    const form = { ...fields, username: 'x'.repeat(900_000), password: 'x' };
    expect((await visitor.post('/account/sign-in', form)).status).toBe(400);
    expect((await signInFrom('127.0.0.1')('x'.repeat(900_000), 'x')).status).toBe(400);
    expect((await visitor.post('/wl/open', { id: 'a'.repeat(32), password: 'x'.repeat(900_000) })).status).toBe(400);
  });
});

describe('300 concurrent sign-ins from one address', () => {
  it('delay neither downloads nor sign-ins of others, and are refused beyond a limit', async () => {
    await writeFile(join(household.home, 'a.bin'), Buffer.alloc(4 * 1024 * 1024, 7));
    const owner = await household.signIn();
    const [flooding, honest] = [signInFrom('127.0.11.1'), signInFrom('127.0.11.2')];
    let answered = 0;
    const flood = Array.from({ length: 300 }, (_, index) =>
      flooding(`nobody ${index}`, 'wrong').finally(() => {
        answered += 1;
      }),
    );
    // They have come, and are being worked on.
    await expect.poll(() => answered).toBeGreaterThan(5);
    const file = await owner.get('files/download', { path: '/ROOT/HOME/a.bin' });
    expect(file.bytes.length).toBe(4 * 1024 * 1024);
    expect((await honest(OWNER.username, OWNER.password)).status).toBe(200);
    expect(answered, 'neither waited for all of them').toBeLessThan(300);
    const replies = await Promise.all(flood);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(200);
    for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(replies.filter(({ status }) => status !== 429).every(({ status }) => status === 400)).toBe(true);
  });
});

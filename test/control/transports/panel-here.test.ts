import { join } from 'node:path';
import { Agent, request as ask } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../../dist/server/database/connection.js';
import { DAY, HOUR } from '../../../dist/server/lib/clock.js';
import { layoutOf } from '../../../dist/server/storage/layout.js';
import { make, remove, restore, scratchFolder } from '../../backup/support.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { addMember, MEMBER } from '../../support/households/member.ts';
import { totp } from '../../support/requests/totp.ts';
import { switchOnTwoStep } from '../../support/requests/two-step.ts';

let household: Household;
let agent: Agent;

beforeEach(async () => {
  household = await openHousehold();
  agent = new Agent({ connect: { ca: household.ca } });
});
afterEach(async () => {
  await agent.destroy();
  await household.close();
});

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await ask(`https://127.0.0.1:${household.port}/panel${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    dispatcher: agent,
  });
  const text = await response.body.text();
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return { status: response.statusCode, body: isJson ? JSON.parse(text) : {} };
}

const signIn = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  post('/sign-in', { ...OWNER, ...changes }, headers);
const statusWith = async (token: string, headers: Record<string, string> = {}) =>
  (await post('/control/status', {}, { authorization: `Bearer ${token}`, ...headers })).status;

async function open(changes: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await signIn(changes);
  expect([status, body.stays]).toEqual([200, true]);
  return body.token;
}

describe('the panel over HTTPS on this computer', () => {
  it('opens with the owner’s password only, while other devices may not use it', async () => {
    await addMember(household);
    const token = await open();
    expect(await statusWith(token)).toBe(200);
    expect((await signIn({ password: 'something else' })).status).toBe(401);
    expect((await signIn({ username: MEMBER.username, password: MEMBER.password })).status).toBe(403);
    expect(await statusWith('x'.repeat(43))).toBe(401);
  });

  it.each(['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'])(
    'does not exist for a request with %s',
    async (name) => {
      const token = await open();
      expect((await signIn({}, { [name]: 'for=192.0.2.7' })).status).toBe(404);
      expect(await statusWith(token, { [name]: 'for=192.0.2.7' })).toBe(404);
      // A session of this computer opens nothing where other devices are allowed, either.
      const { key } = await switchOnTwoStep(household);
      await household.control('settings.update', { remotePanel: true });
      const here = await open({ otp: totp(key, household.clock.now()) });
      expect(await statusWith(here)).toBe(200);
      expect(await statusWith(here, { [name]: 'for=192.0.2.7' })).toBe(401);
    },
  );

  it('asks for the code if two-step sign-in is on', async () => {
    const { key } = await switchOnTwoStep(household);
    expect((await signIn()).body).toEqual({ needs: 'code' });
    expect((await signIn({ otp: '000000' })).body.field).toBe('otp');
    await open({ otp: totp(key, household.clock.now()) });
  });

  it('stays open across restarts, for a week unused and a month in use', async () => {
    const [used, unused] = [await open(), await open()];
    await household.restart();
    for (let day = 0; day < 29; day += 1) {
      household.clock.advance(DAY);
      expect([day, await statusWith(used)]).toEqual([day, 200]);
      if (day === 5) expect(await statusWith(unused, { 'larder-attended': 'no' })).toBe(200);
    }
    expect(await statusWith(unused)).toBe(401);
    household.clock.advance(DAY);
    expect(await statusWith(used)).toBe(401);
  });

  it('ends with a new password or second factor, a sign-out, and a restored backup', async () => {
    const byPassword = await open();
    await household.control('accounts.update', { username: OWNER.username, password: 'another long password' });
    expect(await statusWith(byPassword)).toBe(401);
    await household.control('accounts.update', { username: OWNER.username, password: OWNER.password });
    const [byTwoStep, bySignOut] = [await open(), await open()];
    await post('/sign-out', {}, { authorization: `Bearer ${bySignOut}` });
    expect([await statusWith(byTwoStep), await statusWith(bySignOut)]).toEqual([200, 401]);

    const scratch = await scratchFolder();
    try {
      const made = await make(household);
      await restore(made.path, join(scratch, 'restored'), { newAuthority: true });
      const database = await Connection.open(layoutOf(join(scratch, 'restored')).database);
      expect(await database.all('SELECT * FROM panel_sessions')).toEqual([]);
      await database.close();
    } finally {
      await remove(scratch);
    }
    await switchOnTwoStep(household);
    expect(await statusWith(byTwoStep)).toBe(401);
  });

  it('is not blocked by guesses from elsewhere, and has its own limit', async () => {
    const guess = (password: string) =>
      household.api.token({
        ...{ grant_type: 'password', username: OWNER.username, password, scope: 'list' },
        ...{ client_id: household.clientId, client_secret: household.clientSecret },
      });
    for (let count = 0; count < 4; count += 1) await guess(`guess ${count}`);
    // Strangers wait, also with the right password.
    expect((await guess(OWNER.password)).status).not.toBe(200);
    await open();
    // Here, too, guessing is slow.
    const outcomes: number[] = [];
    for (let count = 0; count < 4; count += 1) outcomes.push((await signIn({ password: `guess ${count}` })).status);
    expect(outcomes).toEqual([401, 401, 401, 429]);
    expect((await signIn()).status).toBe(429);
    household.clock.advance(HOUR);
    await open();
  });
});

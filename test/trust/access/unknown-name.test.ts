import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appOf } from '../../oauth/support.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMember, MEMBER } from '../../support/households/member.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
  await addMember(household);
});
afterAll(() => household.close());

/** A try from another address: every one in 127.0.0.0/8 is this machine. */
async function tryFrom(address: string, password: string, username: string): Promise<void> {
  const agent = new Agent({ localAddress: address, connect: { ca: household.ca } });
  const reply = await request(`https://127.0.0.1:${household.port}/oauth2/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(appOf(household).passwordForm({ username, password, scope: 'profile' })).toString(),
    dispatcher: agent,
  });
  await reply.body.dump();
  await agent.close();
}

describe('an unknown account name', () => {
  it('takes as long to refuse as a known one', async () => {
    const names = { known: MEMBER.username, unknown: 'nobody' };
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

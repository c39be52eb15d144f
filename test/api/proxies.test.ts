import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appOf } from '../oauth/support.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { rowsOf } from '../support/requests/activity.ts';

let household: Household;
beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household?.close());

/** The address that is noted of somebody who signs in with these headers. */
async function notedOf(headers: Record<string, string>): Promise<string | null | undefined> {
  const rows = await rowsOf(household, async () => {
    expect((await household.api.token(appOf(household).passwordForm(), headers)).status).toBe(200);
  });
  return rows.find(({ kind }) => kind === 'login.succeeded')?.address;
}

const trust = (...trustedProxies: string[]) => household.control('settings.update', { trustedProxies });

describe('the client address reported by a proxy', () => {
  it('is ignored unless the owner trusts the proxy', async () => {
    await trust();
    expect(await notedOf({ 'X-Forwarded-For': '203.0.113.7' })).toBe('127.0.0.1');
    await trust('10.0.0.0/8', '192.0.2.1');
    expect(await notedOf({ 'X-Forwarded-For': '203.0.113.7' })).toBe('127.0.0.1');
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    // Whoever asks can begin the list as they like; the proxy adds whom it saw.
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['<script>, 10.1.2.3', '127.0.0.1'],
    ['x'.repeat(5_000), '127.0.0.1'],
    ['', '127.0.0.1'],
  ])('is used for a trusted one: %.30s', async (forwarded, address) => {
    await trust('127.0.0.1', '10.0.0.0/8');
    expect(await notedOf({ 'X-Forwarded-For': forwarded })).toBe(address);
  });

  it.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', 'fd00::/129', '', '10.0.0'])(
    '%s is not a valid proxy',
    async (one) => {
      await expect(trust('10.0.0.1', one)).rejects.toMatchObject({ field: 'trustedProxies.1' });
    },
  );
});

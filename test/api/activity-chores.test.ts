import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY } from '../../dist/server/lib/clock.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { activityOf, rowsOf } from '../support/requests/activity.ts';
import type { ApiClient } from '../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

const path = (name: string) => `/ROOT/HOME/${name}`;
let uploads = 0;
/** Each time with another content: the same one again makes no version. */
const upload = async (name: string) => {
  uploads += 1;
  expect((await api.put({ path: path(name) }, `${name} ${uploads}`)).status).toBeLessThan(300);
};
const trash = async (name: string) => expect((await api.post('files/delete', { path: path(name) })).status).toBe(200);

const BY_ITSELF = { channel: 'larder', accountId: null, username: null, clientId: null, client: null, address: null };

it('logs automatic actions: the trash by age, and versions over the limits', async () => {
  await household.control('settings.update', { versionDays: 5 });
  for (const name of ['a.txt', 'v.txt', 'v.txt']) await upload(name);
  await trash('a.txt');
  const rows = await rowsOf(household, async () => {
    await household.larder.maintenance();
    household.clock.advance(31 * DAY);
    await household.larder.maintenance();
  });
  expect(rows).toEqual([
    expect.objectContaining({ ...BY_ITSELF, kind: 'trash.emptied', details: { items: 1, of: 'ann' } }),
    expect.objectContaining({ ...BY_ITSELF, kind: 'versions.expired', details: { versions: 1, of: 'ann' } }),
  ]);
});

it('distinguishes them from actions of people, and finds them by group and kind', async () => {
  api = await household.signIn();
  await upload('b.txt');
  await trash('b.txt');
  await api.post('files/trash/empty');
  const { entries } = await activityOf(household, { group: 'files', kinds: ['trash.emptied'] });
  expect(entries.map(({ channel }) => channel)).toEqual(['app', 'larder']);
});

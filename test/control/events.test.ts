import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { send } from './support.ts';
import { type Told, TRANSPORTS } from './transports/transports.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

it('report the state of the catalogue and of homes over every transport, until unsubscribed', async () => {
  const ways = await Promise.all(
    Object.values(TRANSPORTS).map(async (open) => {
      const control = await open(household);
      const told: Told[] = [];
      const end = await control.subscribe?.((one) => told.push(one));
      return { control, told, end };
    }),
  );
  const [enough, ...others] = ways.filter(({ end }) => end !== undefined);
  if (enough === undefined) throw new Error('nobody is told');
  expect(others.length).toBeGreaterThan(0);
  await mkdir(join(household.home, 'folder'));
  await writeFile(join(household.home, 'folder', 'file.txt'), 'text');
  const last = () => ways.flatMap(({ told, end }) => (end === undefined ? [] : [told.at(-1)?.payload.state]));
  await expect.poll(last).toEqual(last().map(() => 'ready'));
  const { homes } = (await household.control('homes.list')) as { homes: { id: string }[] };
  for (const { told } of [enough, ...others]) {
    expect(told[0]?.name).toBe('catalogue.progress');
    expect(Object.keys(told[0]?.payload ?? {}).sort()).toEqual(['folders', 'id', 'items', 'state', 'unwatched']);
    expect(told.at(-1)?.payload.id).toBe(homes[0]?.id);
  }
  expect(await household.control('status')).toMatchObject({
    catalogue: [{ id: homes[0]?.id, state: 'ready', unwatched: 0 }],
  });
  await rename(household.home, `${household.home} away`);
  await expect.poll(last).toEqual(last().map(() => 'offline'));
  expect(await household.control('status')).toMatchObject({ catalogue: [{ state: 'offline' }] });
  enough.end?.();
  // On its way before this is answered.
  await enough.control.call('status', {});
  const heard = enough.told.length;
  await rename(`${household.home} away`, household.home);
  for (const { told } of others) {
    await expect.poll(() => told.at(-1)?.payload).toMatchObject({ state: 'ready', folders: 2, items: 2 });
  }
  expect(enough.told).toHaveLength(heard);
  for (const { control, end } of ways) {
    end?.();
    control.close();
  }
});

it('are for owners only', async () => {
  const reply = await send(household.controlPort, 'POST', '/control-events', {
    headers: { authorization: 'Bearer nonsense' },
  });
  expect([reply.status, reply.body.code]).toEqual([401, 'not_allowed']);
  const empty = await openHousehold({ owner: null });
  try {
    await expect(empty.larder.dispatcher.events()).rejects.toMatchObject({ code: 'not_allowed' });
  } finally {
    await empty.close();
  }
});

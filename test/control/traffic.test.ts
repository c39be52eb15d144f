import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';

let household: Household;
beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household?.close());

interface Sample {
  in: number;
  out: number;
  devices: number;
}

const samples = async () => ((await household.control('traffic.get')) as unknown as { samples: Sample[] }).samples;

it('traffic is counted as sent over the network, encryption included', async () => {
  const api = await household.signIn();
  const size = 5_000_000;
  const told: unknown[] = [];
  const end = (await household.larder.dispatcher.events()).subscribe((name, payload) => {
    if (name === 'traffic') told.push(payload);
  });
  const before = (await samples()).length;
  // Nothing was counted before: whatever the first sample says goes for the time since the start.
  await expect.poll(async () => (await samples()).length).toBeGreaterThan(before);
  const from = (await samples()).length;
  await api.put({ path: '/ROOT/HOME/a.bin' }, Buffer.alloc(size, 7));
  const { body } = await api.send('GET', '/api.php/files/download/?path=/ROOT/HOME/a.bin');
  expect(body.length ?? size).toBe(size);
  await expect.poll(async () => (await samples()).length).toBeGreaterThan(from);
  const now = (await samples()).slice(from);
  const sum = (way: 'in' | 'out') => now.reduce((total, sample) => total + sample[way] * 5, 0);
  for (const way of ['in', 'out'] as const) {
    // A sample that is taken late is a rate over a longer time, so that it counts for more than five seconds.
    expect(sum(way), way).toBeGreaterThan(size / 10);
    expect(sum(way), way).toBeLessThan(size * 1.3);
  }
  expect(Math.max(...now.map(({ devices }) => devices))).toBe(1);
  expect(told.length).toBeGreaterThan(1);
  end();
});

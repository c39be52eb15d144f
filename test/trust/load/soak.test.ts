import { expect, it } from 'vitest';
import { soak } from './soak.ts';

it('ten people with twenty devices are served for a while without an error', { timeout: 300_000 }, async () => {
  const { complaints, requests, first, last } = await soak({ minutes: 0.25, seed: 7 });
  expect(complaints).toEqual([]);
  expect(requests).toBeGreaterThan(50);
  expect(last.handles, 'handles are given back').toBeLessThan(first.handles + 60);
});

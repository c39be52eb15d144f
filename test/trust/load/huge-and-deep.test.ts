import { expect, it } from 'vitest';
import { hugeAndDeep } from './huge-and-deep.ts';

it('extremely large or deep input is refused with a message, and delays nobody', {
  timeout: 120_000,
}, async () => {
  const { complaints, statuses, slowest, memory, requests } = await hugeAndDeep({ everything: false });
  expect(complaints).toEqual([]);
  expect(requests).toBeGreaterThan(150);
  // Otherwise it would have tried nothing.
  expect(statuses.get(400) ?? 0).toBeGreaterThan(100);
  expect(slowest.bystander).toBeLessThan(5_000);
  expect(memory.most - memory.before).toBeLessThan(400_000_000);
});

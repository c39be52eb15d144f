import { expect, it } from 'vitest';
import { hugeAndDeep } from './huge-and-deep.ts';

it('what is far too large or too deep is refused in a sentence, and nobody waits for it', {
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

import { expect, it } from 'vitest';
import { makeOfMutations } from './thumbnail-mutations.ts';

it('makes thumbnails of 200 damaged files, or returns a reason', async () => {
  const outcomes = await makeOfMutations(200, 20_261);
  // Neither so little damage that all are whole, nor so much that none is looked into.
  expect(outcomes.done).toBeGreaterThan(40);
  expect((outcomes.corrupt ?? 0) + (outcomes.unsupported ?? 0)).toBeGreaterThan(20);
  expect(outcomes.crashed ?? 0).toBeLessThan(10);
});

import { expect, it } from 'vitest';
import { readMutations } from './text-mutations.ts';

it('reads or refuses 500 damaged documents', async () => {
  const outcomes = await readMutations(500, 20_261);
  // Neither so little damage that all are whole, nor so much that none is looked into.
  expect(outcomes.done).toBeGreaterThan(50);
  expect(outcomes.corrupt).toBeGreaterThan(50);
});

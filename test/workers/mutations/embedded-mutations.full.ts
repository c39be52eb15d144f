import { expect, it } from 'vitest';
import { readEmbeddedMutations } from './embedded-mutations.ts';

it('reads or refuses 200 damaged files', async () => {
  const outcomes = await readEmbeddedMutations(200, 20_261);
  // Neither so little damage that all are whole, nor so much that none is looked into.
  expect(outcomes.done).toBeGreaterThan(50);
  expect(outcomes.corrupt).toBeGreaterThan(5);
});

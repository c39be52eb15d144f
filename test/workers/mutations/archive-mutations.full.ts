import { expect, it } from 'vitest';
import { unpackMutations } from './archive-mutations.ts';

it('extracts or refuses 300 damaged archives', async () => {
  const answers = await unpackMutations(300, 20_262);
  // Neither so little damage that all are whole, nor so much that none is looked into.
  expect(answers['200 ']).toBeGreaterThan(5);
  expect(answers['422 corrupt_file']).toBeGreaterThan(50);
  expect(answers['422 unsafe_archive']).toBeGreaterThan(10);
});

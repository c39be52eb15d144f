import { expect, it } from 'vitest';
import { sendMutations } from './mutations.ts';

it('accepts or refuses 200 damaged images', async () => {
  const answers = await sendMutations(200, 20_261);
  // Neither so little damage that all are whole, nor so much that none is looked into.
  expect(answers['200 ']).toBeGreaterThan(10);
  expect(answers['422 corrupt_file']).toBeGreaterThan(50);
});

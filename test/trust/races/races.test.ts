import { expect, it } from 'vitest';
import { races } from './races.ts';

it('of many who want one thing at the same moment, as many get it as may', { timeout: 120_000 }, async () => {
  const { complaints } = await races(1);
  expect(complaints).toEqual([]);
});

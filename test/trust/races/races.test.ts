import { expect, it } from 'vitest';
import { races } from './races.ts';

it('of many concurrent requests for one thing, only the permitted number succeeds', { timeout: 120_000 }, async () => {
  const { complaints } = await races(1);
  expect(complaints).toEqual([]);
});

import { expect, it } from 'vitest';
import { freeNumber } from '../../../dist/server/lib/names/free-number.js';

it.each([0, 1, 2, 3, 700, 10_000, 1_000_000])('is found behind %i used numbers with few questions', async (taken) => {
  let asked = 0;
  const isTaken = async (number: number) => {
    asked += 1;
    return number < 2 + taken;
  };
  expect(await freeNumber(isTaken, 2)).toBe(2 + taken);
  expect(asked).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(taken + 2)) + 1);
});

it('is free if there are gaps', async () => {
  const taken = new Set([2, 3, 5, 6, 9, 17]);
  expect(taken.has(await freeNumber(async (number) => taken.has(number), 2))).toBe(false);
});

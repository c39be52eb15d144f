import { expect, it } from 'vitest';
import { RUNNERS, races } from './races.ts';

const ROUNDS = Number(process.env.LARDER_ROUNDS ?? 20);

it('of many who want one thing at the same moment, as many get it as may', { timeout: 1_800_000 }, async ({ task }) => {
  const { races: kinds, rounds, complaints } = await races(ROUNDS);
  task.meta.trust = {
    tried: `${kinds} races of ${RUNNERS} connections each, ${rounds} rounds`,
    found: `${complaints.length} complaints`,
  };
  expect(complaints).toEqual([]);
});

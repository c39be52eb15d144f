import { expect, it } from 'vitest';
import { RUNNERS, races } from './races.ts';

const ROUNDS = Number(process.env.LARDER_ROUNDS ?? 20);

it('of many concurrent requests for one thing, only the permitted number succeeds', { timeout: 1_800_000 }, async ({
  task,
}) => {
  const { races: kinds, rounds, complaints } = await races(ROUNDS);
  task.meta.trust = {
    tried: `${kinds} races of ${RUNNERS} connections each, ${rounds} rounds`,
    found: `${complaints.length} complaints`,
  };
  expect(complaints).toEqual([]);
});

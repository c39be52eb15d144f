import { expect, it } from 'vitest';
import { killRounds } from './kill-rounds.ts';

const ROUNDS = Number(process.env.LARDER_ROUNDS ?? 200);
const SEED = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));

it(`after ${ROUNDS} kills at random moments everything acknowledged is stored`, { timeout: 3_600_000 }, async ({
  task,
}) => {
  const report = await killRounds({ rounds: ROUNDS, seed: SEED });
  const { acknowledged, underWay, slowestStart } = report;
  task.meta.trust = {
    tried: `${ROUNDS} kills, seed ${SEED}; ${acknowledged} changes acknowledged, ${underWay.all} under way`,
    found: `${report.complaints.length} complaints; of those under way ${underWay.happened} had happened, whole; the slowest start ${Math.round(slowestStart)} ms`,
  };
  expect(report.complaints).toEqual([]);
});

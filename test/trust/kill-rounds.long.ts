import { expect, it } from 'vitest';
import { killRounds } from './kill-rounds.ts';

const ROUNDS = Number(process.env.LARDER_ROUNDS ?? 200);
const SEED = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));

it(`after ${ROUNDS} kills at random moments everything acknowledged is there`, { timeout: 3_600_000 }, async () => {
  const report = await killRounds({ rounds: ROUNDS, seed: SEED });
  const { acknowledged, underWay, slowestStart } = report;
  process.stdout.write(
    `Seed ${SEED}: ${ROUNDS} kills, ${acknowledged} changes acknowledged, ${underWay.all} under way, of which ${underWay.happened} had happened; ` +
      `the slowest start ${Math.round(slowestStart)} ms\n`,
  );
  expect(report.complaints).toEqual([]);
});

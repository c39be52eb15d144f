import { expect, it } from 'vitest';
import { killRounds } from './kill-rounds.ts';

it('after five kills at random moments everything acknowledged is stored, and nothing is incomplete', {
  timeout: 300_000,
}, async () => {
  const report = await killRounds({ rounds: 6, seed: Math.floor(Math.random() * 0x1_0000_0000) });
  expect(report.complaints).toEqual([]);
  expect(report.acknowledged).toBeGreaterThanOrEqual(6);
});

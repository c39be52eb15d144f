import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

it('2,000 random requests from the description of the API cause no fault', { timeout: 300_000 }, async () => {
  const report = await fuzz({ requests: 2_000, seed: 20_261_122 });
  expect(report.complaints).toEqual([]);
  const answered = [...report.statuses.values()].reduce((sum, count) => sum + count, 0);
  expect(answered).toBeGreaterThan(1_800);
  // Otherwise it would have tried nothing.
  expect(report.statuses.get(200) ?? 0).toBeGreaterThan(200);
  expect(report.memory.after - report.memory.before).toBeLessThan(10_000_000);
});

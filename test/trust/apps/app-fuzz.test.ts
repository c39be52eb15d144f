import { expect, it } from 'vitest';
import { fuzzApps } from './app-fuzz.ts';

it('1,000 random requests of apps cause no fault', { timeout: 300_000 }, async () => {
  const { complaints, statuses } = await fuzzApps({ requests: 1_000, seed: 20_261_126 });
  expect(complaints).toEqual([]);
  // Otherwise it would have tried nothing. Which of them succeed depends on the order in which they arrive.
  for (const kind of ['tus', 'dav', 'ocs', 'login', 'pictures']) {
    const done = [...statuses].filter(([key]) => key.startsWith(`${kind} `) && / 20\d$/.test(key));
    expect(
      done.reduce((sum, [, count]) => sum + count, 0),
      kind,
    ).toBeGreaterThan(5);
  }
});

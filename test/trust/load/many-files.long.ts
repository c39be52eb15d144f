import { expect, it } from 'vitest';
import { startWithMany } from './many-files.ts';

const ITEMS = Number(process.env.LARDER_ITEMS ?? 100_000);
/** Milliseconds. */
const LONGEST = 5_000;

it(`a start after a kill with ${ITEMS} files takes less than five seconds`, { timeout: 3_600_000 }, async ({
  task,
}) => {
  const { indexed, starts, acknowledged } = await startWithMany({ items: ITEMS, kills: 3 });
  const slowest = (of: 'healthy' | 'browsed') => Math.round(Math.max(...starts.map((start) => start[of])));
  task.meta.trust = {
    tried: `${ITEMS} files, in the index after ${Math.round(indexed / 1_000)} s; 3 kills under load, ${acknowledged} changes acknowledged`,
    found: `the slowest start: healthy after ${slowest('healthy')} ms, a folder listed after ${slowest('browsed')} ms`,
  };
  expect(slowest('browsed')).toBeLessThan(LONGEST);
});

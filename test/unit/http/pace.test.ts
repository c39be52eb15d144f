import { expect, it } from 'vitest';
import { createThrottle } from '../../../dist/server/catalogue/reconcile/throttle.js';

it('pauses until stopped', async () => {
  const stopping = new AbortController();
  let isOver = false;
  const rest = createThrottle()
    .rest(1_000_000, 2, stopping.signal)
    .then(() => {
      isOver = true;
    });
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  stopping.abort();
  await rest;
  await createThrottle().rest(1_000_000, 2, stopping.signal);
});

import { expect, it } from 'vitest';
import { createThrottle } from '../../../dist/server/catalogue/reconcile/throttle.js';

it('rests until it is told to stop', async () => {
  const stopping = new AbortController();
  let isOver = false;
  const rest = createThrottle()
    .rest(1_000_000, 2, stopping.signal)
    .then(() => {
      isOver = true;
    });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isOver).toBe(false);
  stopping.abort();
  await rest;
  await createThrottle().rest(1_000_000, 2, stopping.signal);
});

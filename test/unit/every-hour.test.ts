import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { everyHour } from '../../dist/server/lib/async/every-hour.js';
import { HOUR, MINUTE } from '../../dist/server/lib/clock.js';
import { createLog } from '../../dist/server/lib/log/log.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const log = createLog('silent', { write: () => undefined });

it('hourly work runs shortly after the start and then every hour until stopped, also after failures', async () => {
  let done = 0;
  const stop = everyHour(async () => {
    done += 1;
    throw new Error('the disk is full');
  }, log);
  await vi.advanceTimersByTimeAsync(9 * MINUTE);
  expect(done).toBe(0);
  await vi.advanceTimersByTimeAsync(6 * MINUTE);
  expect(done).toBe(1);
  await vi.advanceTimersByTimeAsync(2 * HOUR);
  expect(done).toBe(3);
  stop();
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(done).toBe(3);
  const stopEarly = everyHour(async () => {
    done += 1;
  }, log);
  stopEarly();
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(done).toBe(3);
});

import { onTestFinished, vi } from 'vitest';

export interface StillPerformance {
  advance(milliseconds: number): void;
}

/** Until the end of the test, `performance.now` of this process stands still unless the test advances it. Timers are not affected. */
export function stillPerformance(): StillPerformance {
  // Whole milliseconds, so that sums and differences are exact.
  let now = Math.ceil(performance.now());
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => spy.mockRestore());
  return {
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}

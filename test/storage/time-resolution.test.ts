import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isTouchSettled, untilTouchSettled } from '../../dist/server/storage/disk/time-resolution.js';

/** Microseconds since the epoch: a time with fractions of a second. */
const TOUCHED = 1_700_000_000_000_900;
const AT = 1_700_000_000_000;

/** What the clock shows each time it is read, in milliseconds after `AT`; the last value stays. */
function clockShows(...times: readonly number[]): void {
  const left = [...times];
  vi.setSystemTime(AT);
  vi.spyOn(Date, 'now').mockImplementation(() => AT + ((left.length > 1 ? left.shift() : left[0]) ?? 0));
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('waiting until a touch is settled', () => {
  it('continues if a timer ends before the clock shows it', async () => {
    clockShows(1, 20, 20, 21);
    await untilTouchSettled(TOUCHED);
    expect(isTouchSettled(TOUCHED, Date.now())).toBe(true);
  });

  it('continues after the clock was set back slightly', async () => {
    clockShows(18, 10, 21);
    await untilTouchSettled(TOUCHED);
    expect(isTouchSettled(TOUCHED, Date.now())).toBe(true);
  });

  it.each([
    ['a clock that stands still', TOUCHED, [1]],
    ['a time that is far ahead', TOUCHED + 5e6, [1]],
    ['a disk that records whole seconds', AT * 1e3, [1]],
  ])('ends with %s', async (_what, touched, times) => {
    clockShows(...times);
    await untilTouchSettled(touched);
    expect(isTouchSettled(touched, Date.now())).toBe(false);
  });

  it('completes whenever it is awaited', async () => {
    vi.useRealTimers();
    const settled = Array.from({ length: 300 }, async (_, index) => {
      const touched = Date.now() * 1e3 + 999 - index * 13;
      const isWhole = touched % 1e6 === 0;
      await untilTouchSettled(touched);
      return isWhole || isTouchSettled(touched, Date.now());
    });
    expect(await Promise.all(settled)).not.toContain(false);
  });
});

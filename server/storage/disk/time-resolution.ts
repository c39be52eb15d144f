import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds within which two changes may have the same time: FAT records two seconds, and a network disk's clock may be off. */
const COARSEST = 3_000;

/** Milliseconds: more than between two ticks of a system that records times with fractions of a second. */
const FINE = 20;

/** Milliseconds that a request waits for that at most, and how often: a clock may stand still. */
const MOMENT = 50;
const MAX_WAITS = 10;

/**
 * Whether a later change would have another time, so that the time identifies the state of a file or folder.
 * @param changed the time on the disk, in milliseconds since the epoch
 * @param now likewise
 */
export function isSettled(changed: number, now: number): boolean {
  return now - changed > COARSEST;
}

/**
 * The same for the time of a change of content or attributes, which shows how exactly the disk records times.
 * @param touched microseconds since the epoch
 * @param now milliseconds since the epoch
 */
export function isTouchSettled(touched: number, now: number): boolean {
  return now - touched / 1e3 > (isFine(touched) ? FINE : COARSEST);
}

/** Waits until that is so, unless it takes longer than a moment. */
export async function untilTouchSettled(touched: number): Promise<void> {
  // A timer can end before the clock shows it, which can also be set back, or be a little behind that of the disk.
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    const now = Date.now();
    const rest = touched / 1e3 + FINE + 1 - now;
    if (!isFine(touched) || isTouchSettled(touched, now) || rest > MOMENT) return;
    await wait(Math.max(1, Math.ceil(rest)));
  }
}

function isFine(touched: number): boolean {
  return touched % 1e6 !== 0;
}

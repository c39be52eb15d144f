import { waitUnlessAborted } from '../../lib/async/wait-unless-aborted.ts';
import type { Throttle } from '../reconcile/throttle.ts';

/** The bytes read at a time, and in between requests come first. */
export const PART = 1_024 * 1_024;
/** Milliseconds that requests may delay one part at most, so that a busy server gets done, too. */
const LONGEST_PAUSE = 5_000;
/** Milliseconds that what was not read in time can be made up for. */
const MADE_UP = 250;

/** The share of a disk's time that may be used. */
const SHARE = 1 / 10;

/** How much may be read from the disks in the background, and when. */
interface ReadBudget {
  /** Waits until the next part may be read. @throws the reason of the signal */
  turn(): Promise<void>;
  /** Counts bytes that were read. @param took milliseconds that the disk needed for them */
  read(bytes: number, took: number): void;
}

/** @param rate bytes per second */
export function createReadBudget(throttle: Pick<Throttle, 'quiet'>, rate: number, signal: AbortSignal): ReadBudget {
  let next = Number.NEGATIVE_INFINITY;
  return {
    async turn() {
      const delay = next - performance.now();
      if (delay > 0) await waitUnlessAborted(delay, signal);
      await throttle.quiet(LONGEST_PAUSE, signal);
      signal.throwIfAborted();
    },
    read(bytes, took) {
      // On a slow disk, or a busy one, the share of its time is the limit.
      next = Math.max(next, performance.now() - MADE_UP) + Math.max((bytes / rate) * 1_000, took / SHARE);
    },
  };
}

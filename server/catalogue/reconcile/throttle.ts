import { waitUnlessAborted } from '../../lib/async/wait-unless-aborted.ts';

/** Makes background work yield to requests. */
export interface Throttle {
  /** Called at the beginning of every request; the returned function is called at its end. */
  begin(): () => void;
  /**
   * Pauses after background work.
   * @param took milliseconds that the work took
   * @param share factor for the length of the pause, at least; longer while there are requests
   * @param signal ends the pause at once
   */
  rest(took: number, share: number, signal: AbortSignal): Promise<void>;
  /**
   * Waits for a moment without requests.
   * @param longest milliseconds to wait at most
   * @param signal ends the wait at once
   */
  quiet(longest: number, signal: AbortSignal): Promise<void>;
}

/** Milliseconds after a request during which another one is likely. */
const BUSY = 500;
/** The factor while there are requests. */
const WHILE_BUSY = 4;
/** Milliseconds; the system's timers are not more precise. */
const SHORTEST = 2;
/** Milliseconds between two checks for such a moment. */
const CHECK_INTERVAL = 100;

export function createThrottle(): Throttle {
  let underWay = 0;
  let last = Number.NEGATIVE_INFINITY;
  const isBusy = () => underWay > 0 || performance.now() - last < BUSY;
  return {
    begin() {
      underWay += 1;
      return () => {
        underWay -= 1;
        last = performance.now();
      };
    },
    async rest(took, share, signal) {
      const time = took * Math.max(share, isBusy() ? WHILE_BUSY : 0);
      // At least to the end of the event loop's iteration, so that waiting events come first.
      await waitUnlessAborted(time < SHORTEST ? 0 : time, signal);
    },
    async quiet(longest, signal) {
      const until = performance.now() + longest;
      while (isBusy() && performance.now() < until && !signal.aborted) {
        await waitUnlessAborted(CHECK_INTERVAL, signal);
      }
    },
  };
}

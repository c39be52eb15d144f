import { setTimeout as wait } from 'node:timers/promises';

/** Leaves room for those who wait for an answer. */
export interface Throttle {
  /** Told of every request, when it begins; the function that it returns is called at its end. */
  begin(): () => void;
  /**
   * Rests after work that nobody waits for.
   * @param took milliseconds that the work took
   * @param share so many times as long it rests, at least; longer while requests come
   * @param signal ends the rest at once
   */
  rest(took: number, share: number, signal: AbortSignal): Promise<void>;
}

/** Milliseconds after a request during which another one is likely. */
const BUSY = 500;
/** While requests come, so many times as long as the work took. */
const WHILE_BUSY = 4;
/** Milliseconds; the timers of the system are no finer. */
const SHORTEST = 2;

export function createThrottle(): Throttle {
  let underWay = 0;
  let last = Number.NEGATIVE_INFINITY;
  return {
    begin() {
      underWay += 1;
      return () => {
        underWay -= 1;
        last = performance.now();
      };
    },
    async rest(took, share, signal) {
      const isBusy = underWay > 0 || performance.now() - last < BUSY;
      const time = took * Math.max(share, isBusy ? WHILE_BUSY : 0);
      // At least to the end of the loop's turn: whatever has come meanwhile is first.
      await wait(time < SHORTEST ? 0 : time, undefined, { ref: false, signal }).catch(() => undefined);
    },
  };
}

import { type Clock, HOUR } from '../clock.ts';

/** Limits how often something may happen per hour, separately for each key. */
export interface HourlyLimit {
  /** @returns false if the limit is exceeded */
  take(key: string | number): boolean;
}

export function createHourlyLimit(clock: Clock, most: number): HourlyLimit {
  let hour = 0;
  const taken = new Map<string | number, number>();
  return {
    take(key) {
      const now = Math.floor(clock.now() / HOUR);
      if (now !== hour) taken.clear();
      hour = now;
      const count = (taken.get(key) ?? 0) + 1;
      taken.set(key, count);
      return count <= most;
    },
  };
}

import { type Clock, HOUR } from '../clock.ts';

/** How often something may happen within an hour of the clock, for each key by itself. */
export interface HourlyLimit {
  /** @returns false for one too many */
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

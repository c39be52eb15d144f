import { HOUR, MINUTE } from '../clock.ts';
import type { Log } from '../log/log.ts';

/** Milliseconds after a start: a computer without a battery for its clock has asked for the time by then. */
const FIRST = 12 * MINUTE;

/**
 * Does what is due soon after a start, for computers that are on for less than an hour a day, and then once an hour. What fails is
 * in the log.
 * @returns the function that ends it
 */
export function everyHour(work: () => Promise<void>, log: Log): () => void {
  const once = () => void work().catch((error) => log.error({ err: error }, 'the hourly work failed'));
  const first = setTimeout(once, FIRST);
  const hourly = setInterval(once, HOUR);
  return () => {
    clearTimeout(first);
    clearInterval(hourly);
  };
}

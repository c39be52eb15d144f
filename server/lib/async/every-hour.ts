import { HOUR, MINUTE } from '../clock.ts';
import type { Log } from '../log/log.ts';

/** Milliseconds after a start: by then a computer without a clock battery has set its time from the network. */
const FIRST = 12 * MINUTE;

/**
 * Runs work soon after a start, for computers that are on for less than an hour a day, and then once an hour. Failures are
 * logged.
 * @returns a function that stops it
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

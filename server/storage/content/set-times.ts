import { futimes, type TimeLike } from 'node:fs';
import { promisify } from 'node:util';
import { flushAndClose } from '../flush.ts';

const setTimes = promisify(futimes);

/**
 * A time for the functions of Node, which take a negative number for the present time, but not a text.
 * @param seconds since the epoch
 */
export function fileTime(seconds: number): TimeLike {
  return seconds < 0 ? String(seconds) : seconds;
}

/** Sets the modification time of an open file, flushes it and closes it. @param time milliseconds since the epoch */
export async function setTimeAndClose(fd: number, time: number): Promise<void> {
  try {
    await setTimes(fd, new Date(), new Date(time));
  } finally {
    await flushAndClose(fd);
  }
}

import { futimes } from 'node:fs';
import { promisify } from 'node:util';
import { flushAndClose } from '../flush.ts';

const setTimes = promisify(futimes);

/** Sets the modification time of an open file, flushes it and closes it. @param time milliseconds since the epoch */
export async function setTimeAndClose(fd: number, time: number): Promise<void> {
  try {
    await setTimes(fd, new Date(), new Date(time));
  } finally {
    await flushAndClose(fd);
  }
}

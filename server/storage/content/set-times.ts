import { futimes, type TimeLike } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import { promisify } from 'node:util';
import { storageError } from '../errors.ts';
import { flushAndClose } from '../flush.ts';

const setTimes = promisify(futimes);

/**
 * A time for the functions of Node, which take a negative number for the present time, but not a text.
 * @param seconds since the epoch
 */
export function fileTime(seconds: number): TimeLike {
  return seconds < 0 ? String(seconds) : seconds;
}

/**
 * Sets the modification time of an open file, flushes it and closes it.
 * @param time milliseconds since the epoch
 * @throws StorageError `denied` for a file of another user of the system, which others may write, but not give another time
 */
export async function setTimeAndClose(fd: number, time: number): Promise<void> {
  try {
    await setTimes(fd, new Date(), new Date(time));
  } catch (error) {
    throw storageError(error);
  } finally {
    await flushAndClose(fd);
  }
}

/**
 * Sets the modification time of a folder of the work area, without flushing it.
 * @param time milliseconds since the epoch
 * @returns false when the folder has this time
 */
export async function setFolderTime(path: string, time: number): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  if (isSameTime(time, Math.floor(mtimeMs))) return false;
  await utimes(path, new Date(), fileTime(time / 1_000));
  return true;
}

/**
 * Whether a file system may have stored a time as another one: some round times to two seconds, one second, or ten milliseconds.
 * @param time @param kept milliseconds since the epoch
 */
export function isSameTime(time: number, kept: number): boolean {
  const apart = Math.abs(time - kept);
  return apart === 0 || (kept % 1_000 === 0 && apart < 2_000) || (kept % 10 === 0 && apart < 10);
}

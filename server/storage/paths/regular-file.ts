import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { StorageError } from '../errors.ts';

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/**
 * Opens a regular file where other programs may have put something else. Follows no link, opens no device, and never waits for
 * the writer of a pipe. Synchronous. The caller closes the descriptor.
 * @throws StorageError `not-found` for anything but a regular file; the system's error, also when the path does not exist
 */
export function openRegular(path: string): number {
  const expected = lstatSync(path, { bigint: true });
  if (!expected.isFile()) throw new StorageError('not-found');
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const opened = fstatSync(fd, { bigint: true });
  // Windows has no O_NOFOLLOW: a link that replaced the file in between is detected by its target's identity.
  const isExpected = O_NOFOLLOW !== 0 || (opened.ino === expected.ino && opened.dev === expected.dev);
  if (opened.isFile() && isExpected) return fd;
  closeSync(fd);
  throw new StorageError('not-found');
}

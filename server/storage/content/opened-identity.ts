import { fstat } from 'node:fs';
import { promisify } from 'node:util';
import { diskEntry } from '../disk/disk-entry.ts';

const stat = promisify(fstat);

/** The identity that an open file has now, as in `DiskEntry`. */
export async function identityOfOpened(fd: number): Promise<string> {
  return diskEntry('', await stat(fd, { bigint: true })).identity;
}

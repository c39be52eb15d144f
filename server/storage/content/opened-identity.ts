import { fstatSync } from 'node:fs';
import { diskEntry } from '../disk/disk-entry.ts';

/** The identity that an open file has now, as in `DiskEntry`. */
export function identityOfOpened(fd: number): string {
  return diskEntry('', fstatSync(fd, { bigint: true })).identity;
}

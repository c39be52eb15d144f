import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../errors.ts';
import { readMarker } from '../homes/marker.ts';
import { type HomeRoot, MARKER_FILE } from '../paths/folder-handle.ts';
import type { HomeState } from './disk-protocol.ts';

/** Checks the root of a home and its marker. Synchronous: for a thread of the disk. */
export function probeHome({ root, homeId }: HomeRoot): HomeState {
  try {
    if (!statSync(root).isDirectory()) return 'no-folder';
  } catch {
    return 'no-folder';
  }
  try {
    return readMarker(join(root, MARKER_FILE)) === homeId ? 'ready' : 'other-marker';
  } catch (error) {
    // Something else has that name.
    if (error instanceof StorageError) return 'other-marker';
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'no-marker';
    return code === 'ELOOP' ? 'other-marker' : 'denied';
  }
}

/** Types in statfs(2) of disks that other machines change without notification: NFS, SMB in three versions, 9P, VirtualBox. */
const SILENT = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x786f4256]);

/** Whether a disk can change without this system being notified. Synchronous, too. */
export function isSilentDisk(path: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return SILENT.has(statfsSync(path).type >>> 0);
  } catch {
    return false;
  }
}

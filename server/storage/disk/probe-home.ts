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

/**
 * Types in statfs(2) of file systems that only this machine changes, and whose changes it reports at once: ext, XFS, Btrfs, F2FS,
 * ZFS, bcachefs, tmpfs, overlayfs, JFS, ReiserFS, NTFS in the kernel, exFAT, FAT, HFS+.
 */
const LOCAL = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x01021994, 0x794c7630, 0x3153464a, 0x52654973,
  0x7366746e, 0x2011bab0, 0x4d44, 0x482b,
]);

/** Whether every change in a folder, other than in its subfolders, is reported to its watch at once. Synchronous, too. */
export function reportsChanges(path: string): boolean {
  return LOCAL.has(fileSystemType(path) ?? 0);
}

/** Whether a disk can change without this system being notified. Synchronous, too. */
export function isSilentDisk(path: string): boolean {
  return SILENT.has(fileSystemType(path) ?? 0);
}

/** The type in statfs(2); null where that is unknown. */
function fileSystemType(path: string): number | null {
  if (process.platform !== 'linux') return null;
  try {
    return statfsSync(path).type >>> 0;
  } catch {
    return null;
  }
}

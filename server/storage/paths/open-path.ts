import { diskEntry } from '../disk/disk-entry.ts';
import type { DiskEntry, Published } from '../disk/disk-protocol.ts';
import { StorageError } from '../errors.ts';
import {
  closePath,
  type FolderHandle,
  isExact,
  isReserved,
  nameOnDisk,
  openPath,
  type Place,
} from './folder-handle.ts';
import type { FolderNames } from './folder-names.ts';

export function withOpenPath<T>(
  names: FolderNames,
  place: Place,
  segments: readonly string[],
  work: (trail: FolderHandle[]) => T,
): T {
  const trail = openPath(place, segments, names);
  try {
    return work(trail);
  } finally {
    closePath(trail);
  }
}

/** Like `withOpenPath`, but the last folder stays open when the work succeeds: its descriptor is passed on. */
export function withOpenPathRetained<T>(
  names: FolderNames,
  place: Place,
  segments: readonly string[],
  work: (trail: FolderHandle[]) => T,
): T {
  const trail = openPath(place, segments, names);
  try {
    const result = work(trail);
    closePath(trail.slice(0, -1));
    return result;
  } catch (error) {
    closePath(trail);
    throw error;
  }
}

/** Opens the parent of the item at the segments; the name is null for the root itself. */
export function withParent<T>(
  names: FolderNames,
  place: Place,
  segments: readonly string[],
  work: (trail: FolderHandle[], name: string | null) => T,
): T {
  return withOpenPath(names, place, segments.slice(0, -1), (trail) => {
    const name = segments.at(-1);
    if (name === undefined) return work(trail, null);
    if (trail.length === 1 && isReserved(name)) throw new StorageError('not-found');
    return work(trail, nameOnDisk(last(trail), name, isExact(place, segments.length - 1)));
  });
}

/** Runs a change in a folder and passes the folder's descriptor on, to be flushed outside of this thread. */
export function changeIn(
  names: FolderNames,
  place: Place,
  parent: readonly string[],
  change: (folder: FolderHandle, isRoot: boolean, trail: FolderHandle[]) => Pick<Published, 'entry' | 'replaced'>,
): Published {
  return withOpenPathRetained(names, place, parent, (trail) => {
    const folder = last(trail);
    if (!folder.isUnchanged()) throw new StorageError('not-found');
    return { ...change(folder, trail.length === 1, trail), parents: entriesOf(trail), folderFd: folder.fd };
  });
}

export function last(trail: readonly FolderHandle[]): FolderHandle {
  return trail.at(-1) as FolderHandle;
}

export function entriesOf(trail: readonly FolderHandle[]): DiskEntry[] {
  return trail.map((folder) => diskEntry(folder.name, folder.stats));
}

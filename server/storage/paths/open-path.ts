import { diskEntry } from '../disk/disk-entry.ts';
import type { DiskEntry, Published } from '../disk/disk-protocol.ts';
import { StorageError } from '../errors.ts';
import {
  closePath,
  type FolderHandle,
  type HomeRoot,
  isExact,
  isReserved,
  nameOnDisk,
  openPath,
} from './folder-handle.ts';
import type { FolderNames } from './folder-names.ts';

export function withOpenPath<T>(
  names: FolderNames,
  homeRoot: HomeRoot,
  segments: readonly string[],
  work: (handles: FolderHandle[]) => T,
): T {
  const handles = openPath(homeRoot, segments, names);
  try {
    return work(handles);
  } finally {
    closePath(handles);
  }
}

/** Like `withOpenPath`, but the last folder stays open when the work succeeds: its descriptor is passed on. */
export function withOpenPathRetained<T>(
  names: FolderNames,
  homeRoot: HomeRoot,
  segments: readonly string[],
  work: (handles: FolderHandle[]) => T,
): T {
  const handles = openPath(homeRoot, segments, names);
  try {
    const result = work(handles);
    closePath(handles.slice(0, -1));
    return result;
  } catch (error) {
    closePath(handles);
    throw error;
  }
}

/** Opens the parent of the item at the segments; the name is null for the root itself. */
export function withParent<T>(
  names: FolderNames,
  homeRoot: HomeRoot,
  segments: readonly string[],
  work: (handles: FolderHandle[], name: string | null) => T,
): T {
  return withOpenPath(names, homeRoot, segments.slice(0, -1), (handles) => {
    const name = segments.at(-1);
    if (name === undefined) return work(handles, null);
    if (handles.length === 1 && isReserved(name)) throw new StorageError('not-found');
    return work(handles, nameOnDisk(last(handles), name, isExact(homeRoot, segments.length - 1)));
  });
}

/** Runs a change in a folder and passes the folder's descriptor on, to be flushed outside of this thread. */
export function changeIn(
  names: FolderNames,
  homeRoot: HomeRoot,
  parent: readonly string[],
  change: (folder: FolderHandle, isRoot: boolean, handles: FolderHandle[]) => Pick<Published, 'entry' | 'replaced'>,
): Published {
  return withOpenPathRetained(names, homeRoot, parent, (handles) => {
    const folder = last(handles);
    if (!folder.isUnchanged()) throw new StorageError('not-found');
    return { ...change(folder, handles.length === 1, handles), parents: entriesOf(handles), folderFd: folder.fd };
  });
}

export function last(handles: readonly FolderHandle[]): FolderHandle {
  return handles.at(-1) as FolderHandle;
}

export function entriesOf(handles: readonly FolderHandle[]): DiskEntry[] {
  return handles.map((folder) => diskEntry(folder.name, folder.stats));
}

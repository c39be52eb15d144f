import type { Unchanged } from '../../lib/unchanged.ts';
import type { DiskListing } from '../disk/disk-protocol.ts';
import type { WatchAllowance, WatchOverflow } from './watch-limits.ts';

/**
 * Reports changes that other programs make in folders: which folder, but not what, so the receiver has to compare. Changes may be
 * reported twice, or without a cause; and an overloaded system loses some.
 */
export interface FolderWatch {
  /**
   * Watches a folder whose parent is watched. Earlier changes are not reported.
   * @param identity of the folder: another one of its name is another folder
   * @returns `known` when it is watched already; `none` when it cannot be: the limit is reached, or it is gone; `whole` if the
   * whole tree is watched, so that it is unknown since when this folder is in it
   */
  add(segments: readonly string[], identity: string): 'added' | 'known' | 'none' | 'whole';
  /** Stops watching subfolders of this folder that are not among these, by name and identity, and everything below them. */
  keepOnly(segments: readonly string[], folders: ReadonlyMap<string, string>): void;
  /**
   * The present state of the watch on a folder.
   * @returns null when not every change there would be reported at once
   */
  mark(segments: readonly string[]): WatchMark | null;
  close(): void;
}

/** What had been reported about a folder, and about the folders on the path to it, when the mark was made. */
export interface WatchMark {
  /** Whether nothing has been reported since then that could change its listing. */
  readonly isUnchanged: Unchanged;
  /** The names of the entries that may have changed since then; null if any may. */
  changedNames(): readonly string[] | null;
  /** Whether the watched folders, by identity, are those of a listing taken after the mark: the path and the subfolders. */
  covers(listing: DiskListing): boolean;
}

/** What all watches of a process share. */
export interface WatchParts {
  readonly allowance: WatchAllowance;
  readonly overflow: WatchOverflow;
}

export interface WatchListener {
  /** Something changed in the folder with these segments. */
  changed(segments: readonly string[]): void;
  /** The watch has ended because the root is gone. */
  ended(): void;
}

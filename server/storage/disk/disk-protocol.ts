import type { CachedFile } from '../content/cached-files.ts';
import type { StorageReason } from '../errors.ts';
import type { Place } from '../paths/folder-handle.ts';

/** What the disk says of one file or folder. Times are milliseconds since the epoch, the size is bytes. */
export interface DiskEntry {
  readonly name: string;
  readonly isDir: boolean;
  readonly size: number;
  readonly mtime: number;
  readonly created: number;
  /** Inode, birth time and, for files, size and modification time to the nanosecond, as one text. */
  readonly identity: string;
}

/** What is where a home should be; `stalled`: its disk does not answer. */
export type HomeState = 'ready' | 'no-folder' | 'no-marker' | 'other-marker' | 'denied' | 'stalled';

/** The content of a folder, by column, in natural order with folders first. */
export interface DiskListing {
  readonly folders: readonly DiskEntry[];
  /**
   * The folder's modification time, in nanoseconds, before it was read: as long as it is the same, so are the names. Null
   * so soon after a change that another one may carry the same time.
   */
  readonly stamp: string | null;
  readonly names: readonly string[];
  /** How many of `names`, from the start, are folders. */
  readonly folderCount: number;
  /** How much is there beside: links, devices, and names that cannot be read. */
  readonly others: number;
  readonly sizes: Float64Array;
  readonly mtimes: Float64Array;
  readonly created: Float64Array;
  readonly inodes: BigUint64Array;
  readonly births: BigInt64Array;
  readonly changes: BigInt64Array;
  /** When anything of it was changed, its times included, in nanoseconds: nobody can give it another such time. */
  readonly touches: BigInt64Array;
}

/** `parents` are the folders on the way, the root first: what rows for them need. */
export interface Found {
  readonly parents: readonly DiskEntry[];
  readonly entry: DiskEntry;
}

export interface OpenedFile extends Found {
  readonly fd: number;
  /** Strong validator: changes with every change of the content. */
  readonly etag: string;
}

export interface Published extends Found {
  /** The folder, for fsync; the receiver closes it. */
  readonly folderFd: number;
  /** The content that was there before and is now kept at `retainAs`. */
  readonly replaced: DiskEntry | null;
}

/** An item under its new name. Both folders are handed over, for fsync; the receiver closes them. */
export interface Moved extends Published {
  readonly fromFolderFd: number;
}

/** A file and what was made of it, see `openUnlessCached`. */
export interface Cached {
  readonly entry: DiskEntry;
  /** Of what is made of this content. */
  readonly name: string;
  readonly bytes: Uint8Array | null;
  readonly opened: OpenedFile | null;
}

/** What is in a folder of the work area. */
export interface SeenFolder {
  readonly entries: ReadonlyMap<string, DiskEntry>;
  /** Whether there is something that is no file and no folder, or has a name that cannot be read. */
  readonly hasOthers: boolean;
}

export interface DiskOperations {
  /** What is where the home should be. */
  homeState: { input: { place: Place }; output: { readonly state: HomeState } };
  /** Whether changes on its disk can come about without the system telling of them. */
  isSilent: { input: { place: Place }; output: { readonly silent: boolean } };
  /** Everything in a folder. Links, devices, pipes and sockets are left out. */
  list: { input: { place: Place; segments: readonly string[] }; output: DiskListing };
  /**
   * The same for several folders, one after the other, until so many entries have come; at least one. Null for a folder that
   * is not there.
   */
  listSome: {
    input: { place: Place; folders: readonly (readonly string[])[]; entries: number };
    output: { readonly listings: readonly (DiskListing | null)[] };
  };
  /** What stands where something is to be put: the folder may be missing, and the name may be free. */
  look: {
    input: { place: Place; segments: readonly string[] };
    output: { hasFolder: boolean; entry: DiskEntry | null };
  };
  /**
   * What a new item of this name would collide with, also where it differs in case or composition only; null when the name is
   * free, or the folder missing.
   */
  occupied: {
    input: { place: Place; segments: readonly string[] };
    output: { readonly by: 'file' | 'folder' | null };
  };
  stat: { input: { place: Place; segments: readonly string[] }; output: Found };
  /** The identity of what is at each of these paths now; null where nothing is. */
  identities: {
    input: { place: Place; paths: readonly (readonly string[])[] };
    output: { readonly identities: readonly (string | null)[] };
  };
  /** The modification times of folders in one folder, in nanoseconds; null for what is no folder any more. */
  folderTimes: {
    input: { place: Place; segments: readonly string[]; names: readonly string[] };
    output: { readonly times: readonly (string | null)[] };
  };
  /** The names in a folder that are not valid UTF-8, with an escape for each byte of them that cannot be read. */
  oddNames: { input: { place: Place; segments: readonly string[] }; output: { readonly odd: readonly string[] } };
  /**
   * A file, and what was made of its content: from the folder of such things, or, where there is none, the file itself, opened
   * for reading; the receiver closes it. Neither when what was made is `known`, and none of it for a folder.
   */
  openUnlessCached: {
    input: {
      place: Place;
      segments: readonly string[];
      cache: { readonly folder: string; readonly variant: string };
      known: string | null;
    };
    output: Cached;
  };
  /** Puts such things into their folder, as far as possible. `place` says only which disk it is on. */
  cache: {
    input: { place: Place; folder: string; files: readonly CachedFile[] };
    output: { readonly written: number };
  };
  /** Opens a regular file for reading. The receiver closes the descriptor. */
  open: { input: { place: Place; segments: readonly string[] }; output: OpenedFile };
  /**
   * Gives the file at `incoming` a name that is free. `taken` when it is not, or when one that differs only in case or
   * composition is in the way.
   */
  publish: {
    input: { place: Place; parent: readonly string[]; name: string; incoming: string };
    output: Published;
  };
  /**
   * Gives the file at `incoming` its name. A file of that name is first linked to `retainAs`; there is no moment
   * without a file. `taken` when a folder, or a name that differs only in case, is in the way.
   */
  publishOver: {
    input: { place: Place; parent: readonly string[]; name: string; incoming: string; retainAs: string };
    output: Published;
  };
  createFolder: {
    input: { place: Place; parent: readonly string[]; name: string };
    output: Published;
  };
  /**
   * Gives an item another name, in its folder or another one of the same home, or of the home at `toPlace`. A file of that
   * name is linked to `retainAs` first; without `retainAs` the name must be free. `taken` when a folder, or a name that differs
   * in case or composition only and is not the item itself, is in the way; `into-itself` for a folder into itself;
   * `other-disk` when the file system of the new place is another one.
   */
  move: {
    input: {
      place: Place;
      toPlace?: Place;
      from: readonly string[];
      parent: readonly string[];
      name: string;
      retainAs: string | null;
    };
    output: Moved;
  };
  /** The other way round: gives what lies at `source` in the work area a name that is free. `taken` when it is not. */
  putBack: { input: { place: Place; parent: readonly string[]; name: string; source: string }; output: Published };
  /** What is in a folder of the work area on the same disk, by its path; null when it is none, or nothing is there. */
  listStored: { input: { place: Place; path: string }; output: { readonly folder: SeenFolder | null } };
  /** Renames an item out of its folder to `target`, a path in the work area on the same disk. */
  takeOut: { input: { place: Place; segments: readonly string[]; target: string }; output: Published };
}

export type DiskOperation = keyof DiskOperations;

export interface DiskRequest {
  readonly id: number;
  readonly operation: DiskOperation;
  readonly input: DiskOperations[DiskOperation]['input'];
}

export type DiskReply =
  | { readonly id: number; readonly ok: true; readonly output: DiskOperations[DiskOperation]['output'] }
  | { readonly id: number; readonly ok: false; readonly error: DiskFailure };

export type DiskFailure =
  | { readonly reason: StorageReason; readonly existing: string | undefined }
  | { readonly message: string; readonly code: string | undefined };

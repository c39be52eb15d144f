import type { StorageReason } from '../errors.ts';
import type { HomeRoot } from '../paths/folder-handle.ts';

/** A file or folder as reported by the disk. Times are milliseconds since the epoch, the size is in bytes. */
export interface DiskEntry {
  readonly name: string;
  readonly isDir: boolean;
  readonly size: number;
  readonly mtime: number;
  readonly created: number;
  /** Inode, creation time and, for files, size and modification time in nanoseconds, as one text. */
  readonly identity: string;
  /**
   * When content or attributes changed, in microseconds since the epoch: unlike the modification time, programs cannot set it.
   */
  readonly touched: number;
}

/** What the catalogue knows of the content of a file, as long as that has this identity. */
export interface KnownContent {
  readonly identity: string;
  /** How often it was another one than before with the same identity. */
  readonly edits: number;
  /** As of the entry; null when it may be another one now. */
  readonly touched: number | null;
}

/** The state of a home's folder; `stalled`: its disk does not respond. */
export type HomeState = 'ready' | 'no-folder' | 'no-marker' | 'other-marker' | 'denied' | 'stalled';

/** The contents of a folder, as columns, in natural order with folders first. */
export interface DiskListing {
  readonly folders: readonly DiskEntry[];
  /**
   * The folder's modification time, in nanoseconds, before it was read: while it stays the same, so do the names. Null shortly
   * after a change, when another one may have the same time.
   */
  readonly stamp: string | null;
  /** Whether its file system reports every change to a watch at once. */
  readonly isReported: boolean;
  readonly names: readonly string[];
  /** How many of `names`, from the start, are folders. */
  readonly folderCount: number;
  /** Number of other entries: links, devices, and unreadable names. */
  readonly others: number;
  readonly sizes: Float64Array;
  readonly mtimes: Float64Array;
  readonly created: Float64Array;
  readonly inodes: BigUint64Array;
  readonly births: BigInt64Array;
  readonly changes: BigInt64Array;
  /** When content or attributes changed, in nanoseconds: unlike the modification time, programs cannot set it. */
  readonly touches: BigInt64Array;
}

/** `parents` are the folders on the path, the root first, as needed for their rows. */
export interface Found {
  readonly parents: readonly DiskEntry[];
  readonly entry: DiskEntry;
}

export interface OpenedFile extends Found {
  readonly fd: number;
}

export interface Published extends Found {
  /** The folder's descriptor, for fsync; the receiver closes it. */
  readonly folderFd: number;
  /** The previous content, now retained at `retainAs`. */
  readonly replaced: DiskEntry | null;
}

/** An item under its new name. Both folder descriptors are passed on, for fsync; the receiver closes them. */
interface Moved extends Published {
  /** `touched` of the item right before: giving it a name changes that, and nothing else. */
  readonly touchedBefore: number;
  readonly fromFolderFd: number;
}

/** A derivative of a file's content, which can be generated again. */
export interface CachedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A file and its derivatives, see `openUnlessCached`. */
export interface Cached {
  readonly entry: DiskEntry;
  /** Of the derivative of this content. */
  readonly name: string;
  readonly bytes: Uint8Array | null;
  readonly opened: OpenedFile | null;
}

/** The entries of a folder in the work area. */
export interface SeenFolder {
  readonly entries: ReadonlyMap<string, DiskEntry>;
  /** Whether there are special files, or unreadable names. */
  readonly hasOthers: boolean;
}

export interface DiskOperations {
  /** The state of the home's folder. */
  homeState: { input: { homeRoot: HomeRoot }; output: { readonly state: HomeState } };
  /** Whether the disk can change without notifications of the system. */
  isSilent: { input: { homeRoot: HomeRoot }; output: { readonly silent: boolean } };
  /** Creates a file of the home's work area, for writing; the receiver closes it. */
  createIncoming: { input: { homeRoot: HomeRoot; path: string }; output: { readonly fd: number } };
  /** All entries of a folder. Links, devices, pipes and sockets are left out. */
  list: { input: { homeRoot: HomeRoot; segments: readonly string[] }; output: DiskListing };
  /** The same for some names only: those of them that exist. Null where the disk also finds a name under other spellings. */
  listNames: {
    input: { homeRoot: HomeRoot; segments: readonly string[]; names: readonly string[] };
    output: { readonly listing: DiskListing | null };
  };
  /**
   * The same for several folders, one after the other, until so many entries are reached; at least one folder. Null for a missing
   * folder.
   */
  listSome: {
    input: { homeRoot: HomeRoot; folders: readonly (readonly string[])[]; entries: number };
    output: { readonly listings: readonly (DiskListing | null)[] };
  };
  /** The present state of a destination: the folder may be missing, and the name may be free. */
  inspect: {
    input: { homeRoot: HomeRoot; segments: readonly string[] };
    output: { hasFolder: boolean; entry: DiskEntry | null };
  };
  /**
   * The item a new one of this name would collide with, even if it differs in case or composition only; null when the name is
   * free, or the folder missing.
   */
  occupied: {
    input: { homeRoot: HomeRoot; segments: readonly string[] };
    output: { readonly by: 'file' | 'folder' | null };
  };
  stat: { input: { homeRoot: HomeRoot; segments: readonly string[] }; output: Found };
  /** The identities of the items at these paths; null where there is none. */
  identities: {
    input: { homeRoot: HomeRoot; paths: readonly (readonly string[])[] };
    output: { readonly identities: readonly (string | null)[] };
  };
  /** The modification times of subfolders, in nanoseconds; null for those that no longer exist. */
  folderTimes: {
    input: { homeRoot: HomeRoot; segments: readonly string[]; names: readonly string[] };
    output: { readonly times: readonly (string | null)[] };
  };
  /** The names in a folder that are not valid UTF-8, with an escape for each unreadable byte. */
  oddNames: {
    input: { homeRoot: HomeRoot; segments: readonly string[] };
    output: { readonly undecodable: readonly string[] };
  };
  /**
   * A file, and a derivative of its content: from the cache folder or, if it is not there, the file itself, opened for reading;
   * the receiver closes it. Neither if the derivative is already `known`, nor for a folder.
   */
  openUnlessCached: {
    input: {
      homeRoot: HomeRoot;
      segments: readonly string[];
      cache: { readonly folder: string; readonly variant: string; readonly content: KnownContent | null };
      known: string | null;
    };
    output: Cached;
  };
  /** A derivative from the cache folder; null when it is not there. */
  readCached: {
    input: { homeRoot: HomeRoot; folder: string; name: string };
    output: { readonly bytes: Uint8Array | null };
  };
  /** Puts derivatives into the cache folder, best effort. `place` only selects the disk. */
  cache: {
    input: { homeRoot: HomeRoot; folder: string; files: readonly CachedFile[] };
    output: { readonly written: number };
  };
  /** Opens a regular file for reading. The receiver closes the descriptor. */
  open: { input: { homeRoot: HomeRoot; segments: readonly string[] }; output: OpenedFile };
  /** The same for several files. Null for one that cannot be opened; only an offline home fails all. */
  openSome: {
    input: { homeRoot: HomeRoot; paths: readonly (readonly string[])[] };
    output: { readonly files: readonly (OpenedFile | null)[] };
  };
  /**
   * Hashes the next part of an open file, for background work: at most `length` bytes. Parts of one job are read one after the other,
   * and none of another job in between, otherwise it is lost. `whole` has the SHA-256 at the end of the file, with what the file is
   * then.
   */
  hashPart: {
    input: { homeRoot: HomeRoot; fd: number; job: number; position: number; length: number };
    output: {
      readonly bytesRead: number;
      readonly isLost: boolean;
      readonly whole: { readonly sha256: Uint8Array; readonly identity: string; readonly touched: number } | null;
    };
  };
  /**
   * Gives the file at `incoming` a free name. `taken` when it is not free, or a name that differs only in case or composition
   * exists.
   */
  publish: {
    input: { homeRoot: HomeRoot; parent: readonly string[]; name: string; incoming: string };
    output: Published;
  };
  /**
   * Gives the file at `incoming` its name. An existing file is first linked to `retainAs`, so the name always has a file. `taken`
   * when a folder, or a name that differs only in case, exists.
   */
  publishOver: {
    input: { homeRoot: HomeRoot; parent: readonly string[]; name: string; incoming: string; retainAs: string };
    output: Published;
  };
  createFolder: {
    input: { homeRoot: HomeRoot; parent: readonly string[]; name: string };
    output: Published;
  };
  /** Sets the modification time of a folder, in milliseconds since the epoch. */
  setFolderTime: {
    input: { homeRoot: HomeRoot; segments: readonly string[]; time: number };
    /** To be flushed; -1 where folders cannot be opened (Windows). */
    output: { readonly folderFd: number };
  };
  /**
   * Renames an item within its home, or into the home at `toHomeRoot`. An existing file of that name is linked to `retainAs` first;
   * without `retainAs` the name must be free. `taken` when a folder, or another item whose name differs in case or composition
   * only, exists; `into-itself` for a folder into itself; `other-disk` when the destination is on another file system.
   */
  move: {
    input: {
      homeRoot: HomeRoot;
      toHomeRoot?: HomeRoot;
      from: readonly string[];
      parent: readonly string[];
      name: string;
      retainAs: string | null;
    };
    output: Moved;
  };
  /** The reverse: gives the item at `source` in the work area a free name. `taken` when it is not free. */
  moveIn: {
    input: { homeRoot: HomeRoot; parent: readonly string[]; name: string; source: string };
    output: Published;
  };
  /** The entries of a folder in the work area on the same disk; null when it does not exist or is not a folder. */
  listStored: { input: { homeRoot: HomeRoot; path: string }; output: { readonly folder: SeenFolder | null } };
  /** Renames an item out of its folder to `target`, a path in the work area on the same disk. */
  moveOut: { input: { homeRoot: HomeRoot; segments: readonly string[]; target: string }; output: Published };
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

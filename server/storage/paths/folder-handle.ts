import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { foldName, MAX_NAME_BYTES } from '../../lib/names/names.ts';
import { normalized } from '../../lib/names/normalized.ts';
import { StorageError } from '../errors.ts';
import { MarkerCache } from '../homes/marker.ts';
import type { FolderNames } from './folder-names.ts';

/** Contains the id of a home, in its root. Without it the home is offline: an unplugged disk is not an empty one. */
export const MARKER_FILE = '.larder-home';
/** A home outside of the data folder has its uploads, trash and versions here. */
export const AREA_FOLDER = '.larder-area';

/** The location of a home on the disk, and the id its marker must contain. */
export interface HomeRoot {
  readonly root: string;
  readonly homeId: string;
  /**
   * How many segments from the root on must have exactly this spelling: the path of a shared item. An item whose name differs in
   * Unicode composition is another one, and not shared.
   */
  readonly exact?: number;
  /**
   * Whether the name of a new item is compared as it is spelled. Otherwise the other Unicode form counts as taken, too, and callers who
   * may reach only one form do not learn of the other.
   */
  readonly distinguishesForms?: boolean;
  /** Whether it is no home, but a folder of this machine that is only read: it has no marker, and no link leads to it. */
  readonly isForeign?: boolean;
}

/**
 * An open folder below a home. `at(name)` is a path for system calls of this process, valid until `close`; the folder it leads
 * into cannot be replaced meanwhile.
 */
export interface FolderHandle {
  /** For fsync; -1 where folders cannot be opened (Windows). */
  readonly fd: number;
  readonly stats: BigIntStats;
  at(name: string): string;
  /** Its name on the disk: the last segment as found there. */
  readonly name: string;
  /** Whether the disk finds a name under other spellings: then the spelling has to be looked up. */
  readonly isLoose: boolean;
  readonly names: FolderNames;
  /** Whether `at` still leads into the folder that was opened. Always true where paths go through a handle. */
  isUnchanged(): boolean;
  close(): void;
}

/** `proc`: by descriptor through `/proc/self/fd`. `portable`: by path, compared afterwards. */
export type HandleKind = 'proc' | 'portable';

export const platformKind: HandleKind = process.platform === 'linux' ? 'proc' : 'portable';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Opens the folder at the end of the segments, one by one from the root. Symbolic links are never followed: on Linux every step
 * goes through the handle of the previous one (`/proc/self/fd`), so that a link swapped in meanwhile has no effect; elsewhere
 * every step is checked and the whole path is compared afterwards.
 * @param names the cached names of folders
 * @param kind how folders are held open; by default according to the platform
 * @returns the handles of all folders on the path, the root first; the caller closes them
 * @throws StorageError
 */
export function openPath(
  homeRoot: HomeRoot,
  segments: readonly string[],
  names: FolderNames,
  kind: HandleKind = platformKind,
): FolderHandle[] {
  const handles = [openRoot(homeRoot, names, kind)];
  try {
    for (const [depth, segment] of segments.entries()) {
      const parent = handles.at(-1) as FolderHandle;
      if (depth === 0 && isReserved(segment)) throw new StorageError('not-found');
      handles.push(openChild(parent, nameOnDisk(parent, segment, isExact(homeRoot, depth)), kind));
    }
    return handles;
  } catch (error) {
    closePath(handles);
    throw error;
  }
}

export function closePath(handles: readonly FolderHandle[]): void {
  for (const folder of handles) folder.close();
}

/** Reserved names in the root of a home, in any case. */
export function isReserved(name: string): boolean {
  const folded = foldName(name);
  return folded === MARKER_FILE || folded === AREA_FOLDER;
}

/** Of this thread. */
const markers = new MarkerCache();

function openRoot({ root, homeId, isForeign }: HomeRoot, names: FolderNames, kind: HandleKind): FolderHandle {
  try {
    const folder =
      kind === 'proc'
        ? handleOf(openSync(root, O_RDONLY | O_DIRECTORY), '', names)
        : portableHandle(realpathSync(root), '', names);
    try {
      if (isForeign === true) {
        if (realpathSync(folder.at('.')) === root) return folder;
      } else if (markers.read(root, folder.at(MARKER_FILE)) === homeId) {
        return { ...folder, isLoose: names.isLoose(folder, MARKER_FILE) };
      }
    } catch (error) {
      folder.close();
      throw error;
    }
    folder.close();
  } catch (error) {
    // A home without its root or marker is offline, unless the cause is our own lack of resources.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EMFILE' || code === 'ENFILE') throw error;
  }
  throw new StorageError('offline');
}

function openChild(parent: FolderHandle, name: string, kind: HandleKind): FolderHandle {
  const { names, isLoose } = parent;
  const folder =
    kind === 'proc'
      ? handleOf(openSync(parent.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK), name, names)
      : portableHandle(parent.at(name), name, names);
  return isLoose ? { ...folder, isLoose } : folder;
}

/** Whether a segment must have its exact spelling. @param depth number of segments before it */
export function isExact({ exact = 0 }: HomeRoot, depth: number): boolean {
  return depth < exact;
}

/**
 * The name as on the disk: exactly these bytes first, then one with the same composed Unicode form (macOS writes decomposed
 * names). The answer of a disk that ignores spelling is not used: a path has one spelling here, on every disk.
 * @param mustBeSame accept no other composition
 */
export function nameOnDisk(folder: FolderHandle, name: string, mustBeSame = false): string {
  const found = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  const other = otherComposition(name);
  if (found !== undefined && !folder.isLoose && (other === null || !isSameFile(folder, found, other))) return name;
  const isPlain = other === null && !folder.isLoose;
  const spelling = isPlain ? null : folder.names.spellingOf(folder, name);
  if (spelling === null || (mustBeSame && spelling !== name)) throw new StorageError('not-found');
  return spelling;
}

/** The same text in another Unicode normal form; null when there is none. */
function otherComposition(name: string): string | null {
  const [composed, decomposed] = [normalized(name, 'NFC'), normalized(name, 'NFD')];
  if (composed === name && decomposed === name) return null;
  return composed === name ? decomposed : composed;
}

function isSameFile(folder: FolderHandle, stats: BigIntStats, name: string): boolean {
  // Decomposed, a name of 255 bytes is longer than any disk takes.
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return false;
  const other = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  return other?.ino === stats.ino && other.dev === stats.dev;
}

function handleOf(fd: number, name: string, names: FolderNames): FolderHandle {
  let open = true;
  return {
    fd,
    name,
    names,
    isLoose: false,
    stats: fstatSync(fd, { bigint: true }),
    at: (child) => `/proc/self/fd/${fd}/${child === '.' ? child : plainName(child)}`,
    isUnchanged: () => true,
    close: () => {
      if (open) closeSync(fd);
      open = false;
    },
  };
}

/**
 * Accepts a single segment only: what the system would read as a path, as a stream of a file (`name:stream`) or as a short name
 * for another one (`LARDER~1`) is refused, never corrected.
 */
export function plainName(name: string, system: NodeJS.Platform = process.platform): string {
  const isPath = name.includes('/') || (system === 'win32' && /[\\:]|~\d|[. ]$/.test(name));
  if (isPath || name === '..' || name === '') throw new StorageError('not-found');
  return name;
}

/** For systems without `/proc`: checks that the folder is unchanged and its real path is the requested one. */
function portableHandle(path: string, name: string, names: FolderNames): FolderHandle {
  const stats = lstatSync(path, { bigint: true });
  if (!stats.isDirectory() || realpathSync(path) !== path) throw new StorageError('not-found');
  const fd = process.platform === 'win32' ? -1 : openSync(path, O_RDONLY | (O_DIRECTORY ?? 0) | (O_NOFOLLOW ?? 0));
  if (fd >= 0) {
    const opened = fstatSync(fd, { bigint: true });
    if (opened.ino !== stats.ino || opened.dev !== stats.dev) {
      closeSync(fd);
      throw new StorageError('not-found');
    }
  }
  let open = fd >= 0;
  return {
    fd,
    name,
    names,
    isLoose: false,
    stats,
    at: (child) => (child === '.' ? path : join(path, plainName(child))),
    isUnchanged: () => {
      const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      return now?.ino === stats.ino && now.dev === stats.dev && realpathSync(path) === path;
    },
    close: () => {
      if (open) closeSync(fd);
      open = false;
    },
  };
}

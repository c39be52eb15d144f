import { isHiddenName } from '../../lib/names/hidden-names.ts';
import type { Disk, DiskListing } from '../../storage/disk/disk.ts';
import { identityOf } from '../../storage/disk/disk-entry.ts';
import { StorageError, storageError } from '../../storage/errors.ts';
import type { HomeRoot } from '../../storage/paths/folder-handle.ts';
import type { Note } from '../reasons.ts';

/** A file below a folder of the disk. */
export interface WalkedFile {
  /** Below the folder, with slashes. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
  /** As in `DiskEntry`. */
  readonly identity: string;
}

interface WalkedFolder {
  /** In the order of their names. */
  readonly files: readonly WalkedFile[];
  /** What was not read. */
  readonly notes: readonly Note[];
}

/** So many folders, or files, in a row that the disk cannot read: it counts as away. */
export const MAX_UNREAD = 5;
/** As for the entries of archives. */
const MAX_DEPTH = 32;
const MAX_PATH = 2_000;

/** Folders of systems, which have no photos of people: trash, indexes, and small pictures. */
const OF_SYSTEMS: ReadonlySet<string> = new Set(
  '__macosx,@eadir,$recycle.bin,system volume information,.trashes,.spotlight-v100,.fseventsd,lost+found'.split(','),
);

/**
 * Lists all files below a folder of the disk. Symbolic links and special files are not followed.
 * @param most files and folders
 * @returns null when there are more
 * @throws StorageError `offline`; the reason of the signal
 */
export async function walkFolder(
  disk: Pick<Disk, 'run'>,
  homeRoot: HomeRoot,
  most: number,
  signal: AbortSignal,
): Promise<WalkedFolder | null> {
  const files: WalkedFile[] = [];
  const notes: Note[] = [];
  const open: (readonly string[])[] = [[]];
  let [count, unread] = [0, 0];
  for (let segments = open.pop(); segments !== undefined; segments = open.pop()) {
    signal.throwIfAborted();
    const here = segments.join('/') || '.';
    let listing: DiskListing;
    try {
      listing = await disk.run('list', { homeRoot, segments });
    } catch (error) {
      const known = storageError(error);
      if (segments.length === 0 || (known instanceof StorageError && known.reason === 'offline')) throw known;
      unread = known instanceof StorageError ? 0 : unread + 1;
      if (unread >= MAX_UNREAD) throw new StorageError('offline');
      const isGone = known instanceof StorageError && known.reason === 'not-found';
      notes.push({ entry: here, reason: isGone ? 'changed' : 'unreadable_file' });
      continue;
    }
    unread = 0;
    const { names, folderCount, others } = listing;
    if (others > 0) notes.push({ entry: here, reason: 'unsafe_entry' });
    count += names.length;
    if (count > most) return null;
    const below: (readonly string[])[] = [];
    for (const [index, name] of names.entries()) {
      const path = [...segments, name];
      const text = path.join('/');
      if (path.length > MAX_DEPTH || Buffer.byteLength(text) > MAX_PATH) {
        notes.push({ entry: text, reason: 'unsafe_entry' });
      } else if (index < folderCount) {
        if (!OF_SYSTEMS.has(name.toLowerCase())) below.push(path);
      } else if (!isHiddenName(name)) files.push(fileAt(listing, index, text));
    }
    for (const path of below.reverse()) open.push(path);
  }
  return { files, notes };
}

function fileAt({ sizes, mtimes, inodes, births, changes }: DiskListing, index: number, path: string): WalkedFile {
  const [size, inode, birth, change] = [sizes[index] ?? 0, inodes[index] ?? 0n, births[index] ?? 0n, changes[index]];
  const identity = identityOf(false, inode, birth, BigInt(size), change ?? 0n);
  return { path, size, mtime: mtimes[index] ?? Number.NaN, identity };
}

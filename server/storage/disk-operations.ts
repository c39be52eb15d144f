import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { type FailPoints, failPoint } from '../lib/fail-points.ts';
import { foldName, nameSortKey } from '../lib/names.ts';
import { createdAt, diskEntry } from './disk-entry.ts';
import type { DiskEntry, DiskListing, DiskOperation, DiskOperations, Published } from './disk-protocol.ts';
import { StorageError } from './errors.ts';
import { closeTrail, type FolderHandle, isReserved, nameOnDisk, openTrail, type Place } from './folder-handle.ts';

type Handlers = { [Name in DiskOperation]: (input: DiskOperations[Name]['input']) => DiskOperations[Name]['output'] };

/** The work of a disk thread: every call blocks, and only that thread. */
export function diskOperations(points: FailPoints): Handlers {
  return {
    list: ({ place, segments }) =>
      withTrail(place, segments, (trail) => ({
        ...listFolder(last(trail), trail.length === 1),
        folders: entriesOf(trail),
      })),

    stat: ({ place, segments }) =>
      withParent(place, segments, (trail, name) => {
        if (name === null) return { parents: [], entry: diskEntry('', last(trail).stats) };
        const stats = lstatSync(last(trail).at(name), { bigint: true });
        if (!stats.isFile() && !stats.isDirectory()) throw new StorageError('not-found');
        return { parents: entriesOf(trail), entry: diskEntry(name, stats) };
      }),

    open: ({ place, segments }) =>
      withParent(place, segments, (trail, name) => {
        if (name === null) throw new StorageError('is-a-folder');
        const path = last(trail).at(name);
        const seen = lstatSync(path, { bigint: true });
        if (seen.isDirectory()) throw new StorageError('is-a-folder');
        // Opening a pipe or a device could block for ever, so it is looked at first, and again once it is open.
        if (!seen.isFile()) throw new StorageError('not-found');
        failPoint(points, 'storage.open');
        const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
        const stats = fstatSync(fd, { bigint: true });
        if (!stats.isFile() || stats.ino !== seen.ino || stats.dev !== seen.dev || !last(trail).isStill()) {
          closeSync(fd);
          throw new StorageError('not-found');
        }
        const etag = `"${stats.ino.toString(36)}-${stats.size.toString(36)}-${stats.mtimeNs.toString(36)}"`;
        return { parents: entriesOf(trail), entry: diskEntry(name, stats), fd, etag };
      }),

    publish: ({ place, parent, name, incoming, keepAs }) =>
      changeIn(place, parent, (folder, isRoot) => {
        if (isRoot && isReserved(name)) throw new StorageError('taken', name);
        failPoint(points, 'storage.publish.found-folder');
        const { target, before } = placeContent(points, folder, name, incoming, keepAs);
        failPoint(points, 'storage.publish.named');
        return { entry: diskEntry(target, lstatSync(folder.at(target), { bigint: true })), replaced: before };
      }),

    createFolder: ({ place, parent, name }) =>
      changeIn(place, parent, (folder, isRoot) => {
        if (isRoot && isReserved(name)) throw new StorageError('taken', name);
        const twin = twinOf(folder, name);
        if (twin !== null) throw new StorageError('taken', twin);
        mkdirSync(folder.at(name));
        return { entry: diskEntry(name, lstatSync(folder.at(name), { bigint: true })), replaced: null };
      }),

    putBack: ({ place, parent, name, source }) =>
      changeIn(place, parent, (folder) => {
        if (twinOf(folder, name) !== null || !moveToNewName(points, source, folder.at(name))) {
          throw new StorageError('taken', name);
        }
        return { entry: diskEntry(name, lstatSync(folder.at(name), { bigint: true })), replaced: null };
      }),

    takeOut: ({ place, segments, target }) => {
      const name = segments.at(-1);
      if (name === undefined) throw new StorageError('not-found');
      return changeIn(place, segments.slice(0, -1), (folder, isRoot) => {
        if (isRoot && isReserved(name)) throw new StorageError('not-found');
        const found = nameOnDisk(folder, name);
        const stats = lstatSync(folder.at(found), { bigint: true });
        if (!stats.isFile() && !stats.isDirectory()) throw new StorageError('not-found');
        failPoint(points, 'storage.take-out');
        renameSync(folder.at(found), target);
        failPoint(points, 'storage.taken-out');
        return { entry: diskEntry(found, stats), replaced: null };
      });
    },
  };
}

/** Gives the content its name; what had the name is kept first. */
function placeContent(points: FailPoints, folder: FolderHandle, name: string, incoming: string, keepAs: string) {
  const found = replaceable(folder, name);
  failPoint(points, 'storage.publish.chosen');
  if (found.before === null && moveToNewName(points, incoming, folder.at(found.target))) return found;
  // Either there was a file, or another program has put one there since: both are kept.
  const now = found.before === null ? replaceable(folder, name) : found;
  const target = folder.at(now.target);
  const isLinked = linkOrMove(points, target, keepAs);
  failPoint(points, 'storage.publish.kept-old');
  try {
    renameSync(incoming, target);
  } catch (error) {
    // The old content has one name again, its own.
    if (isLinked) unlinkSync(keepAs);
    else renameSync(keepAs, target);
    throw error;
  }
  return now;
}

/** A second name for the old content; where the disk has no hard links, its only one until the new content is there. */
function linkOrMove(points: FailPoints, from: string, to: string): boolean {
  try {
    failPoint(points, 'storage.link');
    linkSync(from, to);
    return true;
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    renameSync(from, to);
    return false;
  }
}

/**
 * A new name without ever replacing one: `link` fails where `rename` would silently take the place of a file that
 * another program put there in between. Folders and disks without hard links (exFAT) get the rename.
 * @returns false when the name is taken
 */
function moveToNewName(points: FailPoints, from: string, to: string): boolean {
  try {
    failPoint(points, 'storage.link');
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    if (!hasNoLinks(error)) throw error;
    renameSync(from, to);
    return true;
  }
  unlinkSync(from);
  return true;
}

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

function hasNoLinks(error: unknown): boolean {
  return NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '');
}

/** The file that a new content of this name replaces, under the name it has on the disk; `before` is null for a new one. */
function replaceable(folder: FolderHandle, name: string): { target: string; before: DiskEntry | null } {
  const twin = twinOf(folder, name);
  if (twin === null) return { target: name, before: null };
  if (twin.normalize('NFC') !== name.normalize('NFC')) throw new StorageError('taken', twin);
  const stats = lstatSync(folder.at(twin), { bigint: true });
  if (!stats.isFile()) throw new StorageError('taken', twin);
  return { target: twin, before: diskEntry(twin, stats) };
}

/** What this name would collide with: itself first, then a name that differs in case or composition only. */
function twinOf(folder: FolderHandle, name: string): string | null {
  const exact = lstatSync(folder.at(name), { throwIfNoEntry: false });
  const others = readdirSync(folder.at('.'));
  // On a disk that ignores case the exact look finds the twin as well; its own spelling is the one that counts.
  if (exact !== undefined && others.includes(name)) return name;
  const folded = foldName(name);
  return others.find((other) => foldName(other) === folded) ?? (exact === undefined ? null : name);
}

function listFolder(folder: FolderHandle, isRoot: boolean): Omit<DiskListing, 'folders'> {
  const found = [];
  for (const dirent of readdirSync(folder.at('.'), { withFileTypes: true })) {
    if (isRoot && isReserved(dirent.name)) continue;
    const stats = lstatSync(folder.at(dirent.name), { bigint: true, throwIfNoEntry: false });
    // Gone since, a name that is no UTF-8 (the doctor lists those), or nothing we serve.
    if (stats === undefined || (!stats.isFile() && !stats.isDirectory())) continue;
    found.push({ name: dirent.name, key: nameSortKey(dirent.name), isDir: stats.isDirectory(), stats });
  }
  found.sort((a, b) => {
    if (a.isDir !== b.isDir) return a.isDir ? -1 : 1;
    if (a.key !== b.key) return a.key < b.key ? -1 : 1;
    return a.name < b.name ? -1 : 1;
  });
  const count = found.length;
  const listing = {
    names: found.map(({ name }) => name),
    folderCount: found.findLastIndex(({ isDir }) => isDir) + 1,
    sizes: new Float64Array(count),
    mtimes: new Float64Array(count),
    created: new Float64Array(count),
    inodes: new BigUint64Array(count),
    births: new BigInt64Array(count),
    changes: new BigInt64Array(count),
  };
  for (const [index, { isDir, stats }] of found.entries()) {
    listing.sizes[index] = isDir ? 0 : Number(stats.size);
    listing.mtimes[index] = Number(stats.mtimeMs);
    listing.created[index] = createdAt(stats);
    listing.inodes[index] = stats.ino;
    listing.births[index] = stats.birthtimeNs;
    listing.changes[index] = stats.mtimeNs;
  }
  return listing;
}

function withTrail<T>(place: Place, segments: readonly string[], work: (trail: FolderHandle[]) => T): T {
  const trail = openTrail(place, segments);
  try {
    return work(trail);
  } finally {
    closeTrail(trail);
  }
}

/** Opens the parent of what the segments name; the name is null for the root itself. */
function withParent<T>(
  place: Place,
  segments: readonly string[],
  work: (trail: FolderHandle[], name: string | null) => T,
): T {
  return withTrail(place, segments.slice(0, -1), (trail) => {
    const name = segments.at(-1);
    if (name === undefined) return work(trail, null);
    if (trail.length === 1 && isReserved(name)) throw new StorageError('not-found');
    return work(trail, nameOnDisk(last(trail), name));
  });
}

/** Runs a change in a folder and hands the folder's descriptor over, to be flushed outside of this thread. */
function changeIn(
  place: Place,
  parent: readonly string[],
  change: (folder: FolderHandle, isRoot: boolean) => Pick<Published, 'entry' | 'replaced'>,
): Published {
  const trail = openTrail(place, parent);
  const folder = last(trail);
  try {
    if (!folder.isStill()) throw new StorageError('not-found');
    const result = { ...change(folder, trail.length === 1), parents: entriesOf(trail), folderFd: folder.fd };
    closeTrail(trail.slice(0, -1));
    return result;
  } catch (error) {
    closeTrail(trail);
    throw error;
  }
}

function last(trail: readonly FolderHandle[]): FolderHandle {
  return trail.at(-1) as FolderHandle;
}

function entriesOf(trail: readonly FolderHandle[]): DiskEntry[] {
  return trail.map((folder) => diskEntry(folder.name, folder.stats));
}

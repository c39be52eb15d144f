import {
  type BigIntStats,
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { foldName } from '../../lib/names/names.ts';
import { normalized } from '../../lib/names/normalized.ts';
import { type FailPoints, failPoint } from '../../lib/process/fail-points.ts';
import { diskEntry, microseconds } from '../disk/disk-entry.ts';
import type { DiskEntry, Published } from '../disk/disk-protocol.ts';
import { StorageError } from '../errors.ts';
import { type FolderHandle, type HomeRoot, isReserved } from './folder-handle.ts';
import type { FolderNames } from './folder-names.ts';
import { changeIn } from './open-path.ts';

/** The parts needed to give names. */
interface Naming {
  readonly points: FailPoints;
  readonly names: FolderNames;
}

/** Gives the content a free name. @throws StorageError `taken` */
export function placeNew({ points, names }: Naming, folder: FolderHandle, name: string, incoming: string): void {
  const twin = names.twinOf(folder, name);
  if (twin !== null) throw new StorageError('taken', twin);
  failPoint(points, 'storage.publish.chosen');
  if (!moveToNewName(points, incoming, folder.at(name))) throw new StorageError('taken', name);
  names.added(folder, name);
}

/** Gives the content its name, after retaining what had the name. */
export function placeOver(
  { points, names }: Naming,
  folder: FolderHandle,
  name: string,
  incoming: string,
  retainAs: string,
) {
  const found = replaceable(names, folder, name);
  failPoint(points, 'storage.publish.chosen');
  if (found.before === null && moveToNewName(points, incoming, folder.at(found.target))) return found;
  // There was a file, or another program has created one since: both are retained.
  const now = found.before === null ? replaceable(names, folder, name) : found;
  const target = folder.at(now.target);
  keepingOld(points, target, retainAs, () => {
    failPoint(points, 'storage.publish.kept-old');
    renameSync(incoming, target);
  });
  return now;
}

/** Retains the old content before another one takes its name; if that fails, it has only its own name again. */
function keepingOld(points: FailPoints, target: string, retainAs: string, takeName: () => void): void {
  const isLinked = linkOrMove(points, target, retainAs);
  try {
    // Before the rename removes the old content's other name: after a power cut, it must have one of them.
    flushFolderOf(retainAs);
    takeName();
  } catch (error) {
    if (isLinked) unlinkSync(retainAs);
    else renameSync(retainAs, target);
    throw error;
  }
}

/** The entry under its new name. */
export function entryAfter(points: FailPoints, point: string, folder: FolderHandle, name: string): DiskEntry {
  return afterChange(() => {
    failPoint(points, point);
    return diskEntry(name, lstatSync(folder.at(name), { bigint: true }));
  });
}

/** A failure after a change is not a refusal: the journal entry has to stay until a start handles it. */
export function afterChange<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`the change was made, and then: ${(error as Error).message}`, { cause: error });
  }
}

interface Move {
  /** Of the destination home. */
  readonly homeRoot: HomeRoot;
  readonly fromFolder: FolderHandle;
  readonly found: string;
  readonly parent: readonly string[];
  readonly name: string;
  readonly retainAs: string | null;
}

export function moveItem(
  { points, names }: Naming,
  { homeRoot, fromFolder, found, parent, name, retainAs }: Move,
): Published & { readonly touchedBefore: number } {
  const stats = lstatSync(fromFolder.at(found), { bigint: true });
  if (!stats.isFile() && !stats.isDirectory()) throw new StorageError('not-found');
  const published = changeIn(names, homeRoot, parent, (folder, isRoot, handles) => {
    if (isRoot && isReserved(name)) throw new StorageError('taken', name);
    const isInside = handles.some((step) => step.stats.ino === stats.ino && step.stats.dev === stats.dev);
    if (isInside) throw new StorageError('into-itself');
    const isSameFolder = folder.stats.ino === fromFolder.stats.ino && folder.stats.dev === fromFolder.stats.dev;
    const twin = names.twinOf(folder, name, isSameFolder ? found : null);
    const before = twin === null ? null : overwritable(folder, twin, name, stats, retainAs);
    failPoint(points, 'storage.move.chosen');
    const target = before?.name ?? name;
    const isRespelled = isSameFolder && foldName(found) === foldName(name);
    const [from, to] = [fromFolder.at(found), folder.at(target)];
    const takeName = () => {
      failPoint(points, 'storage.move.kept-old');
      if (before !== null || isRespelled || stats.isDirectory()) renameSync(from, to);
      else if (!moveToNewName(points, from, to)) throw new StorageError('taken', target);
    };
    if (before !== null && retainAs !== null) keepingOld(points, to, retainAs, takeName);
    else takeName();
    return { entry: entryAfter(points, 'storage.move.named', folder, target), replaced: before };
  });
  return { ...published, touchedBefore: microseconds(stats.ctimeNs) };
}

/** The file that a move may replace. @throws StorageError `taken` */
function overwritable(
  folder: FolderHandle,
  twin: string,
  name: string,
  moving: BigIntStats,
  retainAs: string | null,
): DiskEntry {
  const stats = lstatSync(folder.at(twin), { bigint: true });
  const isSameText = normalized(twin, 'NFC') === normalized(name, 'NFC');
  if (retainAs === null || !isSameText || !stats.isFile() || !moving.isFile()) throw new StorageError('taken', twin);
  return diskEntry(twin, stats);
}

function flushFolderOf(path: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(dirname(path), constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A second name for the old content; on a disk without hard links, its only one until the new content is in place. */
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
 * Gives a new name without ever replacing one: `link` fails where `rename` would silently replace a file that another program
 * created in between. Folders, and disks without hard links (exFAT), use the rename.
 * @returns false when the name is taken
 */
export function moveToNewName(points: FailPoints, from: string, to: string): boolean {
  try {
    failPoint(points, 'storage.link');
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    if (!hasNoLinks(error)) throw error;
    renameSync(from, to);
    return true;
  }
  try {
    failPoint(points, 'storage.linked');
    unlinkSync(from);
  } catch (error) {
    // Another program has just removed it: its new name is its only one.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    takeBack(to, error);
    throw error;
  }
  return true;
}

/**
 * @throws an error that is not a refusal, so that the next start finishes it from the journal, when the new name cannot be
 * removed
 */
function takeBack(to: string, cause: unknown): void {
  try {
    unlinkSync(to);
  } catch {
    throw new Error('a file has its old and its new name', { cause });
  }
}

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

function hasNoLinks(error: unknown): boolean {
  return NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '');
}

/** The file that a new content of this name replaces, under its name on the disk; `before` is null for a new one. */
function replaceable(
  names: FolderNames,
  folder: FolderHandle,
  name: string,
): { target: string; before: DiskEntry | null } {
  const twin = names.twinOf(folder, name);
  if (twin === null) return { target: name, before: null };
  if (normalized(twin, 'NFC') !== normalized(name, 'NFC')) throw new StorageError('taken', twin);
  const stats = lstatSync(folder.at(twin), { bigint: true });
  if (!stats.isFile()) throw new StorageError('taken', twin);
  return { target: twin, before: diskEntry(twin, stats) };
}

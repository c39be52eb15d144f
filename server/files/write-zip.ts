import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type ZipStream from 'zip-stream';
import type { ItemTarget } from '../access/access.ts';
import type { Disk, OpenedFile } from '../storage/disk.ts';
import { StorageError } from '../storage/errors.ts';
import { closeFile, piecesOf } from '../storage/send-bytes.ts';
import { walk } from './walk.ts';

/** A file or folder, with everything in it, and the name that it has in the archive. */
export interface ZipRoot {
  readonly target: ItemTarget;
  readonly name: string;
}

/**
 * Writes files and folders as a ZIP archive, which it ends, into `sink`: entries stored as they are, names in UTF-8, ZIP64
 * where it is needed, one file open at a time, and no faster than the sink takes it. What goes while it is written is left
 * out.
 * @throws StorageError `not-found` when nothing is left; when a file cannot be read to its end, or the sink is closed early.
 * The sink is destroyed then
 */
export async function writeZip(disk: Disk, roots: readonly ZipRoot[], sink: Writable): Promise<void> {
  const { default: Zip } = await import('zip-stream');
  const zip = new Zip({ store: true, forceLocalTime: true });
  const broken = new AbortController();
  const written = pipeline(zip as unknown as Readable, sink);
  written.catch((error) => broken.abort(error));
  try {
    let count = 0;
    for (const root of roots) if (await addRoot(disk, zip, root, broken.signal)) count += 1;
    if (count === 0) throw new StorageError('not-found');
    zip.finish();
    await written;
  } catch (error) {
    sink.destroy();
    await written.catch(() => undefined);
    throw error;
  }
}

/** @returns false for one that is not there any more */
async function addRoot(disk: Disk, zip: ZipStream, { target, name }: ZipRoot, broken: AbortSignal): Promise<boolean> {
  const path = rootName(name);
  const opened = await openOrNull(disk, target);
  if (opened === 'folder') return addFolder(disk, zip, target, path, broken);
  if (opened !== null) await addFile(zip, opened, path, broken);
  return opened !== null;
}

async function addFolder(
  disk: Disk,
  zip: ZipStream,
  folder: ItemTarget,
  path: string,
  broken: AbortSignal,
): Promise<boolean> {
  const { home, segments } = folder;
  const walking = walk(disk, folder);
  const first = await walking.next().catch((error) => {
    if (error instanceof StorageError && error.reason === 'not-found') return null;
    throw error;
  });
  if (first === null) return false;
  await add(zip, null, `${path}/`, Date.now(), broken);
  for (let step = first; !step.done; step = await walking.next()) {
    const { entry, segments: below } = step.value;
    const name = [path, ...below.map(entryName)].join('/');
    if (entry.isDir) {
      await add(zip, null, `${name}/`, entry.mtime, broken);
      continue;
    }
    // A folder of that name has come since: the file has gone all the same.
    const opened = await openOrNull(disk, { home, segments: [...segments, ...below] });
    if (opened !== null && opened !== 'folder') await addFile(zip, opened, name, broken);
  }
  return true;
}

/** What it is is seen by opening it. @returns null for what has gone */
async function openOrNull(
  disk: Disk,
  { home, segments }: Pick<ItemTarget, 'home' | 'segments'>,
): Promise<OpenedFile | 'folder' | null> {
  return disk.run('open', { place: home.place, segments }).catch((error) => {
    if (error instanceof StorageError && error.reason === 'is-a-folder') return 'folder';
    if (error instanceof StorageError && error.reason === 'not-found') return null;
    throw error;
  });
}

async function addFile(zip: ZipStream, { fd, entry }: OpenedFile, path: string, broken: AbortSignal): Promise<void> {
  const content = Readable.from(piecesOf(fd, entry.size), { objectMode: false });
  try {
    await add(zip, content, path, entry.mtime, broken);
  } finally {
    content.destroy();
    await closeFile(fd);
  }
}

/** @param content null for a folder, whose path ends in a slash @param mtime milliseconds since the epoch */
function add(
  zip: ZipStream,
  content: Readable | null,
  path: string,
  mtime: number,
  broken: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => reject(broken.reason);
    if (broken.aborted) return end();
    broken.addEventListener('abort', end);
    const entry = { name: path, date: new Date(mtime), store: true };
    zip.entry(content ?? Buffer.alloc(0), entry, (error) => {
      broken.removeEventListener('abort', end);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** A backslash parts folders for many who unpack, so that it gets a sign that only looks like one. */
function entryName(name: string): string {
  return name.replaceAll('\\', '\u29f5');
}

/** The same for a colon in the first place: it would be a drive. */
function rootName(name: string): string {
  return entryName(name).replaceAll(':', '\ua789');
}

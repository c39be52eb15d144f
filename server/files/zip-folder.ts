import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type ZipStream from 'zip-stream';
import type { ItemTarget } from '../access/access.ts';
import type { Disk } from '../storage/disk.ts';
import { StorageError } from '../storage/errors.ts';
import { closeFile, piecesOf } from '../storage/send-bytes.ts';
import { type Walked, walk } from './walk.ts';

/**
 * Writes a folder as a ZIP archive, which it ends, into `sink`: entries stored as they are, names in UTF-8, ZIP64 where
 * it is needed, one file open at a time, and no faster than the sink takes it. What goes while it is written is left out.
 * @param name of the folder, which everything in the archive stands in
 * @throws when a file cannot be read to its end, or the sink is closed early; the sink is destroyed then
 */
export async function zipFolder(disk: Disk, folder: ItemTarget, name: string, sink: Writable): Promise<void> {
  const { default: Zip } = await import('zip-stream');
  const zip = new Zip({ store: true, forceLocalTime: true });
  const broken = new AbortController();
  const written = pipeline(zip as unknown as Readable, sink);
  written.catch((error) => broken.abort(error));
  try {
    await add(zip, null, `${rootName(name)}/`, Date.now(), broken.signal);
    for await (const walked of walk(disk, folder)) {
      const path = [rootName(name), ...walked.segments.map(entryName)].join('/');
      await addWalked(disk, folder, zip, path, walked, broken.signal);
    }
    zip.finish();
    await written;
  } catch (error) {
    sink.destroy();
    await written.catch(() => undefined);
    throw error;
  }
}

async function addWalked(
  disk: Disk,
  { home, segments }: ItemTarget,
  zip: ZipStream,
  path: string,
  { entry, segments: below }: Walked,
  broken: AbortSignal,
): Promise<void> {
  if (entry.isDir) return add(zip, null, `${path}/`, entry.mtime, broken);
  const opened = await disk.run('open', { place: home.place, segments: [...segments, ...below] }).catch((error) => {
    // A folder of that name has come since: the file has gone all the same.
    if (error instanceof StorageError && ['not-found', 'is-a-folder'].includes(error.reason)) return null;
    throw error;
  });
  if (opened === null) return;
  const { size, mtime } = opened.entry;
  const content = Readable.from(piecesOf(opened.fd, size), { objectMode: false });
  try {
    await add(zip, content, path, mtime, broken);
  } finally {
    content.destroy();
    await closeFile(opened.fd);
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

import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type ZipStream from 'zip-stream';
import type { ItemTarget } from '../../access/access.ts';
import { settled } from '../../lib/async/settled.ts';
import { chunksOf, closeFile } from '../../storage/content/send-bytes.ts';
import type { Disk, OpenedFile } from '../../storage/disk/disk.ts';
import { nullIfGone, StorageError } from '../../storage/errors.ts';
import { walk } from '../walk.ts';
import type { PlannedEntry, ZipPlan, ZipRoot } from './plan.ts';
import { entryName, rootName } from './zip-names.ts';
import { timeFieldsLength, writeTimes } from './zip-times.ts';

interface ZipEnd {
  /** The announced contents; null to send what exists at the time. */
  readonly plan?: ZipPlan | null;
  /** Called before bytes of the archive are sent, with their number; they wait for the promise it returns. */
  readonly onBytes?: ((bytes: number) => Promise<void> | undefined) | undefined;
}

/**
 * Writes files and folders as a ZIP archive into `sink`, and ends it: entries are stored uncompressed, names in UTF-8, times in UTC,
 * ZIP64 where needed, one file open at a time, with back-pressure. Items that disappear meanwhile are left out, but a planned one may
 * not, because the length was announced.
 * @throws StorageError `not-found` when nothing is left; when a file cannot be read to its end, or the sink is closed early. The
 * sink is destroyed then
 */
export async function writeZip(
  disk: Disk,
  roots: readonly ZipRoot[],
  sink: Writable,
  { plan = null, onBytes }: ZipEnd = {},
): Promise<void> {
  const { default: Zip } = await import('zip-stream');
  const zip = new Zip({ store: true, forceLocalTime: true });
  const broken = new AbortController();
  const source = zip as unknown as Readable;
  const written = onBytes === undefined ? pipeline(source, sink) : pipeline(source, metered(onBytes), sink);
  written.catch((error) => broken.abort(error));
  const archive: Archive = { disk, zip, broken: broken.signal, mtime: 0 };
  writeTimes(zip, () => archive.mtime);
  try {
    if (plan === null) {
      let count = 0;
      for (const root of roots) if (await addRoot(archive, root)) count += 1;
      if (count === 0) throw new StorageError('not-found');
    } else for (const entry of plan.entries) await addPlanned(archive, entry);
    zip.finish();
    await written;
  } catch (error) {
    sink.destroy();
    await settled(written);
    throw error;
  }
}

function metered(onBytes: (bytes: number) => Promise<void> | undefined): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      Promise.resolve(onBytes(chunk.length)).then(() => done(null, chunk), done);
    },
  });
}

/** An archive being written. */
interface Archive {
  readonly disk: Disk;
  readonly zip: ZipStream;
  readonly broken: AbortSignal;
  /** Of the entry that is being added. Milliseconds since the epoch. */
  mtime: number;
}

/** @throws when it differs from the plan: the announced length can no longer be reached */
async function addPlanned(archive: Archive, { target, path, isDir, size, mtime }: PlannedEntry): Promise<void> {
  if (isDir) return add(archive, Buffer.alloc(0), path, mtime);
  const opened = await openOrNull(archive.disk, target);
  if (opened === null || opened === 'folder') throw new Error('a file that goes into an archive is gone');
  const isSame = opened.entry.size === size && timeFieldsLength(opened.entry.mtime) === timeFieldsLength(mtime);
  if (isSame) return addFile(archive, opened, path);
  await closeFile(opened.fd);
  throw new Error('a file that goes into an archive has changed');
}

/** @returns false if it no longer exists */
async function addRoot(archive: Archive, { target, name }: ZipRoot): Promise<boolean> {
  const path = rootName(name);
  const opened = await openOrNull(archive.disk, target);
  if (opened === 'folder') return addFolder(archive, target, path);
  if (opened !== null) await addFile(archive, opened, path);
  return opened !== null;
}

async function addFolder(archive: Archive, folder: ItemTarget, path: string): Promise<boolean> {
  const { disk } = archive;
  const { home, segments } = folder;
  const walking = walk(disk, folder);
  const beginning = Promise.all([disk.run('stat', { homeRoot: home.homeRoot, segments }), walking.next()]);
  const found = await beginning.catch(nullIfGone);
  if (found === null) return false;
  const [{ entry: own }, first] = found;
  await add(archive, Buffer.alloc(0), `${path}/`, own.mtime);
  for (let step = first; !step.done; step = await walking.next()) {
    const { entry, segments: below } = step.value;
    const name = [path, ...below.map(entryName)].join('/');
    if (entry.isDir) {
      await add(archive, Buffer.alloc(0), `${name}/`, entry.mtime);
      continue;
    }
    // A folder took that name meanwhile, so the file is gone.
    const opened = await openOrNull(disk, { home, segments: [...segments, ...below] });
    if (opened !== null && opened !== 'folder') await addFile(archive, opened, name);
  }
  return true;
}

/** Only opening it shows which it is. @returns null if it is gone */
async function openOrNull(
  disk: Disk,
  { home, segments }: Pick<ItemTarget, 'home' | 'segments'>,
): Promise<OpenedFile | 'folder' | null> {
  return disk.run('open', { homeRoot: home.homeRoot, segments }).catch((error) => {
    if (error instanceof StorageError && error.reason === 'is-a-folder') return 'folder';
    if (error instanceof StorageError && error.reason === 'not-found') return null;
    throw error;
  });
}

async function addFile(archive: Archive, { fd, entry }: OpenedFile, path: string): Promise<void> {
  const content = Readable.from(chunksOf(fd, entry.size), { objectMode: false });
  try {
    await add(archive, content, path, entry.mtime);
  } finally {
    content.destroy();
    await closeFile(fd);
  }
}

/** @param mtime milliseconds since the epoch */
function add(archive: Archive, content: Readable | Buffer, path: string, mtime: number): Promise<void> {
  const { zip, broken } = archive;
  return new Promise((resolve, reject) => {
    const end = () => reject(broken.reason);
    if (broken.aborted) return end();
    broken.addEventListener('abort', end);
    archive.mtime = mtime;
    zip.entry(content, { name: path, store: true }, (error) => {
      broken.removeEventListener('abort', end);
      if (error) reject(error);
      else resolve();
    });
  });
}

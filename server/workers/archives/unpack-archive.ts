import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { crc32 } from 'node:zlib';
import extractZip from 'extract-zip';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import type { OpenInherited } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { ArchiveContent } from './archive-jobs.ts';
import { UnsafeArchive } from './archive-paths.ts';
import { FILE_MODE, FOLDER_MODE, makeFolders, writeEntry } from './write-entry.ts';

type OpenStream = (entry: Entry, callback: (error: Error | null, stream?: Readable) => void) => void;

/** Where the library puts entries that are left out: an empty folder, which is discarded. */
const LEFT_OUT = 'left-out/';

/**
 * Extracts only what was checked. The library reads the directory again: every entry is compared with the check, is stored at a
 * path of our choice, and becomes a plain file or folder whatever its attributes say. The bytes are counted and checksummed.
 * @param folder new, for this archive only
 * @param tree the name in it that receives everything; other files that the library creates are discarded
 * @throws UnsafeArchive, JobError `corrupt`, and errors of the disk
 */
export async function unpackArchive(
  { fd, path }: OpenInherited,
  content: ArchiveContent,
  folder: string,
  tree: string,
): Promise<void> {
  // Sizes are checked together with the checksum.
  const contents = await fromFdPromise(fd, { autoClose: false, decodeStrings: false, validateEntrySizes: false });
  const checked = new CheckedEntries(content);
  const extracting = content.isForLibrary
    ? extractByLibrary(path, contents, checked, folder, tree)
    : extractDirectly(contents, checked, join(folder, tree));
  await extracting.catch((error: unknown) => {
    throw isRefusal(error) ? error : new JobError('corrupt', (error as Error).message);
  });
  if (!checked.isComplete) throw new JobError('corrupt', 'the archive has changed');
}

async function extractByLibrary(
  path: string,
  contents: ZipFile,
  checked: CheckedEntries,
  folder: string,
  tree: string,
): Promise<void> {
  await extractZip(path, {
    dir: folder,
    defaultDirMode: FOLDER_MODE,
    defaultFileMode: FILE_MODE,
    onEntry: (entry, zip) => {
      const next = checked.next(entry as Entry);
      // No link, device or mode of its own.
      entry.externalFileAttributes = 0;
      entry.fileName = next === null ? LEFT_OUT : `${tree}/${next.path}`;
      if (next === null) return;
      (zip as ZipFile).openReadStream = ((one, done) =>
        openCounted(contents, one, counted(next), done)) as OpenStream as ZipFile['openReadStream'];
    },
  });
}

/** For archives that the library refuses as a whole. */
async function extractDirectly(contents: ZipFile, checked: CheckedEntries, tree: string): Promise<void> {
  await makeFolders(tree);
  for await (const entry of contents.eachEntry()) {
    const next = checked.next(entry);
    if (next === null) continue;
    const target = join(tree, next.path);
    if (next.path.endsWith('/')) await makeFolders(target);
    else await writeEntry(target, await contents.openReadStreamPromise(entry), counted(next));
  }
}

/** Errors to pass on unchanged: our own, and those of the disk. All others concern the archive's bytes. */
function isRefusal(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isOfDisk = typeof code === 'string' && syscall !== undefined;
  return error instanceof UnsafeArchive || error instanceof JobError || isOfDisk;
}

/** An entry as it was checked. */
interface CheckedEntry {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly crc: number;
}

/** The entries that were checked, in the order of the archive. */
class CheckedEntries {
  readonly #content: ArchiveContent;
  readonly #leftOut: ReadonlySet<number>;
  #index = 0;

  constructor(content: ArchiveContent) {
    this.#content = content;
    this.#leftOut = new Set(content.leftOut);
  }

  /** @returns null for an entry that is not extracted @throws JobError `corrupt` if it is not the one that was checked */
  next(entry: Entry): CheckedEntry | null {
    if (this.#leftOut.has(entry.relativeOffsetOfLocalHeader)) return null;
    const { paths, sizes, packedSizes, crcs, offsets } = this.#content;
    const index = this.#index;
    const isSame =
      entry.uncompressedSize === sizes[index] &&
      entry.compressedSize === packedSizes[index] &&
      entry.crc32 === crcs[index] &&
      entry.relativeOffsetOfLocalHeader === offsets[index];
    if (!isSame) throw new JobError('corrupt', 'the archive has changed');
    this.#index += 1;
    return { path: paths[index] ?? '', size: entry.uncompressedSize, crc: entry.crc32 };
  }

  get isComplete(): boolean {
    return this.#index === this.#content.paths.length;
  }
}

/**
 * Contents are read by the newer reader: the library's own never reports an error in the middle of a content, and waits forever.
 */
function openCounted(contents: ZipFile, entry: Entry, counter: Transform, done: Parameters<OpenStream>[1]): void {
  contents.openReadStream(entry, (error, stream) => {
    if (error !== null) return done(error);
    stream.on('error', (failure) => counter.destroy(failure));
    counter.on('close', () => stream.destroy());
    done(null, stream.pipe(counter));
  });
}

function counted({ path, size, crc }: CheckedEntry): Transform {
  let bytes = 0;
  let sum = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      sum = crc32(chunk, sum);
      if (bytes > size) done(new UnsafeArchive('contradiction', path));
      else done(null, chunk);
    },
    flush(done) {
      const isWhole = bytes === size && sum === crc;
      done(isWhole ? null : new JobError('corrupt', 'a content is not what its sum says'));
    },
  });
}

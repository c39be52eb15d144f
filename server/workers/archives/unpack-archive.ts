import { type Readable, Transform } from 'node:stream';
import { crc32 } from 'node:zlib';
import extractZip from 'extract-zip';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import type { OpenInherited } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { ArchiveContent } from './archive-jobs.ts';
import { UnsafeArchive } from './archive-paths.ts';

type OpenStream = (entry: Entry, callback: (error: Error | null, stream?: Readable) => void) => void;

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
  const contents = await fromFdPromise(fd, { autoClose: false, validateEntrySizes: false });
  let index = 0;
  await extractZip(path, {
    dir: folder,
    // As for an upload: the umask decides.
    defaultDirMode: 0o777,
    defaultFileMode: 0o666,
    onEntry: (entry, zip) => {
      checkSame(entry as Entry, content, index);
      entry.fileName = `${tree}/${content.paths[index] ?? ''}`;
      // No link, device or mode of its own.
      entry.externalFileAttributes = 0;
      const counter = countedContent(content, index);
      (zip as ZipFile).openReadStream = ((one, done) =>
        openCounted(contents, one, counter, done)) as OpenStream as ZipFile['openReadStream'];
      index += 1;
    },
  }).catch((error: unknown) => {
    throw isRefusal(error) ? error : new JobError('corrupt', (error as Error).message);
  });
  if (index !== content.paths.length) throw new JobError('corrupt', 'the archive has changed');
}

/** Errors to pass on unchanged: our own, and those of the disk. All others concern the archive's bytes. */
function isRefusal(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isOfDisk = typeof code === 'string' && syscall !== undefined;
  return error instanceof UnsafeArchive || error instanceof JobError || isOfDisk;
}

function checkSame(entry: Entry, { sizes, packedSizes, crcs, offsets }: ArchiveContent, index: number): void {
  const isSame =
    entry.uncompressedSize === sizes[index] &&
    entry.compressedSize === packedSizes[index] &&
    entry.crc32 === crcs[index] &&
    entry.relativeOffsetOfLocalHeader === offsets[index];
  if (!isSame) throw new JobError('corrupt', 'the archive has changed');
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

function countedContent({ paths, sizes, crcs }: ArchiveContent, index: number): Transform {
  const [path = '', size = 0, crc = 0] = [paths[index], sizes[index], crcs[index]];
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

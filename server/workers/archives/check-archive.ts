import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { readAt } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import { type ArchiveContent, MAX_ENTRIES, MAX_RATIO, MAX_UNPACKED, RATIO_FROM } from './archive-jobs.ts';
import { ArchivePaths, UnsafeArchive } from './archive-paths.ts';
import { EntryNames, UTF8 } from './entry-names.ts';
import { timeOf } from './entry-times.ts';

/** Bits of an entry's flags (APPNOTE 4.4.4): encrypted in the old way, in the new one, and with its directory. */
const ENCRYPTED = 0x1 | 0x40 | 0x2000;
/** Sizes and checksum follow the content. */
const DESCRIPTOR = 0x8;
const STORED = 0;
const DEFLATED = 8;

/** The signature of an entry in the directory. */
const ENTRY = 0x02014b50;

/** The signatures at the start of an archive: an entry, or the end record of an empty one. */
const BEGINNINGS = ['504b0304', '504b0506', '504b0606'];

/** File types in the upper half of the attributes, as on Unix. */
const KIND = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;

/** In an archive without ZIP64 fields: the real value is elsewhere. */
const ELSEWHERE = 0xffff_ffff;

/** Metadata that macOS adds to every archive. They are checked, except for their names, and left out. */
const MAC_EXTRAS = '__MACOSX/';

/**
 * Reads the whole directory and the header of every entry.
 * @throws UnsafeArchive; JobError `unsupported` for a file that is not a ZIP archive, or is compressed in another way, `corrupt`
 */
export async function checkArchive(fd: number, limits: { maxDepth: number; maxPath: number }): Promise<ArchiveContent> {
  const zip = await openZip(fd);
  if (zip.entryCount > MAX_ENTRIES) throw new UnsafeArchive('too_many', '');
  const directory = Number(zip.readEntryCursor);
  const paths = new ArchivePaths(limits);
  const requested: { path: string; entry: Pick<Entry, 'uncompressedSize' | 'compressedSize' | 'crc32'>; at: number }[] =
    [];
  const times: number[] = [];
  const leftOut: number[] = [];
  let isForLibrary = true;
  const names = new EntryNames(() => allEntries(fd));
  const ranges: { start: number; end: number; path: string }[] = [];
  let unpacked = 0;
  let packed = 0;
  for await (const entry of entriesOf(zip)) {
    const path = await pathOf(names, entry);
    checkKind(entry, path);
    // The folder that contains everything is where the archive is extracted to.
    const isWanted = path !== '' && !path.startsWith(MAC_EXTRAS);
    if (isWanted) paths.add(path);
    const { uncompressedSize, compressedSize, crc32, relativeOffsetOfLocalHeader: at } = entry;
    unpacked += uncompressedSize;
    packed += compressedSize;
    if (unpacked > MAX_UNPACKED) throw new UnsafeArchive('too_large', path);
    ranges.push({ start: at, end: (await checkHead(zip, entry, path)) + compressedSize, path });
    if (path === '') isForLibrary = false;
    if (!isWanted) {
      leftOut.push(at);
      continue;
    }
    requested.push({ path, entry: { uncompressedSize, compressedSize, crc32 }, at });
    times.push(timeOf(entry));
  }
  checkEnd(fd, Number(zip.readEntryCursor));
  if (unpacked > RATIO_FROM && unpacked > packed * MAX_RATIO) throw new UnsafeArchive('ratio', '');
  checkOverlaps(ranges, directory);
  return {
    paths: requested.map(({ path }) => path),
    sizes: Float64Array.from(requested, ({ entry }) => entry.uncompressedSize),
    packedSizes: Float64Array.from(requested, ({ entry }) => entry.compressedSize),
    crcs: Uint32Array.from(requested, ({ entry }) => entry.crc32),
    offsets: Float64Array.from(requested, ({ at }) => at),
    times: Float64Array.from(times),
    leftOut: Float64Array.from(leftOut),
    isForLibrary,
  };
}

async function openZip(fd: number): Promise<ZipFile> {
  try {
    return await fromFdPromise(fd, { autoClose: false, decodeStrings: false });
  } catch (error) {
    // An archive that was cut off can be recognized only by its beginning.
    const isCut = BEGINNINGS.includes(readAt(fd, 0, 4).toString('hex'));
    throw new JobError(isCut ? 'corrupt' : 'unsupported', (error as Error).message);
  }
}

/** @throws JobError `corrupt` for a directory that cannot be read to its end */
async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    if (error instanceof UnsafeArchive || error instanceof JobError) throw error;
    const { message } = error as Error;
    if (/strong encryption/.test(message)) throw new UnsafeArchive('encrypted', '');
    throw new JobError('corrupt', message);
  }
}

/** The 16-bit count overflows at 65,536, and some programs allow that, so the end is compared instead. */
function checkEnd(fd: number, end: number): void {
  const next = readAt(fd, end, 4);
  if (next.length === 4 && next.readUInt32LE() === ENTRY)
    throw new JobError('corrupt', 'there are more entries than are counted');
}

async function* allEntries(fd: number): AsyncGenerator<Entry> {
  yield* entriesOf(await openZip(fd));
}

async function pathOf(names: EntryNames, entry: Entry): Promise<string> {
  if (entry.fileNameRaw.length === 0) throw new UnsafeArchive('name', '');
  return names.pathOf(entry);
}

function checkKind(entry: Entry, path: string): void {
  if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0) throw new UnsafeArchive('encrypted', path);
  const kind = (entry.externalFileAttributes >>> 16) & KIND;
  const isFolder = path === '' || path.endsWith('/');
  if (kind !== 0 && kind !== REGULAR && kind !== FOLDER) throw new UnsafeArchive('special', path);
  // A folder's path ends in a slash. One without, or with content, is an attempt to mislead one kind of reader.
  if ((kind === FOLDER && !isFolder) || (isFolder && entry.uncompressedSize > 0)) {
    throw new UnsafeArchive('contradiction', path);
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new JobError('unsupported', `an entry is packed by method ${entry.compressionMethod}`);
  }
}

/** Compares the local header with the directory. @returns the offset of the content */
async function checkHead(zip: ZipFile, entry: Entry, path: string): Promise<number> {
  const head = await zip.readLocalFileHeaderPromise(entry).catch((error: Error) => {
    throw new JobError('corrupt', error.message);
  });
  const isSame =
    head.fileName.equals(entry.fileNameRaw) &&
    head.compressionMethod === entry.compressionMethod &&
    (head.generalPurposeBitFlag & (ENCRYPTED | UTF8)) === (entry.generalPurposeBitFlag & (ENCRYPTED | UTF8));
  if (!isSame) throw new UnsafeArchive('contradiction', path);
  const agrees = (there: number, here: number) => there === here || there === ELSEWHERE;
  const hasSizes = (head.generalPurposeBitFlag & DESCRIPTOR) === 0;
  if (
    hasSizes &&
    (head.crc32 !== entry.crc32 ||
      !agrees(head.compressedSize, entry.compressedSize) ||
      !agrees(head.uncompressedSize, entry.uncompressedSize))
  ) {
    throw new UnsafeArchive('contradiction', path);
  }
  return head.fileDataStart;
}

/** Every byte of an archive belongs to one entry only, and those of the directory to none. */
function checkOverlaps(ranges: { start: number; end: number; path: string }[], directory: number): void {
  ranges.sort((a, b) => a.start - b.start);
  let free = 0;
  for (const { start, end, path } of ranges) {
    if (start < free || end > directory) throw new UnsafeArchive('overlap', path);
    free = end;
  }
}

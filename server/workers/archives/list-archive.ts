import { type ArchiveListing, MAX_LISTED, MAX_LISTED_ENTRIES, MAX_RATIO, RATIO_FROM } from './archive-jobs.ts';
import { leadsOutside, UnsafeArchive } from './archive-paths.ts';
import {
  allEntries,
  checkEnd,
  checkHead,
  checkKind,
  checkOverlaps,
  entriesOf,
  MAC_EXTRAS,
  openZip,
  pathOf,
} from './check-archive.ts';
import { EntryNames } from './entry-names.ts';
import { timeOf } from './entry-times.ts';

/** Segments and bytes of a path that may be taken from an archive. */
const MAX_DEPTH = 32;
const MAX_PATH = 2_000;

/** What concerns one entry only, so that the others can still be taken. */
const OF_ENTRY: ReadonlySet<string> = new Set([
  'special',
  'path',
  'too_deep',
  'duplicate',
  'encrypted',
  'contradiction',
]);

/**
 * Reads the whole directory and the header of every entry. Folders are left out.
 * @throws UnsafeArchive for an archive that is unsafe as a whole; JobError `unsupported` for a file that is not a ZIP archive,
 * `corrupt`
 */
export async function listArchive(fd: number): Promise<ArchiveListing> {
  const zip = await openZip(fd);
  if (zip.entryCount > MAX_LISTED_ENTRIES) throw new UnsafeArchive('too_many', '');
  const directory = Number(zip.readEntryCursor);
  const names = new EntryNames(() => allEntries(fd));
  // Columns of numbers, because the entries of a large archive would not fit into the memory.
  const paths: string[] = [];
  const [sizes, packedSizes, crcs] = [[] as number[], [] as number[], [] as number[]];
  const [offsets, times] = [[] as number[], [] as number[]];
  const refused: { hazard: UnsafeArchive['hazard']; entry: string }[] = [];
  const ranges: { start: number; end: number; path: string }[] = [];
  const seen = new Set<string>();
  let [unpacked, packed, count] = [0, 0, 0];
  for await (const entry of entriesOf(zip)) {
    count += 1;
    if (count > MAX_LISTED_ENTRIES) throw new UnsafeArchive('too_many', '');
    const path = await pathOf(names, entry);
    if (path === '' || path.startsWith(MAC_EXTRAS)) continue;
    unpacked += entry.uncompressedSize;
    packed += entry.compressedSize;
    if (unpacked > MAX_LISTED) throw new UnsafeArchive('too_large', path);
    try {
      checkKind(entry, path);
      checkPath(path);
      const start = entry.relativeOffsetOfLocalHeader;
      ranges.push({ start, end: (await checkHead(zip, entry, path)) + entry.compressedSize, path });
      if (path.endsWith('/')) continue;
      if (seen.has(path)) throw new UnsafeArchive('duplicate', path);
      seen.add(path);
      paths.push(path);
      sizes.push(entry.uncompressedSize);
      packedSizes.push(entry.compressedSize);
      crcs.push(entry.crc32);
      offsets.push(start);
      times.push(timeOf(entry));
    } catch (error) {
      if (!(error instanceof UnsafeArchive) || !OF_ENTRY.has(error.hazard)) throw error;
      refused.push({ hazard: error.hazard, entry: error.entry });
    }
  }
  checkEnd(fd, Number(zip.readEntryCursor));
  if (unpacked > RATIO_FROM && unpacked > packed * MAX_RATIO) throw new UnsafeArchive('ratio', '');
  checkOverlaps(ranges, directory);
  return {
    paths,
    sizes: Float64Array.from(sizes),
    packedSizes: Float64Array.from(packedSizes),
    crcs: Uint32Array.from(crcs),
    offsets: Float64Array.from(offsets),
    times: Float64Array.from(times),
    refused,
  };
}

function checkPath(path: string): void {
  const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  const isNamed = segments.every((segment) => segment !== '' && segment !== '.');
  if (!isNamed || leadsOutside(path, segments)) throw new UnsafeArchive('path', path);
  if (segments.length > MAX_DEPTH || Buffer.byteLength(path) > MAX_PATH) throw new UnsafeArchive('too_deep', path);
}

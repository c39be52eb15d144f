import { createHash } from 'node:crypto';
import { onStorage } from '../../access/storage-failure.ts';
import { archiveFailure, unsafeArchive } from '../../files/zip/archive-failure.ts';
import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import type { InheritedFile } from '../../storage/content/inherited-file.ts';
import { storageError } from '../../storage/errors.ts';
import { type ArchiveListing, type ListedEntry, MAX_LISTED_ENTRIES } from '../../workers/archives/archive-jobs.ts';
import { whenFree } from '../../workers/pool/when-free.ts';
import type { ImportContext } from '../context.ts';
import type { ExportEntry } from '../exports/entries.ts';
import type { Note } from '../reasons.ts';
import type { Part } from './part.ts';

/** Opens an archive for the duration of some work, wherever it is. */
export type WithArchive = <T>(work: (file: InheritedFile) => Promise<T>) => Promise<T>;

/** A ZIP archive. Workers read it. */
export interface ArchivePart extends Part {
  readonly listing: ArchiveListing;
}

/**
 * Reads the directory of an archive.
 * @throws ApiError `unsafe_archive`, `upload_too_large` for one with too many entries, `corrupt_file`, `unsupported_media`, and what opening it throws
 */
export async function readArchive(
  { archives }: Pick<ImportContext, 'archives'>,
  withArchive: WithArchive,
  signal: AbortSignal,
): Promise<ArchivePart> {
  const withFile: WithArchive = (work) =>
    onStorage(() =>
      withArchive((file) =>
        work(file).catch((error) => {
          throw archiveFailure(error);
        }),
      ),
    );
  const listing = await withFile(async (file) => {
    const found = await whenFree(() => archives.run('list', { archive: file }), signal);
    if ('hazard' in found)
      throw found.hazard === 'too_many' ? tooManyEntries() : unsafeArchive(found.hazard, found.entry);
    return found;
  });
  return {
    listing,
    timeOf: ({ index }) => listing.times[index] ?? Number.NaN,
    hintOf: ({ index, size }) => `${size} ${listing.crcs[index]}`,
    async texts(entries, ended) {
      const requested = entries.map(({ index }) => listedEntry(listing, index));
      const { texts } = await withFile((file) =>
        whenFree(() => archives.run('texts', { archive: file, entries: requested }), ended),
      );
      return texts;
    },
    async take(entries, folder, ended) {
      const requested = entries.map(({ index }) => listedEntry(listing, index));
      const taken = await withFile((file) =>
        whenFree(() => archives.run('take', { archive: file, entries: requested, folder }), ended),
      );
      if ('intact' in taken) return taken.intact.map((isIntact) => (isIntact ? 'intact' : 'damaged'));
      return onStorage(() => {
        throw storageError(Object.assign(new Error(taken.errno), { code: taken.errno }));
      });
    },
  };
}

function tooManyEntries(): ApiError {
  return new ApiError('upload_too_large', t('api.imports.tooManyEntries', { max: MAX_LISTED_ENTRIES }));
}

/** The entries of an archive, and those that must not be taken. @param archive its number */
export function entriesOf({ listing }: ArchivePart, archive: number): { entries: ExportEntry[]; notes: Note[] } {
  return {
    entries: listing.paths.map((path, index) => ({ archive, index, path, size: listing.sizes[index] ?? 0 })),
    notes: listing.refused.map(({ entry }) => ({ entry, reason: 'unsafe_entry' })),
  };
}

/** Of what an archive has and where; an archive with other contents has another one. */
export function digestOf({ listing: { paths, sizes, packedSizes, crcs, offsets } }: ArchivePart): Buffer {
  const hash = createHash('sha256').update(JSON.stringify(paths));
  for (const column of [sizes, packedSizes, crcs, offsets]) hash.update(JSON.stringify([...column]));
  return hash.digest();
}

/** What a worker is told of an entry. */
function listedEntry({ sizes, packedSizes, crcs, offsets }: ArchiveListing, index: number): ListedEntry {
  return {
    offset: offsets[index] ?? 0,
    size: sizes[index] ?? 0,
    packedSize: packedSizes[index] ?? 0,
    crc: crcs[index] ?? 0,
  };
}

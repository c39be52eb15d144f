import { createHash } from 'node:crypto';
import { onStorage } from '../access/storage-failure.ts';
import { locationsOf } from '../catalogue/places.ts';
import { archiveFailure, unsafeArchive } from '../files/zip/archive-failure.ts';
import { ApiError } from '../http/errors.ts';
import { unlessAborted } from '../lib/async/unless-aborted.ts';
import { t } from '../messages/messages.ts';
import { type InheritedFile, inheritFile } from '../storage/content/inherited-file.ts';
import { closeFile } from '../storage/content/send-bytes.ts';
import { type ArchiveListing, type ListedEntry, MAX_TEXT, MAX_TEXTS } from '../workers/archives/archive-jobs.ts';
import { whenFree } from '../workers/pool/when-free.ts';
import type { ImportContext, Importing } from './context.ts';
import type { ExportEntry } from './exports/entries.ts';
import type { ImportRecord } from './imports.ts';
import type { Note } from './reasons.ts';

/** Entries of all archives of an import. */
const MAX_ENTRIES = 600_000;
/** Bytes of the texts that one job reads. */
const TEXTS_BYTES = 4 * 1024 ** 2;

/** An archive of an import that was read. */
export interface ReadArchive {
  /** The id of its item. */
  readonly itemId: number;
  readonly listing: ArchiveListing;
}

export interface ReadArchives {
  readonly archives: readonly ReadArchive[];
  readonly entries: readonly ExportEntry[];
  /** Entries that must not be taken. */
  readonly notes: readonly Note[];
}

/**
 * Reads the directories of all archives of an import.
 * @throws ApiError `not_found` for an archive that was deleted, `conflict` for one that is no longer the same; `unsafe_archive`,
 * `corrupt_file`, `unsupported_media`
 */
export async function readArchives(
  context: ImportContext,
  importing: Importing,
  { id }: Pick<ImportRecord, 'id'>,
  signal: AbortSignal,
): Promise<ReadArchives> {
  const archives: ReadArchive[] = [];
  const entries: ExportEntry[] = [];
  const notes: Note[] = [];
  for (const [archive, { itemId, digest: known }] of (await context.imports.archives(id)).entries()) {
    signal.throwIfAborted();
    if (itemId === null) throw new ApiError('not_found', t('api.access.notFound'));
    const listing = await unlessAborted(listingOf(context, importing, itemId, signal), signal);
    const digest = digestOf(listing);
    if (known === null) await context.imports.setDigest(id, archive, digest);
    else if (!digest.equals(known)) throw new ApiError('conflict', t('api.imports.changed'));
    archives.push({ itemId, listing });
    for (const { entry } of listing.refused) notes.push({ entry, reason: 'unsafe_entry' });
    for (const [index, path] of listing.paths.entries()) {
      entries.push({ archive, index, path, size: listing.sizes[index] ?? 0 });
    }
    if (entries.length > MAX_ENTRIES) throw unsafeArchive('too_many', '');
  }
  return { archives, entries, notes };
}

function listingOf(
  context: ImportContext,
  importing: Importing,
  itemId: number,
  signal: AbortSignal,
): Promise<ArchiveListing> {
  return withArchive(context, importing, itemId, async (file) => {
    const found = await whenFree(() => context.archives.run('list', { archive: file }), signal);
    if ('hazard' in found) throw unsafeArchive(found.hazard, found.entry);
    return found;
  });
}

/**
 * Reads texts of the archives, and makes of each what `parse` makes of it.
 * @param requested entries of at most `MAX_TEXT` bytes; larger ones are left out
 */
export async function readTexts<T>(
  context: ImportContext,
  importing: Importing,
  archives: readonly ReadArchive[],
  requested: readonly ExportEntry[],
  parse: (text: string | null) => T | Promise<T>,
  signal: AbortSignal,
): Promise<Map<ExportEntry, T>> {
  const read = new Map<ExportEntry, T>();
  for (const [archive, { itemId, listing }] of archives.entries()) {
    const own = requested.filter((entry) => entry.archive === archive && entry.size <= MAX_TEXT);
    for (const some of groupsOf(own)) {
      signal.throwIfAborted();
      const textsOf = some.map(({ index }) => listedEntry(listing, index));
      const reading = withArchive(context, importing, itemId, (file) =>
        whenFree(() => context.archives.run('texts', { archive: file, entries: textsOf }), signal),
      );
      const { texts } = await unlessAborted(reading, signal);
      for (const [index, entry] of some.entries()) read.set(entry, await parse(texts[index] ?? null));
    }
  }
  return read;
}

/** As many as one job reads. */
function* groupsOf(entries: readonly ExportEntry[]): Generator<readonly ExportEntry[]> {
  let group: ExportEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (group.length === MAX_TEXTS || (group.length > 0 && bytes + entry.size > TEXTS_BYTES)) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(entry);
    bytes += entry.size;
  }
  if (group.length > 0) yield group;
}

/**
 * Works with an archive, wherever it is in the home now.
 * @throws ApiError `not_found` if it is no longer there; what `archiveFailure` makes of failures of workers
 */
export function withArchive<T>(
  { disk, database }: ImportContext,
  { home }: Importing,
  itemId: number,
  work: (file: InheritedFile) => Promise<T>,
): Promise<T> {
  return onStorage(async () => {
    const location = (await locationsOf(database, [itemId])).get(itemId);
    if (location?.state !== 'there' || location.homeId !== home.id) {
      throw new ApiError('not_found', t('api.access.notFound'));
    }
    const opened = await disk.run('open', { homeRoot: home.homeRoot, segments: location.segments });
    try {
      return await work(inheritFile(home.homeRoot, opened));
    } catch (error) {
      throw archiveFailure(error);
    } finally {
      await closeFile(opened.fd);
    }
  });
}

/** What a worker is told of an entry. */
export function listedEntry({ sizes, packedSizes, crcs, offsets }: ArchiveListing, index: number): ListedEntry {
  return {
    offset: offsets[index] ?? 0,
    size: sizes[index] ?? 0,
    packedSize: packedSizes[index] ?? 0,
    crc: crcs[index] ?? 0,
  };
}

/** Of what an archive has and where; an archive with other contents has another one. */
function digestOf({ paths, sizes, packedSizes, crcs, offsets }: ArchiveListing): Buffer {
  const hash = createHash('sha256').update(JSON.stringify(paths));
  for (const column of [sizes, packedSizes, crcs, offsets]) hash.update(JSON.stringify([...column]));
  return hash.digest();
}

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onStorage } from '../access/storage-failure.ts';
import { forEachInParallel } from '../files/parallel.ts';
import { ApiError, type ErrorCode } from '../http/errors.ts';
import { unlessAborted } from '../lib/async/unless-aborted.ts';
import { awaitFailPoint } from '../lib/process/fail-points.ts';
import { type StatedMetadata, setStated } from '../media/embedded/stated.ts';
import { makeFolder } from '../storage/content/copy.ts';
import { digestOf } from '../storage/content/same-bytes.ts';
import { eraseStored, unpublishedBytes } from '../storage/content/work-area.ts';
import { EARLIEST_TIME, LATEST_TIME } from '../storage/disk/time-limits.ts';
import { MAX_TAKEN } from '../workers/archives/archive-jobs.ts';
import { type ImportContext, type Importing, importingFor } from './context.ts';
import { missingParts } from './exports/missing-parts.ts';
import type { PlannedFile, StatedFacts } from './exports/plan.ts';
import { planExport } from './exports/plan-export.ts';
import { createImportAlbums, type ImportAlbums } from './import-albums.ts';
import type { EntryKey, Handled, ImportRecord } from './imports.ts';
import type { Note, NoteReason } from './reasons.ts';
import { readRecordedFolder } from './recorded-folder.ts';
import { readHomeArchives } from './sources/home-archives.ts';
import type { Part, ReadSource, Taken } from './sources/part.ts';
import { readTexts } from './sources/read-texts.ts';
import { xmpReader } from './sources/read-xmp.ts';
import { storeContent } from './store-file.ts';

/** Bytes that are unpacked at a time, unless one file has more. */
const BATCH = 64 * 1024 ** 2;

/** Milliseconds that a batch waits for a moment without requests. */
const LONGEST_WAIT = 500;

/** What keeps a single photo from being stored; any other failure ends the run. */
const OF_FILE: Partial<Record<ErrorCode, NoteReason>> = {
  type_not_allowed: 'type_not_allowed',
  locked: 'locked',
  already_exists: 'name_taken',
  invalid_name: 'name_taken',
  invalid_path: 'name_taken',
};

/** A run of an import. */
interface Run {
  readonly context: ImportContext;
  readonly record: ImportRecord;
  readonly parts: ReadSource['parts'];
  /** Under which names entries were being stored when an earlier run ended. */
  readonly begun: ReadonlyMap<string, readonly string[]>;
  readonly albums: ImportAlbums;
  /** The items that have a star of the account. */
  readonly starred: Set<number>;
  /** The items of contents that this run has handled, by size and digest. */
  readonly seen: Map<string, number>;
}

/** A photo or film after it was stored. */
interface Result extends Omit<Handled, 'inAlbums' | 'notes'> {
  readonly file: PlannedFile;
  readonly itemId: number | null;
  readonly notes: readonly Note[];
}

/**
 * Works on an import until it is complete. What an earlier run has finished is left out, and what it has begun is recognised by its
 * content, so that nothing is stored twice.
 * @param mayGoOn is asked before each batch but the first
 * @returns false if it may not go on, and is not complete
 * @throws ApiError when it cannot go on; the reason of the signal
 */
export async function runImport(
  context: ImportContext,
  record: ImportRecord,
  signal: AbortSignal,
  mayGoOn: () => Promise<boolean>,
): Promise<boolean> {
  const { imports } = context;
  const importing = await importingFor(context, record);
  const source =
    record.folder === null
      ? await readHomeArchives(context, importing, record, signal)
      : await readRecordedFolder(context, record, record.folder, signal);
  const plan = await planExport(
    source.entries,
    (requested, parse) => readTexts(source, requested, parse, signal),
    xmpReader(context, source, signal),
    record,
  );
  const missing = missingParts(source.names).map((entry): Note => ({ entry, reason: 'missing_part' }));
  const begun = new Map<string, readonly string[]>();
  const finished = new Set<string>();
  for (const { key, path } of await imports.entries(record.id)) {
    if (path === null) finished.add(keyText(key));
    else begun.set(keyText(key), path);
  }
  const open = plan.files.filter(({ entry }) => !finished.has(keyText(entry)));
  // A folder of the disk may no longer have what was finished.
  await imports.setPlan(record.id, record.handled + open.length, [...missing, ...source.notes, ...plan.notes]);
  const albums = createImportAlbums(context, record);
  const starred = new Set(await context.stars.of(record.accountId));
  const run: Run = { context, record, parts: source.parts, begun, albums, starred, seen: new Map() };
  let isFirst = true;
  for (const batch of batchesOf(open)) {
    if (!isFirst && !(await mayGoOn())) return false;
    isFirst = false;
    await context.throttle.quiet(LONGEST_WAIT, signal);
    signal.throwIfAborted();
    // The account may have changed meanwhile.
    await importBatch(run, await importingFor(context, record), batch, signal);
    await awaitFailPoint(context.failPoints, 'imports.batch');
  }
  return true;
}

/** Files of the same archive, in their order. */
function* batchesOf(files: readonly PlannedFile[]): Generator<readonly PlannedFile[]> {
  let batch: PlannedFile[] = [];
  let bytes = 0;
  for (const file of files) {
    const { archive, size } = file.entry;
    const isFull = batch.length === MAX_TAKEN || bytes + size > BATCH || batch[0]?.entry.archive !== archive;
    if (batch.length > 0 && isFull) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(file);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

async function importBatch(
  run: Run,
  importing: Importing,
  batch: readonly PlannedFile[],
  signal: AbortSignal,
): Promise<void> {
  const { context, record, begun } = run;
  const { caller, home } = importing;
  const bytes = batch.reduce((sum, { entry }) => sum + entry.size, 0);
  await onStorage(() => context.reserve.requireRoom());
  const reservation = await context.quotas.reserve({ caller, home, bytes });
  const incoming = join(home.area.incoming, randomUUID());
  let unpacking: Promise<unknown> = Promise.resolve();
  try {
    const fresh = batch.filter(({ entry }) => !begun.has(keyText(entry)));
    await context.imports.begin(
      record.id,
      fresh.map((file) => ({ key: keyOf(file), path: pathOf(record, file) })),
    );
    await onStorage(() => makeFolder(incoming));
    const taking = partOf(run, batch[0]).take(
      batch.map(({ entry }) => entry),
      incoming,
      signal,
    );
    unpacking = taking;
    const taken = await unlessAborted(taking, signal);
    await awaitFailPoint(context.failPoints, 'imports.unpacked');
    const results = await reservation.settle(() => storeAll(run, importing, batch, taken, incoming));
    await awaitFailPoint(context.failPoints, 'imports.stored');
    await finish(run, results);
  } finally {
    reservation.release();
    const erase = () => eraseStored(incoming);
    // A worker may still unpack a large film, for which nobody waits.
    if (signal.aborted)
      void unpacking
        .then(erase, erase)
        .catch((error: unknown) => context.log.warn({ err: error }, 'failed to remove unpacked files of an import'));
    else await erase();
  }
}

function partOf({ parts }: Run, file: PlannedFile | undefined): Part {
  const part = parts.get(file?.entry.archive ?? -1);
  if (part === undefined) throw new Error('an entry is of no archive');
  return part;
}

/** Files that may have the same content are stored one after the other, so that the second is recognised. */
async function storeAll(
  run: Run,
  importing: Importing,
  batch: readonly PlannedFile[],
  taken: readonly Taken[],
  incoming: string,
): Promise<Result[]> {
  const groups = new Map<string, number[]>();
  for (const [index, file] of batch.entries()) {
    const key = partOf(run, file).hintOf(file.entry);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  const results: Result[] = [];
  await forEachInParallel(groups.values(), async (indexes) => {
    for (const index of indexes) {
      const file = batch[index];
      if (file === undefined) continue;
      const one = taken[index] ?? 'damaged';
      results[index] =
        one === 'intact' ? await storeOne(run, importing, file, join(incoming, String(index))) : leftOut(file, one);
    }
  });
  return results;
}

async function storeOne(run: Run, importing: Importing, file: PlannedFile, path: string): Promise<Result> {
  const { context, record, seen } = run;
  const { entry, stated } = file;
  const key = keyOf(file);
  // A worker process wrote it: what is no file would not end.
  if ((await unpublishedBytes(path)) !== entry.size) throw new Error('what was unpacked is not what it should be');
  const sha256 = Buffer.from(await digestOf({ path, from: 0 }, 'sha256'), 'hex');
  const content = `${entry.size} ${sha256.toString('hex')}`;
  const known = entry.size === 0 ? undefined : seen.get(content);
  // A copy in an album has no date of its own, and needs none.
  if (known !== undefined) return { file, key, itemId: known, outcome: 'known', isUndated: false, notes: [] };
  try {
    const { itemId, isOurs, mayBeCopy } = await storeContent(
      context,
      importing,
      { path, size: entry.size, sha256, mtime: timeOf(run, file) },
      { path: pathOf(record, file), begun: run.begun.get(keyText(key)) ?? null },
      (other) => context.imports.begin(record.id, [{ key, path: other }]),
    );
    seen.set(content, itemId);
    const isUndated = isOurs && file.isDatedByFile !== true && (stated?.taken ?? null) === null;
    const notes: Note[] = mayBeCopy ? [{ entry: entry.path, reason: 'unread_copy' }] : [];
    return { file, key, itemId, outcome: isOurs ? 'stored' : 'known', isUndated, notes };
  } catch (error) {
    const reason = error instanceof ApiError ? OF_FILE[error.code] : undefined;
    if (reason === undefined) throw error;
    return leftOut(file, reason);
  }
}

function leftOut(file: PlannedFile, reason: NoteReason): Result {
  const notes = [{ entry: file.entry.path, reason }];
  return { file, key: keyOf(file), itemId: null, outcome: 'left', isUndated: false, notes };
}

/** Adds stars, albums and what the export says. All of it can be done again after an interruption. */
async function finish({ context, record, albums, starred }: Run, results: readonly Result[]): Promise<void> {
  for (const { file, itemId } of results) {
    if (itemId === null || file.stated?.isFavourite !== true || starred.has(itemId)) continue;
    await context.stars.add(record.accountId, itemId);
    starred.add(itemId);
  }
  const listed = await albums.add(
    results.flatMap(({ file, itemId }) => (itemId === null ? [] : file.albums.map((album) => ({ album, itemId })))),
  );
  const handled = results.map(({ file, itemId, notes, ...result }) => {
    const requested = itemId === null ? [] : file.albums;
    const left = requested.filter((album) => !listed.has(album.folder));
    const more: Note[] = left.some((album) => !albums.isDeleted(album))
      ? [{ entry: file.entry.path, reason: 'album_full' }]
      : [];
    return { ...result, inAlbums: requested.length - left.length, notes: [...notes, ...more] };
  });
  await context.imports.finish(record.id, handled, async (tx) => {
    for (const { file, itemId } of results) {
      if (itemId !== null && file.stated !== null) await setStated(tx, itemId, metadataIn(file.stated));
    }
  });
}

function metadataIn({ taken, place, title = '', description, keywords = [] }: StatedFacts): StatedMetadata {
  const textOf = (text: string) => (text === '' ? null : text);
  return {
    taken: taken === null ? null : taken * 1_000,
    title: textOf(title),
    description: textOf(description),
    keywords,
    place,
  };
}

/** When it was taken, otherwise what the archive or the disk states, in milliseconds since the epoch; NaN if that is unknown. */
function timeOf(run: Run, file: PlannedFile): number {
  const { entry, stated } = file;
  const taken = stated?.taken ?? null;
  if (taken !== null && taken >= EARLIEST_TIME && taken <= LATEST_TIME) return taken * 1_000;
  return partOf(run, file).timeOf(entry);
}

/** Its names below the home, if they are free. */
function pathOf({ target }: ImportRecord, { folders, name }: PlannedFile): string[] {
  return [...target, ...folders, name];
}

function keyOf({ entry: { archive, index } }: PlannedFile): EntryKey {
  return { archive, index };
}

function keyText({ archive, index }: EntryKey): string {
  return `${archive} ${index}`;
}

import type { Transaction } from '../../database/database.ts';
import { systemFieldIds } from '../../fields/system-fields.ts';
import { setFields, valuesOf } from '../../fields/values.ts';
import { SECOND } from '../../lib/clock.ts';
import { extensionOf } from '../../lib/names/file-types.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import { EMBEDDED_KEYS, type Embedded, embeddedJobs } from '../../workers/embedded/jobs.ts';
import { embeddedReaderOf } from '../../workers/embedded/kinds.ts';
import { pdfMemory } from '../../workers/pool/job-memory.ts';
import { createWorkerPool, type PoolLimits } from '../../workers/pool/worker-pool.ts';
import {
  type BackgroundParts,
  type BackgroundReader,
  type Batch,
  createBackgroundReader,
} from '../background-reader.ts';
import { setPlace, setTaken, statedOf, type TakenAt, takenOf } from './stated.ts';

interface EmbeddedIndexParts extends BackgroundParts {
  /** For requests that wait. */
  readonly quick: Disk;
}

/** Reads embedded metadata into the fields of files, in the background. */
export interface EmbeddedIndex extends Pick<BackgroundReader, 'start' | 'stop' | 'counts'> {
  /** Reads a waiting file before its fields are shown. Never fails: then it has no fields yet. */
  readNow(item: { readonly id: number }): Promise<void>;
  /** Where a picture or a film was taken, or null if unknown or not read yet. */
  placeOf(itemId: number): Promise<Embedded['place']>;
}

/** One worker for the background, and one for requests that wait. */
const LIMITS: Partial<PoolLimits> = {
  workers: 2,
  waiting: 64,
  deadline: 20 * SECOND,
  residentBytes: 512 * 1024 * 1024,
  idle: 30 * SECOND,
};
/** Bytes of memory that suffice for almost every file. */
const USUAL = 256 * 1024 * 1024;
/** Usually only the beginning of a file is read, so sizes do not matter. The weight of a file is one. */
const BATCH: Batch = { files: 32, bytes: Number.POSITIVE_INFINITY, weight: 32, atOnce: 1 };

export function createEmbeddedIndex({
  spawnWorker,
  limits,
  memory,
  quick,
  ...parts
}: EmbeddedIndexParts): EmbeddedIndex {
  const pool = createWorkerPool({
    jobs: embeddedJobs,
    spawnWorker: () => spawnWorker('embedded-worker'),
    log: parts.log,
    limits: { ...LIMITS, ...limits },
    memory,
    memoryOf: ({ reader, file }, most) => (reader === 'pdf' ? pdfMemory(file, most) : { usual: USUAL, most }),
  });
  /** The ids never change, so the first lookup is cached for all. */
  let known: ReadonlyMap<string, number> | null = null;
  const fieldIds = async (tx: Transaction) => (known ??= await systemFieldIds(tx));
  const reader = createBackgroundReader(
    {
      table: 'embedded_states',
      what: 'the embedded metadata of a file',
      readerOf: ({ name }) => embeddedReaderOf(extensionOf(name)),
      isLight: () => false,
      async read(files) {
        const results: (Embedded | null)[] = [];
        for (const file of files) {
          const found = await pool.run('embedded', file);
          results.push(found.fields.length === 0 ? null : found);
        }
        return results;
      },
      weightOf: () => 1,
      async write(tx, results) {
        for (const { itemId, found } of results) await writeEmbedded(tx, await fieldIds(tx), itemId, found);
      },
    },
    BATCH,
    parts,
  );
  return {
    start: () => reader.start(),
    async stop() {
      await Promise.all([pool.close(), reader.stop()]);
    },
    readNow: ({ id }) => reader.readNow(id, quick),
    placeOf: async (itemId) =>
      (await parts.database.get<NonNullable<Embedded['place']>>(
        'SELECT latitude, longitude FROM embedded_places WHERE item_id = ?',
        [itemId],
      )) ?? null,
    counts: () => reader.counts(),
  };
}

/** All previous embedded values of the file are replaced. */
async function writeEmbedded(
  tx: Transaction,
  fieldIds: ReadonlyMap<string, number>,
  itemId: number,
  found: Embedded | null,
): Promise<void> {
  const stated = await statedOf(tx, itemId);
  const values = new Map(found?.fields.map((field) => [field.key, field.values]));
  for (const [key, own] of stated.fields) values.set(key, [...own]);
  const taken = takenOf(stated.taken, dateIn(found));
  if (taken.text !== null) values.set(stated.takenKey, [taken.text]);
  const before = await valuesOf(tx, itemId);
  const fields = new Map<number, { readonly value: string }[]>();
  for (const key of EMBEDDED_KEYS) {
    const id = fieldIds.get(key) ?? 0;
    const fieldValues = (values.get(key) ?? []).map((value) => ({ value }));
    if (fieldValues.length > 0 || before.has(id)) fields.set(id, fieldValues);
  }
  await setFields(tx, { id: itemId }, fields);
  await setTaken(tx, itemId, taken);
  const place = stated.place ?? found?.place ?? null;
  if (place === null) await tx.run('DELETE FROM embedded_places WHERE item_id = ?', [itemId]);
  else await setPlace(tx, itemId, place);
  await setGroup(tx, itemId, found?.group ?? null);
  await setFilm(tx, itemId, found?.film ?? null);
}

function dateIn(found: Embedded | null): TakenAt {
  const at = found?.takenAt ?? null;
  const field = found?.fields.find(({ key }) => key === 'image.taken' || key === 'video.taken');
  const [text = ''] = field?.values ?? [];
  return { at, local: at === null ? null : localClockIn(text), text: null };
}

/** Triggers find out which photos and films belong together by it. */
async function setGroup(tx: Transaction, itemId: number, group: Embedded['group'] | null): Promise<void> {
  const values = [group?.pairId ?? null, group?.burstId ?? null, group?.milliseconds ?? null];
  if (values.every((value) => value === null)) {
    await tx.run('DELETE FROM embedded_groups WHERE item_id = ?', [itemId]);
    return;
  }
  await tx.run(
    `INSERT INTO embedded_groups (item_id, pair_id, burst_id, milliseconds) VALUES (?, ?, ?, ?)
     ON CONFLICT (item_id) DO UPDATE SET pair_id = excluded.pair_id, burst_id = excluded.burst_id,
       milliseconds = excluded.milliseconds`,
    [itemId, ...values],
  );
}

async function setFilm(tx: Transaction, itemId: number, film: Embedded['film']): Promise<void> {
  if (film === null) await tx.run('DELETE FROM embedded_films WHERE item_id = ?', [itemId]);
  else
    await tx.run(
      `INSERT INTO embedded_films (item_id, start, length) VALUES (?, ?, ?)
       ON CONFLICT (item_id) DO UPDATE SET start = excluded.start, length = excluded.length`,
      [itemId, film.start, film.length],
    );
}

/**
 * What the clock said where a photo was taken, in milliseconds as if it were UTC. Null if the file states UTC: most films do,
 * wherever they were taken.
 */
function localClockIn(text: string): number | null {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?!Z)/.exec(text)?.[0];
  return at === undefined ? null : Date.parse(`${at}Z`);
}

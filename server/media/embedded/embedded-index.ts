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

export interface EmbeddedIndexParts extends BackgroundParts {
  /** For what somebody waits for. */
  readonly quick: Disk;
}

/** Reads what files say of themselves into their fields, in the background. */
export interface EmbeddedIndex extends Pick<BackgroundReader, 'start' | 'stop' | 'counts'> {
  /** Before somebody sees the fields of a file: reads it, if it still waits. Fails never: then it has no fields yet. */
  readNow(item: { readonly id: number }): Promise<void>;
  /** Where a picture or a film was taken, or null where it does not say so, or that was not read yet. */
  placeOf(itemId: number): Promise<Embedded['place']>;
}

/** One for the background, and one for what somebody waits for. */
const LIMITS: Partial<PoolLimits> = {
  workers: 2,
  waiting: 64,
  deadline: 20 * SECOND,
  residentBytes: 512 * 1024 * 1024,
  idle: 30 * SECOND,
};
/** Bytes of memory with which almost every file can be read. */
const USUAL = 256 * 1024 * 1024;
/** Only the beginning of most files is read: how large they are does not matter. The weight of a file is one. */
const BATCH: Batch = { files: 32, bytes: Number.POSITIVE_INFINITY, weight: 32 };

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
  /** They never change: those of the first unit that asks are those of all. */
  let known: ReadonlyMap<string, number> | null = null;
  const fieldIds = async (tx: Transaction) => (known ??= await systemFieldIds(tx));
  const reader = createBackgroundReader(
    {
      table: 'embedded_states',
      what: 'what is embedded in a file',
      readerOf: ({ name }) => embeddedReaderOf(extensionOf(name)),
      async read(file, embeddedReader) {
        const found = await pool.run('embedded', { file, reader: embeddedReader });
        return found.fields.length === 0 ? null : found;
      },
      weightOf: () => 1,
      write: async (tx, itemId, found) => writeEmbedded(tx, await fieldIds(tx), itemId, found),
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

/** Everything that a file said before is replaced. */
async function writeEmbedded(
  tx: Transaction,
  fieldIds: ReadonlyMap<string, number>,
  itemId: number,
  found: Embedded | null,
): Promise<void> {
  const values = new Map(found?.fields.map((field) => [field.key, field.values]));
  const before = await valuesOf(tx, itemId);
  const fields = new Map<number, { readonly value: string }[]>();
  for (const key of EMBEDDED_KEYS) {
    const id = fieldIds.get(key) ?? 0;
    const said = (values.get(key) ?? []).map((value) => ({ value }));
    if (said.length > 0 || before.has(id)) fields.set(id, said);
  }
  await setFields(tx, { id: itemId }, fields);
  await tx.run('UPDATE items SET taken = ?2 WHERE id = ?1 AND taken IS NOT ?2', [itemId, found?.takenAt ?? null]);
  if (found === null || found.place === null) {
    await tx.run('DELETE FROM embedded_places WHERE item_id = ?', [itemId]);
    return;
  }
  await tx.run(
    `INSERT INTO embedded_places (item_id, latitude, longitude) VALUES (?, ?, ?)
     ON CONFLICT (item_id) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude`,
    [itemId, found.place.latitude, found.place.longitude],
  );
}

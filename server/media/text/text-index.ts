import type { Transaction } from '../../database/database.ts';
import { SECOND } from '../../lib/clock.ts';
import { extensionOf } from '../../lib/names/file-types.ts';
import { JobError } from '../../workers/job-error.ts';
import { pdfMemory } from '../../workers/pool/job-memory.ts';
import { createWorkerPool, type PoolLimits, type WorkerPool } from '../../workers/pool/worker-pool.ts';
import { type TextJobs, textJobs } from '../../workers/text/jobs.ts';
import { textReaderOf } from '../../workers/text/kinds.ts';
import {
  type BackgroundParts,
  type BackgroundReader,
  type Batch,
  createBackgroundReader,
} from '../background-reader.ts';
import type { Result } from '../read-waiting.ts';

type TextIndexParts = BackgroundParts;

/** Indexes the words of documents in the background. */
type TextIndex = Pick<BackgroundReader, 'start' | 'stop' | 'counts'>;

const LIMITS: Partial<PoolLimits> = {
  workers: 2,
  waiting: 2,
  deadline: 20 * SECOND,
  residentBytes: 768 * 1024 * 1024,
  idle: 30 * SECOND,
};
/** Bytes of memory that suffice for almost every document. */
const USUAL = 352 * 1024 * 1024;
/** The weight of words is their length in UTF-16 units. */
const BATCH: Batch = { files: 256, bytes: 8 * 1024 * 1024, weight: 2 * 1024 * 1024, atOnce: 2 };
/** Bytes up to which a plain text is read together with others. */
const LIGHT = 64 * 1024;

/** Replaces the indexed words of documents. Words are separated by blanks; null for none. */
export async function storeWords(tx: Transaction, documents: readonly Result<string>[]): Promise<void> {
  await tx.run('DELETE FROM texts WHERE rowid IN (SELECT value FROM json_each(?))', [
    JSON.stringify(documents.map(({ itemId }) => itemId)),
  ]);
  const rows = documents.flatMap(({ itemId, found }) => (found === null ? [] : [[itemId, found]]));
  if (rows.length === 0) return;
  await tx.run('INSERT INTO texts (rowid, words) SELECT value->>0, value->>1 FROM json_each(?)', [
    JSON.stringify(rows),
  ]);
}

/** The workers that read texts. */
export function createTextPool({
  spawnWorker,
  log,
  limits,
  memory,
}: Pick<TextIndexParts, 'spawnWorker' | 'log' | 'limits' | 'memory'>): WorkerPool<TextJobs> {
  return createWorkerPool({
    jobs: textJobs,
    spawnWorker: () => spawnWorker('text-worker'),
    log,
    limits: { ...LIMITS, ...limits },
    memory,
    memoryOf(input, most) {
      const [first, ...others] = 'files' in input ? input.files : [];
      const isPdf = first?.reader === 'pdf' && others.length === 0;
      return isPdf ? pdfMemory(first.file, most) : { usual: USUAL, most };
    },
  });
}

export function createTextIndex({ spawnWorker, limits, memory, ...parts }: TextIndexParts): TextIndex {
  const pool = createTextPool({ spawnWorker, limits, memory, log: parts.log });
  const reader = createBackgroundReader(
    {
      table: 'text_states',
      what: 'a document',
      readerOf: ({ name, kind }) => textReaderOf(extensionOf(name), kind),
      isLight: ({ size }, textReader) => textReader === 'plain' && size <= LIGHT,
      async read(files) {
        const { results } = await pool.run('words', { files: [...files] });
        return results.map((one) => {
          if ('failure' in one) return new JobError(one.failure, one.detail);
          return one.words === '' ? null : one.words;
        });
      },
      weightOf: (words) => words.length,
      write: storeWords,
    },
    BATCH,
    parts,
  );
  return {
    ...reader,
    async stop() {
      await Promise.all([pool.close(), reader.stop()]);
    },
  };
}

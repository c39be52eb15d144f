import type { Transaction } from '../../database/database.ts';
import { SECOND } from '../../lib/clock.ts';
import { extensionOf } from '../../lib/names/file-types.ts';
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

export type TextIndexParts = BackgroundParts;

/** Indexes the words of documents in the background. */
export type TextIndex = Pick<BackgroundReader, 'start' | 'stop' | 'counts'>;

const LIMITS: Partial<PoolLimits> = {
  workers: 1,
  waiting: 1,
  deadline: 20 * SECOND,
  residentBytes: 768 * 1024 * 1024,
  idle: 30 * SECOND,
};
/** Bytes of memory that suffice for almost every document. */
const USUAL = 352 * 1024 * 1024;
/** The weight of words is their length in UTF-16 units. */
const BATCH: Batch = { files: 16, bytes: 8 * 1024 * 1024, weight: 256 * 1024 };

/** Replaces the indexed words of a document. @param words separated by blanks; null for none */
export async function keepWords(tx: Transaction, itemId: number, words: string | null): Promise<void> {
  await tx.run('DELETE FROM texts WHERE rowid = ?', [itemId]);
  if (words !== null) await tx.run('INSERT INTO texts (rowid, words) VALUES (?, ?)', [itemId, words]);
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
    memoryOf: ({ reader, file }, most) => (reader === 'pdf' ? pdfMemory(file, most) : { usual: USUAL, most }),
  });
}

export function createTextIndex({ spawnWorker, limits, memory, ...parts }: TextIndexParts): TextIndex {
  const pool = createTextPool({ spawnWorker, limits, memory, log: parts.log });
  const reader = createBackgroundReader(
    {
      table: 'text_states',
      what: 'a document',
      readerOf: ({ name, kind }) => textReaderOf(extensionOf(name), kind),
      async read(file, textReader) {
        const { words } = await pool.run('words', { file, reader: textReader });
        return words === '' ? null : words;
      },
      weightOf: (words) => words.length,
      write: keepWords,
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

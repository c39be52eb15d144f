import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InheritedFile, inheritFile } from '../../dist/server/storage/content/inherited-file.js';
import { JobError } from '../../dist/server/workers/job-error.js';
import { forkWorker } from '../../dist/server/workers/pool/fork-worker.js';
import { createWorkerPool, type PoolLimits, type WorkerPool } from '../../dist/server/workers/pool/worker-pool.js';
import type { InputOf, OutputOf } from '../../dist/server/workers/protocol.js';
import { type TextJobs, textJobs } from '../../dist/server/workers/text/jobs.js';
import { sheetReaderOf, type TextReader, textReaderOf } from '../../dist/server/workers/text/kinds.js';
import { log } from './support.ts';

/** The words of one file. @throws JobError */
export async function wordsOf(pool: WorkerPool<TextJobs>, file: InheritedFile, reader: TextReader): Promise<string> {
  const [result] = (await pool.run('words', { files: [{ file, reader }] })).results;
  if (result === undefined) throw new Error('the worker returned no result');
  if ('failure' in result) throw new JobError(result.failure, result.detail);
  return result.words;
}

/** A worker that reads what it is given as files. */
export async function openTextReader(limits: Partial<PoolLimits> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'larder-texts-'));
  const pids: number[] = [];
  const spawnWorker = () => {
    const made = forkWorker('text-worker');
    pids.push(made.pid ?? 0);
    return made;
  };
  const pool = createWorkerPool({ jobs: textJobs, log, limits: { workers: 1, ...limits }, spawnWorker });
  async function opened<Output>(path: string, job: (file: InheritedFile) => Promise<Output>): Promise<Output> {
    const handle = await open(path);
    try {
      const found = { fd: handle.fd, parents: [], entry: { name: path }, etag: '' };
      return await job(
        inheritFile({ root: folder, homeId: '' }, found as unknown as Parameters<typeof inheritFile>[1]),
      );
    } finally {
      await handle.close();
    }
  }
  return {
    pids,
    folder,
    /** @param kind of a name without an extension of a document @throws JobError */
    async words(extension: string, content: Uint8Array | string, kind = 'text'): Promise<string> {
      const path = join(folder, `file.${extension}`);
      await writeFile(path, content);
      return this.tokenize(path, extension, kind);
    },
    async tokenize(path: string, extension: string, kind = 'text'): Promise<string> {
      const reader = textReaderOf(extension, kind);
      if (reader === null) throw new Error(`nothing reads ${extension}`);
      return opened(path, (file) => wordsOf(pool, file, reader));
    },
    /** @throws JobError */
    async sheets(extension: string, content: Uint8Array): Promise<OutputOf<TextJobs, 'sheets'>> {
      const path = join(folder, `file.${extension}`);
      await writeFile(path, content);
      const reader = sheetReaderOf(extension);
      if (reader === null) throw new Error(`nothing reads the cells of ${extension}`);
      return opened(path, (file) => pool.run('sheets', { file, reader }));
    },
    decode: async (input: InputOf<TextJobs, 'decode'>) => (await pool.run('decode', input)).text,
    run: (file: InheritedFile) => wordsOf(pool, file, 'plain'),
    async close() {
      await pool.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type TextReading = Awaited<ReturnType<typeof openTextReader>>;

import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InheritedFile, inheritFile } from '../../dist/server/storage/content/inherited-file.js';
import { forkWorker } from '../../dist/server/workers/pool/fork-worker.js';
import { createWorkerPool, type PoolLimits } from '../../dist/server/workers/pool/worker-pool.js';
import { textJobs } from '../../dist/server/workers/text/jobs.js';
import { textReaderOf } from '../../dist/server/workers/text/kinds.js';
import { log } from './support.ts';

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
      const handle = await open(path);
      try {
        const opened = { fd: handle.fd, parents: [], entry: { name: path }, etag: '' };
        const file = inheritFile({ root: folder, homeId: '' }, opened as unknown as Parameters<typeof inheritFile>[1]);
        return (await pool.run('words', { file, reader })).words;
      } finally {
        await handle.close();
      }
    },
    run: async (file: InheritedFile) => (await pool.run('words', { file, reader: 'plain' })).words,
    async close() {
      await pool.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type TextReading = Awaited<ReturnType<typeof openTextReader>>;

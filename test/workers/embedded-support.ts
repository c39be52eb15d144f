import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inheritFile } from '../../dist/server/storage/content/inherited-file.js';
import { type Embedded, embeddedJobs } from '../../dist/server/workers/embedded/jobs.js';
import { embeddedReaderOf } from '../../dist/server/workers/embedded/kinds.js';
import { forkWorker } from '../../dist/server/workers/pool/fork-worker.js';
import { createWorkerPool, type PoolLimits } from '../../dist/server/workers/pool/worker-pool.js';
import { log } from './support.ts';

const FIXTURES = new URL('../fixtures/', import.meta.url);

/** A file of a real program. @param path in test/fixtures */
export function fixture(path: string): Promise<Buffer> {
  return readFile(new URL(path, FIXTURES));
}

/** Values by their keys, without what stands before the point; one value stands by itself. */
export function said({ fields }: Embedded): Record<string, string | string[]> {
  return Object.fromEntries(
    fields.map(({ key, values }) => [
      key.slice(key.indexOf('.') + 1),
      values.length === 1 ? (values[0] ?? '') : values,
    ]),
  );
}

/** A worker that reads what is embedded in what it is given as files. */
export async function openEmbeddedReader(limits: Partial<PoolLimits> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'larder-embedded-'));
  const pids: number[] = [];
  const spawnWorker = () => {
    const made = forkWorker('embedded-worker');
    pids.push(made.pid ?? 0);
    return made;
  };
  const pool = createWorkerPool({ jobs: embeddedJobs, log, limits: { workers: 1, ...limits }, spawnWorker });
  return {
    pids,
    folder,
    /** @throws JobError */
    async read(extension: string, content: Uint8Array | string): Promise<Embedded> {
      const path = join(folder, `file.${extension}`);
      await writeFile(path, content);
      return this.readAt(path);
    },
    async readAt(path: string): Promise<Embedded> {
      const reader = embeddedReaderOf(path.slice(path.lastIndexOf('.') + 1));
      if (reader === null) throw new Error(`nothing reads ${path}`);
      const handle = await open(path);
      try {
        const opened = { fd: handle.fd, parents: [], entry: { name: path }, etag: '' };
        const file = inheritFile({ root: folder, homeId: '' }, opened as unknown as Parameters<typeof inheritFile>[1]);
        return await pool.run('embedded', { file, reader });
      } finally {
        await handle.close();
      }
    },
    async close() {
      await pool.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type EmbeddedReading = Awaited<ReturnType<typeof openEmbeddedReader>>;

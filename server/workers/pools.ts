import { MINUTE } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { type ArchiveJobs, archiveJobs } from './archive-jobs.ts';
import { imageJobs } from './image-jobs.ts';
import { createWorkerPool, type WorkerPool } from './pool.ts';
import type { SpawnWorker } from './worker-process.ts';

/** Milliseconds for all of one archive, also on a slow disk. */
const UNPACKING = 10 * MINUTE;

export interface WorkerPools {
  readonly images: WorkerPool<typeof imageJobs>;
  readonly archives: WorkerPool<ArchiveJobs>;
  close(): Promise<void>;
}

/** Everything that decodes what cannot be trusted. No process is started before its first job. */
export function openWorkerPools(spawnWorker: SpawnWorker, log: Log): WorkerPools {
  const images = createWorkerPool({ jobs: imageJobs, spawnWorker: () => spawnWorker('image-worker'), log });
  const archives = createWorkerPool({
    jobs: archiveJobs,
    spawnWorker: () => spawnWorker('archive-worker'),
    log,
    limits: { deadline: UNPACKING },
  });
  return {
    images,
    archives,
    async close() {
      await Promise.all([images.close(), archives.close()]);
    },
  };
}

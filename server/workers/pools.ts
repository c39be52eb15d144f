import { MINUTE } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { type ArchiveJobs, archiveJobs } from './archive-jobs.ts';
import { imageJobs } from './image-jobs.ts';
import { WASM_IMAGES } from './pictures/wasm-images.ts';
import { createWorkerPool, type WorkerPool } from './pool.ts';
import { type ThumbnailJobs, thumbnailJobs } from './thumbnail-jobs.ts';
import type { SpawnWorker, WorkerEntry } from './worker-process.ts';

/** Milliseconds for all of one archive, also on a slow disk. */
const UNPACKING = 10 * MINUTE;
/** Thumbnails that may wait: those of the galleries of a whole household. */
const WAITING = 1_000;

export interface WorkerPools {
  readonly images: WorkerPool<typeof imageJobs>;
  readonly thumbnails: WorkerPool<ThumbnailJobs>;
  readonly archives: WorkerPool<ArchiveJobs>;
  close(): Promise<void>;
}

export interface ImageLibrary {
  /** Whether the image library is the one in WebAssembly also where there is a native one. */
  readonly wasmImages: boolean;
}

/** Everything that decodes what cannot be trusted. No process is started before its first job. */
export function openWorkerPools(spawnWorker: SpawnWorker, log: Log, { wasmImages }: ImageLibrary): WorkerPools {
  const withImages = (entry: WorkerEntry) => () => spawnWorker(entry, wasmImages ? [WASM_IMAGES] : []);
  const images = createWorkerPool({ jobs: imageJobs, spawnWorker: withImages('image-worker'), log });
  const thumbnails = createWorkerPool({
    jobs: thumbnailJobs,
    spawnWorker: withImages('thumbnail-worker'),
    log,
    limits: { waiting: WAITING },
  });
  const archives = createWorkerPool({
    jobs: archiveJobs,
    spawnWorker: () => spawnWorker('archive-worker'),
    log,
    limits: { deadline: UNPACKING },
  });
  return {
    images,
    thumbnails,
    archives,
    async close() {
      await Promise.all([images.close(), thumbnails.close(), archives.close()]);
    },
  };
}

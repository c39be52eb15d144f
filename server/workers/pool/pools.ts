import { MINUTE } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import { type ArchiveJobs, archiveJobs } from '../archives/archive-jobs.ts';
import { imageJobs } from '../pictures/image-jobs.ts';
import { WASM_IMAGES } from '../pictures/wasm-images.ts';
import { type TextJobs, textJobs } from '../text/jobs.ts';
import { type ThumbnailJobs, thumbnailJobs } from '../thumbnails/jobs.ts';
import { pdfMemory } from './job-memory.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';
import type { SpawnWorker, WorkerEntry } from './worker-process.ts';

/** Milliseconds for a whole archive, even on a slow disk. */
const UNPACKING = 10 * MINUTE;
/** Thumbnails that may wait: those of a whole household's galleries. */
const WAITING = 1_000;

/** Bytes that suffice to decode almost every image; two at a time leave room for other work in the default budget. */
const USUAL_IMAGE = 352 * 1024 * 1024;
/** Bytes to decode the beginning of a text. */
const SHOWN_TEXT = 160 * 1024 * 1024;
/** Bytes to read almost every document. */
const USUAL_TEXT = 352 * 1024 * 1024;
/** Bytes for an archive: the directory of the largest one, with all its names. */
const UNPACKING_BYTES = 512 * 1024 * 1024;

export interface WorkerPools {
  readonly images: WorkerPool<typeof imageJobs>;
  readonly thumbnails: WorkerPool<ThumbnailJobs>;
  readonly archives: WorkerPool<ArchiveJobs>;
  /** Texts that people look at. Those of the search have a pool of their own, which nobody waits for. */
  readonly texts: WorkerPool<TextJobs>;
  close(): Promise<void>;
}

interface ImageLibrary {
  /** Whether to use the WebAssembly image library even if there is a native one. */
  readonly wasmImages: boolean;
}

/** The pools for everything that decodes untrusted bytes. No process is started before its first job. */
export function openWorkerPools(
  spawnWorker: SpawnWorker,
  log: Log,
  { wasmImages, memory }: ImageLibrary & { readonly memory: MemoryBudget },
): WorkerPools {
  const withImages = (entry: WorkerEntry) => () => spawnWorker(entry, wasmImages ? [WASM_IMAGES] : []);
  const images = createWorkerPool({
    jobs: imageJobs,
    spawnWorker: withImages('image-worker'),
    log,
    memory,
    memoryOf: (_input, most) => ({ usual: USUAL_IMAGE, most }),
  });
  const thumbnails = createWorkerPool({
    jobs: thumbnailJobs,
    spawnWorker: withImages('thumbnail-worker'),
    log,
    limits: { waiting: WAITING },
    memory,
    memoryOf: ({ source, file }, most) => (source === 'pdf' ? pdfMemory(file, most) : { usual: USUAL_IMAGE, most }),
  });
  const archives = createWorkerPool({
    jobs: archiveJobs,
    spawnWorker: () => spawnWorker('archive-worker'),
    log,
    // A half-finished extraction cannot be retried with more memory.
    limits: { deadline: UNPACKING, residentBytes: UNPACKING_BYTES },
    memory,
  });
  const texts = createWorkerPool({
    jobs: textJobs,
    spawnWorker: () => spawnWorker('text-worker'),
    log,
    memory,
    memoryOf(input, most) {
      if ('content' in input) return { usual: SHOWN_TEXT, most: SHOWN_TEXT };
      return 'file' in input && input.reader === 'pdf' ? pdfMemory(input.file, most) : { usual: USUAL_TEXT, most };
    },
  });
  return {
    images,
    thumbnails,
    archives,
    texts,
    async close() {
      await Promise.all([images.close(), thumbnails.close(), archives.close(), texts.close()]);
    },
  };
}

import { forkWorker } from '../../dist/server/workers/pool/fork-worker.js';
import type { SpawnWorker, WorkerProcess } from '../../dist/server/workers/pool/worker-process.js';

/** Real workers; every job of a thumbnail goes through `onJob`, which passes it on by `post`, or does something else. */
export function watchThumbnailJobs(
  onJob: (made: WorkerProcess, post: () => void, message: unknown) => void,
): SpawnWorker {
  return (entry, options) => {
    const made = forkWorker(entry, options);
    if (entry !== 'thumbnail-worker') return made;
    return { ...made, post: (message) => onJob(made, () => made.post(message), message) };
  };
}

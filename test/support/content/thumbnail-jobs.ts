import { forkWorker } from '../../../dist/server/workers/pool/fork-worker.js';
import type { SpawnWorker, WorkerProcess } from '../../../dist/server/workers/pool/worker-process.js';

/** Real workers; every thumbnail job goes through `onJob`, which passes it on with `post`, or does something else. */
export function watchThumbnailJobs(
  onJob: (made: WorkerProcess, post: () => void, message: unknown) => void,
): SpawnWorker {
  return (entry, options) => {
    const made = forkWorker(entry, options);
    if (entry !== 'thumbnail-worker') return made;
    return { ...made, post: (message) => onJob(made, () => made.post(message), message) };
  };
}

import type { ArchiveJobs } from '../../workers/archives/archive-jobs.ts';
import type { WorkerPool } from '../../workers/pool/worker-pool.ts';
import type { FilesContext } from '../context.ts';

/** What the operations on archives work with beside others on files. */
export interface ArchiveContext extends FilesContext {
  /** Reads and extracts archives, in separate processes. */
  readonly archives: WorkerPool<ArchiveJobs>;
}

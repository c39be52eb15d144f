import type { ActiveResponses } from '../../http/connection/active-responses.ts';
import type { WorkerPool } from '../../workers/pool/worker-pool.ts';
import type { TextJobs } from '../../workers/text/jobs.ts';
import type { FilesContext } from '../context.ts';

/** What downloads, and texts that are shown, work with beside other operations on files. */
export interface DownloadContext extends FilesContext {
  readonly activeResponses: Pick<ActiveResponses, 'watch'>;
  /** Decodes texts that are shown, in a separate process. */
  readonly texts: WorkerPool<TextJobs>;
}

import { waitUnlessAborted } from '../../lib/async/wait-unless-aborted.ts';
import { SECOND } from '../../lib/clock.ts';
import { JobError } from '../job-error.ts';

/** Milliseconds between two tries. */
const PAUSE = 2 * SECOND;

/**
 * Runs a job for work in the background, which tries again while too many other jobs wait.
 * @param run gives the job to a pool
 * @param pause milliseconds between two tries
 * @throws JobError for any other reason than `busy`; the reason of the signal
 */
export async function whenFree<T>(run: () => Promise<T>, signal: AbortSignal, pause = PAUSE): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof JobError) || error.reason !== 'busy') throw error;
      await waitUnlessAborted(pause, signal);
      signal.throwIfAborted();
    }
  }
}

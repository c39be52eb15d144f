import type { ItemTarget } from '../../access/access.ts';
import { ApiError } from '../../http/errors.ts';
import { SECOND } from '../../lib/clock.ts';
import type { FilesContext } from '../context.ts';

/** Milliseconds between two checks. */
const LOOK_EVERY = SECOND;

/**
 * Checks repeatedly, during a long operation on a shared item, whether it is still shared: someone removed from a group, or whose
 * share ended, gets nothing more. The same for an item in the folder that a credential is limited to, and for
 * one that was named by its uuid.
 * @param look throws an ApiError when it is no longer shared
 * @param end called once in that case
 * @returns stops the checks
 */
export function whileShared(
  { log }: Pick<FilesContext, 'log'>,
  { share, limit, named }: ItemTarget,
  look: () => Promise<unknown>,
  end: () => void,
): () => void {
  if (share === null && limit === undefined && named === undefined) return () => {};
  const timer = setInterval(() => {
    look().catch((error: unknown) => {
      if (!(error instanceof ApiError))
        return log.warn({ err: error }, 'whether something is still shared is not known');
      clearInterval(timer);
      end();
    });
  }, LOOK_EVERY);
  timer.unref();
  return () => clearInterval(timer);
}

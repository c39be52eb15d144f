import type { ItemTarget } from '../../access/access.ts';
import { ApiError } from '../../http/errors.ts';
import { SECOND } from '../../lib/clock.ts';
import type { FilesContext } from '../context.ts';

/** Milliseconds between two looks. */
const LOOK_EVERY = SECOND;

/**
 * Looks, while something that takes long goes on in what is shared, whether it is still shared: whoever is taken out of a
 * group, or whose share ends, gets nothing more from then on.
 * @param look throws an ApiError when it is not
 * @param end is called once then
 * @returns what ends the looking
 */
export function whileShared(
  { log }: Pick<FilesContext, 'log'>,
  { share }: ItemTarget,
  look: () => Promise<unknown>,
  end: () => void,
): () => void {
  if (share === null) return () => {};
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

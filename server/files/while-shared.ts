import type { Asker, ItemTarget } from '../access/access.ts';
import type { FileAction } from '../access/rights.ts';
import { ApiError } from '../http/errors.ts';
import { SECOND } from '../lib/clock.ts';
import type { FilesContext } from './context.ts';

/** Milliseconds between two looks. */
const LOOK_EVERY = SECOND;

/**
 * Looks, while something that takes long goes on in what is shared, whether it is still shared: whoever is taken out of a
 * group, or whose share ends, gets nothing more from then on.
 * @param end is called once, when it is not
 * @returns what ends the looking
 */
export function whileShared(
  { access, log }: Pick<FilesContext, 'access' | 'log'>,
  { account }: Asker,
  path: readonly string[],
  { share }: ItemTarget,
  action: FileAction,
  end: () => void,
): () => void {
  if (share === null) return () => {};
  const timer = setInterval(() => {
    access.resolveItem(account, path, action).catch((error: unknown) => {
      if (!(error instanceof ApiError))
        return log.warn({ err: error }, 'whether something is still shared is not known');
      clearInterval(timer);
      end();
    });
  }, LOOK_EVERY);
  timer.unref();
  return () => clearInterval(timer);
}

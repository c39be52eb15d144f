import type { ServerResponse } from 'node:http';
import type { ItemTarget } from '../../access/access.ts';
import { ApiError } from '../../http/errors.ts';
import type { DownloadContext } from './context.ts';

/**
 * Ends a long response about shared items when one is no longer shared: someone removed from a group, or whose share ended, gets
 * nothing more. The same for an item in the folder that a credential is limited to, and for one that was named by its uuid.
 * @param look throws an ApiError when one is no longer shared
 * @returns stops the checks
 */
export function whileShared(
  { activeResponses }: Pick<DownloadContext, 'activeResponses'>,
  targets: readonly ItemTarget[],
  look: () => Promise<unknown>,
  response: ServerResponse,
): () => void {
  const isLimited = targets.some(({ share, limit, named }) => (share ?? limit ?? named) !== undefined);
  if (!isLimited) return () => {};
  return activeResponses.watch(response, () =>
    look().then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError) return false;
        throw error;
      },
    ),
  );
}

import type { ItemTarget } from '../../access/access.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { checkPreconditions, type Preconditions } from '../../http/request/preconditions.ts';
import { etagOfIdentity } from '../../storage/disk/disk-entry.ts';
import { StorageError } from '../../storage/errors.ts';
import type { FilesContext } from '../context.ts';

/**
 * Checks the item at a path against the conditions of a request. Call it with the path locked, or the result may be outdated at
 * once.
 * @throws ApiError `precondition_failed` with `details.etag`
 */
export async function checkConditions(
  { disk }: Pick<FilesContext, 'disk'>,
  { home, segments }: ItemTarget,
  conditions: Preconditions,
): Promise<void> {
  const found = await onStorage(() =>
    disk.run('stat', { homeRoot: home.homeRoot, segments }).catch((error) => {
      if (error instanceof StorageError && error.reason === 'not-found') return null;
      throw error;
    }),
  );
  if (found === null) return checkPreconditions(conditions, null);
  const { entry } = found;
  // A folder exists, but has no content and so no tag.
  checkPreconditions(conditions, { etag: entry.isDir ? null : etagOfIdentity(entry.identity), mtime: entry.mtime });
}

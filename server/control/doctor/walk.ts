import type { Home } from '../../catalogue/homes.ts';
import { t } from '../../messages/messages.ts';
import type { Disk, DiskListing } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';

/** A folder of a home, with its entries or the reason why they cannot be read. */
type Visited = { readonly segments: readonly string[] } & (
  | { readonly listing: DiskListing }
  | { readonly failure: string }
);

/**
 * Every folder of a home, parents first, one at a time: memory holds the current path and its sibling names. Folders that
 * disappear meanwhile are skipped.
 * @throws the reason of the signal
 */
export async function* foldersOf(
  { disk, signal }: { readonly disk: Disk; readonly signal: AbortSignal },
  { homeRoot }: Home,
): AsyncGenerator<Visited> {
  const waiting: (readonly string[])[] = [[]];
  for (let segments = waiting.pop(); segments !== undefined; segments = waiting.pop()) {
    signal.throwIfAborted();
    const at = segments;
    const visited = await disk.run('list', { homeRoot, segments: at }).then(
      (listing) => ({ segments: at, listing }),
      (error: unknown) => (isGone(error) ? null : { segments: at, failure: reasonOf(error) }),
    );
    if (visited === null) continue;
    yield visited;
    if (!('listing' in visited)) continue;
    const { names, folderCount } = visited.listing;
    for (const name of names.slice(0, folderCount).reverse()) waiting.push([...at, name]);
  }
}

function isGone(error: unknown): boolean {
  return error instanceof StorageError && (error.reason === 'not-found' || error.reason === 'offline');
}

function reasonOf(error: unknown): string {
  if (error instanceof StorageError) return error.reason === 'denied' ? t('api.doctor.accessDenied') : error.reason;
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
}

import type { Home } from '../../catalogue/homes.ts';
import { reconcileFolders } from '../../catalogue/reconcile/reconcile-folders.ts';
import type { DiskListing } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import type { FilesContext } from '../context.ts';

/** Entries that are written in one transaction, about: others wait for it. */
const AT_ONCE = 2_000;

/**
 * Writes the rows of everything below a folder that has just appeared. Its path is locked meanwhile, so that nothing of
 * ours changes there; what other programs take away is left out.
 * @throws what the database failed with
 */
export async function recordTree(
  parts: Pick<FilesContext, 'disk' | 'database' | 'clock'>,
  home: Home,
  top: readonly string[],
): Promise<void> {
  const waiting: (readonly string[])[] = [top];
  let listings: { listing: DiskListing }[] = [];
  let count = 0;
  for (let segments = waiting.pop(); segments !== undefined; segments = waiting.pop()) {
    const listing = await parts.disk.run('list', { place: home.place, segments }).catch((error) => {
      if (error instanceof StorageError && error.reason === 'not-found') return null;
      throw error;
    });
    if (listing === null) continue;
    for (const name of listing.names.slice(0, listing.folderCount)) waiting.push([...segments, name]);
    listings.push({ listing });
    count += listing.names.length;
    if (count < AT_ONCE) continue;
    await reconcileFolders(parts, home, listings, () => true);
    [listings, count] = [[], 0];
  }
  if (count > 0) await reconcileFolders(parts, home, listings, () => true);
}

import type { Home } from '../../catalogue/homes.ts';
import { reconcileFolders } from '../../catalogue/reconcile/reconcile-folders.ts';
import type { DiskListing } from '../../storage/disk/disk.ts';
import { nullIfGone } from '../../storage/errors.ts';
import type { FilesContext } from '../context.ts';

/** About how many entries one transaction writes, so that other writers do not wait long. */
const BATCH_SIZE = 2_000;

/**
 * Writes the rows of everything below a new folder. Its path is locked meanwhile, so none of our own operations changes it; items
 * that other programs remove are left out.
 * @throws the error of the database
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
    const listing = await parts.disk.run('list', { homeRoot: home.homeRoot, segments }).catch(nullIfGone);
    if (listing === null) continue;
    for (const name of listing.names.slice(0, listing.folderCount)) waiting.push([...segments, name]);
    listings.push({ listing });
    count += listing.names.length;
    if (count < BATCH_SIZE) continue;
    await reconcileFolders(parts, home, listings, () => true);
    [listings, count] = [[], 0];
  }
  if (count > 0) await reconcileFolders(parts, home, listings, () => true);
}

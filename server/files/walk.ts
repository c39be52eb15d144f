import type { ItemTarget } from '../access/access.ts';
import type { Disk, DiskEntry } from '../storage/disk/disk.ts';
import { listingEntry } from '../storage/disk/disk-entry.ts';
import { StorageError } from '../storage/errors.ts';

/** An entry below a folder, and its path from there. */
interface Walked {
  readonly segments: readonly string[];
  readonly entry: DiskEntry;
}

/**
 * Everything below a folder, each folder before its contents, folders first. Memory holds one listing for each folder on the
 * path. A folder that disappears meanwhile is skipped.
 * @throws StorageError when the folder itself does not exist, or one below it cannot be read
 */
export async function* walk(disk: Disk, folder: ItemTarget, below: readonly string[] = []): AsyncGenerator<Walked> {
  const { homeRoot } = folder.home;
  const listing = await disk.run('list', { homeRoot, segments: [...folder.segments, ...below] }).catch((error) => {
    if (below.length > 0 && error instanceof StorageError && error.reason === 'not-found') return null;
    throw error;
  });
  for (let index = 0; index < (listing?.names.length ?? 0); index += 1) {
    const entry = listing === null ? null : listingEntry(listing, index);
    if (entry === null) continue;
    const segments = [...below, entry.name];
    yield { segments, entry };
    if (entry.isDir) yield* walk(disk, folder, segments);
  }
}

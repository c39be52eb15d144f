import type { Home } from '../../catalogue/homes.ts';
import { eraseStored, storedContent } from '../../storage/content/work-area.ts';
import type { Disk, DiskEntry, Found } from '../../storage/disk/disk.ts';
import { nullIfGone } from '../../storage/errors.ts';
import { flushAndClose } from '../../storage/flush.ts';
import { type PreviousContent, previousContentPath } from './previous-content.ts';

/** @throws StorageError, except for missing items */
export async function statOrNull(disk: Disk, { homeRoot }: Home, segments: readonly string[]): Promise<Found | null> {
  return disk.run('stat', { homeRoot, segments }).catch(nullIfGone);
}

/**
 * Finds the content retained by an interrupted replacement. If it still has its name, the new content never came, and its second
 * name is removed. If nothing has the name (on a disk without hard links), it goes back.
 * @returns the content that was really replaced, under its former name, or null
 */
export async function findPreviousContent(
  disk: Disk,
  home: Home,
  segments: readonly string[],
  keptAs: PreviousContent,
  found: Found | null,
): Promise<DiskEntry | null> {
  const source = previousContentPath(home, keptAs);
  const kept = await storedContent(source);
  if (kept === null) return null;
  if (found === null) {
    const [parent, name] = [segments.slice(0, -1), segments.at(-1) ?? ''];
    const back = await disk.run('moveIn', { homeRoot: home.homeRoot, parent, name, source });
    await flushAndClose(back.folderFd);
    return null;
  }
  if (found.entry.identity !== kept.identity) return { ...kept, name: found.entry.name };
  await eraseStored(source);
  return null;
}

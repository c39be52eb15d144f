import { cachedReads } from '../database/cached-reads.ts';
import type { FilesDatabase } from '../database/database.ts';
import type { KnownContent } from '../storage/disk/disk.ts';
import { isTouchSettled } from '../storage/disk/time-resolution.ts';
import { type FoundItem, itemInFolder } from './find.ts';

/** Number of files whose rows are in memory. */
const MOST = 10_000;

/** The rows of files by their paths, as of the last commit, for those who only need to know whether a file is still the same. */
export interface KnownContents {
  /** @param names on the path, from below the root of the home @returns null without a row, or for a missing item */
  at(homeId: string, names: readonly string[]): Promise<FoundItem | null>;
}

export function createKnownContents(database: FilesDatabase): KnownContents {
  const read = cachedReads(database, 'files', MOST, (key: string) => {
    const [homeId = '', ...names] = key.split('/');
    return itemInFolder(database, homeId, names.slice(0, -1), names.at(-1) ?? '');
  });
  return { at: async (homeId, names) => (names.length === 0 ? null : read([homeId, ...names].join('/'))) };
}

/**
 * Since when nothing has touched a file of which the row is true; null while its content is unproven.
 * @returns as `DiskEntry.touched`
 */
export function provenSince({ item: { touched }, sha256 }: FoundItem): number | null {
  if (touched === null || touched > 0) return touched;
  // Seen right after it was written, and nobody has been told since that it has this tag.
  return sha256 === null && isTouchSettled(-touched, Date.now()) ? -touched : null;
}

/** What derivatives of a file depend on; null where the catalogue knows nothing. */
export function knownContentOf(found: FoundItem | null): KnownContent | null {
  if (found === null || found.item.touched === null) return null;
  const { identity, edits, touched } = found.item;
  const isClaimed = touched < 0 && found.sha256 !== null;
  return { identity, edits, touched: isClaimed ? null : Math.abs(touched) };
}

import { nameSortKey } from '../../lib/names/names.ts';
import type { DiskListing } from '../../storage/disk/disk.ts';
import { type FolderContent, FolderItems } from './folder-items.ts';

/** Consecutive entries of one of the contents. */
interface Range {
  readonly from: FolderContent;
  readonly start: number;
  readonly end: number;
}

/**
 * A folder's content in which some entries are replaced.
 * @param names of the entries that may have changed
 * @param part those of them that exist, with their items
 */
export function patchContent(before: FolderContent, names: readonly string[], part: FolderContent): FolderContent {
  const { listing } = before;
  const removed = names.flatMap((name) => [
    ...indexOf(listing, name, 0, listing.folderCount),
    ...indexOf(listing, name, listing.folderCount, listing.names.length),
  ]);
  const ranges = rangesOf(before, part, removed);
  const removedFolders = removed.filter((index) => index < listing.folderCount).length;
  const column = <Column extends Float64Array | BigInt64Array | BigUint64Array>(
    make: (length: number) => Column,
    of: (listing: DiskListing) => Column,
  ): Column => {
    const joined = make(ranges.reduce((sum, { start, end }) => sum + end - start, 0));
    let at = 0;
    for (const { from, start, end } of ranges) {
      joined.set(of(from.listing).subarray(start, end) as never, at);
      at += end - start;
    }
    return joined;
  };
  const numbers = (of: (listing: DiskListing) => Float64Array) => column((length) => new Float64Array(length), of);
  const times = (of: (listing: DiskListing) => BigInt64Array) => column((length) => new BigInt64Array(length), of);
  return {
    listing: {
      ...part.listing,
      folderCount: listing.folderCount - removedFolders + part.listing.folderCount,
      names: ranges.flatMap(({ from, start, end }) => from.listing.names.slice(start, end)),
      sizes: numbers(({ sizes }) => sizes),
      mtimes: numbers(({ mtimes }) => mtimes),
      created: numbers(({ created }) => created),
      inodes: column(
        (length) => new BigUint64Array(length),
        ({ inodes }) => inodes,
      ),
      births: times(({ births }) => births),
      changes: times(({ changes }) => changes),
      touches: times(({ touches }) => touches),
    },
    items: FolderItems.joined(ranges.map(({ from, start, end }) => ({ items: from.items, start, end }))),
  };
}

/** What the new content consists of, in order. @param removed indexes in the content before */
function rangesOf(before: FolderContent, part: FolderContent, removed: readonly number[]): Range[] {
  const { folderCount, names } = before.listing;
  const added = part.listing.names.map((name, index) => {
    const isDir = index < part.listing.folderCount;
    const at = isDir
      ? insertionIndex(before.listing, name, 0, folderCount)
      : insertionIndex(before.listing, name, folderCount, names.length);
    return { at, index };
  });
  // A new entry comes before the removed one at its index. The order of the sort is stable.
  const steps = [...added, ...removed.map((at) => ({ at, index: null }))].sort(
    (a, b) => a.at - b.at || Number(a.index === null) - Number(b.index === null),
  );
  const ranges: Range[] = [];
  let next = 0;
  for (const { at, index } of steps) {
    if (at > next) ranges.push({ from: before, start: next, end: at });
    next = Math.max(next, at);
    if (index === null) next = at + 1;
    else ranges.push({ from: part, start: index, end: index + 1 });
  }
  if (next < names.length) ranges.push({ from: before, start: next, end: names.length });
  return ranges;
}

/** The first index from `start` on whose entry does not come before a name, in the natural order of listings. */
function insertionIndex({ names }: DiskListing, name: string, start: number, end: number): number {
  const key = nameSortKey(name);
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = names[middle] ?? '';
    const otherKey = nameSortKey(other);
    if (otherKey < key || (otherKey === key && other < name)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of an entry, if it exists in this range. */
function indexOf(listing: DiskListing, name: string, start: number, end: number): number[] {
  const at = insertionIndex(listing, name, start, end);
  return at < end && listing.names[at] === name ? [at] : [];
}

import type { LibrarySizes } from './library.ts';

const MIB = 2 ** 20;

/** How much work is done in a run. Bytes where nothing else is said. */
export interface Sizes {
  readonly big: number;
  readonly huge: number;
  /** Bytes of a small file. */
  readonly small: number;
  readonly smallFiles: number;
  readonly shortList: number;
  readonly shortListRequests: number;
  readonly longList: number;
  readonly longListRequests: number;
  /** Entries of the page that the page of the long list is compared with. */
  readonly pageRows: number;
  readonly wideList: number;
  readonly widePage: number;
  readonly treeFolders: number;
  /** Files in each of the tree's folders. */
  readonly treeFiles: number;
  readonly photos: number;
  /** Photos of many years, of which one month after the other is shown. */
  readonly timeline: number;
  readonly warmThumbnails: number;
  readonly library: LibrarySizes;
  /** The other files of the household whose listings are measured: speed in an empty home is not what people have. */
  readonly household: LibrarySizes;
}

export const FULL: Sizes = {
  big: 1024 * MIB,
  huge: 4096 * MIB,
  small: 10_000,
  smallFiles: 1_000,
  shortList: 10,
  shortListRequests: 4_000,
  longList: 10_000,
  longListRequests: 15,
  pageRows: 100,
  wideList: 100_000,
  widePage: 100,
  treeFolders: 100,
  treeFiles: 1_000,
  photos: 200,
  timeline: 200_000,
  warmThumbnails: 8_000,
  library: { folders: 4_000, files: 200_000, documents: 5_000 },
  household: { folders: 2_000, files: 114_000, documents: 5_000 },
};

/** For trying the benchmark itself: no target is meant for these. */
export const QUICK: Sizes = {
  big: 32 * MIB,
  huge: 64 * MIB,
  small: 10_000,
  smallFiles: 80,
  shortList: 10,
  shortListRequests: 200,
  longList: 500,
  longListRequests: 5,
  pageRows: 100,
  wideList: 1_000,
  widePage: 10,
  treeFolders: 10,
  treeFiles: 100,
  photos: 6,
  timeline: 2_000,
  warmThumbnails: 200,
  library: { folders: 400, files: 20_000, documents: 200 },
  household: { folders: 20, files: 400, documents: 10 },
};

/** "1 GiB", "32 MiB". */
export function sizeText(bytes: number): string {
  const gibibytes = bytes / (1024 * MIB);
  return gibibytes >= 1 ? `${gibibytes} GiB` : `${bytes / MIB} MiB`;
}

export function countText(count: number): string {
  return count.toLocaleString('en-GB');
}

import { countText, type Sizes, sizeText } from './sizes.ts';

/**
 * What has to hold. A ratio is Larder's median by the yardstick's; a value is Larder's own. A limit of what must never be
 * exceeded (`of: 'max'`) counts the worst run.
 */
export type Bound =
  | { readonly kind: 'ratio'; readonly least: number }
  | { readonly kind: 'ratio'; readonly most: number }
  | { readonly kind: 'value'; readonly most: number; readonly of: 'median' | 'max' }
  | { readonly kind: 'none' };

export interface Target {
  readonly title: (sizes: Sizes) => string;
  readonly unit: string;
  readonly bound: Bound;
}

const library = ({ library: { files } }: Sizes) => `${countText(files)} files`;
const tree = ({ treeFolders, treeFiles }: Sizes) => countText(treeFolders * treeFiles);

/** Every target of the benchmark. One that is missed stays, and its yardstick stays as strong as it is. */
export const TARGETS = {
  downloadSpeed: {
    title: ({ big }) => `Download of ${sizeText(big)}`,
    unit: 'MiB/s',
    bound: { kind: 'ratio', least: 0.95 },
  },
  downloadCpu: {
    title: ({ big }) => `CPU of that download of ${sizeText(big)}`,
    unit: 's/GiB',
    bound: { kind: 'ratio', most: 1.1 },
  },
  uploadSpeed: {
    title: ({ big }) => `Upload of ${sizeText(big)}, flushed`,
    unit: 'MiB/s',
    bound: { kind: 'ratio', least: 0.9 },
  },
  uploadCpu: {
    title: ({ big }) => `CPU of that upload of ${sizeText(big)}`,
    unit: 's/GiB',
    bound: { kind: 'ratio', most: 1.1 },
  },
  smallUploads: {
    title: ({ smallFiles, small }) => `${countText(smallFiles)} uploads of ${small / 1000} KB, 8 connections, flushed`,
    unit: 'files/s',
    bound: { kind: 'ratio', least: 0.6 },
  },
  shortList: {
    title: ({ shortList }) => `Listing of ${countText(shortList)} entries with size and date, 8 connections`,
    unit: 'requests/s',
    bound: { kind: 'ratio', least: 0.7 },
  },
  longList: {
    title: ({ longList }) => `Listing of ${countText(longList)} entries with size and date`,
    unit: 'ms',
    bound: { kind: 'ratio', most: 1 },
  },
  longListFirst: {
    title: () => 'The same for the first time after a start',
    unit: 'ms',
    bound: { kind: 'ratio', most: 2 },
  },
  longListChanged: {
    title: () => 'The same after a change by another program',
    unit: 'ms',
    bound: { kind: 'ratio', most: 1.3 },
  },
  davList: {
    title: ({ longList }) => `PROPFIND of ${countText(longList)} entries, each written anew, by size of the reply`,
    unit: 'ms/MiB',
    bound: { kind: 'ratio', most: 1.5 },
  },
  davAllProperties: {
    title: ({ longList }) => `PROPFIND of all properties of ${countText(longList)} entries`,
    unit: 'ms',
    bound: { kind: 'ratio', most: 1.875 },
  },
  davMemory: {
    title: ({ longList }) => `Growth of memory during PROPFINDs of all properties of ${countText(longList)} entries`,
    unit: 'MB',
    bound: { kind: 'value', most: 50, of: 'max' },
  },
  davDownload: {
    title: ({ big }) => `Download of ${sizeText(big)} by WebDAV`,
    unit: 'MiB/s',
    bound: { kind: 'ratio', least: 0.95 },
  },
  davUpload: {
    title: ({ big }) => `Upload of ${sizeText(big)} by WebDAV, flushed`,
    unit: 'MiB/s',
    bound: { kind: 'ratio', least: 0.95 },
  },
  wideList: {
    title: ({ wideList }) => `Listing of ${countText(wideList)} entries with size and date`,
    unit: 'ms',
    bound: { kind: 'value', most: 250, of: 'median' },
  },
  widePage: {
    title: ({ wideList, widePage }) => `A page of ${widePage} of ${countText(wideList)} entries`,
    unit: 'ms',
    bound: { kind: 'value', most: 10, of: 'median' },
  },
  wideListChanged: {
    title: ({ wideList }) => `The ${countText(wideList)} entries after a change by another program`,
    unit: 'ms',
    bound: { kind: 'ratio', most: 1.3 },
  },
  start: {
    title: () => 'Start to the first answered API request',
    unit: 'ms',
    bound: { kind: 'value', most: 600, of: 'median' },
  },
  memoryAfterStart: {
    title: () => 'Memory after the start',
    unit: 'MB',
    bound: { kind: 'value', most: 120, of: 'max' },
  },
  memoryOfTransfers: {
    title: ({ huge }) => `Memory during and after ${sizeText(huge)} up and down`,
    unit: 'MB',
    bound: { kind: 'value', most: 250, of: 'max' },
  },
  rename: {
    title: (sizes) => `Rename of a folder of ${tree(sizes)} files`,
    unit: 'ms',
    bound: { kind: 'value', most: 20, of: 'median' },
  },
  trash: {
    title: (sizes) => `A folder of ${tree(sizes)} files to the trash`,
    unit: 'ms',
    bound: { kind: 'value', most: 50, of: 'median' },
  },
  restore: {
    title: (sizes) => `A folder of ${tree(sizes)} files back from the trash`,
    unit: 'ms',
    bound: { kind: 'none' },
  },
  recursiveMemory: {
    title: (sizes) => `Growth of memory during \`recursive=1\` over ${tree(sizes)} files`,
    unit: 'MB',
    bound: { kind: 'value', most: 50, of: 'max' },
  },
  firstReconcile: {
    title: (sizes) => `First look through ${library(sizes)}`,
    unit: 's',
    bound: { kind: 'none' },
  },
  duringReconcile: {
    title: ({ shortList }) => `Listing of ${countText(shortList)} entries during that look`,
    unit: 'ms',
    bound: { kind: 'ratio', most: 1.5 },
  },
  searchNames: {
    title: (sizes) => `Search by name, 50 hits among ${library(sizes)}`,
    unit: 'ms',
    bound: { kind: 'value', most: 4, of: 'median' },
  },
  searchContents: {
    title: ({ library: { documents } }) => `Search in contents, 40 hits among ${countText(documents)} documents`,
    unit: 'ms',
    bound: { kind: 'value', most: 6, of: 'median' },
  },
  thumbnailsCold: {
    title: ({ photos }) => `Thumbnails of ${countText(photos)} photos of 12 megapixels, 2 connections`,
    unit: 'photos/s',
    bound: { kind: 'ratio', least: 0.9 },
  },
  thumbnailFirst: {
    title: () => 'The first thumbnail after a start',
    unit: 'ms',
    bound: { kind: 'ratio', most: 1.5 },
  },
  thumbnailsWarm: {
    title: () => 'A thumbnail that is there, 8 connections',
    unit: 'requests/s',
    bound: { kind: 'ratio', least: 0.5 },
  },
  searchTags: {
    title: (sizes) => `Search by tag, 50 hits among ${tree(sizes)} tagged files`,
    unit: 'ms',
    bound: { kind: 'value', most: 10, of: 'median' },
  },
  memoryIdle: {
    title: (sizes) => `Memory at rest, with ${library(sizes)} known and watched`,
    unit: 'MB',
    bound: { kind: 'value', most: 200, of: 'max' },
  },
  startLarge: {
    title: (sizes) => `Start to the first answered API request with ${library(sizes)}`,
    unit: 'ms',
    bound: { kind: 'ratio', most: 1.1 },
  },
  pagePaint: {
    title: ({ longList, pageRows }) =>
      `First paint of the page of ${countText(longList)} entries, beside that of ${countText(pageRows)}`,
    unit: 'ms',
    bound: { kind: 'ratio', most: 1.5 },
  },
  pageFrames: {
    title: ({ longList }) => `The longest frame while ${countText(longList)} entries are scrolled`,
    unit: 'ms',
    bound: { kind: 'value', most: 50, of: 'max' },
  },
  galleryPaint: {
    title: ({ longList, pageRows }) =>
      `First paint of the gallery of ${countText(longList)} entries, beside that of ${countText(pageRows)}`,
    unit: 'ms',
    bound: { kind: 'ratio', most: 1.5 },
  },
  galleryFrames: {
    title: ({ longList }) => `The longest frame while a gallery of ${countText(longList)} entries is scrolled`,
    unit: 'ms',
    bound: { kind: 'value', most: 50, of: 'max' },
  },
  photoMonth: {
    title: ({ timeline }) => `Any month of ${countText(timeline)} photos, half of which are of one month`,
    unit: 'ms',
    bound: { kind: 'value', most: 100, of: 'max' },
  },
} as const satisfies Record<string, Target>;

export type TargetName = keyof typeof TARGETS;

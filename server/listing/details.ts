import { z } from 'zod';
import type { ContentHash } from '../catalogue/content-hashes.ts';
import type { Item } from '../catalogue/items.ts';
import { quoted } from '../files/content-tag.ts';
import { isoSeconds } from '../lib/datetime.ts';
import { extensionOf, fileKind } from '../lib/names/file-types.ts';
import type { DiskEntry } from '../storage/disk/disk.ts';
import { linkDetailsSchema } from '../weblinks/link-details.ts';
import { humanDate, humanSize } from './human.ts';

/** §2.5: all details by their keys. One that does not apply to an item is left out. Each has a writer in {@link WRITERS}. */
const DETAILS = {
  uuid: z.uuid(),
  mdate: z.string(),
  mdateHuman: z.string(),
  cdate: z.string(),
  hasWebLink: z.boolean(),
  weblink: z.string(),
  'weblink-full': linkDetailsSchema,
  description: z.string(),
  ext: z.string(),
  type: z.string(),
  icon: z.string(),
  hasThumb: z.boolean(),
  fileSize: z.int().nonnegative(),
  nicerFileSize: z.string(),
  commentsCount: z.int().nonnegative(),
  label: z.string(),
  isLocked: z.boolean(),
  version: z.int().positive(),
  isShared: z.boolean(),
  etag: z.string(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
};

export type DetailKey = keyof typeof DETAILS;
export const DETAIL_KEYS = Object.keys(DETAILS) as DetailKey[];

export const listedItemSchema = z.object({
  filename: z.string(),
  is_dir: z.boolean(),
  path: z.string(),
  ...z.object(DETAILS).partial().shape,
});

export type ListedItem = z.infer<typeof listedItemSchema>;

export interface Described {
  readonly entry: DiskEntry;
  readonly item: Pick<Item, 'id' | 'uuid' | 'version' | 'tag'> | undefined;
  readonly path: string;
  /** Its name for the caller, if different from that on the disk. */
  readonly name?: string;
  readonly marks: ListingDetails;
}

/** Data attached to items, by item id; looked up once per listing, if requested. */
export interface ListingDetails {
  readonly locked: ReadonlySet<number>;
  readonly shared: ReadonlySet<number>;
  /** The displayed link of each item. */
  readonly links: ReadonlyMap<number, z.infer<typeof linkDetailsSchema>>;
  /** Whether such files may have a thumbnail, and this one is not known to have none. */
  readonly hasThumbnail: (entry: DiskEntry) => boolean;
  /** Counts; null if the caller may not read comments. */
  readonly comments: ReadonlyMap<number, number> | null;
  /** As `text|color`. */
  readonly labels: ReadonlyMap<number, string>;
  /** Whether the caller may download the contents, and so learn their tags. */
  readonly areTagsVisible: boolean;
  /** Whether hashes are requested, and the caller may learn them. */
  readonly areHashesVisible: boolean;
  /** The recorded hashes, see `withRowDetails`. */
  readonly hashes: ReadonlyMap<number, ContentHash>;
  /** The account for which the tags of folders are requested; null if they are not. */
  readonly folderTagsFor: number | null;
  /** See `withRowDetails`. */
  readonly folderTags: ReadonlyMap<number, string>;
}

export const NO_DETAILS: ListingDetails = {
  locked: new Set(),
  shared: new Set(),
  links: new Map(),
  hasThumbnail: () => false,
  comments: null,
  labels: new Map(),
  areTagsVisible: false,
  areHashesVisible: false,
  hashes: new Map(),
  folderTagsFor: null,
  folderTags: new Map(),
};

type Writer = (target: ListedItem, described: Described, now: number) => void;

const WRITERS: Readonly<Record<DetailKey, Writer>> = {
  uuid: (target, { item }) => {
    if (item !== undefined) target.uuid = item.uuid;
  },
  mdate: (target, { entry }) => {
    target.mdate = isoSeconds(entry.mtime);
  },
  mdateHuman: (target, { entry }, now) => {
    target.mdateHuman = humanDate(entry.mtime, now);
  },
  cdate: (target, { entry }) => {
    target.cdate = isoSeconds(entry.created);
  },
  description: (target, { entry }) => {
    target.description = fileKind(entry.name, entry.isDir).description;
  },
  ext: (target, { entry }) => {
    if (!entry.isDir) target.ext = extensionOf(entry.name);
  },
  type: (target, { entry }) => {
    target.type = fileKind(entry.name, entry.isDir).type;
  },
  icon: (target, { entry }) => {
    target.icon = `${fileKind(entry.name, entry.isDir).type}.svg`;
  },
  hasThumb: (target, { entry, marks }) => {
    target.hasThumb = marks.hasThumbnail(entry);
  },
  fileSize: (target, { entry }) => {
    if (!entry.isDir) target.fileSize = entry.size;
  },
  nicerFileSize: (target, { entry }) => {
    if (!entry.isDir) target.nicerFileSize = humanSize(entry.size);
  },
  commentsCount: (target, { item, marks }) => {
    if (marks.comments !== null) target.commentsCount = item === undefined ? 0 : (marks.comments.get(item.id) ?? 0);
  },
  label: (target, { item, marks }) => {
    const label = item === undefined ? undefined : marks.labels.get(item.id);
    if (label !== undefined) target.label = label;
  },
  isLocked: (target, { item, marks }) => {
    target.isLocked = item !== undefined && marks.locked.has(item.id);
  },
  isShared: (target, { item, marks }) => {
    target.isShared = item !== undefined && marks.shared.has(item.id);
  },
  hasWebLink: (target, { item, marks }) => {
    target.hasWebLink = item !== undefined && marks.links.has(item.id);
  },
  weblink: (target, { item, marks }) => {
    const link = item === undefined ? undefined : marks.links.get(item.id);
    if (link !== undefined) target.weblink = link.url;
  },
  'weblink-full': (target, { item, marks }) => {
    const link = item === undefined ? undefined : marks.links.get(item.id);
    if (link !== undefined) target['weblink-full'] = link;
  },
  version: (target, { entry, item }) => {
    if (!entry.isDir && item !== undefined) target.version = item.version;
  },
  etag: (target, { entry, item, marks }) => {
    if (entry.isDir) {
      const tag = item === undefined ? undefined : marks.folderTags.get(item.id);
      if (tag !== undefined) target.etag = tag;
    } else if (marks.areTagsVisible && item !== undefined) target.etag = quoted(item.tag);
  },
  sha256: (target, { entry, item, marks }) => {
    if (entry.isDir || !marks.areHashesVisible) return;
    const known = item === undefined ? undefined : marks.hashes.get(item.id);
    target.sha256 = known?.identity === entry.identity ? known.sha256 : null;
  },
};

/** An item of a listing with the requested details. */
export function describe(described: Described, details: readonly DetailKey[], now: number): ListedItem {
  const { entry, path, name = entry.name } = described;
  const listed: ListedItem = { filename: name, is_dir: entry.isDir, path };
  for (const key of details) WRITERS[key](listed, described, now);
  return listed;
}

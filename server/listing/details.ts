import { z } from 'zod';
import type { ContentHash } from '../catalogue/content-hashes.ts';
import type { Item } from '../catalogue/items.ts';
import { quoted } from '../files/content-tag.ts';
import { isoSeconds } from '../lib/datetime.ts';
import { extensionOf, fileKind } from '../lib/names/file-types.ts';
import type { DiskEntry } from '../storage/disk/disk.ts';
import { linkDetailsSchema } from '../weblinks/link-details.ts';
import { humanDate, humanSize } from './human.ts';

export interface Described {
  readonly entry: DiskEntry;
  readonly item: Pick<Item, 'id' | 'uuid' | 'version' | 'tag'> | undefined;
  readonly path: string;
  /** Its name for the caller, if different from that on the disk. */
  readonly name?: string;
  readonly facts: ItemFacts;
}

/** What details need to know of items beside their entries and rows, by item id; looked up once per listing, if requested. */
export interface ItemFacts {
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
  /** The recorded hashes, see `withRowFacts`. */
  readonly hashes: ReadonlyMap<number, ContentHash>;
  /** The account for which the tags of folders are requested; null if they are not. */
  readonly folderTagsFor: string | null;
  /** See `withRowFacts`. */
  readonly folderTags: ReadonlyMap<number, string>;
}

export const NO_FACTS: ItemFacts = {
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

/**
 * What a detail follows from: the content of the folder alone, neither from the time, nor from other rows, nor from the caller; the
 * time as well; facts, which items in the trash have, too; or facts that are not looked up for them.
 */
type Source = 'folder' | 'time' | 'facts' | 'facts-outside-trash';

/** @param of its value; undefined if it does not apply to an item, and is left out */
const detail = <Schema extends z.ZodType>(
  schema: Schema,
  source: Source,
  of: (described: Described, now: number) => z.infer<Schema> | undefined,
) => ({ schema, source, of });

/** §2.5: all details by their keys. */
const DETAILS = {
  uuid: detail(z.uuid(), 'folder', ({ item }) => item?.uuid),
  mdate: detail(z.string(), 'folder', ({ entry }) => isoSeconds(entry.mtime)),
  mdateHuman: detail(z.string(), 'time', ({ entry }, now) => humanDate(entry.mtime, now)),
  cdate: detail(z.string(), 'folder', ({ entry }) => isoSeconds(entry.created)),
  hasWebLink: detail(z.boolean(), 'facts-outside-trash', (described) => linkOf(described) !== undefined),
  weblink: detail(z.string(), 'facts-outside-trash', (described) => linkOf(described)?.url),
  'weblink-full': detail(linkDetailsSchema, 'facts-outside-trash', (described) => linkOf(described)),
  description: detail(z.string(), 'folder', ({ entry }) => fileKind(entry.name, entry.isDir).description),
  ext: detail(z.string(), 'folder', ({ entry }) => (entry.isDir ? undefined : extensionOf(entry.name))),
  type: detail(z.string(), 'folder', ({ entry }) => fileKind(entry.name, entry.isDir).type),
  icon: detail(z.string(), 'folder', ({ entry }) => `${fileKind(entry.name, entry.isDir).type}.svg`),
  hasThumb: detail(z.boolean(), 'facts-outside-trash', ({ entry, facts }) => facts.hasThumbnail(entry)),
  fileSize: detail(z.int().nonnegative(), 'folder', ({ entry }) => (entry.isDir ? undefined : entry.size)),
  nicerFileSize: detail(z.string(), 'folder', ({ entry }) => (entry.isDir ? undefined : humanSize(entry.size))),
  commentsCount: detail(z.int().nonnegative(), 'facts', ({ item, facts: { comments } }) => {
    if (comments === null) return undefined;
    return item === undefined ? 0 : (comments.get(item.id) ?? 0);
  }),
  label: detail(z.string(), 'facts', ({ item, facts }) => (item === undefined ? undefined : facts.labels.get(item.id))),
  isLocked: detail(
    z.boolean(),
    'facts-outside-trash',
    ({ item, facts }) => item !== undefined && facts.locked.has(item.id),
  ),
  version: detail(z.int().positive(), 'folder', ({ entry, item }) => (entry.isDir ? undefined : item?.version)),
  isShared: detail(
    z.boolean(),
    'facts-outside-trash',
    ({ item, facts }) => item !== undefined && facts.shared.has(item.id),
  ),
  // Of files it needs only the right to download.
  etag: detail(z.string(), 'facts-outside-trash', ({ entry, item, facts }) => {
    if (item === undefined) return undefined;
    if (entry.isDir) return facts.folderTags.get(item.id);
    return facts.areTagsVisible ? quoted(item.tag) : undefined;
  }),
  sha256: detail(
    z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
    'facts',
    ({ entry, item, facts }) => {
      if (entry.isDir || !facts.areHashesVisible) return undefined;
      const known = item === undefined ? undefined : facts.hashes.get(item.id);
      return known?.identity === entry.identity ? known.sha256 : null;
    },
  ),
};

const linkOf = ({ item, facts }: Described) => (item === undefined ? undefined : facts.links.get(item.id));

export type DetailKey = keyof typeof DETAILS;
export const DETAIL_KEYS = Object.keys(DETAILS) as DetailKey[];

export const sourceOf = (key: DetailKey): Source => DETAILS[key].source;

type Schemas = { readonly [Key in DetailKey]: (typeof DETAILS)[Key]['schema'] };
const SCHEMAS = Object.fromEntries(DETAIL_KEYS.map((key) => [key, DETAILS[key].schema])) as Schemas;

export const listedItemSchema = z.object({
  filename: z.string(),
  is_dir: z.boolean(),
  path: z.string(),
  ...z.object(SCHEMAS).partial().shape,
});

export type ListedItem = z.infer<typeof listedItemSchema>;

/** An item of a listing with the requested details. */
export function describe(described: Described, details: readonly DetailKey[], now: number): ListedItem {
  const { entry, path, name = entry.name } = described;
  const listed: ListedItem = { filename: name, is_dir: entry.isDir, path };
  const properties: Record<string, unknown> = listed;
  for (const key of details) {
    const value = DETAILS[key].of(described, now);
    if (value !== undefined) properties[key] = value;
  }
  return listed;
}

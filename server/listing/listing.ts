import { z } from 'zod';
import { type Access, type ItemTarget, isTop, SHARED_BASE, shownName, virtualPathOf } from '../access/access.ts';
import { type Caller, type Rights, responsibleId, rightsOf } from '../access/caller.ts';
import { mayKnowContent } from '../access/known-content.ts';
import { folderPermissions, isPermitted } from '../access/rights.ts';
import { tagReader } from '../access/tag-reader.ts';
import type { Catalogue, FolderContent } from '../catalogue/catalogue.ts';
import { hashesOf } from '../catalogue/content-hashes.ts';
import { folderTags } from '../catalogue/folder-tags.ts';
import type { Home } from '../catalogue/homes.ts';
import type { Item } from '../catalogue/items.ts';
import type { FilesDatabase } from '../database/database.ts';
import type { TrashedItem } from '../files/trash/trash-rows.ts';
import type { Clock } from '../lib/clock.ts';
import type { Thumbnails } from '../media/thumbnails/thumbnails.ts';
import type { Stars } from '../stars/stars.ts';
import type { DiskEntry } from '../storage/disk/disk.ts';
import { linkDetails } from '../weblinks/link-details.ts';
import { linkEnd } from '../weblinks/link-end.ts';
import type { LinkRecord } from '../weblinks/link-record.ts';
import type { Links } from '../weblinks/links.ts';
import type { Arrangement } from './arrange.ts';
import { type DetailKey, type ItemFacts, listedItemSchema, NO_FACTS } from './details.ts';

export interface BrowseOptions extends Arrangement {
  readonly details: readonly DetailKey[];
  /** Of the household as the caller reached it, with the prefix of the installation: links begin with it. */
  readonly address: string;
  readonly recursive: boolean;
  /** Whether the list of photos has films as well; by default not (§2.1). */
  readonly withFilms?: boolean | undefined;
  readonly start?: number | undefined;
  readonly limit?: number | undefined;
}

/** §2.5. */
export const listingSchema = z.object({
  meta: z.object({
    path: z.string(),
    parentPath: z.string().nullable(),
    folderName: z.string(),
    perms: z.object({ upload: z.boolean(), download: z.boolean(), alter: z.boolean() }),
    total: z.int().nonnegative().optional(),
    /** For a search: whether there are more hits than requested. */
    truncated: z.boolean().optional(),
  }),
  files: z.array(listedItemSchema),
});

export type Listing = z.infer<typeof listingSchema>;

export interface BrowseContext {
  readonly access: Access;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly database: Pick<FilesDatabase, 'all' | 'write'>;
  readonly stars: Pick<Stars, 'of'>;
  readonly links: Pick<Links, 'by' | 'inHome'>;
  readonly thumbnails: Pick<Thumbnails, 'canMake' | 'failedIn'>;
  readonly trash: (home: Home) => Promise<TrashedItem[]>;
  /** The locked items of a home. */
  readonly locked: (home: Home) => Promise<ReadonlySet<number>>;
  /** The number of comments of each item of a home. */
  readonly commentCounts: (home: Home) => Promise<ReadonlyMap<number, number>>;
  /** The labels of the items of a home, as `text|color`. */
  readonly labels: (home: Home) => Promise<ReadonlyMap<number, string>>;
}

/** The requested details of each item. */
export type RequestedDetails = Pick<BrowseOptions, 'details' | 'address'>;

/** The parts needed for the facts. */
export type FactsContext = Pick<
  BrowseContext,
  'locked' | 'commentCounts' | 'labels' | 'access' | 'links' | 'thumbnails' | 'clock' | 'database'
>;

/**
 * One lookup for a whole listing, and none if not requested. Owners see all shares and links of their items; recipients of a
 * share see only their own. What is read from the rows of the listed items is added by `withRowFacts`.
 */
export async function factsIn(
  { locked, commentCounts, labels, access, links, thumbnails, clock }: FactsContext,
  caller: Caller,
  { home, share }: Pick<ItemTarget, 'home' | 'share'>,
  { details, address }: RequestedDetails,
): Promise<ItemFacts> {
  const rights = rightsOf(caller);
  const { account } = caller;
  const sharedBy = async () => (account === undefined ? [] : access.shared.sharedBy(account));
  const shared = async () =>
    share === null ? access.shared.sharedIn(home) : new Set((await sharedBy()).map(({ itemId }) => itemId));
  const linked = async () => {
    const all = share === null ? await links.inHome(home.id) : await links.by(responsibleId(caller));
    return shownLinks(all, responsibleId(caller), address, clock.now());
  };
  const pictured = async () => {
    const failed = await thumbnails.failedIn(home.id);
    return (entry: DiskEntry) => thumbnails.canMake(entry) && !failed.has(entry.identity);
  };
  return {
    locked: details.includes('isLocked') ? await locked(home) : NO_FACTS.locked,
    shared: details.includes('isShared') ? await shared() : NO_FACTS.shared,
    links: LINK_KEYS.some((key) => details.includes(key)) ? await linked() : NO_FACTS.links,
    hasThumbnail: details.includes('hasThumb') ? await pictured() : NO_FACTS.hasThumbnail,
    comments:
      details.includes('commentsCount') && isPermitted(rights, share, 'files/comments/list')
        ? await commentCounts(home)
        : NO_FACTS.comments,
    labels:
      details.includes('label') && isPermitted(rights, share, 'files/metadata') ? await labels(home) : NO_FACTS.labels,
    areTagsVisible: isPermitted(rights, share, 'files/download'),
    areHashesVisible: details.includes('sha256') && mayKnowContent(caller, share),
    hashes: NO_FACTS.hashes,
    folderTagsFor: details.includes('etag') && account !== undefined ? tagReader(account, share) : null,
    folderTags: NO_FACTS.folderTags,
  };
}

/** Whether details are requested that `withRowFacts` adds. */
export function needsRows({ areHashesVisible, folderTagsFor }: ItemFacts): boolean {
  return areHashesVisible || folderTagsFor !== null;
}

/** An item that is described next. */
type DescribedRow = Pick<Item, 'id' | 'isDir'>;

/** Adds the hashes of files and the tags of folders. */
export async function withRowFacts(
  { database }: Pick<BrowseContext, 'database'>,
  facts: ItemFacts,
  items: readonly DescribedRow[],
): Promise<ItemFacts> {
  const ids = (isDir: boolean) => items.flatMap((item) => (item.isDir === isDir ? [item.id] : []));
  const { areHashesVisible, folderTagsFor } = facts;
  return {
    ...facts,
    hashes: areHashesVisible ? await hashesOf(database, ids(false)) : facts.hashes,
    folderTags: folderTagsFor === null ? facts.folderTags : await folderTags(database, folderTagsFor, ids(true)),
  };
}

/** Number of entries whose hashes and tags are in memory while a long listing is sent. */
const ROWS_BATCH = 1_000;

/** Entries of a folder, by their indexes, in parts with their facts: one part unless their rows are read. */
export async function* partsWithFacts(
  context: Pick<BrowseContext, 'database'>,
  facts: ItemFacts,
  { items, listing }: FolderContent,
  indexes: readonly number[],
): AsyncGenerator<{ readonly part: readonly number[]; readonly facts: ItemFacts }> {
  const isRead = needsRows(facts);
  const size = isRead ? ROWS_BATCH : Math.max(1, indexes.length);
  for (let start = 0; start < indexes.length; start += size) {
    const part = indexes.slice(start, start + size);
    if (!isRead) yield { part, facts };
    else {
      const rows = part.flatMap((index) => {
        const id = items.at(index)?.id;
        return id === undefined ? [] : [{ id, isDir: index < listing.folderCount }];
      });
      yield { part, facts: await withRowFacts(context, facts, rows) };
    }
  }
}

const LINK_KEYS = ['hasWebLink', 'weblink', 'weblink-full'] as const;

/** The displayed link of each item: the caller's own, the permanent one, else the latest; no temporary link that has ended. */
function shownLinks(all: readonly LinkRecord[], accountId: number, address: string, now: number): ItemFacts['links'] {
  const shown = new Map<number, LinkRecord>();
  const rank = ({ creatorId, isPermanent, number }: LinkRecord) =>
    [creatorId === accountId ? 1 : 0, isPermanent ? 1 : 0, number] as const;
  for (const link of all) {
    if (!link.isPermanent && linkEnd(link, now) !== null) continue;
    const other = shown.get(link.itemId);
    if (other === undefined || isBefore(rank(other), rank(link))) shown.set(link.itemId, link);
  }
  return new Map([...shown].map(([itemId, link]) => [itemId, linkDetails(link, address)]));
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

/** The metadata of a folder's listing. */
export function folderMeta(target: ItemTarget, { listing }: FolderContent, rights: Rights): Listing['meta'] {
  // The spelling on the disk, which may differ from the request's in composition.
  return metaOf({ ...target, segments: listing.folders.slice(1).map((folder) => folder.name) }, rights);
}

/** The same with the path in the spelling of the request. */
export function metaOf(target: ItemTarget, rights: Rights): Listing['meta'] {
  return {
    path: virtualPathOf(target),
    parentPath: isTop(target) ? parentOfTop(target) : virtualPathOf(target, target.segments.slice(0, -1)),
    folderName: shownName(target, target.segments.at(-1) ?? ''),
    perms: folderPermissions(rights, target.share),
  };
}

function parentOfTop({ share }: ItemTarget): string {
  if (share === null || share.path !== undefined) return '/ROOT';
  return share.sharer === null ? SHARED_BASE : `/ROOT/${share.sharer.id}`;
}

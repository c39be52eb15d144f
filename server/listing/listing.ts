import { z } from 'zod';
import { type Access, type ItemTarget, isTop, SHARED_BASE, shownName, virtualPathOf } from '../access/access.ts';
import { folderPermissions, isPermitted } from '../access/rights.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { Catalogue, FolderContent } from '../catalogue/catalogue.ts';
import type { Home } from '../catalogue/homes.ts';
import type { Database } from '../database/database.ts';
import type { TrashedItem } from '../files/trash.ts';
import type { Clock } from '../lib/clock.ts';
import type { Stars } from '../stars/stars.ts';
import type { Arrangement } from './arrange.ts';
import { type DetailKey, listedItemSchema, type Marks, NO_MARKS } from './details.ts';

export interface BrowseOptions extends Arrangement {
  readonly details: readonly DetailKey[];
  readonly recursive: boolean;
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
    /** Of a search: whether there are more hits than were asked for. */
    truncated: z.boolean().optional(),
  }),
  files: z.array(listedItemSchema),
});

export type Listing = z.infer<typeof listingSchema>;

export interface BrowseContext {
  readonly access: Access;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly database: Pick<Database, 'all'>;
  readonly stars: Pick<Stars, 'of'>;
  readonly trash: (home: Home) => Promise<TrashedItem[]>;
  /** The items of a home that somebody has locked. */
  readonly locked: (home: Home) => Promise<ReadonlySet<number>>;
  /** How many comments the items of a home have. */
  readonly commentCounts: (home: Home) => Promise<ReadonlyMap<number, number>>;
}

/** What marks are looked up with. */
export type MarksContext = Pick<BrowseContext, 'locked' | 'commentCounts' | 'access'>;

/**
 * One look for a whole listing, and none for one that does not ask. Whether something is shared is told to the one whose it
 * is; in what is shared with somebody only what they share themselves.
 */
export async function marksIn(
  { locked, commentCounts, access }: MarksContext,
  account: AccountRecord,
  { home, share }: Pick<ItemTarget, 'home' | 'share'>,
  details: readonly DetailKey[],
): Promise<Marks> {
  const shared = async () =>
    share === null
      ? access.shared.sharedIn(home)
      : new Set((await access.shared.sharedBy(account)).map(({ itemId }) => itemId));
  return {
    locked: details.includes('isLocked') ? await locked(home) : NO_MARKS.locked,
    shared: details.includes('isShared') ? await shared() : NO_MARKS.shared,
    comments:
      details.includes('commentsCount') && isPermitted(account, share, 'files/comments/list')
        ? await commentCounts(home)
        : NO_MARKS.comments,
  };
}

/** What the head of a folder's listing says. */
export function folderMeta(target: ItemTarget, { listing }: FolderContent, account: AccountRecord): Listing['meta'] {
  // The spelling of the disk, which may differ from the request's in composition.
  return metaOf({ ...target, segments: listing.folders.slice(1).map((folder) => folder.name) }, account);
}

/** The same where the way is in the spelling of the request. */
export function metaOf(target: ItemTarget, account: AccountRecord): Listing['meta'] {
  return {
    path: virtualPathOf(target),
    parentPath: isTop(target) ? parentOfTop(target) : virtualPathOf(target, target.segments.slice(0, -1)),
    folderName: shownName(target, target.segments.at(-1) ?? ''),
    perms: folderPermissions(account, target.share),
  };
}

function parentOfTop({ share }: ItemTarget): string {
  if (share === null) return '/ROOT';
  return share.sharer === null ? SHARED_BASE : `/ROOT/${share.sharer.id}`;
}

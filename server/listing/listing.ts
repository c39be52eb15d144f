import { z } from 'zod';
import { type Access, virtualPathOf } from '../access/access.ts';
import { folderPermissions } from '../access/rights.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { Catalogue, FolderContent } from '../catalogue/catalogue.ts';
import type { Home } from '../catalogue/homes.ts';
import type { Database } from '../database/database.ts';
import type { TrashedItem } from '../files/trash.ts';
import type { Clock } from '../lib/clock.ts';
import type { Stars } from '../stars/stars.ts';
import type { Arrangement } from './arrange.ts';
import { type DetailKey, listedItemSchema } from './details.ts';

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
}

const NONE: ReadonlySet<number> = new Set();

/** One look for a whole listing, and none for one that does not ask. */
export async function lockedItems(
  { locked }: Pick<BrowseContext, 'locked'>,
  home: Home,
  { details }: Pick<BrowseOptions, 'details'>,
): Promise<ReadonlySet<number>> {
  return details.includes('isLocked') ? locked(home) : NONE;
}

/** What the head of a folder's listing says. */
export function folderMeta(base: string, { listing }: FolderContent, account: AccountRecord): Listing['meta'] {
  // The spelling of the disk, which may differ from the request's in composition.
  const found = listing.folders.slice(1).map((folder) => folder.name);
  return {
    path: virtualPathOf(base, found),
    parentPath: found.length === 0 ? '/ROOT' : virtualPathOf(base, found.slice(0, -1)),
    folderName: found.at(-1) ?? 'My Files',
    perms: folderPermissions(account),
  };
}

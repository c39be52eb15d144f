import type { ListTree } from '../access/access.ts';
import { type AccountCaller, rightsOf } from '../access/caller.ts';
import { folderPermissions } from '../access/rights.ts';
import {
  itemsThere,
  type LocatedItem,
  type NewestKind,
  newestBelow,
  newestFirst,
  newestOf,
} from '../catalogue/newest.ts';
import { arrangeEntries, paginate } from './arrange.ts';
import { describe } from './details.ts';
import type { BrowseContext, BrowseOptions, Listing } from './listing.ts';
import { describedFrom, type Reach, type Reached, reachOf } from './reach.ts';

export const LIST_NAMES: Readonly<Record<ListTree, string>> = { STARRED: 'Starred', PHOTOS: 'Photos', MUSIC: 'Music' };

const KINDS = { PHOTOS: ['image', 'raw'], MUSIC: ['audio'] } as const satisfies Record<string, readonly NewestKind[]>;

/** How many photos, films or music files are listed: the newest ones. */
const NEWEST = 500;

/** §2.1: lists of items from different folders. Items in the trash, and missing ones, are left out. */
export async function browseList(
  context: BrowseContext,
  caller: AccountCaller,
  list: ListTree,
  options: BrowseOptions,
): Promise<Listing> {
  const listed = await describedFrom(context, caller, await itemsOf(context, caller, list, options), options);
  // Newest first whatever order is requested: these are lists, not folders.
  const isOrdered = list === 'STARRED' || options.itemType === 'folders';
  const { page, paging } = paginate(isOrdered ? arrangeEntries(listed, options) : listed, options);
  const now = context.clock.now();
  return {
    meta: {
      path: `/${list}`,
      parentPath: '/ROOT',
      folderName: LIST_NAMES[list],
      perms: { ...folderPermissions(rightsOf(caller)), upload: false },
      ...paging,
    },
    files: page.map((described) => describe(described, options.details, now)),
  };
}

async function itemsOf(
  context: BrowseContext,
  caller: AccountCaller,
  list: ListTree,
  { withFilms = false }: Pick<BrowseOptions, 'withFilms'>,
): Promise<Reached[]> {
  const reach = await reachOf(context, caller);
  if (list === 'PHOTOS' && withFilms) return reach.of(await newestIn(context, reach, [...KINDS.PHOTOS, 'video']));
  if (list !== 'STARRED') return reach.of(await newestIn(context, reach, KINDS[list]));
  return reach.of(await itemsThere(context.database, await context.stars.of(caller.account.id)));
}

/** The newest of the home and of everything shared, each once. */
async function newestIn(
  { database }: Pick<BrowseContext, 'database'>,
  { home, grants }: Reach,
  kinds: readonly NewestKind[],
): Promise<LocatedItem[]> {
  const own = home === null ? [] : await newestOf(database, home.id, kinds, NEWEST);
  const shared = [...new Set(grants.filter((grant) => grant.home.id !== home?.id).map(({ itemId }) => itemId))];
  if (shared.length === 0) return own;
  return newestFirst([...own, ...(await newestBelow(database, shared, kinds, NEWEST))], NEWEST);
}

import type { ListTree } from '../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { folderPermissions } from '../../access/rights.ts';
import {
  itemsThere,
  type LocatedItem,
  type NewestItem,
  type NewestKind,
  newestBelow,
  newestFirst,
  newestOf,
  recentBelow,
  recentOf,
} from '../../catalogue/newest.ts';
import { arrangeEntries, paginate } from '../arrange.ts';
import { describe } from '../details.ts';
import type { BrowseContext, BrowseOptions, Listing } from '../listing.ts';
import { describedFrom, type Reach, type Reached, reachOf } from '../reach.ts';

export const LIST_NAMES: Readonly<Record<ListTree, string>> = {
  RECENT: 'Recent',
  STARRED: 'Starred',
  PHOTOS: 'Photos',
  MUSIC: 'Music',
};

const KINDS = { PHOTOS: ['image', 'raw'], MUSIC: ['audio'] } as const satisfies Record<string, readonly NewestKind[]>;

/** How many recent files, photos, films or music files are listed: the newest ones. */
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
  const { database } = context;
  if (list === 'STARRED') return reach.of(await itemsThere(database, await context.stars.of(caller.account.id)));
  if (list === 'RECENT') {
    return reach.of(
      await newestIn(reach, {
        of: (homeId) => recentOf(database, homeId, NEWEST),
        below: (ids) => recentBelow(database, ids, NEWEST),
      }),
    );
  }
  const kinds: readonly NewestKind[] = list === 'PHOTOS' && withFilms ? [...KINDS.PHOTOS, 'video'] : KINDS[list];
  return reach.of(
    await newestIn(reach, {
      of: (homeId) => newestOf(database, homeId, kinds, NEWEST),
      below: (ids) => newestBelow(database, ids, kinds, NEWEST),
    }),
  );
}

/** How the newest files are found: in a home, and among some items and everything below them. */
interface Newest {
  readonly of: (homeId: string) => Promise<NewestItem[]>;
  readonly below: (ids: readonly number[]) => Promise<NewestItem[]>;
}

/** The newest of the home and of everything shared, each once. */
async function newestIn({ home, grants }: Reach, newest: Newest): Promise<LocatedItem[]> {
  const own = home === null ? [] : await newest.of(home.id);
  const shared = [...new Set(grants.filter((grant) => grant.home.id !== home?.id).map(({ itemId }) => itemId))];
  if (shared.length === 0) return own;
  return newestFirst([...own, ...(await newest.below(shared))], NEWEST);
}

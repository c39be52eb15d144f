import { HOME_BASE, type ListTree, virtualPathOf } from '../access/access.ts';
import { folderPermissions } from '../access/rights.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { Home } from '../catalogue/homes.ts';
import { entryOf } from '../catalogue/items.ts';
import { itemsThere, newestOf, type PlacedItem } from '../catalogue/newest.ts';
import { arrangeEntries, paginate } from './arrange.ts';
import { describe } from './details.ts';
import { type BrowseContext, type BrowseOptions, type Listing, lockedItems } from './listing.ts';

export const LIST_NAMES: Readonly<Record<ListTree, string>> = { STARRED: 'Starred', PHOTOS: 'Photos', MUSIC: 'Music' };

/** Photos and pieces of music that are listed: the newest ones. */
const NEWEST = 500;

/** §2.1: the lists of items that lie anywhere. What is in the trash, or missing, is in none. */
export async function browseList(
  context: BrowseContext,
  account: AccountRecord,
  { list, home }: { readonly list: ListTree; readonly home: Home },
  options: BrowseOptions,
): Promise<Listing> {
  const locked = await lockedItems(context, home, options);
  const listed = (await itemsOf(context, account, list, home)).map(({ item, place }) => ({
    item,
    entry: entryOf(item),
    path: virtualPathOf(HOME_BASE, place.segments),
    isLocked: locked.has(item.id),
  }));
  // The newest stand first whatever order is asked for: these are lists, not folders.
  const isOrdered = list === 'STARRED' || options.itemType === 'folders';
  const { page, paging } = paginate(isOrdered ? arrangeEntries(listed, options) : listed, options);
  const now = context.clock.now();
  return {
    meta: {
      path: `/${list}`,
      parentPath: '/ROOT',
      folderName: LIST_NAMES[list],
      perms: { ...folderPermissions(account), upload: false },
      ...paging,
    },
    files: page.map((described) => describe(described, options.details, now)),
  };
}

async function itemsOf(
  { database, stars }: Pick<BrowseContext, 'database' | 'stars'>,
  account: AccountRecord,
  list: ListTree,
  home: Home,
): Promise<PlacedItem[]> {
  if (list === 'PHOTOS') return newestOf(database, home.id, ['image', 'raw'], NEWEST);
  if (list === 'MUSIC') return newestOf(database, home.id, ['audio'], NEWEST);
  const starred = await itemsThere(database, await stars.of(account.id));
  return starred.filter(({ place }) => place.homeId === home.id);
}

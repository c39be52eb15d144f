import {
  HOME_BASE,
  LINKS_BASE,
  LIST_TREES,
  notFound,
  SHARED_BASE,
  SHARES_BASE,
  type Target,
  TRASH_BASE,
} from '../../access/access.ts';
import { type AccountCaller, type Caller, rightsOf } from '../../access/caller.ts';
import type { ItemName } from '../../access/item-name.ts';
import { folderPermissions } from '../../access/rights.ts';
import type { Home } from '../../catalogue/homes.ts';
import type { SerializedBody } from '../../http/response/serialized-body.ts';
import type { StreamedList } from '../../http/response/streamed-list.ts';
import { isHiddenName } from '../../lib/names/hidden-names.ts';
import { paginate } from '../arrange.ts';
import { describe, type ListedItem, sourceOf } from '../details.ts';
import { type BrowseContext, type BrowseOptions, factsIn, type Listing, withRowFacts } from '../listing.ts';
import type { ListingBodies } from '../listing-bodies.ts';
import { browseFolder, folderReply } from './folder.ts';
import { browseList, LIST_NAMES } from './list.ts';
import {
  browseLinks,
  browseShared,
  browseSharer,
  browseShares,
  LINKS_NAME,
  SHARED_NAME,
  SHARES_NAME,
} from './shared.ts';
import { browseTree } from './tree.ts';

/**
 * What a caller sees at a virtual path.
 * @returns a streamed list only for a recursive listing
 * @throws ApiError `not_found`, also for a file; `storage_offline`
 */
export async function browse(
  context: BrowseContext,
  caller: Caller,
  named: ItemName,
  options: BrowseOptions,
): Promise<Listing | StreamedList> {
  return browseTarget(context, caller, await context.access.resolve(caller, named), options);
}

/** The same as a reply of the API: a folder's listing in the form that costs least. */
export async function browseReply(
  context: BrowseContext & { readonly bodies: ListingBodies },
  caller: Caller,
  named: ItemName,
  options: BrowseOptions,
): Promise<Listing | StreamedList | SerializedBody> {
  const target = await context.access.resolve(caller, named);
  if (target.kind === 'item' && !options.recursive) return folderReply(context, caller, target.item, options);
  return browseTarget(context, caller, target, options);
}

async function browseTarget(
  context: BrowseContext,
  caller: Caller,
  target: Target,
  options: BrowseOptions,
): Promise<Listing | StreamedList> {
  if (target.kind === 'item') {
    return options.recursive
      ? browseTree(context, caller, target.item, options)
      : browseFolder(context, caller, target.item, options);
  }
  // A visitor reaches nothing else.
  if (caller.account === undefined) throw notFound();
  if (target.kind === 'top') return browseTop(caller, options);
  if (target.kind === 'trash') return browseTrash(context, caller, target.home, options);
  if (target.kind === 'list') return browseList(context, caller, target.list, options);
  if (target.kind === 'shared') return browseShared(context, caller, options);
  if (target.kind === 'sharer') return browseSharer(context, caller, target, options);
  if (target.kind === 'shares') return browseShares(context, caller, options);
  return browseLinks(context, caller, options);
}

/** §2.1: the top-level entries of an account. Inapplicable ones are left out. */
function browseTop(caller: AccountCaller, options: BrowseOptions): Listing {
  const hasHome = caller.account.homeId !== null;
  const all: { filename: string; path: string; applies: boolean }[] = [
    { filename: 'My Files', path: HOME_BASE, applies: hasHome },
    { filename: SHARED_NAME, path: SHARED_BASE, applies: true },
    ...LIST_TREES.map((list) => ({ filename: LIST_NAMES[list], path: `/${list}`, applies: true })),
    { filename: SHARES_NAME, path: SHARES_BASE, applies: caller.account.permissions.share },
    { filename: LINKS_NAME, path: LINKS_BASE, applies: caller.account.permissions.weblink },
    { filename: 'Trash', path: TRASH_BASE, applies: hasHome },
  ];
  const entries: ListedItem[] = all
    .filter(({ applies }) => applies && options.itemType !== 'files')
    .map(({ filename, path }) => ({ filename, is_dir: true, path }));
  const { page, paging } = paginate(entries, options);
  return {
    meta: {
      path: '/ROOT',
      parentPath: null,
      folderName: 'ROOT',
      perms: { upload: false, download: false, alter: false },
      ...paging,
    },
    files: page,
  };
}

/** The trash, newest first whatever order is requested: it is a list, not a folder. */
async function browseTrash(
  context: BrowseContext,
  caller: AccountCaller,
  home: Home,
  options: BrowseOptions,
): Promise<Listing> {
  const items = await context.trash(home);
  const details = options.details.filter((key) => sourceOf(key) !== 'facts-outside-trash');
  const known = await factsIn(context, caller, { home, share: null }, { ...options, details });
  const now = context.clock.now();
  const wanted = items.filter(
    ({ isDir, name }) =>
      (options.itemType === 'any' || isDir === (options.itemType === 'folders')) &&
      (options.hidden === true || isDir || !isHiddenName(name)),
  );
  const { page, paging } = paginate(wanted, options);
  const facts = await withRowFacts(
    context,
    known,
    page.map(({ itemId: id, isDir }) => ({ id, isDir })),
  );
  return {
    meta: {
      path: TRASH_BASE,
      parentPath: '/ROOT',
      folderName: 'Trash',
      perms: { ...folderPermissions(rightsOf(caller)), upload: false, download: false },
      ...paging,
    },
    files: page.map((item) => {
      const entry = { ...item, created: item.mtime, touched: 0 };
      return describe(
        { entry, item: { ...item, id: item.itemId }, path: `${TRASH_BASE}/${item.id}`, facts },
        options.details,
        now,
      );
    }),
  };
}

import {
  checkStillShared,
  HOME_BASE,
  type ItemTarget,
  LINKS_BASE,
  LIST_TREES,
  SHARED_BASE,
  SHARES_BASE,
  TRASH_BASE,
} from '../access/access.ts';
import { folderPermissions } from '../access/rights.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { Home } from '../catalogue/homes.ts';
import { StreamedList } from '../http/response/streamed-list.ts';
import { listingEntry } from '../storage/disk/disk-entry.ts';
import { arrange, paginate } from './arrange.ts';
import { browseList, LIST_NAMES } from './browse-list.ts';
import {
  browseLinks,
  browseShared,
  browseSharer,
  browseShares,
  LINKS_NAME,
  SHARED_NAME,
  SHARES_NAME,
} from './browse-shared.ts';
import { browseTree } from './browse-tree.ts';
import { describe, type ListedItem, NO_MARKS } from './details.ts';
import { type BrowseContext, type BrowseOptions, folderMeta, type Listing, marksIn } from './listing.ts';

/** Entries from which on the listing of a folder is sent as it is made: as objects and as one text it takes 1 KB for each. */
const STREAMED_FROM = 1_000;

/**
 * @param options with `isStreamed`, the listing of a folder with very many entries is made while it is sent
 * @throws ApiError `not_found`, also for a file; `storage_offline`
 */
export async function browse(
  context: BrowseContext,
  account: AccountRecord,
  path: readonly string[],
  options: BrowseOptions & { readonly isStreamed?: boolean },
): Promise<Listing | StreamedList> {
  const target = await context.access.resolve(account, path);
  if (target.kind === 'top') return browseTop(account, options);
  if (target.kind === 'trash') return browseTrash(context, account, target.home, options);
  if (target.kind === 'list') return browseList(context, account, target.list, options);
  if (target.kind === 'shared') return browseShared(context, account, options);
  if (target.kind === 'sharer') return browseSharer(context, account, target, options);
  if (target.kind === 'shares') return browseShares(context, account, options);
  if (target.kind === 'links') return browseLinks(context, account, options);
  return options.recursive
    ? browseTree(context, account, target.item, options)
    : browseFolder(context, account, target.item, options);
}

async function browseFolder(
  context: BrowseContext,
  account: AccountRecord,
  target: ItemTarget,
  options: BrowseOptions & { readonly isStreamed?: boolean },
): Promise<Listing | StreamedList> {
  const { home, segments } = target;
  const content = await onStorage(() => context.catalogue.list(home, segments, { evenUnwritten: true }));
  await checkStillShared(target);
  const marks = await marksIn(context, account, target, options);
  const meta = folderMeta(target, content, account);
  const order = arrange(content, options);
  const now = context.clock.now();
  const { page, paging } = paginate(order, options);
  const listed = (index: number): ListedItem => {
    const entry = listingEntry(content.listing, index);
    const item = content.items.at(index);
    return describe({ entry, item, path: `${meta.path}/${entry.name}`, marks }, options.details, now);
  };
  const head = { meta: { ...meta, ...paging } };
  if (options.isStreamed && page.length >= STREAMED_FROM) {
    return new StreamedList('files', mapped(page, listed), () => ({}), head);
  }
  return { ...head, files: page.map(listed) };
}

function* mapped<From, To>(all: Iterable<From>, make: (one: From) => To): Generator<To> {
  for (const one of all) yield make(one);
}

/** §2.1: what an account sees first. An entry that does not apply is left out. */
function browseTop(account: AccountRecord, options: BrowseOptions): Listing {
  const hasHome = account.homeId !== null;
  const all: { filename: string; path: string; applies: boolean }[] = [
    { filename: 'My Files', path: HOME_BASE, applies: hasHome },
    { filename: SHARED_NAME, path: SHARED_BASE, applies: true },
    ...LIST_TREES.map((list) => ({ filename: LIST_NAMES[list], path: `/${list}`, applies: true })),
    { filename: SHARES_NAME, path: SHARES_BASE, applies: account.permissions.share },
    { filename: LINKS_NAME, path: LINKS_BASE, applies: account.permissions.weblink },
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

/** What was deleted, the newest first whatever order is asked for: it is a list, not a folder. */
async function browseTrash(
  context: BrowseContext,
  account: AccountRecord,
  home: Home,
  options: BrowseOptions,
): Promise<Listing> {
  const items = await context.trash(home);
  // What is deleted is locked by nobody, and shared with nobody.
  const details = options.details.filter((key) => key === 'commentsCount' || key === 'label');
  const { comments, labels } = await marksIn(context, account, { home, share: null }, { ...options, details });
  const marks = { ...NO_MARKS, comments, labels };
  const now = context.clock.now();
  const wanted = items.filter(({ isDir }) => options.itemType === 'any' || isDir === (options.itemType === 'folders'));
  const { page, paging } = paginate(wanted, options);
  return {
    meta: {
      path: TRASH_BASE,
      parentPath: '/ROOT',
      folderName: 'Trash',
      perms: { ...folderPermissions(account), upload: false, download: false },
      ...paging,
    },
    files: page.map((item) => {
      const entry = { ...item, created: item.mtime };
      return describe(
        { entry, item: { ...item, id: item.itemId }, path: `${TRASH_BASE}/${item.id}`, marks },
        options.details,
        now,
      );
    }),
  };
}

import { HOME_BASE, type ItemTarget, LIST_TREES, TRASH_BASE } from '../access/access.ts';
import { folderPermissions } from '../access/rights.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { TrashedItem } from '../files/trash.ts';
import type { StreamedList } from '../http/streamed-list.ts';
import { listingEntry } from '../storage/disk-entry.ts';
import { arrange, paginate } from './arrange.ts';
import { browseList, LIST_NAMES } from './browse-list.ts';
import { browseTree } from './browse-tree.ts';
import { describe, type ListedItem } from './details.ts';
import { type BrowseContext, type BrowseOptions, folderMeta, type Listing, lockedItems } from './listing.ts';

/** @throws ApiError `not_found`, also for a file; `storage_offline` */
export async function browse(
  context: BrowseContext,
  account: AccountRecord,
  path: readonly string[],
  options: BrowseOptions,
): Promise<Listing | StreamedList> {
  const target = await context.access.resolve(account, path);
  if (target.kind === 'top') return browseTop(account, options);
  if (target.kind === 'trash') return browseTrash(context, account, await context.trash(target.home), options);
  if (target.kind === 'list') return browseList(context, account, target, options);
  return options.recursive
    ? browseTree(context, account, target.item, options)
    : browseFolder(context, account, target.item, options);
}

async function browseFolder(
  context: BrowseContext,
  account: AccountRecord,
  target: ItemTarget,
  options: BrowseOptions,
): Promise<Listing> {
  const { home, segments, base } = target;
  const content = await onStorage(() => context.catalogue.list(home, segments));
  const locked = await lockedItems(context, home, options);
  const meta = folderMeta(base, content, account);
  const order = arrange(content, options);
  const now = context.clock.now();
  const { page, paging } = paginate(order, options);
  const files: ListedItem[] = page.map((index) => {
    const entry = listingEntry(content.listing, index);
    const item = content.items.get(entry.name);
    const isLocked = item !== undefined && locked.has(item.id);
    return describe({ entry, item, path: `${meta.path}/${entry.name}`, isLocked }, options.details, now);
  });
  return { meta: { ...meta, ...paging }, files };
}

/** §2.1: what an account sees first. An entry that does not apply is left out. */
function browseTop(account: AccountRecord, options: BrowseOptions): Listing {
  const entries: ListedItem[] =
    account.homeId === null || options.itemType === 'files'
      ? []
      : [
          { filename: 'My Files', is_dir: true, path: HOME_BASE },
          ...LIST_TREES.map((list) => ({ filename: LIST_NAMES[list], is_dir: true, path: `/${list}` })),
          { filename: 'Trash', is_dir: true, path: TRASH_BASE },
        ];
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
function browseTrash(
  { clock }: BrowseContext,
  account: AccountRecord,
  items: readonly TrashedItem[],
  options: BrowseOptions,
): Listing {
  const now = clock.now();
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
      return describe({ entry, item, path: `${TRASH_BASE}/${item.id}`, isLocked: false }, options.details, now);
    }),
  };
}

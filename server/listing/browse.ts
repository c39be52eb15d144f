import { z } from 'zod';
import { type Access, HOME_BASE, type ItemTarget, TRASH_BASE, virtualPathOf } from '../access/access.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { Catalogue, FolderContent } from '../catalogue/catalogue.ts';
import type { Home } from '../catalogue/homes.ts';
import type { TrashedItem } from '../files/trash.ts';
import { ApiError } from '../http/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { listingEntry } from '../storage/disk-entry.ts';
import { DETAIL_KEYS, type DetailKey, describe, type ListedItem, listedItemSchema } from './details.ts';
import { fileKind } from './file-types.ts';

export const ITEM_TYPES = ['any', 'files', 'folders'] as const;
export const SORTS = ['name', 'mdate', 'size', 'type'] as const;
export const ORDERS = ['asc', 'desc'] as const;
export { DETAIL_KEYS };

export interface BrowseOptions {
  readonly itemType: (typeof ITEM_TYPES)[number];
  readonly details: readonly DetailKey[];
  readonly sort: (typeof SORTS)[number];
  readonly order: (typeof ORDERS)[number];
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
  }),
  files: z.array(listedItemSchema),
});

export type Listing = z.infer<typeof listingSchema>;

export interface BrowseContext {
  readonly access: Access;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly trash: (home: Home) => Promise<TrashedItem[]>;
}

/** @throws ApiError `not_found`, also for a file; `storage_offline` */
export async function browse(
  context: BrowseContext,
  account: AccountRecord,
  path: readonly string[],
  options: BrowseOptions,
): Promise<Listing> {
  const target = await context.access.resolve(account, path);
  if (target.kind === 'top') return browseTop(account, options);
  if (target.kind === 'trash') return browseTrash(context, await context.trash(target.home), options);
  return browseFolder(context, target.item, options);
}

async function browseFolder(
  { catalogue, clock }: BrowseContext,
  target: ItemTarget,
  options: BrowseOptions,
): Promise<Listing> {
  const { home, segments, base } = target;
  const content = await onStorage(() => catalogue.list(home, segments));
  // The spelling of the disk, which may differ from the request's in composition.
  const found = [...content.listing.folders.slice(1).map((folder) => folder.name)];
  const path = virtualPathOf(base, found);
  const order = arrange(content, options);
  const now = clock.now();
  const { page, paging } = paginate(order, options);
  const files: ListedItem[] = page.map((index) => {
    const entry = listingEntry(content.listing, index);
    return describe(
      { entry, item: content.items.get(entry.name), path: `${path}/${entry.name}` },
      options.details,
      now,
    );
  });
  return {
    meta: {
      path,
      parentPath: found.length === 0 ? '/ROOT' : virtualPathOf(base, found.slice(0, -1)),
      folderName: found.at(-1) ?? 'My Files',
      perms: { upload: true, download: true, alter: true },
      ...paging,
    },
    files,
  };
}

/** §2.1: what an account sees first. An entry that does not apply is left out. */
function browseTop(account: AccountRecord, options: BrowseOptions): Listing {
  const entries: ListedItem[] =
    account.homeId === null || options.itemType === 'files'
      ? []
      : [
          { filename: 'My Files', is_dir: true, path: HOME_BASE },
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
function browseTrash({ clock }: BrowseContext, items: readonly TrashedItem[], options: BrowseOptions): Listing {
  const now = clock.now();
  const wanted = items.filter(({ isDir }) => options.itemType === 'any' || isDir === (options.itemType === 'folders'));
  const { page, paging } = paginate(wanted, options);
  return {
    meta: {
      path: TRASH_BASE,
      parentPath: '/ROOT',
      folderName: 'Trash',
      perms: { upload: false, download: false, alter: true },
      ...paging,
    },
    files: page.map((item) => {
      const entry = { ...item, created: item.mtime };
      return describe({ entry, item, path: `${TRASH_BASE}/${item.id}` }, options.details, now);
    }),
  };
}

/** The indexes of what is listed, in the order asked for; folders stay before files. */
function arrange({ listing }: FolderContent, { itemType, sort, order }: BrowseOptions): number[] {
  const { names, folderCount, sizes, mtimes } = listing;
  const compare: Record<typeof sort, (a: number, b: number) => number> = {
    name: () => 0,
    mdate: (a, b) => (mtimes[a] ?? 0) - (mtimes[b] ?? 0),
    size: (a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0),
    type: (a, b) => typeOf(names, a).localeCompare(typeOf(names, b)),
  };
  const arranged = (from: number, to: number) => {
    const indexes = Array.from({ length: to - from }, (_, index) => from + index);
    // The disk's answer is in natural order; a stable sort keeps it among equals.
    if (sort !== 'name') indexes.sort(compare[sort]);
    return order === 'desc' ? indexes.reverse() : indexes;
  };
  return [
    ...(itemType === 'files' ? [] : arranged(0, folderCount)),
    ...(itemType === 'folders' ? [] : arranged(folderCount, names.length)),
  ];
}

function typeOf(names: readonly string[], index: number): string {
  return fileKind(names[index] ?? '', false).type;
}

function paginate<T>(all: readonly T[], { start, limit }: BrowseOptions): { page: T[]; paging: { total?: number } } {
  if (start === undefined && limit === undefined) return { page: all.slice(), paging: {} };
  const from = start ?? 0;
  return { page: all.slice(from, limit === undefined ? undefined : from + limit), paging: { total: all.length } };
}

/** Not there yet: says so instead of listing one level as if it were all. */
export function refuseRecursive(): never {
  throw new ApiError('invalid_parameter', 'The parameter "recursive" is not supported yet.', {
    details: { parameter: 'recursive' },
  });
}

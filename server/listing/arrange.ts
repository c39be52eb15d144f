import type { FolderContent } from '../catalogue/catalogue.ts';
import { fileKind } from '../lib/names/file-types.ts';
import { isHiddenName } from '../lib/names/hidden-names.ts';
import { nameSortKey } from '../lib/names/names.ts';
import type { DiskEntry } from '../storage/disk/disk.ts';

export const ITEM_TYPES = ['any', 'files', 'folders'] as const;
export const SORTS = ['name', 'mdate', 'size', 'type'] as const;
export const ORDERS = ['asc', 'desc'] as const;

/** Which entries of a folder are listed, and in which order. */
export interface Arrangement {
  readonly itemType: (typeof ITEM_TYPES)[number];
  readonly sort: (typeof SORTS)[number];
  readonly order: (typeof ORDERS)[number];
  /** Whether files are included that operating systems store for themselves. */
  readonly hidden?: boolean;
}

/** The indexes of the listed entries, in the requested order; folders come before files. */
export function arrange({ listing }: FolderContent, { itemType, sort, order, hidden = false }: Arrangement): number[] {
  const { names, folderCount, sizes, mtimes } = listing;
  // Looking a type up takes longer than comparing two.
  const types = sort === 'type' ? names.map((name, index) => fileKind(name, index < folderCount).type) : [];
  const compare: Record<typeof sort, (a: number, b: number) => number> = {
    name: () => 0,
    mdate: (a, b) => (mtimes[a] ?? 0) - (mtimes[b] ?? 0),
    size: (a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0),
    type: (a, b) => inOrder(types[a] ?? '', types[b] ?? ''),
  };
  const arranged = (from: number, to: number) => {
    const all = Array.from({ length: to - from }, (_, index) => from + index);
    const indexes = hidden ? all : all.filter((index) => index < folderCount || !isHiddenName(names[index] ?? ''));
    // The disk's listing is in natural order, which a stable sort keeps among equals.
    if (sort !== 'name') indexes.sort(compare[sort]);
    return order === 'desc' ? indexes.reverse() : indexes;
  };
  return [
    ...(itemType === 'files' ? [] : arranged(0, folderCount)),
    ...(itemType === 'folders' ? [] : arranged(folderCount, names.length)),
  ];
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The same for items from different folders. Entries with the same name keep their order. */
export function arrangeEntries<Listed extends { readonly entry: DiskEntry; readonly name?: string }>(
  listed: readonly Listed[],
  { itemType, sort, order }: Arrangement,
): Listed[] {
  const names = new Map(listed.map(({ entry, name = entry.name }) => [entry, nameSortKey(name)]));
  const byName = (a: DiskEntry, b: DiskEntry) => inOrder(names.get(a) ?? '', names.get(b) ?? '');
  const types = new Map(
    sort === 'type' ? listed.map(({ entry }) => [entry, fileKind(entry.name, entry.isDir).type]) : [],
  );
  const compare: Record<typeof sort, (a: DiskEntry, b: DiskEntry) => number> = {
    name: () => 0,
    type: (a, b) => inOrder(types.get(a) ?? '', types.get(b) ?? ''),
    mdate: (a, b) => a.mtime - b.mtime,
    size: (a, b) => a.size - b.size,
  };
  const direction = order === 'desc' ? -1 : 1;
  return listed
    .filter(({ entry }) => itemType === 'any' || entry.isDir === (itemType === 'folders'))
    .sort(
      ({ entry: a }, { entry: b }) =>
        Number(b.isDir) - Number(a.isDir) || direction * (compare[sort](a, b) || byName(a, b)),
    );
}

/** A page of a list, and the length of the list if a page was requested. */
export function paginate<T>(
  all: readonly T[],
  { start, limit }: { readonly start?: number | undefined; readonly limit?: number | undefined },
): { page: T[]; paging: { total?: number } } {
  if (start === undefined && limit === undefined) return { page: all.slice(), paging: {} };
  const from = start ?? 0;
  return { page: all.slice(from, limit === undefined ? undefined : from + limit), paging: { total: all.length } };
}

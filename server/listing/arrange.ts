import type { FolderContent } from '../catalogue/catalogue.ts';
import { fileKind } from '../lib/names/file-types.ts';
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
}

/** The indexes of the listed entries, in the requested order; folders come before files. */
export function arrange({ listing }: FolderContent, { itemType, sort, order }: Arrangement): number[] {
  const { names, folderCount, sizes, mtimes } = listing;
  const compare: Record<typeof sort, (a: number, b: number) => number> = {
    name: () => 0,
    mdate: (a, b) => (mtimes[a] ?? 0) - (mtimes[b] ?? 0),
    size: (a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0),
    type: (a, b) => typeOf(names, a).localeCompare(typeOf(names, b)),
  };
  const arranged = (from: number, to: number) => {
    const indexes = Array.from({ length: to - from }, (_, index) => from + index);
    // The disk's listing is in natural order, which a stable sort keeps among equals.
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

/** The same for items from different folders. Equal ones keep their order. */
export function arrangeEntries<Listed extends { readonly entry: DiskEntry; readonly name?: string }>(
  listed: readonly Listed[],
  { itemType, sort, order }: Arrangement,
): Listed[] {
  const keys = new Map(
    listed.map(({ entry, name = entry.name }) => [entry, sort === 'type' ? typeKey(entry) : nameSortKey(name)]),
  );
  const byKey = (a: DiskEntry, b: DiskEntry) => {
    const [x, y] = [keys.get(a) ?? '', keys.get(b) ?? ''];
    return x < y ? -1 : x > y ? 1 : 0;
  };
  const compare: Record<typeof sort, (a: DiskEntry, b: DiskEntry) => number> = {
    name: byKey,
    type: byKey,
    mdate: (a, b) => a.mtime - b.mtime,
    size: (a, b) => a.size - b.size,
  };
  const direction = order === 'desc' ? -1 : 1;
  return listed
    .filter(({ entry }) => itemType === 'any' || entry.isDir === (itemType === 'folders'))
    .sort(({ entry: a }, { entry: b }) => Number(b.isDir) - Number(a.isDir) || direction * compare[sort](a, b));
}

function typeKey({ name, isDir }: DiskEntry): string {
  return `${fileKind(name, isDir).type} ${nameSortKey(name)}`;
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

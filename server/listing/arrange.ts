import type { FolderContent } from '../catalogue/catalogue.ts';
import { fileKind } from '../lib/file-types.ts';

export const ITEM_TYPES = ['any', 'files', 'folders'] as const;
export const SORTS = ['name', 'mdate', 'size', 'type'] as const;
export const ORDERS = ['asc', 'desc'] as const;

/** Which entries of a folder are listed, and in which order. */
export interface Arrangement {
  readonly itemType: (typeof ITEM_TYPES)[number];
  readonly sort: (typeof SORTS)[number];
  readonly order: (typeof ORDERS)[number];
}

/** The indexes of what is listed, in the order asked for; folders stay before files. */
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

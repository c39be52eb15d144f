import { type ItemTarget, notFound } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import { targetOfUuid } from '../../access/target-of-uuid.ts';
import { FILES_ROOT, type Item, rootId } from '../../catalogue/items.ts';
import { itemsThere, type LocatedItem } from '../../catalogue/newest.ts';
import { withItem } from '../../files/with-file.ts';
import { ApiError } from '../../http/errors.ts';
import type { DavContext } from '../../webdav/context.ts';
import { locate } from '../../webdav/locate.ts';

/** An item, and how the caller reaches it. */
export interface Placed extends LocatedItem {
  readonly target: ItemTarget;
}

/** What a path of an app leads to. */
export interface AtPath {
  /** The same as a virtual path. */
  readonly path: readonly string[];
  readonly target: ItemTarget;
  readonly itemId: number;
  /** Null for a home as a whole. */
  readonly item: Item | null;
  readonly isDir: boolean;
}

/**
 * What a path below the top level of an app leads to.
 * @returns null for a list, such as a top level with the own files and those of others
 * @throws ApiError `not_found`
 */
export async function atPath(dav: DavContext, caller: AccountCaller, path: string): Promise<AtPath | null> {
  const names = path.split('/').filter((name) => name !== '');
  if (names.some((name) => name === '.' || name === '..' || name.includes('\0'))) throw notFound();
  const place = await locate(dav, caller, names);
  if (place.kind === 'list') return null;
  const { files } = dav;
  const target = await files.access.resolveItem(caller, place.path, 'files/browse');
  const there = { path: place.path, target };
  if (target.segments.length === 0) {
    const itemId = await rootId(files.database, target.home.id, FILES_ROOT);
    return { ...there, itemId, item: null, isDir: true };
  }
  return withItem(files, target, async ({ item, entry }) => ({
    ...there,
    itemId: item.id,
    item,
    isDir: entry.isDir,
  }));
}

/** The items that the caller reaches, by their ids; no others. */
export async function placed(
  { files }: Pick<DavContext, 'files'>,
  caller: AccountCaller,
  ids: Iterable<number>,
): Promise<Map<number, Placed>> {
  const found = new Map<number, Placed>();
  for (const one of await itemsThere(files.database, [...new Set(ids)])) {
    const target = await orNull(targetOfUuid(files, caller, one.item.uuid));
    if (target !== null) found.set(one.item.id, { ...one, target });
  }
  return found;
}

/** @returns null for what is not found */
export async function orNull<T>(requested: Promise<T>): Promise<T | null> {
  try {
    return await requested;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

import type { Item } from '../catalogue/items.ts';
import { locationsOfItems } from '../catalogue/places.ts';
import type { Database } from '../database/database.ts';
import { isHiddenName } from '../lib/names/hidden-names.ts';
import { nameSortKey } from '../lib/names/names.ts';
import { type NameQuery, nameQuery, nameRank } from './name-query.ts';
import { itemsByName } from './names.ts';

/** An item below the searched folder. */
export interface Hit {
  readonly item: Item;
  /** Below the root of the home. */
  readonly segments: readonly string[];
}

export interface Hits {
  readonly hits: readonly Hit[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

/** Where to search: below a folder of a home. Its row may be looked up concurrently. */
export interface SearchFolder {
  readonly homeId: string;
  readonly itemId: Promise<number>;
  /** Whether it is not the whole home: it may be small. */
  readonly isPart?: boolean;
  /** Instead of the folder: the ids of several folders and files of the home. */
  readonly places?: ReadonlySet<number>;
  /** Which of some items may be among the results; without it, all may. The others do not count towards the limit. */
  readonly fits?: Fits | undefined;
}

type Fits = (items: readonly Item[]) => Promise<(item: Item) => boolean>;

/**
 * Which of some items that match a search of a folder finds. A file that was named instead of a folder finds itself.
 * @returns whether it finds one of them, given the folders above it
 */
export async function finderIn(
  { itemId, places, fits }: SearchFolder,
  items: readonly Item[],
): Promise<(item: Item, folders: readonly number[]) => boolean> {
  const [folderId, passes] = await Promise.all([itemId, fits?.(items)]);
  const ids = places ?? new Set([folderId]);
  return (item, folders) => {
    if (!item.isDir && isHiddenName(item.name)) return false;
    return (folders.some((id) => ids.has(id)) || (ids.has(item.id) && !item.isDir)) && (passes?.(item) ?? true);
  };
}

/**
 * Files and folders whose names match a query (see `nameQuery`): equal names first, then those that begin with it, in natural
 * order. Beyond the limit, those newest in the catalogue.
 * @param limit of hits
 */
export async function findByName(
  database: Pick<Database, 'all'>,
  folder: SearchFolder,
  text: string,
  limit: number,
): Promise<Hits> {
  const query = nameQuery(text);
  if (query === null) return { hits: [], isCut: false };
  const found: { hit: Hit; fold: string }[] = [];
  for await (const candidates of itemsByName(database, folder.homeId, query)) {
    if (candidates.length === 0) continue;
    const items = candidates.map(({ item }) => item);
    const [places, isFound] = await Promise.all([locationsOfItems(database, items), finderIn(folder, items)]);
    for (const { item, fold } of candidates) {
      const scope = places.get(item.id);
      if (scope?.state !== 'there' || !isFound(item, scope.folders)) continue;
      if (found.length === limit) return { hits: inOrder(query, found), isCut: true };
      found.push({ hit: { item, segments: scope.segments }, fold });
    }
  }
  return { hits: inOrder(query, found), isCut: false };
}

/** @param query null without a name query: then sorted by name only */
export function inOrder(query: NameQuery | null, found: readonly { hit: Hit; fold: string }[]): Hit[] {
  const ranked = found.map(({ hit, fold }) => ({
    hit,
    rank: query === null ? 0 : nameRank(query, fold),
    key: `${nameSortKey(hit.item.name)}\0${hit.segments.join('/')}`,
  }));
  ranked.sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : 1));
  return ranked.map(({ hit }) => hit);
}

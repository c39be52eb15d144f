import { FILES_ROOT, rootId } from '../catalogue/items.ts';
import type { Hit } from '../search/find-by-name.ts';
import { checkedMeta } from './meta-search.ts';
import { findHits, type SearchContext, type SearchOptions } from './search.ts';

/** A folder or file of a home, by its row. */
export interface PlaceInHome {
  readonly itemId: number;
  /** Below the root of the home. */
  readonly segments: readonly string[];
}

/**
 * Searches many places of one home at once, which takes as long as to search one of them. It checks no rights: what it finds is
 * only for `search` in each place, which does.
 * @param limit of hits in all places together
 * @returns what is in each place that has something; null if there is more
 */
export async function findInPlaces<Place extends PlaceInHome>(
  context: Pick<SearchContext, 'database' | 'definitions'>,
  homeId: string,
  places: readonly Place[],
  {
    filename = '',
    contents = '',
    meta = new Map(),
    fits,
  }: Pick<SearchOptions, 'filename' | 'contents' | 'meta' | 'fits'>,
  limit: number,
): Promise<Map<Place, Hit[]> | null> {
  const itemId = rootId(context.database, homeId, FILES_ROOT);
  const folder = { homeId, itemId, places: new Set(places.map((place) => place.itemId)), fits };
  const definitions = meta.size === 0 ? null : await context.definitions();
  const terms = { filename, contents, meta: checkedMeta(meta), definitions };
  const { hits, isCut } = await findHits(context, folder, terms, limit);
  if (isCut) return null;
  const byPath = new Map<string, Place[]>();
  for (const place of places) {
    const path = place.segments.join('/');
    byPath.set(path, [...(byPath.get(path) ?? []), place]);
  }
  const found = new Map<Place, Hit[]>();
  for (const hit of hits) {
    // A shared file is found in itself, a shared folder is not.
    const longest = hit.segments.length - (hit.item.isDir ? 1 : 0);
    for (let length = longest; length >= 0; length -= 1) {
      for (const place of byPath.get(hit.segments.slice(0, length).join('/')) ?? []) {
        const own = found.get(place) ?? [];
        own.push(hit);
        found.set(place, own);
      }
    }
  }
  return found;
}

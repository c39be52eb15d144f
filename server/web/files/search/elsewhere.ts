import { HOME_BASE } from '../../../access/access.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { t } from '../../../messages/messages.ts';
import type { Row } from '../context.ts';
import type { Filters } from './filters.ts';
import type { Found } from './find.ts';
import { type SearchQuery, withoutFilters } from './query.ts';

/** A part of what a search has found, with the search that finds it. */
export interface FoundThere {
  readonly text: string;
  readonly query: SearchQuery;
}

/** Places that are named. */
const MAX_PLACES = 5;

/**
 * Where a search without filters has found something: folders at the top of the own home, the own home if something lies in no folder
 * of it, and people who share. Only what was found for the caller is counted.
 */
export function foundPlaces(
  { groups }: Found,
  { query, sharers, callerId }: Pick<Filters, 'query' | 'sharers' | 'callerId'>,
): readonly FoundThere[] {
  const isCut = groups.some((one) => one.isCut);
  const rows = groups.flatMap((one) => one.rows);
  const all = withoutFilters(query);
  const numberOf = (count: number) => t(isCut ? 'search.groupCountCut' : 'search.groupCount', { count });
  const places: (FoundThere & { readonly count: number })[] = [];
  for (const [folder, count] of countedBy(rows, topFolderOf)) {
    const text = t('search.none.foundIn', { count: numberOf(count), place: bidiIsolate(folder) });
    places.push({ text, count, query: { ...all, inside: `${HOME_BASE}/${folder}` } });
  }
  const own = rows.filter(({ path }) => path.startsWith(`${HOME_BASE}/`));
  if (own.some((row) => topFolderOf(row) === null)) {
    const text = t('search.none.foundIn', { count: numberOf(own.length), place: t('search.person.me') });
    places.push({ text, count: own.length, query: { ...all, personId: callerId } });
  }
  const shared = countedBy(rows, sharerOf);
  for (const { id, name } of sharers) {
    const count = shared.get(String(id)) ?? 0;
    if (count === 0) continue;
    const text = t('search.none.foundShared', { count: numberOf(count), name: bidiIsolate(name) });
    places.push({ text, count, query: { ...all, personId: id } });
  }
  return places.sort((a, b) => b.count - a.count || a.text.localeCompare(b.text)).slice(0, MAX_PLACES);
}

/** The folder at the top of the own home that has an item below it. */
function topFolderOf({ path }: Row): string | null {
  const [folder, below] = path.startsWith(`${HOME_BASE}/`) ? path.slice(HOME_BASE.length + 1).split('/', 2) : [];
  return folder === undefined || below === undefined ? null : folder;
}

/** The number of the person who shares an item with the caller. */
function sharerOf({ path }: Row): string | null {
  return /^\/ROOT\/(\d+)\//.exec(path)?.[1] ?? null;
}

function countedBy(rows: readonly Row[], keyOf: (row: Row) => string | null): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

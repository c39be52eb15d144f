import type { AccountCaller } from '../../../access/caller.ts';
import { ApiError, type ErrorCode } from '../../../http/errors.ts';
import { searchFold } from '../../../lib/names/names.ts';
import { fitsName, nameQuery, nameRank } from '../../../search/name-query.ts';
import {
  type FilesPagesParts,
  listFolder,
  type Row,
  type SearchCriteria,
  searchFolder,
  segmentsOf,
} from '../context.ts';
import { type SearchPlace, searchedPlaces, type Visible } from './places.ts';
import { filterOf, isPicture, READ_KINDS, RESULT_GROUPS, type ResultGroup, type SearchQuery } from './query.ts';

/** Results of one group. */
export interface FoundGroup {
  readonly group: ResultGroup;
  readonly rows: readonly Row[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

export interface Found {
  /** Those with results, in their order. */
  readonly groups: readonly FoundGroup[];
  /** Whether a place could not be searched, because its disk is away. */
  readonly isIncomplete: boolean;
}

/** Most results of a search in one place. */
export const MAX_FOUND = 300;

/** A place that cannot be searched is left out: its share has ended, does not allow it, or has nothing there. */
const LEFT_OUT: ReadonlySet<ErrorCode> = new Set(['not_found', 'invalid_path', 'permission_denied']);

interface Hits {
  readonly rows: readonly Row[];
  readonly isCut: boolean;
  readonly isAway?: boolean;
}

const NONE: Hits = { rows: [], isCut: false };

/**
 * Searches names, contents and details in everything that a person may see. Each place is searched as by the API's operations,
 * with the rights in it; a share without the right to download has neither hits nor counts by contents.
 */
export async function findEverywhere(
  parts: FilesPagesParts,
  caller: AccountCaller,
  visible: Visible,
  query: SearchQuery,
): Promise<Found> {
  const places = searchedPlaces(visible, query);
  const fits = filterOf(query, parts.clock.now());
  const search = (criteria: SearchCriteria) => inAll(places, (place) => hitsIn(parts, caller, place, criteria, fits));
  const { words } = query;
  const shares = query.inside === null ? await namedShares(parts, caller, places, words, fits) : [];
  const names = await search({ filename: words });
  const contents = READ_KINDS.has(query.kind) ? await search({ contents: words }) : NONE;
  // All words as one value: a tag of two words is one tag.
  const described = await search({ meta: new Map([['-', [words]]]) });
  const commented = await search({ meta: new Map([['comment', [words]]]) });
  const all = [names, contents, described, commented];

  const seen = new Set<string>();
  // Each item is found once, in the first group, and at the first of its paths.
  const unseen = (row: Row) => {
    const key = row.uuid ?? row.path;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  const byName = inNameOrder(words, [...shares, ...names.rows].filter(unseen));
  const byContents = contents.rows.filter(unseen);
  const byDetails = [...described.rows, ...commented.rows].filter(unseen);
  const areDetailsCut = described.isCut || commented.isCut;
  const pictures = [...byName, ...byDetails].filter(({ type }) => isPicture(type));
  const found: Record<ResultGroup, Hits> = {
    names: { rows: byName.filter(({ type }) => !isPicture(type)), isCut: names.isCut },
    contents: { rows: byContents, isCut: contents.isCut },
    details: { rows: byDetails.filter(({ type }) => !isPicture(type)), isCut: areDetailsCut },
    photos: { rows: newestFirst(pictures), isCut: names.isCut || areDetailsCut },
  };
  return {
    groups: RESULT_GROUPS.map((group) => ({ group, ...found[group] })).filter(({ rows }) => rows.length > 0),
    isIncomplete: all.some(({ isAway }) => isAway === true),
  };
}

type Fits = ReturnType<typeof filterOf>;

async function hitsIn(
  parts: FilesPagesParts,
  caller: AccountCaller,
  { path }: SearchPlace,
  criteria: SearchCriteria,
  fits: Fits,
): Promise<Hits> {
  try {
    const { rows, meta } = await searchFolder(parts, caller, segmentsOf(path), {
      ...criteria,
      limit: MAX_FOUND,
      fits: ({ name, isDir, mtime }) => fits({ name, isDir, changedAt: mtime }),
      orFile: true,
    });
    return { rows, isCut: meta.truncated === true };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'storage_offline') return { ...NONE, isAway: true };
    if (LEFT_OUT.has(error.code)) return NONE;
    throw error;
  }
}

/** One place after the other: each search has an index, and a household searches while it works. */
async function inAll(places: readonly SearchPlace[], find: (place: SearchPlace) => Promise<Hits>): Promise<Hits> {
  const all: Hits[] = [];
  for (const place of places) all.push(await find(place));
  return {
    rows: inTurns(all.map(({ rows }) => rows)),
    isCut: all.some(({ isCut }) => isCut),
    isAway: all.some(({ isAway }) => isAway === true),
  };
}

/** The best of each list first: ranks of different lists cannot be compared. */
function inTurns(lists: readonly (readonly Row[])[]): Row[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((rows) => rows[index] ?? [])).flat();
}

/** Shared folders and files by their own names, which are in no folder of the caller's. */
async function namedShares(
  parts: FilesPagesParts,
  caller: AccountCaller,
  places: readonly SearchPlace[],
  words: string,
  fits: Fits,
): Promise<Row[]> {
  const query = nameQuery(words);
  const shared = new Set(places.map(({ path }) => path));
  if (query === null) return [];
  const lists = new Set(
    places.flatMap(({ path, personId }) =>
      path === '/ROOT/HOME' ? [] : personId === null ? ['/ROOT/SHARED'] : [`/ROOT/${personId}`],
    ),
  );
  const found: Row[] = [];
  for (const list of lists) {
    // A list is gone when its last share has ended.
    const listed = await listFolder(parts, caller, segmentsOf(list), { limit: Number.POSITIVE_INFINITY }).catch(
      (error) => {
        if (error instanceof ApiError && LEFT_OUT.has(error.code)) return null;
        throw error;
      },
    );
    found.push(...(listed?.rows ?? []));
  }
  return found.filter((row) => shared.has(row.path) && fits(row) && fitsName(query, searchFold(row.name)));
}

function inNameOrder(words: string, rows: readonly Row[]): Row[] {
  const query = nameQuery(words);
  if (query === null) return [...rows];
  const ranked = rows.map((row) => ({ row, rank: nameRank(query, searchFold(row.name)) }));
  // The sort is stable: within a rank, the order of the names stays.
  return ranked.sort((a, b) => a.rank - b.rank).map(({ row }) => row);
}

function newestFirst(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (b.changedAt ?? 0) - (a.changedAt ?? 0));
}

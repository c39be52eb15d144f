import { type AccountCaller, rightsOf } from '../../../access/caller.ts';
import { isGranted } from '../../../access/rights.ts';
import { localTimesOf } from '../../../catalogue/photos.ts';
import { ApiError, type ErrorCode } from '../../../http/errors.ts';
import { searchFold } from '../../../lib/names/names.ts';
import type { ListedItem } from '../../../listing/details.ts';
import { type SearchOptions, search } from '../../../listing/search.ts';
import { findInPlaces } from '../../../listing/search-in-places.ts';
import { fitsName, nameQuery, nameRank } from '../../../search/name-query.ts';
import { type CoveredAlbum, coveredAlbums } from '../albums/list.ts';
import {
  type FilesPagesParts,
  listFolder,
  NO_ADDRESS,
  ROW_DETAILS,
  type Row,
  segmentsOf,
  starsOf,
} from '../context.ts';
import { rowsOf } from '../rows-of.ts';
import { namedInAlbums } from './in-albums.ts';
import { type SearchPlace, searchedPlaces, type Visible } from './places.ts';
import {
  filterOf,
  isNarrow,
  isPicture,
  READ_KINDS,
  RESULT_GROUPS,
  type ResultGroup,
  type SearchQuery,
} from './query.ts';

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
  /** Albums by their titles, which are in no folder. None if the search has filters. */
  readonly albums: readonly CoveredAlbum[];
  /** Whether a place could not be searched, because its disk is away. */
  readonly isIncomplete: boolean;
}

/** Most results of a search in one place. */
export const MAX_FOUND = 300;
/** Most results in all places of a home that are found at once; with more, each place is searched. */
const MAX_TOGETHER = 5_000;

/** A place that cannot be searched is left out: its share has ended, does not allow it, or has nothing there. */
const LEFT_OUT: ReadonlySet<ErrorCode> = new Set(['not_found', 'invalid_path', 'permission_denied']);

interface Hits<Hit = Row> {
  readonly rows: readonly Hit[];
  readonly isCut: boolean;
  readonly isAway?: boolean;
}

/** What filters need of items. */
interface Filtered {
  readonly uuid: string;
  readonly name: string;
  readonly isDir: boolean;
  readonly mtime: number | null;
}

type Fits = (items: readonly Filtered[]) => Promise<(item: Filtered) => boolean>;

type Criteria = Pick<SearchOptions, 'filename' | 'contents' | 'meta'>;

const NONE: Hits<never> = { rows: [], isCut: false };

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
  const fits = filterFor(parts, caller, query);
  const starred = await starsOf(parts, caller);
  const find = async (criteria: Criteria): Promise<Hits> => {
    const { rows: items, ...rest } = await inAll(parts, caller, places, criteria, fits);
    return { rows: await rowsOf(parts, caller, items, { starred, deleted: new Map() }), ...rest };
  };
  const { words } = query;
  const shares = query.inside === null ? await namedShares(parts, caller, places, words, fits) : [];
  const names = await find({ filename: words });
  const inAlbums = await fitting(await namedInAlbums(parts, caller, query), fits);
  const contents = READ_KINDS.has(query.kind) ? await find({ contents: words }) : NONE;
  // All words as one value: a tag of two words is one tag.
  const described = await find({ meta: new Map([['-', [words]]]) });
  const commented = await find({ meta: new Map([['comment', [words]]]) });
  const all = [names, contents, described, commented];

  const seen = new Set<string>();
  // Each item is found once, in the first group, and at the first of its paths.
  const unseen = (row: Row) => {
    const key = row.uuid ?? row.path;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  const byName = inNameOrder(words, [...shares, ...names.rows, ...inAlbums].filter(unseen));
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
    albums: await titledAlbums(parts, caller, query),
    isIncomplete: all.some(({ isAway }) => isAway === true),
  };
}

/** The albums that someone has, by their titles; those of folders are found as folders. */
async function titledAlbums(
  parts: FilesPagesParts,
  caller: AccountCaller,
  query: SearchQuery,
): Promise<readonly CoveredAlbum[]> {
  const named = nameQuery(query.words);
  if (named === null || isNarrow(query) || !isGranted(rightsOf(caller), null, 'albums/list')) return [];
  const fits = (title: string) => fitsName(named, searchFold(title));
  const { albums } = parts.albumsContext;
  const { id } = caller.account;
  const all = [...(await albums.of(id)), ...(await albums.sharedWith(id))];
  // To know what an album shows takes longer than to know its title.
  if (!all.some(({ folderId, title }) => folderId === null && fits(title))) return [];
  return coveredAlbums(parts, caller, ({ kind, title }) => kind === 'list' && fits(title));
}

/** What a search may find. When photos were taken is only for those who may read details. */
function filterFor(parts: FilesPagesParts, caller: AccountCaller, query: SearchQuery): Fits {
  const fits = filterOf(query, parts.clock.now());
  const isTimed = query.time !== 'any' && isGranted(rightsOf(caller), null, 'files/search:metadata');
  return async (items) => {
    const uuids = isTimed ? items.flatMap(({ uuid, isDir }) => (uuid === '' || isDir ? [] : [uuid])) : [];
    const taken = uuids.length === 0 ? new Map<string, number>() : await localTimesOf(parts.listing.database, uuids);
    return ({ uuid, name, isDir, mtime }) => fits({ name, isDir, changedAt: mtime, takenAt: taken.get(uuid) ?? null });
  };
}

async function hitsIn(
  parts: FilesPagesParts,
  caller: AccountCaller,
  { path }: SearchPlace,
  criteria: Criteria & Pick<SearchOptions, 'fits' | 'known'>,
): Promise<Hits<ListedItem>> {
  const options = { ...criteria, details: ROW_DETAILS, address: NO_ADDRESS, limit: MAX_FOUND, orFile: true };
  try {
    const { files, meta } = await search(parts.listing, caller, segmentsOf(path), options);
    return { rows: files, isCut: meta.truncated === true };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'storage_offline') return { ...NONE, isAway: true };
    if (LEFT_OUT.has(error.code)) return NONE;
    throw error;
  }
}

/** One place after the other: each search has an index, and a household searches while it works. */
async function inAll(
  parts: FilesPagesParts,
  caller: AccountCaller,
  places: readonly SearchPlace[],
  criteria: Criteria,
  fits: Fits,
): Promise<Hits<ListedItem>> {
  const known = await foundAtOnce(parts, places, { ...criteria, fits });
  const all: Hits<ListedItem>[] = [];
  for (const place of places) {
    const hits = known.get(place);
    if (hits !== null) all.push(await hitsIn(parts, caller, place, { ...criteria, fits, known: hits }));
  }
  return {
    rows: inTurns(all.map(({ rows }) => rows)),
    isCut: all.some(({ isCut }) => isCut),
    isAway: all.some(({ isAway }) => isAway === true),
  };
}

/**
 * What is in places that are in one home, so that a person with hundreds of shares does not search each of them.
 * @returns null for those that need no search, as they have nothing; those that have to be searched are missing
 */
async function foundAtOnce(
  { listing }: Pick<FilesPagesParts, 'listing'>,
  places: readonly SearchPlace[],
  criteria: Criteria & { readonly fits: Fits },
): Promise<Map<SearchPlace, SearchOptions['known'] | null>> {
  const homes = new Map<string, { place: SearchPlace; itemId: number; segments: readonly string[] }[]>();
  for (const place of places) {
    if (place.shared === null) continue;
    const { homeId, itemId, segments } = place.shared;
    homes.set(homeId, [...(homes.get(homeId) ?? []), { place, itemId, segments }]);
  }
  const known = new Map<SearchPlace, SearchOptions['known'] | null>();
  for (const [homeId, inHome] of homes) {
    const found = inHome.length < 2 ? null : await findInPlaces(listing, homeId, inHome, criteria, MAX_TOGETHER);
    if (found === null) continue;
    for (const [index, one] of inHome.entries()) {
      const hits = found.get(one) ?? [];
      // One of them says whether the disk is there.
      if (hits.length === 0 && index > 0) known.set(one.place, null);
      else if (hits.length <= MAX_FOUND) known.set(one.place, { hits, isCut: false });
    }
  }
  return known;
}

/** The best of each list first: ranks of different lists cannot be compared. */
function inTurns<Item>(lists: readonly (readonly Item[])[]): Item[] {
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
  const named = found.filter((row) => shared.has(row.path) && fitsName(query, searchFold(row.name)));
  return fitting(named, fits);
}

async function fitting(rows: readonly Row[], fits: Fits): Promise<Row[]> {
  const passes = await fits(rows.map(filteredRow));
  return rows.filter((row) => passes(filteredRow(row)));
}

const filteredRow = ({ uuid, name, isDir, changedAt }: Row) => ({ uuid: uuid ?? '', name, isDir, mtime: changedAt });

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

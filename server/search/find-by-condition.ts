import type { LocatedItem } from '../catalogue/newest.ts';
import { locationsOfItems } from '../catalogue/places.ts';
import type { Database } from '../database/database.ts';
import { isHiddenName } from '../lib/names/hidden-names.ts';
import { type Condition, STARRED } from './condition.ts';
import { CANDIDATE_COLUMNS, type CandidateRow, candidateOf } from './names.ts';

/** Rows read per statement. */
const PAGE = 1_000;
/** Most rows read for one search. */
const MAX_ROWS = 50_000;

/** How results are sorted: by one property, and then by the next. */
export interface SortKey {
  readonly by: 'modified' | 'taken' | 'name' | 'size';
  readonly isDescending: boolean;
}

const COLUMNS: Readonly<Record<SortKey['by'], string>> = {
  modified: 'items.mtime',
  taken: 'coalesce(items.taken, items.mtime)',
  name: 'items.name_fold',
  size: 'items.size',
};

/** SQL with ids: of these items and of everything below them. */
const BELOW = `SELECT value FROM json_each(?) UNION
  SELECT items.id FROM among CROSS JOIN items ON items.parent_id = among.id WHERE items.missing_since IS NULL`;

type Row = CandidateRow & { taken_at: number; is_starred: 0 | 1 };

/** What is searched. */
export interface SearchedPlaces {
  /** Ids of folders, and of files that are results themselves. */
  readonly tops: readonly number[];
  /** The homes that they are in. */
  readonly homeIds: readonly string[];
}

/**
 * Files and folders that meet a condition, in pages: all of those below some others, and maybe ones from elsewhere in the same homes,
 * which an index has found. Those of the trash, missing and hidden ones are left out. Whether the caller may see them is not checked
 * here.
 * @param accountId whose stars count
 */
export async function* findByCondition(
  database: Pick<Database, 'all'>,
  { tops, homeIds }: SearchedPlaces,
  condition: Condition,
  sort: readonly SortKey[],
  accountId: number,
): AsyncGenerator<LocatedItem[]> {
  const order = sort.map(({ by, isDescending }) => `${COLUMNS[by]} ${isDescending ? 'DESC' : 'ASC'}`);
  const among = condition.ids ?? { sql: BELOW, params: [JSON.stringify(tops)] };
  const sql = `WITH RECURSIVE among (id) AS (${among.sql}) SELECT ${CANDIDATE_COLUMNS}, coalesce(items.taken, items.mtime) AS taken_at, ${STARRED} AS is_starred
       FROM among CROSS JOIN items ON items.id = among.id
       WHERE items.home_id IN (SELECT value FROM json_each(?)) AND items.parent_id IS NOT NULL AND items.missing_since IS NULL AND (${condition.sql})
       ORDER BY ${[...order, 'items.id DESC'].join(', ')} LIMIT ? OFFSET ?`;
  for (let start = 0; start < MAX_ROWS; start += PAGE) {
    const params = [...among.params, accountId, JSON.stringify(homeIds), ...condition.params, PAGE, start];
    const rows = await database.all<Row>(sql, params);
    const items = rows.flatMap((row) => {
      const candidate = candidateOf(row);
      const { item } = candidate;
      const isShown = item.isDir || !isHiddenName(item.name);
      const all = { ...candidate, takenAt: row.taken_at, isStarred: row.is_starred === 1 };
      return isShown && condition.fits(all) ? [item] : [];
    });
    const places = await locationsOfItems(database, items);
    yield items.flatMap((item) => {
      const location = places.get(item.id);
      return location?.state === 'there' ? [{ item, location }] : [];
    });
    if (rows.length < PAGE) return;
  }
}

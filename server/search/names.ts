import { ITEM_COLUMNS, type Item, type ItemRow, itemOf } from '../catalogue/items.ts';
import type { Database } from '../database/database.ts';
import { searchFold } from '../lib/names/names.ts';
import { fitsName, letterRuns, type NameQuery } from './name-query.ts';

/** A candidate item, and its folded name. */
export interface Candidate {
  readonly item: Item;
  readonly fold: string;
}

export type CandidateRow = ItemRow & { name_fold: string };

/** Rows read at a time. */
export const PAGE = 1_000;

export const CANDIDATE_COLUMNS = `${ITEM_COLUMNS.split(', ')
  .map((column) => `items.${column}`)
  .join(', ')}, items.name_fold`;
const OF_HOME = 'items.home_id = ?1 AND items.missing_since IS NULL';

/**
 * The items of a home whose names match, newest in the catalogue first, in pages. Their location, and whether the caller may see
 * them, is not checked here.
 */
export function itemsByName(
  database: Pick<Database, 'all'>,
  homeId: string,
  query: NameQuery,
): AsyncGenerator<Candidate[]> {
  return itemsIn(database, homeId, indexed(query), (fold) => fitsName(query, fold));
}

/** The same for files with one of these extensions, each of two or more letters in lower case. */
export function itemsByExtension(
  database: Pick<Database, 'all'>,
  homeId: string,
  extensions: readonly string[],
): AsyncGenerator<Candidate[]> {
  const ends = extensions.map((extension) => `.${searchFold(extension)}`);
  const requested = ends.map(quoted).join(' OR ');
  return itemsIn(database, homeId, { ...INDEX, requested }, (fold) => ends.some((end) => fold.endsWith(end)));
}

/** The tables and conditions of a query. */
interface NameSource {
  readonly from: string;
  readonly id: string;
  readonly where: string;
  readonly requested: string;
}

const INDEX = { from: 'names', id: 'names.rowid', where: 'names MATCH ?2' };

/** Quoted, so that nothing in it is syntax. */
export function quoted(run: string): string {
  return `"${run.replaceAll('"', '""')}"`;
}

/** An upper bound of the number of matching names, counted up to a limit; the limit if the index cannot be used. */
export async function countByName(database: Pick<Database, 'all'>, query: NameQuery, limit: number): Promise<number> {
  const { where, requested } = indexed(query);
  if (where !== INDEX.where) return limit;
  const rows = await database.all<{ count: number }>(
    'SELECT count(*) AS count FROM (SELECT 1 FROM names WHERE names MATCH ? LIMIT ?)',
    [requested, limit],
  );
  return rows[0]?.count ?? 0;
}

async function* itemsIn(
  database: Pick<Database, 'all'>,
  homeId: string,
  { from, id, where, requested }: NameSource,
  fits: (fold: string) => boolean,
): AsyncGenerator<Candidate[]> {
  // Names that are not in the index yet, so that new items are found at once.
  const waiting = database.all<CandidateRow>(
    `SELECT ${CANDIDATE_COLUMNS} FROM names_waiting CROSS JOIN items ON items.id = names_waiting.item_id WHERE ${OF_HOME}
     ORDER BY items.id DESC`,
    [homeId],
  );
  const pageBefore = (before: number) =>
    database.all<CandidateRow>(
      `SELECT ${CANDIDATE_COLUMNS} FROM ${from} CROSS JOIN items ON items.id = ${id}
       WHERE ${where} AND ${id} < ?3 AND ${OF_HOME} ORDER BY ${id} DESC LIMIT ?4`,
      [homeId, requested, before, PAGE],
    );
  // Sequential: a name indexed meanwhile is then read twice. Concurrently, it could be missed.
  const fresh = await waiting;
  const first = await pageBefore(Number.MAX_SAFE_INTEGER);
  const seen = new Set(fresh.map((row) => row.id));
  yield fitting(fits, fresh);
  for (let rows = first; ; rows = await pageBefore(rows.at(-1)?.id ?? 0)) {
    yield fitting(
      fits,
      rows.filter((row) => !seen.has(row.id)),
    );
    if (rows.length < PAGE) return;
  }
}

/** The index finds candidates; the row, which is always current, decides. */
function fitting(fits: (fold: string) => boolean, rows: readonly CandidateRow[]): Candidate[] {
  return rows.filter((row) => fits(row.name_fold)).map(candidateOf);
}

export function candidateOf(row: CandidateRow): Candidate {
  return { item: itemOf(row), fold: row.name_fold };
}

/** With three characters in a row the index is used; otherwise all names are read. */
function indexed(query: NameQuery): NameSource {
  const runs = letterRuns(query);
  if (runs.length > 0) {
    return { ...INDEX, requested: runs.map(quoted).join(' AND ') };
  }
  // The index's content table has only names, and is much smaller than the rows.
  const all = { from: 'names_content', id: 'names_content.id' };
  if (query.kind === 'words')
    return { ...all, where: 'instr(names_content.c0, ?2) > 0', requested: query.words[0] ?? '' };
  return { ...all, where: 'names_content.c0 GLOB ?2', requested: query.pattern.replaceAll('[', '[[]') };
}

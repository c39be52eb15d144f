import { ITEM_COLUMNS, type Item, type ItemRow, itemOf } from '../catalogue/items.ts';
import type { Database } from '../database/database.ts';
import { fitsName, letterRuns, type NameQuery } from './name-query.ts';

/** An item that may be a hit, and its folded name. */
export interface Candidate {
  readonly item: Item;
  readonly fold: string;
}

type CandidateRow = ItemRow & { name_fold: string };

/** Rows that are read at a time. */
const PAGE = 1_000;

const COLUMNS = `${ITEM_COLUMNS.split(', ')
  .map((column) => `items.${column}`)
  .join(', ')}, items.name_fold`;
const OF_HOME = 'items.home_id = ?1 AND items.missing_since IS NULL';

/**
 * The items of a home whose names fit, those that came last first, in pages. Where they lie, and whether that is a place
 * that anybody may see, is not looked at here.
 */
export async function* itemsByName(
  database: Pick<Database, 'all'>,
  homeId: string,
  query: NameQuery,
): AsyncGenerator<Candidate[]> {
  // Names that are not in the index yet: what has just been written is found at once.
  const waiting = database.all<CandidateRow>(
    `SELECT ${COLUMNS} FROM names_waiting CROSS JOIN items ON items.id = names_waiting.item_id WHERE ${OF_HOME}
     ORDER BY items.id DESC`,
    [homeId],
  );
  const { from, id, where, asked } = indexed(query);
  const pageBefore = (before: number) =>
    database.all<CandidateRow>(
      `SELECT ${COLUMNS} FROM ${from} CROSS JOIN items ON items.id = ${id}
       WHERE ${where} AND ${id} < ?3 AND ${OF_HOME} ORDER BY ${id} DESC LIMIT ?4`,
      [homeId, asked, before, PAGE],
    );
  // Both on their way at the same time.
  const [fresh, first] = await Promise.all([waiting, pageBefore(Number.MAX_SAFE_INTEGER)]);
  const seen = new Set(fresh.map((row) => row.id));
  yield fitting(query, fresh);
  for (let rows = first; ; rows = await pageBefore(rows.at(-1)?.id ?? 0)) {
    yield fitting(
      query,
      rows.filter((row) => !seen.has(row.id)),
    );
    if (rows.length < PAGE) return;
  }
}

/** The index says what may fit; the row, which is always of now, says what does. */
function fitting(query: NameQuery, rows: readonly CandidateRow[]): Candidate[] {
  return rows
    .filter((row) => fitsName(query, row.name_fold))
    .map((row) => ({ item: itemOf(row), fold: row.name_fold }));
}

/** With three letters in a row the index knows where they are; for less, all names are read through. */
function indexed(query: NameQuery): { from: string; id: string; where: string; asked: string } {
  const runs = letterRuns(query);
  if (runs.length > 0) {
    // Quoted, nothing in it is syntax.
    const asked = runs.map((run) => `"${run.replaceAll('"', '""')}"`).join(' AND ');
    return { from: 'names', id: 'names.rowid', where: 'names MATCH ?2', asked };
  }
  // The table behind the index: names and nothing else, which is a fraction of what the rows are.
  const all = { from: 'names_content', id: 'names_content.id' };
  if (query.kind === 'words') return { ...all, where: 'instr(names_content.c0, ?2) > 0', asked: query.words[0] ?? '' };
  return { ...all, where: 'names_content.c0 GLOB ?2', asked: query.pattern.replaceAll('[', '[[]') };
}

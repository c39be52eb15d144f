import type { Database } from '../database/database.ts';
import { once } from '../lib/async/once.ts';
import { COUNTED, type Criterion, itemsOf, type Narrow } from './criterion.ts';
import { foldedKeyword, isIndexed } from './keyword.ts';
import { CANDIDATE_COLUMNS, type Candidate, type CandidateRow, candidateOf, PAGE, quoted } from './names.ts';
import { MAX_TERMS, type SearchedField, termsOf } from './terms.ts';

type Reader = Pick<Database, 'all'>;

/** Up to this many values are queried one by one, in index order; with more, all of their items are sorted. */
const FEW_TERMS = 20;
/** Ids filtered at a time: they come from the index alone. */
const IDS_BATCH = 5_000;
/** Most items examined for many values, or for comments. */
const MAX_ITEMS = 20_000;

/** Items of a home with a value in one of these fields that matches one of the keywords. */
export function fieldCriterion(
  database: Reader,
  homeId: string,
  fields: readonly SearchedField[],
  keywords: readonly string[],
): Criterion {
  let isCut = false;
  const terms = once(async (): Promise<readonly number[]> => {
    const found = await Promise.all(keywords.map((keyword) => termsOf(database, homeId, fields, keyword)));
    isCut = found.some(({ length }) => length >= MAX_TERMS);
    return [...new Set(found.flat())];
  });
  const keepIds: Narrow = async (ids) => {
    const rows = await database.all<{ id: number }>(
      `SELECT v.item_id AS id FROM json_each(?) i CROSS JOIN metadata_values v ON v.item_id = i.value
       WHERE v.term_id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(ids), JSON.stringify(await terms())],
    );
    const kept = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => kept.has(id));
  };
  return {
    async count() {
      const rows = await database.all<{ count: number }>(
        `SELECT count(*) AS count FROM (
           SELECT 1 FROM json_each(?) t CROSS JOIN metadata_values v ON v.term_id = t.value AND v.home_id = ? LIMIT ?)`,
        [JSON.stringify(await terms()), homeId, COUNTED],
      );
      return rows[0]?.count ?? 0;
    },
    async *pages(_homeId, narrow) {
      const ids = await terms();
      if (ids.length <= FEW_TERMS) {
        const itemsOfOne = (id: number) =>
          narrow === undefined ? itemsOfTerm(database, homeId, id) : narrowedItems(database, homeId, id, narrow);
        return yield* eachOnce(ids, itemsOfOne);
      }
      const rows = await database.all<{ id: number }>(
        `SELECT DISTINCT v.item_id AS id FROM json_each(?) t
         CROSS JOIN metadata_values v ON v.term_id = t.value AND v.home_id = ? LIMIT ?`,
        [JSON.stringify(ids), homeId, MAX_ITEMS],
      );
      isCut ||= rows.length === MAX_ITEMS;
      yield* itemsOf(
        database,
        homeId,
        rows.map(({ id }) => id),
      );
    },
    async keep(candidates) {
      const ids = new Set(await keepIds(candidates.map(({ item }) => item.id)));
      return candidates.filter(({ item }) => ids.has(item.id));
    },
    keepIds,
    isCut: () => isCut,
  };
}

/** Items of a home with a comment that contains one of the keywords. */
export function commentCriterion(database: Reader, homeId: string, keywords: readonly string[]): Criterion {
  let isCut = false;
  const items = once(async (): Promise<ReadonlySet<number>> => {
    const found = await Promise.all(keywords.map((keyword) => commented(database, homeId, keyword)));
    isCut = found.some(({ length }) => length >= MAX_ITEMS);
    return new Set(found.flat());
  });
  return {
    count: async () => Math.min((await items()).size, COUNTED),
    async *pages() {
      yield* itemsOf(database, homeId, [...(await items())]);
    },
    keep: async (candidates) => {
      const ids = await items();
      return candidates.filter(({ item }) => ids.has(item.id));
    },
    isCut: () => isCut,
  };
}

async function commented(database: Reader, homeId: string, keyword: string): Promise<number[]> {
  const folded = foldedKeyword(keyword);
  if (folded === null) return [];
  const [from, fits, requested] = isIndexed(folded)
    ? ['comment_folds CROSS JOIN comments c ON c.id = comment_folds.rowid', 'comment_folds MATCH ?', quoted(folded)]
    : ['comments c', 'instr(c.fold, ?) > 0', folded];
  const rows = await database.all<{ id: number }>(
    `SELECT DISTINCT c.item_id AS id FROM ${from} CROSS JOIN items i ON i.id = c.item_id
     WHERE ${fits} AND i.home_id = ? LIMIT ?`,
    [requested, homeId, MAX_ITEMS],
  );
  return rows.map(({ id }) => id);
}

async function* eachOnce(
  ids: readonly number[],
  itemsOfOne: (id: number) => AsyncGenerator<Candidate[]>,
): AsyncGenerator<Candidate[]> {
  const seen = new Set<number>();
  for (const id of ids) {
    for await (const page of itemsOfOne(id)) {
      const fresh = page.filter(({ item }) => !seen.has(item.id));
      for (const { item } of fresh) seen.add(item.id);
      yield fresh;
    }
  }
}

/** Newest in the catalogue first. */
async function* itemsOfTerm(database: Reader, homeId: string, termId: number): AsyncGenerator<Candidate[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await database.all<CandidateRow>(
      `SELECT ${CANDIDATE_COLUMNS} FROM metadata_values v CROSS JOIN items ON items.id = v.item_id
       WHERE v.term_id = ?1 AND v.home_id = ?2 AND v.item_id < ?3 AND items.missing_since IS NULL
       ORDER BY v.item_id DESC LIMIT ?4`,
      [termId, homeId, before, PAGE],
    );
    yield rows.map(candidateOf);
    if (rows.length < PAGE) return;
    before = rows.at(-1)?.id ?? 0;
  }
}

/** The same without those the other criteria exclude: few rows are read if the other criterion is narrow. */
async function* narrowedItems(
  database: Reader,
  homeId: string,
  termId: number,
  narrow: Narrow,
): AsyncGenerator<Candidate[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await database.all<{ id: number }>(
      `SELECT item_id AS id FROM metadata_values WHERE term_id = ?1 AND home_id = ?2 AND item_id < ?3
       ORDER BY item_id DESC LIMIT ?4`,
      [termId, homeId, before, IDS_BATCH],
    );
    yield* itemsOf(database, homeId, await narrow(rows.map(({ id }) => id)));
    if (rows.length < IDS_BATCH) return;
    before = rows.at(-1)?.id ?? 0;
  }
}

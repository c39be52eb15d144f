import type { Database } from '../database/database.ts';
import { plainNumber } from '../fields/checked-value.ts';
import { type FieldKind, isSearchedByParts } from '../fields/field-kinds.ts';
import { foldedKeyword, isIndexed } from './keyword.ts';
import { quoted } from './names.ts';

/** Most different values searched at once. */
export const MAX_TERMS = 10_000;
/** A field with no more values than this is scanned, which is faster than the index. */
const FEW = 1_000;
/** Sorts after everything with the same beginning. */
const LAST = '\u{10ffff}';

type Reader = Pick<Database, 'all'>;

export interface SearchedField {
  readonly id: number;
  readonly kind: FieldKind;
}

/** Values are stored once for all homes: those that an item of this home has. */
const IN_HOME = 'EXISTS (SELECT 1 FROM metadata_values v WHERE v.term_id = t.id AND v.home_id =';

/**
 * The ids of values of some fields in a home that match a keyword: texts that contain it, regardless of case and accents; equal
 * numbers and ratings; dates that begin with it. At most `MAX_TERMS`.
 * @param fields empty for all fields
 */
export async function termsOf(
  database: Reader,
  homeId: string,
  fields: readonly SearchedField[],
  keyword: string,
): Promise<number[]> {
  const folded = foldedKeyword(keyword);
  if (folded === null) return [];
  const texts = idsOf(fields, isSearchedByParts);
  const [number, date] = [plainNumber(keyword), datePrefix(keyword)];
  const found = await Promise.all([
    texts.length === 0 ? [] : textTerms(database, homeId, texts, folded),
    number === null ? [] : equalTerms(database, idsOf(fields, isNumeric), number),
    date === null
      ? []
      : dateTerms(
          database,
          homeId,
          idsOf(fields, (kind) => kind === 'date'),
          date,
        ),
  ]);
  return found.flat();
}

function idsOf(fields: readonly SearchedField[], fits: (kind: FieldKind) => boolean): number[] {
  return fields.filter(({ kind }) => fits(kind)).map(({ id }) => id);
}

function isNumeric(kind: FieldKind): boolean {
  return kind === 'number' || kind === 'stars';
}

/** A date, or the beginning of one: `2026`, `2026-07`, `2026-07-03T1`. */
function datePrefix(keyword: string): string | null {
  const text = keyword.trim().replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T');
  return /^\d{4}(?:-(?:\d{1,2}(?:-(?:\d{1,2}(?:T[\d:.Z+-]{0,24})?)?)?)?)?$/.test(text) ? text : null;
}

type TermRow = { id: number };
const idOf = ({ id }: TermRow) => id;

async function textTerms(
  database: Reader,
  homeId: string,
  fieldIds: readonly number[],
  folded: string,
): Promise<number[]> {
  const fields = JSON.stringify(fieldIds);
  if (isIndexed(folded) && !(await hasFew(database, fields))) {
    const rows = await database.all<TermRow>(
      `SELECT t.id FROM metadata_folds CROSS JOIN metadata_terms t ON t.id = metadata_folds.rowid
       WHERE metadata_folds MATCH ?1 AND t.field_id IN (SELECT value FROM json_each(?2)) AND ${IN_HOME} ?3)
       LIMIT ?4`,
      [quoted(folded), fields, homeId, MAX_TERMS],
    );
    return rows.map(idOf);
  }
  const rows = await database.all<TermRow>(
    `SELECT t.id FROM json_each(?1) f CROSS JOIN metadata_terms t ON t.field_id = f.value
     WHERE instr(t.fold, ?2) > 0 AND ${IN_HOME} ?3) LIMIT ?4`,
    [fields, folded, homeId, MAX_TERMS],
  );
  return rows.map(idOf);
}

async function hasFew(database: Reader, fields: string): Promise<boolean> {
  const rows = await database.all<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT 1 FROM json_each(?) f CROSS JOIN metadata_terms t ON t.field_id = f.value LIMIT ?)`,
    [fields, FEW + 1],
  );
  return (rows[0]?.count ?? 0) <= FEW;
}

async function equalTerms(database: Reader, fieldIds: readonly number[], value: string): Promise<number[]> {
  const rows = await database.all<TermRow>(
    'SELECT t.id FROM json_each(?) f CROSS JOIN metadata_terms t ON t.field_id = f.value WHERE t.value = ?',
    [JSON.stringify(fieldIds), value],
  );
  return rows.map(idOf);
}

async function dateTerms(
  database: Reader,
  homeId: string,
  fieldIds: readonly number[],
  prefix: string,
): Promise<number[]> {
  const rows = await database.all<TermRow>(
    `SELECT t.id FROM json_each(?1) f CROSS JOIN metadata_terms t ON t.field_id = f.value
     WHERE t.value >= ?2 AND t.value < ?3 AND ${IN_HOME} ?4) LIMIT ?5`,
    [JSON.stringify(fieldIds), prefix, `${prefix}${LAST}`, homeId, MAX_TERMS],
  );
  return rows.map(idOf);
}

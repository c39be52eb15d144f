import type { SqlParams } from '../database/connection.ts';
import { mimeType } from '../files/mime-type.ts';
import { extensionsByType } from '../lib/names/file-types.ts';
import { exactPattern, fitsLike, type LikePattern } from './like.ts';
import { type Candidate, quoted } from './names.ts';

type Param = SqlParams[number];

/** A row of the table `items`, with what conditions are about. */
interface ConditionRow extends Candidate {
  /** When a picture was taken, if known, otherwise its last change, in milliseconds. */
  readonly takenAt: number;
  /** Whether the account of the search has starred it. */
  readonly isStarred: boolean;
}

/** A condition that files and folders of the catalogue meet or do not. */
export interface Condition {
  /** SQL about a row of `items`: true at least for every one that meets it. */
  readonly sql: string;
  /** For the question marks in it. */
  readonly params: readonly Param[];
  /** Whether it is true for no other one. */
  readonly isExact: boolean;
  fits(row: ConditionRow): boolean;
  /** Ids of items, of any home, among which are all that meet it: where an index finds them. */
  readonly ids?: { readonly sql: string; readonly params: readonly Param[] } | undefined;
}

/** What everything meets. */
export const ANYTHING: Condition = { sql: '1', params: [], isExact: true, fits: () => true };

export const IS_FOLDER: Condition = {
  sql: 'items.is_dir = 1',
  params: [],
  isExact: true,
  fits: ({ item }) => item.isDir,
};

/** @param conditions at least one */
export function allOf(conditions: readonly Condition[]): Condition {
  const ids = conditions.find((one) => one.ids !== undefined)?.ids;
  return { ...joined(conditions, ' AND '), ids, fits: (row) => conditions.every((one) => one.fits(row)) };
}

/** @param conditions at least one */
export function anyOf(conditions: readonly Condition[]): Condition {
  const all = conditions.flatMap(({ ids }) => ids ?? []);
  const isIndexed = all.length === conditions.length;
  const ids = { sql: all.map(({ sql }) => sql).join(' UNION '), params: all.flatMap(({ params }) => params) };
  return {
    ...joined(conditions, ' OR '),
    ids: isIndexed ? ids : undefined,
    fits: (row) => conditions.some((one) => one.fits(row)),
  };
}

function joined(conditions: readonly Condition[], operator: string): Omit<Condition, 'fits'> {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(operator),
    params: conditions.flatMap(({ params }) => params),
    isExact: conditions.every(({ isExact }) => isExact),
  };
}

export function noneOf({ sql, params, isExact, fits }: Condition): Condition {
  const negated = isExact ? { sql: `NOT (${sql})`, params } : { sql: '1', params: [] };
  return { ...negated, isExact, fits: (row) => !fits(row) };
}

/** Whether a name matches, regardless of case and accents. @param pattern folded (`searchFold`) */
export function nameLike(pattern: LikePattern): Condition {
  return {
    sql: 'instr(items.name_fold, ?) > 0',
    params: [pattern.run],
    isExact: pattern.isRun,
    fits: ({ fold }) => fitsLike(pattern, fold),
    // The index has runs of three letters, and names that wait for it are read beside it.
    ids:
      [...pattern.run].length < 3
        ? undefined
        : {
            sql: 'SELECT rowid FROM names WHERE names MATCH ? UNION SELECT item_id FROM names_waiting',
            params: [quoted(pattern.run)],
          },
  };
}

/** Whether the media type of a file matches. Folders have none. @param pattern in lower case */
export function mediaTypeLike(pattern: LikePattern): Condition {
  const matches = (name: string) => fitsLike(pattern, mimeType(name).toLowerCase());
  const kinds = Object.entries(extensionsByType()).flatMap(([kind, extensions]) =>
    extensions.split(' ').some((extension) => matches(`a.${extension}`)) ? [kind] : [],
  );
  return {
    // Files whose extension is not in the table of types are of the type `other`.
    sql: 'items.is_dir = 0 AND items.kind IN (SELECT value FROM json_each(?))',
    params: [JSON.stringify([...kinds, 'other'])],
    isExact: false,
    fits: ({ item }) => !item.isDir && matches(item.name),
  };
}

/** One time of an item. */
export type TimeOf = 'modified' | 'taken';
const TIMES: Readonly<Record<TimeOf, string>> = {
  modified: 'items.mtime',
  taken: 'coalesce(items.taken, items.mtime)',
};

export type Comparison = 'eq' | 'lt' | 'lte' | 'gt' | 'gte';

/** Compares whole seconds, as programs see no others. @param second since the epoch */
export function timeIs(of: TimeOf, comparison: Comparison, second: number): Condition {
  const [least, next] = [second * 1000, (second + 1) * 1000];
  const [lowest, highest]: readonly [number | null, number | null] = {
    eq: [least, next] as const,
    lt: [null, least] as const,
    lte: [null, next] as const,
    gt: [next, null] as const,
    gte: [least, null] as const,
  }[comparison];
  const time = TIMES[of];
  return {
    sql: `(? IS NULL OR ${time} >= ?) AND (? IS NULL OR ${time} < ?)`,
    params: [lowest, lowest, highest, highest],
    isExact: true,
    fits({ item, takenAt }) {
      const at = of === 'modified' ? item.mtime : takenAt;
      return (lowest === null || at >= lowest) && (highest === null || at < highest);
    },
  };
}

/** Whether an account has starred an item. The search is for the same one. */
export function isStarredBy(accountId: number): Condition {
  return {
    sql: STARRED,
    params: [accountId],
    isExact: true,
    fits: ({ isStarred }) => isStarred,
    ids: { sql: 'SELECT item_id FROM stars WHERE account_id = ?', params: [accountId] },
  };
}

/** SQL with an account. */
export const STARRED = 'EXISTS (SELECT 1 FROM stars WHERE stars.account_id = ? AND stars.item_id = items.id)';

/** Whether the uuid of an item begins so. @param beginnings with whole groups of digits */
export function hasUuidLike(beginnings: readonly string[]): Condition {
  const params = [JSON.stringify(beginnings)];
  const isLike = "items.uuid >= value AND items.uuid < value || '~'";
  return {
    sql: `EXISTS (SELECT 1 FROM json_each(?) WHERE ${isLike})`,
    params,
    ids: { sql: `SELECT items.id FROM json_each(?) CROSS JOIN items ON ${isLike}`, params },
    isExact: true,
    fits: ({ item }) => beginnings.some((one) => item.uuid.startsWith(one)),
  };
}

/** Whether a name is this one. @param fold folded */
export function nameIs(fold: string): Condition {
  return nameLike(exactPattern(fold));
}

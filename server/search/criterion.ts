import type { Database } from '../database/database.ts';
import type { TypeRule } from '../fields/definitions.ts';
import { once } from '../lib/async/once.ts';
import { extensionOf, extensionsByType } from '../lib/names/file-types.ts';
import { fitsName, type NameQuery } from './name-query.ts';
import {
  CANDIDATE_COLUMNS,
  type Candidate,
  type CandidateRow,
  candidateOf,
  countByName,
  itemsByExtension,
  itemsByName,
  PAGE,
} from './names.ts';

/** A search criterion. One of several provides the candidates; the others filter them. */
export interface Criterion {
  /** An upper bound of the number of items, at most `COUNTED`; that value if it should not lead. */
  count(): Promise<number>;
  /**
   * The items of a home, not missing, in pages.
   * @param narrow optional filter of ids by the other criteria, before their rows are read
   */
  pages(homeId: string, narrow?: Narrow): AsyncGenerator<Candidate[]>;
  /** The candidates that match, in their order. */
  keep(candidates: readonly Candidate[]): Promise<readonly Candidate[]>;
  /** The same by ids alone, if possible. */
  readonly keepIds?: Narrow;
  /** Whether there were more search terms than are considered. */
  isCut?(): boolean;
}

export type Narrow = (ids: readonly number[]) => Promise<readonly number[]>;

/** Above this, it no longer matters which of two criteria is narrower. */
export const COUNTED = 5_000;

/** A folder with fewer items below it is searched directly. */
const SMALL_FOLDER = 2_000;

type Reader = Pick<Database, 'all'>;

export function nameCriterion(database: Reader, query: NameQuery): Criterion {
  return {
    count: () => countByName(database, query, COUNTED),
    pages: (homeId) => itemsByName(database, homeId, query),
    keep: async (candidates) => candidates.filter(({ fold }) => fitsName(query, fold)),
  };
}

export function typeCriterion(database: Reader, rule: TypeRule): Criterion {
  const extensions = rule.kind === 'all' ? null : new Set(extensionsOf(rule));
  return {
    count: async () => COUNTED,
    pages: (homeId) =>
      extensions === null || [...extensions].some((one) => [...one].length < 2)
        ? filtered(everything(database, homeId), extensions)
        : filtered(itemsByExtension(database, homeId, [...extensions]), extensions),
    keep: async (candidates) => candidates.filter((candidate) => hasExtension(candidate, extensions)),
  };
}

function extensionsOf(rule: Exclude<TypeRule, { kind: 'all' }>): readonly string[] {
  if (rule.kind === 'extensions') return rule.extensions;
  const byType = extensionsByType();
  return rule.families.flatMap((family) => (byType[family] ?? '').split(' '));
}

function hasExtension({ item }: Candidate, extensions: ReadonlySet<string> | null): boolean {
  return extensions === null || (!item.isDir && extensions.has(extensionOf(item.name)));
}

async function* filtered(
  pages: AsyncGenerator<Candidate[]>,
  extensions: ReadonlySet<string> | null,
): AsyncGenerator<Candidate[]> {
  for await (const page of pages) yield page.filter((candidate) => hasExtension(candidate, extensions));
}

/** Everything below a small folder: it leads unless another criterion is as narrow. */
export function folderCriterion(database: Reader, folderId: number): Criterion {
  const below = once(async () => {
    const rows = await database.all<{ id: number }>(
      `WITH RECURSIVE below (id) AS (
         SELECT ?1 UNION ALL SELECT items.id FROM below CROSS JOIN items ON items.parent_id = below.id LIMIT ?2
       ) SELECT id FROM below`,
      [folderId, SMALL_FOLDER + 1],
    );
    return rows.map(({ id }) => id);
  });
  return {
    count: async () => {
      const { length } = await below();
      return length > SMALL_FOLDER ? COUNTED : length;
    },
    async *pages(homeId) {
      yield* itemsOf(database, homeId, await below());
    },
    keep: async (candidates) => candidates,
  };
}

/** Items by id, newest in the catalogue first. */
export async function* itemsOf(
  database: Reader,
  homeId: string,
  unordered: readonly number[],
): AsyncGenerator<Candidate[]> {
  const ids = [...unordered].sort((a, b) => b - a);
  for (let start = 0; start < ids.length; start += PAGE) {
    const rows = await database.all<CandidateRow>(
      `SELECT ${CANDIDATE_COLUMNS} FROM json_each(?1) i CROSS JOIN items ON items.id = i.value
       WHERE items.home_id = ?2 AND items.missing_since IS NULL`,
      [JSON.stringify(ids.slice(start, start + PAGE)), homeId],
    );
    yield rows.map(candidateOf);
  }
}

async function* everything(database: Reader, homeId: string): AsyncGenerator<Candidate[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await database.all<CandidateRow>(
      `SELECT ${CANDIDATE_COLUMNS} FROM items
       WHERE id < ? AND home_id = ? AND parent_id IS NOT NULL AND missing_since IS NULL ORDER BY id DESC LIMIT ?`,
      [before, homeId, PAGE],
    );
    yield rows.map(candidateOf);
    if (rows.length < PAGE) return;
    before = rows.at(-1)?.id ?? 0;
  }
}

import { describe, it } from 'vitest';

/**
 * Whether this is `npm run test:all`, with the exhaustive forms of what `npm test` only samples. Files named `*.full.ts` run only
 * there; matrices in other files use `sampled`.
 */
export const isFullForm = process.env.LARDER_TESTS === 'all';

/**
 * The rows of a matrix to test: all in the full form; otherwise so many, spread evenly, and always the same ones. For rows that differ
 * in values and not in kind: one of every kind stays in `npm test`.
 */
export function sampled<const Row>(rows: readonly Row[], count: number): readonly Row[] {
  if (isFullForm || rows.length <= count) return rows;
  return Array.from({ length: count }, (_, at) => rows[Math.floor((at * rows.length) / count)] as Row);
}

/** Like `sampled`: the first row of every kind. */
export function oneOfEachKind<Row>(rows: readonly Row[], kind: (row: Row) => string): readonly Row[] {
  if (isFullForm) return rows;
  return rows.filter((row, at) => rows.findIndex((other) => kind(other) === kind(row)) === at);
}

/** In place of `it` and `describe`: what only the full form runs of a file that begins in `npm test`. */
export const itInFull = isFullForm ? it : without(it);
export const describeInFull = isFullForm ? describe : without(describe);

function without<Define extends typeof it | typeof describe>(_define: Define): Define {
  const nothing = () => undefined;
  return Object.assign(nothing, { each: () => nothing, skipIf: () => nothing }) as unknown as Define;
}

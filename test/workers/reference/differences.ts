import { expect } from 'vitest';

/** A value that Larder reads in another way than the reference program, or only Larder reads, and why it is right to. */
export interface Difference {
  readonly value: string;
  readonly larder: unknown;
  readonly why: string;
}

/** Most differences: of so many values, one. */
const PER_VALUE = 50;

/** Values by their names, such as `photo 12: date`. */
export type Values = ReadonlyMap<string, unknown>;

/**
 * Compares what Larder reads with what a reference program reads. A known difference that is none any more fails, too.
 * @param known at most 2 % of the values
 */
export function expectSame(larder: Values, reference: Values, known: readonly Difference[]): void {
  expect(reference.size).toBeGreaterThan(0);
  expect(known.length, 'known differences').toBeLessThanOrEqual(reference.size / PER_VALUE);
  const expected = new Map(reference);
  for (const { value, larder: other } of known) {
    expect(reference.get(value), `${value}, no difference any more`).not.toEqual(other);
    expected.set(value, other);
  }
  expect(Object.fromEntries(larder)).toEqual(Object.fromEntries(expected));
}

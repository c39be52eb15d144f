import fc from 'fast-check';
import { expect, it } from 'vitest';
import { covers, joined, lengthOf, startOf } from '../../../dist/server/weblinks/byte-ranges.js';

const SIZE = 24;
const span = fc
  .tuple(fc.integer({ min: 0, max: SIZE - 1 }), fc.integer({ min: 0, max: SIZE - 1 }))
  .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
const bytesOf = (spans: readonly { start: number; end: number }[]) =>
  new Set(spans.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, index) => start + index)));

it('merges ranges to the same bytes as a byte-by-byte count', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 6 }), fc.array(span, { maxLength: 6 }), (some, others) => {
      expect(covers(SIZE, some)).toBe(bytesOf(some).size === SIZE);
      expect(bytesOf(joined(some))).toEqual(bytesOf(some));
      const ends = joined(some).flatMap(({ start, end }) => [start, end]);
      // Between two of them there is a byte that is in neither.
      expect(ends.every((at, index) => index % 2 === 1 || index === 0 || at > (ends[index - 1] ?? 0) + 1)).toBe(true);
      expect(lengthOf([...some, ...others])).toBe(lengthOf(some) + lengthOf(others));
      for (let count = 0; count <= lengthOf(some); count += 1) {
        const first = startOf(some, count);
        expect(lengthOf(first)).toBe(count);
        expect(some.slice(0, Math.max(0, first.length - 1))).toEqual(first.slice(0, -1));
      }
    }),
  );
  expect(covers(0, [])).toBe(true);
});

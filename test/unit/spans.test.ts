import fc from 'fast-check';
import { expect, it } from 'vitest';
import { covers, joined, overlap } from '../../dist/server/weblinks/spans.js';

const SIZE = 24;
const span = fc
  .tuple(fc.integer({ min: 0, max: SIZE - 1 }), fc.integer({ min: 0, max: SIZE - 1 }))
  .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
const bytesOf = (spans: readonly { start: number; end: number }[]) =>
  new Set(spans.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, index) => start + index)));

it('says of ranges what counting their bytes says', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 6 }), fc.array(span, { maxLength: 6 }), (some, others) => {
      expect(covers(SIZE, some)).toBe(bytesOf(some).size === SIZE);
      const theirs = bytesOf(others);
      expect(bytesOf(joined(some))).toEqual(bytesOf(some));
      const ends = joined(some).flatMap(({ start, end }) => [start, end]);
      // Between two of them there is a byte that is in neither.
      expect(ends.every((at, index) => index % 2 === 1 || index === 0 || at > (ends[index - 1] ?? 0) + 1)).toBe(true);
      expect(overlap(some, others)).toBe([...bytesOf(some)].some((byte) => theirs.has(byte)));
    }),
  );
  expect(covers(0, [])).toBe(true);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delayAfter, delayAfterConflict, isTemporary } from '../../dist/web-client-modules/upload/backoff.js';
import { CHUNK_BYTES, needsChunks, nextChunk } from '../../dist/web-client-modules/upload/chunks.js';
import { parseTypes, refusalOf } from '../../dist/web-client-modules/upload/limits.js';
import { readReply } from '../../dist/web-client-modules/upload/put-content.js';

describe('chunks', () => {
  it('are used for files that do not fit into one request', () => {
    expect([0, 1, CHUNK_BYTES, CHUNK_BYTES + 1].map(needsChunks)).toEqual([false, false, false, true]);
  });

  it('cover a file without gaps and overlaps, wherever it continues', () => {
    const sizes = fc.integer({ min: 1, max: 20 * CHUNK_BYTES });
    fc.assert(
      fc.property(sizes, fc.double({ min: 0, max: 1, noNaN: true }), (size, part) => {
        let offset = Math.floor(size * part);
        while (offset < size) {
          const { start, end } = nextChunk(offset, size);
          expect(start).toBe(offset);
          expect(end - start).toBeGreaterThan(0);
          expect(end - start).toBeLessThanOrEqual(CHUNK_BYTES);
          offset = end;
        }
        expect(offset).toBe(size);
      }),
    );
  });

  it('stay within the file, whatever offset the server returns', () => {
    expect(nextChunk(-5, 10)).toEqual({ start: 0, end: 10 });
    expect(nextChunk(50, 10)).toEqual({ start: 10, end: 10 });
  });
});

describe('the delay before another attempt', () => {
  it('increases after each failure, up to half a minute', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 100].map(delayAfter)).toEqual([1, 2, 5, 10, 20, 30, 30, 30]);
  });

  it('applies to temporary failures only', () => {
    expect([0, 408, 429, 500, 502, 503, 504].every(isTemporary)).toBe(true);
    expect([400, 401, 403, 404, 409, 412, 413, 507].some(isTemporary)).toBe(false);
  });

  it('is null after the fifth conflict, which ends the attempts', () => {
    expect([1, 2, 3, 4, 5].map(delayAfterConflict)).toEqual([1, 2, 5, 10, null]);
  });
});

describe('files refused by the page', () => {
  const limits = { maxBytes: 100, types: ['jpg', 'png'] };

  it.each([
    ['a.jpg', 100, null],
    ['A.JPG', 1, null],
    ['a.jpg', 101, 'tooLarge'],
    ['a.txt', 1, 'wrongType'],
    ['jpg', 1, 'wrongType'],
  ])('%s of %i bytes: %s', (name, size, refusal) => {
    expect(refusalOf({ name, size }, limits)).toBe(refusal);
  });

  it('are none without limits', () => {
    expect(refusalOf({ name: 'a', size: Number.MAX_SAFE_INTEGER }, { maxBytes: 0, types: [] })).toBeNull();
  });

  it('are checked against lists as people write them', () => {
    expect(parseTypes(' jpg, .PNG,*.tif ,,')).toEqual(['jpg', 'png', 'tif']);
    expect(parseTypes('')).toEqual([]);
  });
});

describe('a reply', () => {
  it.each([
    [{ offset: 5 }, { offset: 5, isComplete: false }],
    [{ offset: 0 }, { offset: 0, isComplete: false }],
    [
      { offset: 5, isStored: true },
      { offset: 0, isComplete: true },
    ],
    [{ sent: 'a.txt' }, { offset: 0, isComplete: true }],
    [{ path: '/ROOT/HOME/a.txt' }, { offset: 0, isComplete: true }],
    [undefined, { offset: 0, isComplete: true }],
  ])('%o is read as %o', (data, reply) => expect(readReply(data)).toEqual(reply));
});

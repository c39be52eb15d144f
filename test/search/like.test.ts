import { describe, expect, it } from 'vitest';
import { exactPattern, fitsLike, likePattern } from '../../dist/server/search/like.js';

describe('a pattern of LIKE', () => {
  it.each([
    ['%plum%', 'a plum b', true],
    ['%plum%', 'plum', true],
    ['%plum%', 'plam', false],
    ['image/%', 'image/png', true],
    ['image/%', 'video/image/', false],
    ['%.txt', 'a.txt', true],
    ['%.txt', 'a.txt.b', false],
    ['a_c', 'abc', true],
    ['a_c', 'ac', false],
    ['a_c', 'a😀c', true],
    ['100\\%', '100%', true],
    ['100\\%', '1000', false],
    ['a\\\\b', 'a\\b', true],
    ['a*b?', 'a*b?', true],
    ['a*b?', 'axbx', false],
    ['%a%b%', 'xbxa', false],
    ['%ab', 'aab', true],
    ['', '', true],
    ['', 'a', false],
    ['%', '', true],
    ['%%', 'a', true],
    ['a\\', 'a', true],
  ])('%s on "%s": %s', (pattern, text, expected) => {
    const parsed = likePattern(pattern);
    expect(fitsLike(parsed, text)).toBe(expected);
    if (expected) expect(text).toContain(parsed.run);
    if (parsed.isRun) expect(text.includes(parsed.run)).toBe(expected);
  });

  it('returns the text that every match contains', () => {
    expect(likePattern('%plum%')).toMatchObject({ run: 'plum', isRun: true });
    expect(likePattern('plum%')).toMatchObject({ run: 'plum', isRun: false });
    expect(likePattern('%a%bcd_e%')).toMatchObject({ run: 'bcd', isRun: false });
    expect(exactPattern('a%_')).toMatchObject({ run: 'a%_', isRun: false });
    expect(fitsLike(exactPattern('a%_'), 'a%_')).toBe(true);
    expect(fitsLike(exactPattern('a%_'), 'abc')).toBe(false);
  });

  it('needs no more time with many wildcards', () => {
    expect(fitsLike(likePattern(`${'%a'.repeat(400)}%b`), 'a'.repeat(255))).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { differencesOf } from '../../../dist/server/web/files/versions/text-differences.js';

/** Rows as text: what differs is in brackets. */
function drawn(before: string, after: string): string[] | null {
  const rows = differencesOf(before, after);
  return (
    rows?.map(({ isEqual, before: old, after: fresh }) => {
      const side = (line: typeof old) =>
        line === null
          ? '-'
          : `${line.number} ${line.parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('')}`;
      return `${side(old)} ${isEqual ? '=' : '|'} ${side(fresh)}`;
    }) ?? null
  );
}

describe('the differences of two texts', () => {
  it('are lines beside each other, with the words that changed', () => {
    expect(drawn('a\nMakes seven jars\nb\n', 'a\nMakes nine jars\nb\n')).toEqual([
      '1 a = 1 a',
      '2 Makes [seven] jars | 2 Makes [nine] jars',
      '3 b = 3 b',
    ]);
  });

  it('number each side on its own where lines are added or removed', () => {
    expect(drawn('a\nb\n', 'a\nnew\nb\n')).toEqual(['1 a = 1 a', '- | 2 [new]', '2 b = 3 b']);
    expect(drawn('a\nold\nb\n', 'a\nb\n')).toEqual(['1 a = 1 a', '2 [old] | -', '3 b = 2 b']);
  });

  it('ignore line endings, and a missing one at the end', () => {
    expect(drawn('a\r\nb', 'a\nb\n')).toEqual(['1 a = 1 a', '2 b = 2 b']);
    expect(drawn('', '')).toEqual([]);
    expect(drawn('', 'a')).toEqual(['- | 1 [a]']);
  });

  it('are searched for with a limit', () => {
    const lines = (word: string) => Array.from({ length: 4_000 }, (_, line) => `${word} ${line}`).join('\n');
    expect(drawn(lines('a'), lines('b'))).toBeNull();
  });
});

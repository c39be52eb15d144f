import { describe, expect, it } from 'vitest';
import { matchingParts } from '../../../dist/server/lib/text/matching-parts.js';
import { passageIn } from '../../../dist/server/lib/text/passage.js';

/** The parts as one text, matches in brackets. */
const marked = (parts: readonly { text: string; isMatch: boolean }[] | null) =>
  parts === null ? null : parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('');

describe('the matching parts of a text', () => {
  it.each([
    ['Plum jam.md', ['plum'], '[Plum] jam.md'],
    ['plum, Plum and PLUMS', ['plum'], '[plum], [Plum] and [PLUM]S'],
    ['Été à la mer', ['ete'], '[Été] à la mer'],
    ['Ete\u0301 1', ['ete'], '[Ete\u0301] 1'],
    ['Straße 5', ['strasse'], '[Straße] 5'],
    ['東京の天気', ['京', 'の'], '東[京の]天気'],
    ['👩‍👩‍👧 family', ['family'], '👩‍👩‍👧 [family]'],
    ['not so\u00adfort, so\u200bfort', ['sofort'], 'not [so\u00adfort], [so\u200bfort]'],
    ['abcabc', ['abc', 'bca'], '[abcabc]'],
    ['nothing', ['else'], 'nothing'],
    ['', ['a'], ''],
    ['a', [''], 'a'],
  ])('%s', (text, words, expected) => {
    const parts = matchingParts(text, words);
    expect(marked(parts)).toBe(expected);
    expect(parts.map((part) => part.text).join('')).toBe(text);
  });
});

describe('the passage of a text', () => {
  const filler = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

  it('is the first place with most of the words', () => {
    const text = `${filler(400)} a plum alone ${filler(400)} sugar and\n\n a plum together ${filler(400)} plum sugar`;
    const passage = marked(passageIn(text, ['plum', 'sugar']));
    expect(passage).toMatch(/^… .*\[sugar\] and a \[plum\] together .* …$/);
  });

  it('begins and ends with the text if its edges are near', () => {
    expect(marked(passageIn('One plum\n and no more', ['plum']))).toBe('One [plum] and no more');
    expect(marked(passageIn(`${filler(100)} plum`, ['plum']))).toMatch(/^… [\w ]{20,60} \[plum\]$/);
  });

  it('prefers the beginning of a word, except in scripts without spaces', () => {
    const text = `aplumb ${filler(200)} plums`;
    expect(marked(passageIn(text, ['plum']))).toMatch(/\[plum\]s$/);
    expect(marked(passageIn('今日は東京の天気', ['京']))).toBe('今日は東[京]の天気');
  });

  it('is about a line long, also in a text without spaces', () => {
    const length = (marked(passageIn(`x plum${'z'.repeat(5_000)}`, ['plum'])) ?? '').length;
    expect(length).toBeLessThan(300);
    expect((marked(passageIn(`${filler(300)} plum ${filler(300)}`, ['plum'])) ?? '').length).toBeLessThan(240);
  });

  it('is null without a match', () => {
    expect(passageIn(filler(300), ['plum'])).toBeNull();
    expect(passageIn('', ['plum'])).toBeNull();
    expect(passageIn('plum', [])).toBeNull();
  });
});

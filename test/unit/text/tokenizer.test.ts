import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_WORD_LENGTH, tokenize } from '../../../dist/server/lib/text/tokenizer.js';
import { phrasesOf } from '../../../dist/server/search/contents.js';

describe('the words of a text', () => {
  it.each([
    ['Hello, World!', 'hello world'],
    ["it's foo-bar: a.b@c.de (x_1)", 'it s foo bar a b c de x 1'],
    ['Größe STRASSE Straße', 'grosse strasse strasse'],
    ['Élève élève', 'eleve eleve'],
    ['Ⅳ ﬁn ＡＢＣ ½', 'iv fin abc 1 2'],
    ['ΟΔΟΣ οδος', 'οδοσ οδοσ'],
    ['Ёлка й', 'елка и'],
    ['so\u00adfort a\u200db', 'sofort ab'],
    ['so\u200bfort ภาษา\u200bไทย', 'sofort ภ า ษ า ไ ท ย'],
    ['北京大学 2026年', '北 京 大 学 2026 年'],
    ['東京タワー', '東 京 タ ワ ー'],
    ['ภาษาไทย', 'ภ า ษ า ไ ท ย'],
    ['हिन्दी भाषा', 'हिन्दी भाषा'],
    ['كِتَابٌ كتاب', 'كتاب كتاب'],
    ['שָׁלוֹם שלום', 'שלום שלום'],
    ['전기 요금', '전기 요금'],
    ['😀 – … \ud800 €', ''],
  ])('of %s are %s', (text, words) => {
    expect(tokenize(text).join(' ').normalize('NFC')).toBe(words.normalize('NFC'));
  });

  it('are cut at a maximum length', () => {
    expect(tokenize('a'.repeat(10_000))).toEqual(['a'.repeat(MAX_WORD_LENGTH)]);
    expect(tokenize('𝒳'.repeat(10_000)).every((word) => word.isWellFormed())).toBe(true);
  });

  it('are none for a text without words', () => {
    expect(tokenize('\u064b')).toEqual([]);
    expect(tokenize('\u0645 \u064b \u00ad')).toEqual(['\u0645']);
  });

  const anyText = fc.string({ unit: 'binary', maxLength: 200 });

  it('do not change when they are divided again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const words = tokenize(text);
        expect(tokenize(words.join(' '))).toEqual(words);
        expect(words.join('')).toMatch(/^[\p{L}\p{N}\p{M}]*$/u);
      }),
      { numRuns: 2_000 },
    );
  });

  it('do not depend on what surrounds the text', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(tokenize(`${one} , ${other}`)).toEqual([...tokenize(one), ...tokenize(other)]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the words of a query', () => {
  it('are separated by spaces, without repetitions, and stay together around punctuation', () => {
    expect(phrasesOf(" foo-bar  it's\u3000北京 foo  Foo ")).toEqual([
      ['foo', 'bar'],
      ['it', 's'],
      ['北', '京'],
      ['foo'],
    ]);
    expect(phrasesOf('" * ( ) - ^')).toEqual([]);
  });

  it('are limited in number', () => {
    expect(phrasesOf(Array.from({ length: 10_000 }, (_, index) => `w${index}`).join(' '))).toHaveLength(32);
    expect(phrasesOf('北'.repeat(10_000))[0]).toHaveLength(128);
    expect(phrasesOf('a'.repeat(10_000))).toEqual([['a'.repeat(64)]]);
  });
});

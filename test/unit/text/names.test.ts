import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldName,
  isReachable,
  nameSortKey,
  newNameProblem,
  searchFold,
} from '../../../dist/server/lib/names/names.js';
import { numberedName } from '../../../dist/server/lib/names/numbered-name.js';

describe('names of new files and folders', () => {
  it.each([
    'a',
    'Holiday photo.JPG',
    '.hidden',
    '...a',
    'été',
    '写真',
    '😀.png',
    "it's 100 % & more; (1) [2] {3} #4 + $5 ~",
    ' leading space',
    'console',
    'icon',
    'falcon.txt',
    'com.txt',
    'nulls',
    'a'.repeat(255),
    'é'.repeat(127),
  ])('may be %s', (name) => expect(newNameProblem(name)).toBeNull());

  it.each([
    '',
    '.',
    '..',
    'a/b',
    'a\\b',
    'a:b',
    'a*',
    'a?',
    '"a"',
    '<a',
    'a>',
    'a|b',
    'a\0b',
    'a\nb',
    'a\u001fb',
    'a\u007f',
    'a.',
    'a ',
    'a. .',
    '\ud800',
    'a\udc00b',
    'CON',
    'con.txt',
    'Aux',
    'nul.tar.gz',
    'PRN',
    'com1',
    'COM\u00b9.txt',
    'lpt9',
    'conin$',
    'CONOUT$',
    // Windows strips this space, which our rules allow.
    'con\u00a0',
    'a'.repeat(256),
    'é'.repeat(128),
  ])('may not be %j', (name) => expect(newNameProblem(name)).not.toBeNull());

  it.each([
    ['', 'empty'],
    ['.', 'reference'],
    ['..', 'reference'],
    ['a.', 'ending'],
    ['con', 'device'],
    ['\ud800', 'encoding'],
    ['a'.repeat(256), 'length'],
  ])('%j is refused with the right reason', (name, problem) => expect(newNameProblem(name)).toBe(problem));

  it('can be reached if they are valid', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        fc.pre(newNameProblem(name) === null);
        expect(isReachable(name)).toBe(true);
        expect(name).not.toContain('/');
      }),
    );
  });

  it.each(['con', 'a:b', 'a ', 'a.', '...', 'a\nb', 'a'.repeat(300)])(
    'can be reached on the disk although they cannot be created: %j',
    (name) => expect(isReachable(name)).toBe(true),
  );
  it.each(['', '.', '..', 'a\0', '\ud800'])('cannot be reached: %j', (name) => expect(isReachable(name)).toBe(false));
});

describe('names that are equal on some disks', () => {
  it.each([
    ['a', 'A'],
    ['Été', 'été'],
    ['été'.normalize('NFC'), 'ÉTÉ'.normalize('NFD')],
    ['Straße', 'STRAßE'],
    ['\u212b', '\u00e5'],
    // In small letters they are one character of Unicode, in capitals two.
    ['H\u0331', '\u1e96'],
    ['J\u030c', '\u01f0'],
    ['T\u0308', '\u1e97'],
    // In small letters the dot comes behind the mark below.
    ['\u0130\u0331', 'i\u0331\u0307'],
  ])('%s and %s fold alike', (a, b) => expect(foldName(a)).toBe(foldName(b)));

  it.each([
    ['a', 'b'],
    ['ete', 'été'],
    ['a', 'a '],
    ['file1', 'file01'],
    ['straße', 'strasse'],
  ])('%s and %s do not fold alike', (a, b) => expect(foldName(a)).not.toBe(foldName(b)));

  it('fold to themselves, and alike in both Unicode forms', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (name) => {
        expect(foldName(foldName(name))).toBe(foldName(name));
        expect(foldName(name.normalize('NFD'))).toBe(foldName(name.normalize('NFC')));
      }),
      { numRuns: 2_000 },
    );
  });
});

it('folds to lower case, as stored in the database', () => {
  expect([foldName('A b.TXT'), foldName('ÉTÉ')]).toEqual(['a b.txt', 'été']);
});

describe('the search form of a name', () => {
  it.each([
    ['Plain.TXT', 'plain.txt'],
    ['Été', 'ete'],
    ['ÉTÉ'.normalize('NFD'), 'ete'],
    ['ﬁle １２', 'file 12'],
    ['Straße', 'strasse'],
    ['Ærø', 'aero'],
    ['œuvre', 'oeuvre'],
    ['Łódź', 'lodz'],
    ['Đorđe', 'dorde'],
    ['Ísafjörður', 'isafjordur'],
    ['Þór', 'thor'],
    ['Ħal', 'hal'],
    ['Isparta ılık', 'isparta ilik'],
    ['Όμηρος', 'ομηροσ'],
    ['İzmir', 'izmir'],
    // A vowel sign is not an accent.
    ['कि', 'कि'],
    ['한글', '한글'],
    ['That’s All', "that's all"],
    ['That´s ʻAll‘', "that's 'all'"],
    ['„Haus“ – Hof', '"haus" - hof'],
    ['so\u00adfort', 'sofort'],
    ['so\u200bfort', 'sofort'],
    ['می\u200cخواهم', 'ميخواهم'],
    ['葛\u{e0100}城', '葛城'],
    ['«eins» ‹zwei› ‚drei', "\"eins\" 'zwei' 'drei"],
    ['19″ ٢٠٢٤ ۲۰۲۴', '19" 2024 2024'],
    ['بیت\u05be\u06df کتاب ٱلله', 'بيت- كتاب الله'],
    ['foo\u2061bar', 'foobar'],
    ['ꞌOkina 〜', "'okina ~"],
    ['كِتَابٌ', 'كتاب'],
    ['שָׁלוֹם צה״ל', 'שלום צה"ל'],
    ['\u200eFoto\ufe0f', 'foto'],
    ['\u200d', '\u200d'],
  ])('of %s is %s', (name, folded) => expect(searchFold(name)).toBe(folded));
});

describe('natural order', () => {
  it.each([
    [
      ['file10', 'file2', 'File1'],
      ['File1', 'file2', 'file10'],
    ],
    [
      ['b', 'A', 'c', 'B'],
      ['A', 'b', 'B', 'c'],
    ],
    [
      ['été', 'eta', 'etz'],
      ['eta', 'été', 'etz'],
    ],
    [
      ['1.10', '1.9', '1.2.3'],
      ['1.2.3', '1.9', '1.10'],
    ],
    [
      ['img007', 'img06', 'img8'],
      ['img06', 'img007', 'img8'],
    ],
    [
      ['a1b10', 'a1b9', 'a01b8'],
      ['a01b8', 'a1b9', 'a1b10'],
    ],
    [
      ['20240101', '3'],
      ['3', '20240101'],
    ],
    [
      ['a', '9', '10'],
      ['9', '10', 'a'],
    ],
    // Between upper and lower case.
    [
      ['aB', 'a_'],
      ['a_', 'aB'],
    ],
  ])('of %j is %j', (names, sorted) => {
    const key = (name: string) => nameSortKey(name);
    expect([...names].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))).toEqual(sorted);
  });

  it('compares numbers of any length by their value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 60n }), fc.bigInt({ min: 0n, max: 10n ** 60n }), (a, b) => {
        expect(nameSortKey(`x${a}`) < nameSortKey(`x${b}`)).toBe(a < b);
        expect(nameSortKey(`x000${a}`)).toBe(nameSortKey(`x${a}`));
      }),
    );
  });
});

describe('a name with a number', () => {
  it('has it before the extension, or at the end without one', () => {
    expect(numberedName('a.txt', 1, false)).toBe('a.txt');
    expect(numberedName('a.txt', 2, false)).toBe('a (2).txt');
    expect(numberedName('v1.2', 3, true)).toBe('v1.2 (3)');
    expect(numberedName('.hidden', 2, false)).toBe('.hidden (2)');
  });

  it('never exceeds the maximum length', () => {
    for (const name of [
      'x'.repeat(255),
      `a.${'b'.repeat(253)}`,
      `${'ä'.repeat(125)}.txt`,
      '😀'.repeat(63),
      `.${'b'.repeat(254)}`,
    ]) {
      for (const isFolder of [true, false]) {
        const numbered = numberedName(name, 999, isFolder);
        expect(Buffer.byteLength(numbered)).toBeLessThanOrEqual(255);
        expect(newNameProblem(numbered)).toBeNull();
        expect(numbered).toContain(' (999)');
      }
    }
  });
});

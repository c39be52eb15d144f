import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertItem, rootId } from '../../dist/server/catalogue/items.js';
import { tokenize } from '../../dist/server/lib/text/tokenizer.js';
import { readingStates } from '../../dist/server/media/reading-states.js';
import { storeWords } from '../../dist/server/media/text/text-index.js';
import { phrasesOf, searchContents } from '../../dist/server/search/contents.js';
import { itInFull } from '../support/forms.ts';
import { openTextHousehold, type TextHousehold } from '../support/households/text-household.ts';

let house: TextHousehold;
beforeAll(async () => {
  house = await openTextHousehold();
});
afterAll(() => house.close());

let homes = 0;

/** A home with texts in the index, by the names of their files. */
async function homeWith(texts: Readonly<Record<string, string>>): Promise<string> {
  const homeId = `home-${++homes}`;
  await house.addHome(homeId);
  await house.database.write(async (tx) => {
    const parent = await rootId(tx, homeId, '');
    for (const name of Object.keys(texts)) {
      const entry = { isDir: false, size: 1, mtime: 0, created: 0, touched: 0, identity: name };
      await insertItem(tx, homeId, parent, { ...entry, name: `${name}.txt` });
    }
  });
  const states = readingStates('text_states');
  const waiting = await states.waiting(house.database, [homeId], 1_000);
  await house.database.write(async (tx) => {
    for (const text of waiting) {
      const words = tokenize(texts[text.name.slice(0, -4)] ?? '').join(' ');
      await states.settle(tx, [{ file: text, state: 'indexed' }]);
      await storeWords(tx, [{ itemId: text.id, found: words }]);
    }
  });
  return homeId;
}

/** The names without their extension, the best first. */
const search = async (homeId: string, text: string, limit = 1_000) =>
  (await house.search(text, { homeId, limit })).map((name) => name.slice(0, -4));

describe('contents', () => {
  it('are found by all words, full matches before prefixes', async () => {
    const home = await homeWith({
      whole: 'the word of the day, and quite some other text around it that makes it long',
      begun: 'words words words',
      both: 'day words',
      none: 'sword, byword',
    });
    expect(await search(home, 'word')).toEqual(['whole', expect.anything(), expect.anything()]);
    expect((await search(home, 'wor')).sort()).toEqual(['begun', 'both', 'whole']);
    expect(await search(home, 'word day')).toEqual(['whole', 'both']);
    expect(await search(home, 'word missing')).toEqual([]);
    expect(await search(home, 'ord')).toEqual([]);
  });

  it('are ranked by relevance', async () => {
    const filler = 'something else that fills the page '.repeat(20);
    const home = await homeWith({
      little: `${filler} invoice ${filler}`,
      much: 'invoice invoice invoice',
      none: filler,
    });
    expect(await search(home, 'invoice')).toEqual(['much', 'little']);
  });

  it('are found regardless of case, accents, composition and width', async () => {
    const home = await homeWith({ a: 'Größe Élève', b: 'GROSSE e\u0301le\u0300ve ＡＢＣ' });
    for (const query of ['grosse', 'GRÖSSE', 'Größe', 'eleve', 'ÉLÈVE', 'e\u0301leve']) {
      expect((await search(home, query)).sort(), query).toEqual(['a', 'b']);
    }
    expect(await search(home, 'abc')).toEqual(['b']);
  });

  it('of scripts without spaces are found by any part', async () => {
    const home = await homeWith({ zh: '我们明天去北京大学。', ja: '東京都の電気料金', th: 'ใบแจ้งหนี้ค่าไฟฟ้า' });
    expect(await search(home, '北京')).toEqual(['zh']);
    expect(await search(home, '大学')).toEqual(['zh']);
    expect(await search(home, '学大')).toEqual([]);
    expect(await search(home, '電気料金')).toEqual(['ja']);
    expect(await search(home, 'ไฟฟ้า')).toEqual(['th']);
  });

  it('with punctuation in a word are found by its parts in order', async () => {
    const home = await homeWith({ a: 'foo-bar, it\u2019s a.b@c.de', b: 'bar foo s it b a de c' });
    for (const query of ['foo-bar', "it's", 'a.b@c.de', 'foo_bar', 'foo-ba', '"foo bar"-']) {
      expect(await search(home, query), query).toContain('a');
    }
    expect(await search(home, 'foo-bar')).toEqual(['a']);
    expect((await search(home, 'foo bar')).sort()).toEqual(['a', 'b']);
  });

  it('of other homes and of missing items are not found', async () => {
    const mine = await homeWith({ mine: 'secret' });
    const other = await homeWith({ theirs: 'secret' });
    expect(await search(mine, 'secret')).toEqual(['mine']);
    await house.database.write((tx) => tx.run('UPDATE items SET missing_since = 1 WHERE home_id = ?', [other]));
    expect(await search(other, 'secret')).toEqual([]);
  });

  it('are limited to the requested number, and it is reported if there are more', async () => {
    const home = await homeWith(
      Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`n${index}`, index < 4 ? 'many' : 'manyfold'])),
    );
    for (const limit of [1, 3, 4, 5, 8]) {
      const { ids, isCut } = await searchContents(house.database, home, 'many', limit);
      expect([ids.length, new Set(ids).size, isCut]).toEqual([limit, limit, true]);
    }
    const all = await searchContents(house.database, home, 'many', 9);
    expect([new Set(all.ids).size, all.isCut]).toEqual([9, false]);
  });
});

describe('a query', () => {
  const ODD = [
    '"',
    '""',
    '*',
    'a*',
    '*a',
    '-',
    '-foo',
    'foo -',
    '^foo',
    'foo^',
    '(',
    'foo)',
    'foo OR',
    'OR',
    'AND NOT',
    'NEAR(a b)',
    'NEAR',
    'NOT foo',
    'words:foo',
    'rowid:1',
    '{words}: foo',
    'a + b',
    "'",
    "';--",
    '\\',
    '\0',
    'a\0b',
    '%',
    '_',
    '\ud800',
    '\u{10ffff}',
    ' ',
    '',
    'a',
    '北',
    '+',
    ',',
    '.',
    'rank',
    'texts',
    'foo"bar',
    '"foo',
    '\n',
    '*'.repeat(50),
    '"'.repeat(51),
    'x'.repeat(10_000),
    'x '.repeat(10_000),
    'x"*'.repeat(10_000),
    '('.repeat(10_000),
  ];

  it.each(ODD)('is never interpreted as syntax: %j', async (query) => {
    const home = await homeWith({ other: 'zzz', foo: 'foo bar or and not near words' });
    const found = await search(home, query);
    if (phrasesOf(query).length === 0) expect(found).toEqual([]);
    expect(found).not.toContain('other');
  });

  itInFull('of any kind finds exactly the contents with its words', async () => {
    const word = fc.constantFrom(
      'foo',
      'foot',
      'bar',
      'or',
      'and',
      'not',
      'near',
      'größe',
      '北京',
      '京',
      'ไทย',
      'हिन्दी',
      'a',
      'ab',
      '1',
      '12',
      '𝒳',
      'ⅳ',
    );
    const glue = fc.constantFrom(
      ' ',
      '  ',
      '-',
      '.',
      "'",
      '"',
      '*',
      ' OR ',
      ' "',
      '" ',
      '(',
      ')',
      ' -',
      ':',
      '^',
      '+',
      ' NOT ',
      '\n',
    );
    const text = fc
      .array(fc.oneof(word, glue, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 12 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), text, async (texts, query) => {
        const home = await homeWith(Object.fromEntries(texts.map((one, index) => [`t${index}`, one])));
        const expected = texts.flatMap((one, index) => (has(one, query) ? [`t${index}`] : []));
        expect((await search(home, query)).sort()).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

/** What is written above `searchContents`, in the plainest way. */
function has(text: string, query: string): boolean {
  const words = tokenize(text);
  const phrases = phrasesOf(query);
  return phrases.length > 0 && phrases.every((phrase) => words.some((_, start) => standsAt(words, start, phrase)));
}

function standsAt(words: readonly string[], start: number, phrase: readonly string[]): boolean {
  return phrase.every((wanted, index) => {
    const word = words[start + index] ?? '';
    return word === wanted || (index === phrase.length - 1 && wanted.length > 1 && word.startsWith(wanted));
  });
}

import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  hashPassword,
  passwordParameters,
  passwordProblem,
  verifyPassword,
} from '../../../dist/server/accounts/passwords/passwords.js';
import { foldUsername, usernameProblem } from '../../../dist/server/accounts/usernames.js';

describe('user names (§2.8)', () => {
  it.each([
    'ann',
    'Ann Smith',
    'ann.smith',
    'ann_smith-2',
    'ann@home.example',
    'Zoë',
    'Zoë'.normalize('NFD'),
    'Ольга',
    '花子',
    'علي',
    'a',
    '@',
    '7',
    'console',
    'com',
    'com10',
    'lpt',
    'x'.repeat(64),
    '花'.repeat(64),
  ])('may be %s', (name) => expect(usernameProblem(name)).toBeNull());

  it.each([
    ['empty', ''],
    ['a space', ' '],
    ['a dot', '.'],
    ['two dots', '..'],
    ['a path upwards', '../ann'],
    ['a path', 'a/b'],
    ['a path of Windows', 'a\\b'],
    ['a drive', 'C:'],
    ['markup', '<b>ann</b>'],
    ['an entity', 'a&amp;b'],
    ['quotes', '"ann"'],
    ['an apostrophe', "o'neil"],
    ['a NUL', 'ann\0'],
    ['a line end', 'ann\nbob'],
    ['a tab', 'ann\tbob'],
    ['an escape', 'ann\u001b[31m'],
    ['a deletion', 'ann\u007f'],
    ['a space without width', 'ann\u200b'],
    ['text that runs backwards', 'ann\u202ebob'],
    ['a space of another kind', 'ann\u00a0bob'],
    ['an emoji', 'ann😀'],
    ['half a character', 'ann\ud800'],
    ['a percent sign', 'a%2fb'],
    ['a comma', 'a,b'],
    ['a plus', 'ann+mail@x.example'],
    ['a space before', ' ann'],
    ['a space behind', 'ann '],
    ['a dot before', '.ann'],
    ['a dot behind', 'ann.'],
    ['CON', 'CON'],
    ['nul', 'nul'],
    ['a device with an ending', 'aux.txt'],
    ['a numbered device', 'com1'],
    ['a device numbered above the line', 'COM\u00b9'],
    ['a device numbered above the line, LPT', 'lpt\u00b3'],
    ['65 characters', 'x'.repeat(65)],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['too many bytes', '𠀀'.repeat(60)],
  ])('may not be %s', (_what, name) => expect(usernameProblem(name)).toMatch(/^[A-Z].*\.$/));

  it('are compared without regard to case and Unicode form', () => {
    for (const [a, b] of [
      ['Ann', 'aNN'],
      ['Zoë', 'zoë'.normalize('NFD')],
      ['ann', 'ａｎｎ'],
      ['ÉVA', 'éva'],
    ] as const) {
      expect(foldUsername(a)).toBe(foldUsername(b));
    }
    // Letters that look alike, followed by a mark that combines with them.
    for (const name of ['\u0430\u0301', 'z\u043e\u0308', '\u03bf\u0301', 'ZO\u0308']) {
      expect(foldUsername(foldUsername(name))).toBe(foldUsername(name));
    }
    expect(foldUsername('\u0430\u0301')).toBe(foldUsername('\u00e1'));
    expect(foldUsername('ann')).not.toBe(foldUsername('anna'));
    expect(foldUsername('zoe')).not.toBe(foldUsername('zoë'));
  });

  it('can never be paths', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 70 }), (name) => {
        fc.pre(usernameProblem(name) === null);
        expect(name).not.toMatch(/[/\\:*?"<>|]|^\.\.?$/);
        expect(name).toBe(name.trim());
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('passwords', () => {
  it.each([
    ['ten characters', 'abcdefghik'],
    ['ten emoji', '😀😁😂🤣😃😄😅😆😉😊'],
    ['1,000 bytes', 'abcd'.repeat(250)],
    ['1,024 bytes', 'abcd'.repeat(256)],
    ['words', 'correct horse battery'],
    ['spaces at the edges', '  padded out  '],
    ['a NUL and a line end', 'long enough\0\n'],
  ])('may be %s', (_what, password) => expect(passwordProblem(password, 'ann', 10)).toBeNull());

  it.each([
    ['empty', ''],
    ['nine characters', 'abcdefghi'],
    ['three families, which are long only in bytes', '👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦'],
    ['1,025 bytes', `${'abcd'.repeat(256)}e`],
    ['a megabyte', 'abcd'.repeat(262_144)],
    ['a common one', 'password123'],
    ['a common one in capitals', 'PASSWORD123'],
    ['one character many times', 'aaaaaaaaaaaa'],
    ['two characters many times', 'abababababab'],
    ['the user name', 'Ann.Of.Green.Gables'],
  ])('may not be %s', (_what, password) => {
    expect(passwordProblem(password, 'ann.of.green.gables', 10)).toMatch(/^[A-Z].*\.$/);
  });

  it('are refused by their length, before any work on their characters', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    onTestFinished(() => normalize.mockRestore());
    expect(passwordProblem('é'.repeat(5_000_000), 'ann', 10)).toMatch(/^[A-Z].*\.$/);
    const lengths = normalize.mock.contexts.map((text) => String(text).length);
    expect(Math.max(0, ...lengths)).toBeLessThan(5_000);
  });

  it('are hashed with Argon2id, 19 MiB, two passes, and their own salt', async () => {
    const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(passwordParameters(false)).toEqual({ algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    const { memoryCost, timeCost } = passwordParameters(process.env.LARDER_CHEAP_PASSWORDS === '1');
    expect(first.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$`)).toBe(true);
    expect(second).not.toBe(first);
  });

  it('are verified in either Unicode form, and never without a hash', async () => {
    const stored = await hashPassword('pässwörter 😀');
    expect(await verifyPassword('pässwörter 😀'.normalize('NFD'), stored)).toBe(true);
    expect(await verifyPassword('pässwörter 😀 ', stored)).toBe(false);
    expect(await verifyPassword('Pässwörter 😀', stored)).toBe(false);
    expect(await verifyPassword('', stored)).toBe(false);
    expect(await verifyPassword('anything at all', null)).toBe(false);
    expect(await verifyPassword('anything at all', 'not a hash')).toBe(false);
  });
});

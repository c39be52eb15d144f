import { readdir, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldUsername } from '../../../dist/server/accounts/usernames.js';
import { normalized } from '../../../dist/server/lib/names/normalized.js';

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

it('equals the normalization of JavaScript for ordinary texts', () => {
  const letters = fc.constantFrom('a', 'é', 'e\u0301', 'ﬁ', 'Å', '한', '\u1100\u1161', 'ệ', '👨‍👩‍👧', ' ');
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 600 }), fc.constantFrom(...FORMS), (parts, form) => {
      expect(normalized(parts.join(''), form)).toBe(parts.join('').normalize(form));
    }),
  );
});

it('splits long runs of combining marks, which take quadratic time to sort', () => {
  const run = `a${'\u0345'.repeat(5_000)}${'\u0334'.repeat(5_000)}`;
  for (const form of FORMS) {
    const text = normalized(run, form);
    expect(/\p{M}{32}/u.test(text.replaceAll('\u034f', ' '))).toBe(false);
    expect(text.replaceAll('\u034f', '').length).toBeGreaterThanOrEqual(10_000);
  }
  // A million of them would take more than an hour: the test would never end.
  expect(normalized(`a${'\u0345'.repeat(500_000)}${'\u0334'.repeat(500_000)}`, 'NFC').length).toBeGreaterThan(
    1_000_000,
  );
});

it('never changes names of files, which are too short for it', () => {
  const name = `a${'\u0301'.repeat(127)}`;
  expect(normalized(name, 'NFC')).toBe(name.normalize('NFC'));
  const longest = `a${'\u0301'.repeat(299)}`;
  expect(normalized(longest, 'NFC')).toBe(longest.normalize('NFC'));
});

it('keeps as many marks per letter as any language uses, also in long texts', () => {
  const text = `${'x'.repeat(300)}a${'\u0316\u0301'.repeat(15)}b`;
  expect(normalized(text, 'NFC')).toBe(text.normalize('NFC'));
});

it('is the only way in which the server normalizes', async () => {
  const folder = new URL('../../../server/', import.meta.url);
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.ts') || name === 'lib/names/normalized.ts') continue;
    if ((await readFile(new URL(name, folder), 'utf8')).includes('.normalize(')) found.push(name);
  }
  expect(found).toEqual([]);
});

it('is not applied to impossible user names', () => {
  const long = '\ufdfa'.repeat(100_000);
  expect(foldUsername(long).length).toBeLessThan(100);
  expect(foldUsername(long)).toBe(foldUsername(long));
  expect(foldUsername(`${long}x`)).not.toBe(foldUsername(long));
});

import { expect, it } from 'vitest';
import { uniqueNames } from '../../../dist/server/lib/names/numbered-name.js';

const file = (name: string) => ({ name, isFolder: false });

it('numbers names that are equal on some system', () => {
  expect(uniqueNames(['a.txt', 'A.TXT', 'a (2).txt', 'a.txt'].map(file))).toEqual([
    'a.txt',
    'A (2).TXT',
    'a (2) (2).txt',
    'a (3).txt',
  ]);
});

it('checks each number once, also for many names that differ in case only', () => {
  const letters = 'abcdefghijkl';
  const names = Array.from({ length: 4_096 }, (_, bits) =>
    [...letters].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  );
  // A quadratic algorithm would need eight million tries, longer than the time limit.
  const unique = uniqueNames(names.map(file));
  expect(new Set(unique.map((name) => name.toLowerCase())).size).toBe(names.length);
  expect(unique.at(-1)).toMatch(/ \(4096\)$/);
});

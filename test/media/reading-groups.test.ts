import { expect, it } from 'vitest';
import { groupsOf, type OpenWaiting } from '../../dist/server/media/read-waiting.js';

type Sized = readonly [name: string, size: number];

const grouped = (files: readonly Sized[]) =>
  groupsOf(
    { isLight: ({ name }: { name: string }) => name.startsWith('light') },
    files.map(([name, size]) => ({ file: { name, size } }) as unknown as OpenWaiting<string>),
  ).map((group) => group.map(({ file: { name } }) => name));

it('reads large files alone, and small ones together', () => {
  const files: Sized[] = [
    ['light 1', 10],
    ['heavy 1', 10],
    ['light 2', 10],
    ['heavy 2', 10],
  ];
  expect(grouped(files)).toEqual([['heavy 1'], ['heavy 2'], ['light 1', 'light 2']]);
});

it('limits a group by its files and its bytes', () => {
  const many = Array.from({ length: 70 }, (_, at): Sized => [`light ${at}`, 1]);
  expect(grouped(many).map(({ length }) => length)).toEqual([32, 32, 6]);
  const large = Array.from({ length: 5 }, (_, at): Sized => [`light ${at}`, 300 * 1_024]);
  expect(grouped(large).map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
  expect(grouped([])).toEqual([]);
});

import { expect, it } from 'vitest';
import { isNamedAsExport, missingParts } from '../../dist/server/imports/exports/missing-parts.js';

it.each([
  [['takeout-20240520T101010Z-001.zip', 'takeout-20240520T101010Z-003.zip'], ['takeout-20240520T101010Z-002.zip']],
  // Two exports: which parts are the last ones is not known.
  [['takeout-20240520T101010Z-1-001.zip', 'takeout-20240520T101010Z-2-001.ZIP'], []],
  [['takeout-20240520T101010Z-002 (1).zip'], ['takeout-20240520T101010Z-001.zip']],
  [
    ['iCloud Photos Part 2 of 4.zip', 'iCloud Photos Part 1 of 4 (1).zip'],
    ['iCloud Photos Part 3 of 4.zip', 'iCloud Photos Part 4 of 4.zip'],
  ],
  [['iCloud-bilder Del 1 av 2.zip'], ['iCloud-bilder Del 2 av 2.zip']],
  [['iCloud Photos Part 1 of 1.zip', 'iCloud Photos.zip', 'takeout.zip', 'Holidays 2024.zip', 'x-001.zip'], []],
])('of %j, %j are missing', (names, missing) => {
  expect(missingParts(names)).toEqual(missing);
});

it('recognizes the names of exports', () => {
  const names = ['takeout-1.zip', 'iCloud Photos.zip', 'Photos iCloud partie 2 sur 3.zip', 'Work.zip', 'takeout.txt'];
  expect(names.filter(isNamedAsExport)).toEqual(names.slice(0, 3));
});

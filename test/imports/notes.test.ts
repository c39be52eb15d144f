import { afterEach, beforeEach, expect, it } from 'vitest';
import { createImports, type ImportRecord, type Imports } from '../../dist/server/imports/imports.js';
import type { Note } from '../../dist/server/imports/reasons.js';
import { systemClock } from '../../dist/server/lib/clock.js';
import { PeopleOnDisk } from '../support/households/people-on-disk.ts';

let people: PeopleOnDisk;
let imports: Imports;
let record: ImportRecord;

beforeEach(async () => {
  people = await PeopleOnDisk.open();
  imports = createImports(people.disk.database.files, systemClock);
  record = await imports.add({
    ...{
      accountId: people.ann,
      target: ['ROOT', 'HOME', 'Photos'],
      channel: 'page',
      folderAlbums: false,
      folder: null,
    },
    archives: [],
  });
});
afterEach(() => people.close());

const many = (reason: Note['reason'], count: number) =>
  Array.from({ length: count }, (_, index): Note => ({ entry: `${reason} ${index}`, reason }));

it('what was left out is listed however much else there is to report', async () => {
  await imports.setPlan(record.id, 20_000, many('no_description', 12_000));
  const handled = many('damaged', 3).map((note, index) => ({
    ...{ key: { archive: 0, index }, outcome: 'left' as const, isUndated: false, inAlbums: 0 },
    notes: [note],
  }));
  await imports.finish(record.id, handled, async () => undefined);
  expect(await imports.leftOut(record.id, 2)).toEqual({ total: 3, entries: ['damaged 0', 'damaged 1'] });
  expect((await imports.notes(record.id, 0, 1)).total).toBe(10_003);
});

it('notes of one kind are limited', async () => {
  await imports.setPlan(record.id, 20_000, [...many('not_photo', 10_005), ...many('no_album', 10_005)]);
  expect((await imports.leftOut(record.id, 1)).total).toBe(10_000);
  expect((await imports.notes(record.id, 0, 1)).total).toBe(20_000);
});

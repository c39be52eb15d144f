import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { albumsOf, detailsOf, detailsRow, imported, JUNE, putArchives, storedIn } from './support.ts';

let household: Household;
let api: ApiClient;
let home = '';

beforeAll(async () => {
  household = await openHousehold();
  home = household.home;
  api = await household.signIn();
});
afterAll(() => household.close());

const content = (path: string) => readFile(join(home, path), 'utf8');

it('an import of a copy of iCloud Photos stores photos by year, with dates, favourites and albums', async () => {
  const photos = 'iCloud Photos Part 1 of 2/Photos';
  const paths = await putArchives(
    home,
    [
      { name: `${photos}/IMG_1.HEIC`, content: 'one' },
      { name: `${photos}/IMG_1.MOV`, content: 'its film' },
      { name: `${photos}/IMG_2.JPG`, content: 'two' },
      {
        name: `${photos}/Photo Details.csv`,
        content: detailsOf(
          detailsRow('IMG_1.HEIC', { year: 2019, isFavourite: true }),
          detailsRow('IMG_2.JPG', { year: 2020 }),
        ),
      },
      { name: 'iCloud Photos Part 1 of 2/Albums/At the lake.csv', content: 'imgName\nIMG_1.HEIC\nIMG_3.JPG\n' },
      { name: 'iCloud Photos Part 1 of 2/Albums/Best of.csv', content: 'imgName\nIMG_1.HEIC\n' },
    ],
    [
      // The name of another photo, in the same year.
      { name: 'iCloud Photos Part 2 of 2/Photos/IMG_2.JPG', content: 'another' },
      { name: 'iCloud Photos Part 2 of 2/Photos/IMG_3.JPG', content: 'three' },
      {
        name: 'iCloud Photos Part 2 of 2/Photos/Photo Details-1.csv',
        content: detailsOf(detailsRow('IMG_2.JPG', { year: 2020 }), detailsRow('IMG_3.JPG', { year: 2019 })),
      },
    ],
  );
  const { import: done, notes } = await imported(api, paths);
  expect(notes).toEqual([]);
  expect(done).toMatchObject({ total: 5, handled: 5, stored: 5, inAlbums: 3, undated: 0 });
  const numbered = (await storedIn(home, 'Photos/2020')).filter((path) => path !== 'Photos/2020/IMG_2.JPG');
  expect(numbered).toHaveLength(1);
  expect(await storedIn(home, 'Photos/2019')).toEqual(
    ['IMG_1.HEIC', 'IMG_1.MOV', 'IMG_3.JPG'].map((name) => `Photos/2019/${name}`),
  );
  expect([await content('Photos/2020/IMG_2.JPG'), await content(numbered[0] ?? '')]).toEqual(['two', 'another']);
  expect((await stat(join(home, 'Photos/2019/IMG_1.MOV'))).mtimeMs / 1_000).toBe(JUNE);
  expect(await albumsOf(api)).toEqual({
    Favourites: ['IMG_1.HEIC'],
    'At the lake': ['IMG_1.HEIC', 'IMG_3.JPG'],
    'Best of': ['IMG_1.HEIC'],
  });
});

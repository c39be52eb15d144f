import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { imported, photo, putArchives, storedIn, YEAR } from './support.ts';

let household: Household;
beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

it('photos of types that Larder does not know are stored once, whatever their names are', async () => {
  const api = await household.signIn();
  const first = await putArchives(household.home, [
    ...photo(`${YEAR}/IMG_0001`, 'without an ending', { title: 'IMG_0001' }),
    ...photo(`${YEAR}/film.odd`, 'an odd film', { title: 'film.odd' }),
    ...photo(`${YEAR}/film.3g2`, 'of a camcorder', { title: 'film.3g2' }),
  ]);
  expect((await imported(api, first)).import).toMatchObject({ total: 3, stored: 3, undated: 0 });
  const stored = ['IMG_0001', 'film.3g2', 'film.odd'].map((name) => `Photos/Photos from 2019/${name}`);
  expect(await storedIn(household.home, 'Photos')).toEqual(stored);
  const again = await putArchives(
    household.home,
    photo('Takeout/Google Photos/Photos from 2020/OTHER', 'without an ending', { title: 'OTHER' }),
  );
  expect((await imported(api, again)).import).toMatchObject({ total: 1, stored: 0, known: 1 });
  expect(await storedIn(household.home, 'Photos')).toEqual(stored);
});

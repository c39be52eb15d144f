import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, homeOf, signInAs } from '../support/households/member.ts';
import { rowsOf } from '../support/requests/activity.ts';
import { ended, photo, putArchives, start, YEAR } from './support.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
  await addMembersWithHomes(household, { mia: {}, tom: {} });
});
afterAll(() => household.close());

it('imports of several people take turns', async () => {
  // The log is where the order can be seen: each batch stores one file.
  const points = join(household.folder, 'points');
  await mkdir(points);
  await household.restart({ failPoints: `${points};imports.batch=pause` });
  const [mia, tom] = [await signInAs(household, 'mia'), await signInAs(household, 'tom')];
  const parts = ['a', 'b', 'c'].map((letter) => photo(`${YEAR}/${letter}.jpg`, letter));
  const ofMia = await putArchives(homeOf(household, 'mia'), ...parts);
  const ofTom = await putArchives(homeOf(household, 'tom'), photo(`${YEAR}/d.jpg`, 'd'));
  const stored = await rowsOf(household, async () => {
    const { import: long } = await start(mia, ofMia);
    // Her first archive is done.
    await expect.poll(() => existsSync(join(points, 'imports.batch.reached'))).toBe(true);
    const { import: short } = await start(tom, ofTom);
    household.clock.advance(30 * 60_000);
    await writeFile(join(points, 'imports.batch.go'), '');
    expect((await ended(tom, short)).import).toMatchObject({ state: 'done', stored: 1 });
    expect((await ended(mia, long)).import).toMatchObject({ state: 'done', handled: 3, stored: 3, known: 0 });
  });
  const order = stored.filter(({ kind }) => kind === 'file.created').map(({ username }) => username);
  expect(order).toEqual(['mia', 'tom', 'mia', 'mia']);
  await rm(points, { recursive: true });
});

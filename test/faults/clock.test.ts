import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, HOUR } from '../../dist/server/lib/clock.js';
import { itInFull } from '../support/forms.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { like } from '../support/server-texts.ts';

const YEAR = 365 * DAY;
const HOME = '/ROOT/HOME';

let household: Household;

beforeEach(async () => {
  household = await openHousehold();
  await household.control('settings.update', { versionDays: 30, trashDays: 30 });
});
afterEach(() => household.close());

const area = (name: string) => readdir(join(household.folder, '.larder', name));
const kept = async () => [(await area('versions')).length, (await area('trash')).length];
const maintenance = () => household.larder.maintenanceIfClockTrusted();
const notes = async () => ((await household.control('doctor')).notes as string[]).filter((text) => /clock/.test(text));

async function withHistory() {
  const api = await household.signIn();
  for (const content of ['first', 'second']) await api.put({ path: `${HOME}/a.txt` }, content);
  await api.put({ path: `${HOME}/b.txt` }, 'to be deleted');
  await api.post('files/delete', { path: `${HOME}/b.txt` });
  await maintenance();
  expect(await kept()).toEqual([1, 1]);
}

it.each([
  ['while it runs', async () => {}],
  ['between two starts', () => household.restart()],
])('a clock that jumps ahead by a year %s and back causes no loss', async (_name, between) => {
  await withHistory();
  household.clock.advance(YEAR);
  await between();
  await maintenance();
  household.clock.advance(20 * HOUR);
  await maintenance();
  expect(await kept()).toEqual([1, 1]);
  expect(await notes()).toEqual([expect.stringMatching(like('api.doctor.clockAhead'))]);
  expect(household.logged()).toContain('nothing is erased for its age');
  // Tokens are over by it; somebody who signs in gets one that is not.
  const again = await household.signIn();
  expect((await again.put({ path: `${HOME}/a.txt` }, 'third')).status).toBe(200);
  household.clock.advance(-YEAR - 20 * HOUR);
  await between();
  await maintenance();
  expect(await notes()).toEqual([]);
  expect(await kept()).toEqual([2, 1]);
  const home = await household.signIn();
  const { files } = (await home.get('files/browse', { path: HOME, 'details[]': ['version'] })).body.data;
  expect(files).toMatchObject([{ filename: 'a.txt', version: 3 }]);
  // A token of the year to come is one of today's as well: nobody has to sign in anew because of it.
  const later = household.api.with(again.token_ ?? '');
  expect((await later.get('files/browse', { path: HOME })).status).toBe(200);
  // From then on all goes by the right time.
  for (let day = 0; day < 31; day += 1) {
    household.clock.advance(DAY);
    await maintenance();
  }
  expect((await kept())[1]).toBe(0);
});

it('a clock that runs for a day after a jump is trusted', async () => {
  await withHistory();
  household.clock.advance(YEAR);
  await maintenance();
  household.clock.advance(DAY + HOUR);
  await maintenance();
  expect(await kept()).toEqual([0, 0]);
  expect(await notes()).toEqual([]);
});

it('a clock that jumps again in the meantime is not trusted', async () => {
  await withHistory();
  household.clock.advance(YEAR);
  await maintenance();
  household.clock.advance(YEAR);
  await maintenance();
  expect(await kept()).toEqual([1, 1]);
  household.clock.advance(20 * HOUR);
  await maintenance();
  expect(await kept()).toEqual([1, 1]);
  household.clock.advance(5 * HOUR);
  await maintenance();
  expect(await kept()).toEqual([0, 0]);
});

itInFull('the clock of a computer that runs once a fortnight is trusted every other time', async () => {
  await withHistory();
  for (let time = 0; time < 4; time += 1) {
    household.clock.advance(14 * DAY);
    await household.restart();
    await maintenance();
  }
  expect(await kept()).toEqual([0, 0]);
});

itInFull.each([
  ['there is no note of', (note: string) => rm(note)],
  ['the note cannot be read of', (note: string) => writeFile(note, 'torn')],
])('if %s the last check, the time of the last write is used', async (_name, spoil) => {
  await withHistory();
  await household.whileStopped(() => spoil(join(household.folder, '.larder', 'clock.json')));
  await maintenance();
  expect(await notes()).toEqual([]);
  await household.whileStopped(async () => {
    await spoil(join(household.folder, '.larder', 'clock.json'));
    household.clock.advance(YEAR);
  });
  // What is written by the wrong clock after the start does not speak for it.
  await (await household.signIn()).put({ path: `${HOME}/a.txt` }, 'third');
  await maintenance();
  expect((await kept())[1]).toBe(1);
  expect(await notes()).toHaveLength(1);
  household.clock.advance(DAY + HOUR);
  await maintenance();
  expect((await kept())[1]).toBe(0);
});

it('a failure to store the time of a check stops nothing, and the check counts', async () => {
  await withHistory();
  const note = join(household.folder, '.larder', 'clock.json');
  await rm(note);
  await mkdir(join(note, 'in the way'), { recursive: true });
  household.clock.advance(YEAR);
  await maintenance();
  expect(household.logged()).toContain('failed to store the time');
  expect(await kept()).toEqual([1, 1]);
  household.clock.advance(DAY + HOUR);
  await maintenance();
  expect(await kept()).toEqual([0, 0]);
});

it('a certificate that expires by a wrong clock is renewed, and again after the clock is corrected', async () => {
  const ends = async () => Date.parse(String((await household.control('status')).certificateEnds));
  const first = await ends();
  household.clock.advance(2 * YEAR);
  await household.restart();
  expect(await ends()).toBeGreaterThan(household.clock.now());
  household.clock.advance(-2 * YEAR);
  await household.restart();
  const api = await household.signIn();
  expect((await api.get('files/browse', { path: HOME })).status).toBe(200);
  expect(Math.abs((await ends()) - first)).toBeLessThan(DAY);
});

it('a delay of sign-in attempts does not last until the time of a wrong clock', async () => {
  const wrong = { ...OWNER, password: 'wrong' };
  const { clientId: client_id, clientSecret: client_secret } = household;
  const tries = async (who: typeof OWNER) =>
    (await household.api.token({ grant_type: 'password', ...who, scope: 'list', client_id, client_secret })).status;
  household.clock.advance(YEAR);
  for (let n = 0; n < 4; n += 1) await tries(wrong);
  expect(await tries(OWNER)).toBe(429);
  household.clock.advance(-YEAR);
  expect(await tries(OWNER)).toBe(429);
  household.clock.advance(HOUR);
  expect(await tries(OWNER)).toBe(200);
});

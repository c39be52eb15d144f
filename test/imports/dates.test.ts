import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';

import type { ApiClient } from '../support/requests/api-client.ts';
import { fixture } from '../workers/embedded-support.ts';
import { albumJson, HOME, imported, JUNE, LAKE, memberWithHome, photo, putArchives } from './support.ts';

/** Seconds. */
const HOUR = 3_600;
/** When the fixture says that it was taken: 6 May 2024, 07:08:09, two hours east of Greenwich. */
const IN_FILE = Date.UTC(2024, 4, 6, 5, 8, 9) / 1_000;
const IN_FILE_LOCAL = '2024-05-06T07:08:09';

let household: Household;
let api: ApiClient;
let home = '';
let next = 0;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

async function newMember(): Promise<void> {
  const name = `dated${++next}`;
  ({ api, home } = await memberWithHome(household, name));
}

const at = (seconds: number) => ({ photoTakenTime: { timestamp: String(seconds) } });
/** The clock of the household at a moment. */
const localOf = (seconds: number) => {
  const moment = new Date(seconds * 1_000);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
};

/** The local times of the photos of the only album, in its order. */
async function shownDates(): Promise<[name: string, taken: string][]> {
  const { albums } = (await api.get('albums/list')).body.data as { albums: { album: string; title: string }[] };
  const album = albums.find(({ title }) => title === 'Lake')?.album ?? '';
  const { files } = (await api.get('albums/items', { album })).body.data as {
    files: { filename: string; taken: string }[];
  };
  return files.map(({ filename, taken }) => [filename, taken]);
}

const detailsOf = async (path: string) => JSON.stringify((await api.get('files/metadata', { path })).body.data);
const LAKE_JSON = { name: `${LAKE}/metadata.json`, content: albumJson('Lake') };

describe('the date of a photo', () => {
  it('is that of the export if the file has another one, or none', async () => {
    await newMember();
    const dated = await fixture('pictures/camera.jpg');
    const paths = await putArchives(home, [
      LAKE_JSON,
      ...photo(`${LAKE}/wrong clock.jpg`, dated, at(JUNE)),
      ...photo(`${LAKE}/scan.jpg`, await fixture('pictures/plain.jpg'), at(JUNE - 30 * 365 * 24 * HOUR)),
      ...photo(`${LAKE}/film.mov`, await fixture('video/apple-keys.mov'), at(JUNE + HOUR)),
    ]);
    await imported(api, paths);
    const expected = [
      ['scan.jpg', localOf(JUNE - 30 * 365 * 24 * HOUR)],
      ['wrong clock.jpg', localOf(JUNE)],
      ['film.mov', localOf(JUNE + HOUR)],
    ];
    expect(await shownDates()).toEqual(expected);
    // Reading what is embedded changes nothing.
    const details = await detailsOf(`${HOME}/Photos/At the lake/wrong clock.jpg`);
    expect(details).toContain('2019-06-12T08:00:00Z');
    expect(details).not.toContain('2024-05-06');
    expect(details).toContain('Canon EOS R6');
    expect(await detailsOf(`${HOME}/Photos/At the lake/film.mov`)).toContain('2019-06-12T09:00:00Z');
    await detailsOf(`${HOME}/Photos/At the lake/scan.jpg`);
    expect(await shownDates()).toEqual(expected);
  });

  it('is that of the file if time zones explain the difference', async () => {
    await newMember();
    const dated = await fixture('pictures/camera.jpg');
    const other = Buffer.concat([dated, Buffer.from('x')]);
    const paths = await putArchives(home, [
      LAKE_JSON,
      ...photo(`${LAKE}/within.jpg`, dated, at(IN_FILE + 26 * HOUR)),
      ...photo(`${LAKE}/beyond.jpg`, other, at(IN_FILE - 26 * HOUR - 1)),
    ]);
    await imported(api, paths);
    expect(await detailsOf(`${HOME}/Photos/At the lake/within.jpg`)).toContain(`${IN_FILE_LOCAL}+02:00`);
    await detailsOf(`${HOME}/Photos/At the lake/beyond.jpg`);
    expect(await shownDates()).toEqual([
      ['beyond.jpg', localOf(IN_FILE - 26 * HOUR - 1)],
      ['within.jpg', IN_FILE_LOCAL],
    ]);
  });

  it('is corrected for photos that the home had already', async () => {
    await newMember();
    const dated = await fixture('pictures/camera.jpg');
    expect((await api.put({ path: `${HOME}/mine.jpg` }, dated)).status).toBe(201);
    expect(await detailsOf(`${HOME}/mine.jpg`)).toContain(IN_FILE_LOCAL);
    const archived = [LAKE_JSON, ...photo(`${LAKE}/a.jpg`, dated, at(JUNE))];
    expect((await imported(api, await putArchives(home, archived))).import).toMatchObject({ known: 1, stored: 0 });
    expect(await detailsOf(`${HOME}/mine.jpg`)).toContain('2019-06-12T08:00:00Z');
    expect(await shownDates()).toEqual([['mine.jpg', localOf(JUNE)]]);
    // What another export says later changes nothing.
    const later = [LAKE_JSON, ...photo(`${LAKE}/a.jpg`, dated, at(JUNE + 90 * 24 * HOUR))];
    await imported(api, await putArchives(home, later));
    expect(await detailsOf(`${HOME}/mine.jpg`)).toContain('2019-06-12T08:00:00Z');
    // Another content has its own date.
    expect((await api.put({ path: `${HOME}/mine.jpg` }, Buffer.concat([dated, Buffer.from('y')]))).status).toBe(200);
    await expect.poll(() => detailsOf(`${HOME}/mine.jpg`)).toContain(IN_FILE_LOCAL);
  });
});

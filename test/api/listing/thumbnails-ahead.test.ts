import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { watchThumbnailJobs } from '../../support/content/thumbnail-jobs.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { looksLike } from '../../workers/thumbnail-support.ts';

const PICTURES = 20;
/** Pictures of a folder whose thumbnails are all made when it is gone through up to the fifth. */
const AT_LEAST = 9;

let household: Household;
let api: ApiClient;
let jobs = 0;

beforeAll(async () => {
  household = await openHousehold({
    spawnWorker: watchThumbnailJobs((_made, post) => {
      jobs += 1;
      post();
    }),
  });
  api = await household.signIn();
});
afterAll(() => household.close());

const name = (number: number) => `roll/Photo ${number}.png`;
const at = (path: string) => join(household.home, path);
const ask = (path: string) => api.get('files/thumbnail', { path: `/ROOT/HOME/${path}` });
const square = (colour: string) =>
  sharp({ create: { width: 40, height: 40, channels: 3, background: colour } })
    .png()
    .toBuffer();
const colourOf = async (path: string) => (await looksLike((await ask(path)).bytes)).split(' ')[3];
const look = async (numbers: readonly number[]) => {
  for (const number of numbers) expect((await ask(name(number))).status).toBe(200);
};

let witnesses = 0;
/** Goes through another folder: once its thumbnails are prefetched, everything before them has been. */
async function everythingBefore(): Promise<void> {
  const folder = `witness ${++witnesses}`;
  await mkdir(at(folder));
  const red = await square('#f00');
  for (let number = 1; number <= AT_LEAST; number++) await writeFile(at(`${folder}/Photo ${number}.png`), red);
  const before = jobs;
  for (let number = 1; number <= 5; number++) expect((await ask(`${folder}/Photo ${number}.png`)).status).toBe(200);
  await expect.poll(() => jobs).toBe(before + AT_LEAST);
  jobs -= AT_LEAST;
}

beforeEach(async () => {
  await rm(at('roll'), { recursive: true, force: true });
  await mkdir(at('roll'));
  const red = await square('#f00');
  for (let number = 1; number <= PICTURES; number++) await writeFile(at(name(number)), red);
  for (const other of ['roll/Notes.txt', 'roll/Photo 5.pdf']) await writeFile(at(other), 'no picture');
  jobs = 0;
});

it('prefetches a limited number of thumbnails for a client that requests a folder in order', async () => {
  await look([1, 2, 3, 4, 5]);
  await expect.poll(() => jobs).toBe(9);
  await everythingBefore();
  expect(jobs).toBe(9);
  await look([6, 7, 8, 9]);
  await expect.poll(() => jobs).toBe(13);
  await look([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
  await everythingBefore();
  expect(jobs).toBe(PICTURES);
});

it('prefetches nothing for random or single requests, or for existing thumbnails', async () => {
  await look([3, 19, 1, 20, 2]);
  await everythingBefore();
  expect(jobs).toBe(5);
  await look(Array.from({ length: PICTURES }, (_, index) => index + 1));
  expect(jobs).toBe(PICTURES);
  const folder = at('roll');
  await rm(join(folder, 'Photo 20.png'));
  await writeFile(at(name(20)), await square('#0f0'));
  // All but the last are there: nobody has waited for one.
  await look([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
  await everythingBefore();
  expect(jobs).toBe(PICTURES);
});

it('returns the new thumbnail after a prefetched file was overwritten', async () => {
  await look([1, 2, 3, 4, 5]);
  await expect.poll(() => jobs).toBe(9);
  const blue = await square('#00f');
  expect((await api.put({ path: '/ROOT/HOME/roll/Photo 6.png' }, blue)).status).toBe(200);
  expect(await colourOf(name(6))).toBe('blue');
  await rm(at(name(7)));
  await expect.poll(async () => (await ask(name(7))).status).toBe(404);
  await writeFile(at(name(8)), blue);
  expect(await colourOf(name(8))).toBe('blue');
});

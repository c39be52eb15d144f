import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { visit } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER, signInAs } from '../../support/households/member.ts';
import { address, signInAt } from '../files/support.ts';

// Photos of a phone that belong together, of which some are stored already.

let browser: Browser;
let household: Household;
let page: Page;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

let people = 0;
let person = '';
beforeEach(async () => {
  people += 1;
  person = `person${people}`;
  await addMembersWithHomes(household, { [person]: {} });
  const visited = await visit(browser);
  ({ page } = visited);
  await page.goto(address(household, '/files/photo-backup'));
  await signInAt(page, person, MEMBER.password);
  await page.locator('.photo-backup[data-ready]').waitFor();
  return () => visited.context.close();
});

const contentOf = (content: string) => Buffer.from(`content of ${content}`);

/** Stores contents at paths of the home, as another device does. */
async function put(contents: Readonly<Record<string, string>>): Promise<void> {
  const tablet = await signInAs(household, person);
  for (const [path, content] of Object.entries(contents)) {
    await tablet.put({ filePath: `/ROOT/HOME/${path}` }, contentOf(content));
  }
}

const isFilm = (name: string) => /\.(?:mov|mp4)$/i.test(name);

/** Backs up photos with a name and a content each. */
async function backUp(photos: readonly (readonly [name: string, content: string])[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: t('photoBackup.select'), exact: true }).click(),
  ]);
  await chooser.setFiles(
    photos.map(([name, content]) => ({
      name,
      mimeType: isFilm(name) ? 'video/quicktime' : 'image/jpeg',
      buffer: contentOf(content),
    })),
  );
  const name = t('photoBackup.allStored', { count: photos.length });
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

const namesIn = async (folder: string) =>
  (await readdir(join(homeOf(household, person), folder)).catch(() => [])).sort();

it('a film is stored beside its photo, which is in another folder under another name', async () => {
  await put({ 'Archive/2020/IMG_1 (2).HEIC': 'photo' });
  await backUp([
    ['IMG_1.HEIC', 'photo'],
    ['IMG_1.MOV', 'film'],
    ['IMG_2.HEIC', 'another photo'],
  ]);
  expect(await namesIn('Archive/2020')).toEqual(['IMG_1 (2).HEIC', 'IMG_1 (2).MOV']);
  expect(await namesIn('Photos/Computer')).toEqual(['IMG_2.HEIC']);
});

it('a photo is stored beside its film, and photos of a burst beside those that are there', async () => {
  await put({ 'Films/IMG_1.MOV': 'film', 'Bursts/00000IMG_00000_BURST20190101120000_COVER.jpg': 'first' });
  await backUp([
    ['IMG_1.jpg', 'photo'],
    ['IMG_1.MOV', 'film'],
    ['00000IMG_00000_BURST20190101120000_COVER.jpg', 'first'],
    ['00001IMG_00001_BURST20190101120000.jpg', 'second'],
    ['00002IMG_00002_BURST20190101130000.jpg', 'of another burst'],
  ]);
  expect(await namesIn('Films')).toEqual(['IMG_1.MOV', 'IMG_1.jpg']);
  expect(await namesIn('Bursts')).toEqual([
    '00000IMG_00000_BURST20190101120000_COVER.jpg',
    '00001IMG_00001_BURST20190101120000.jpg',
  ]);
  expect(await namesIn('Photos/Computer')).toEqual(['00002IMG_00002_BURST20190101130000.jpg']);
});

it('photos stay in the chosen folder if others of a burst are there, or only a few of it are elsewhere', async () => {
  const burst = (number: number, time: string) => `0000${number}IMG_0000${number}_BURST${time}.jpg`;
  const [one, two] = ['20190101120000', '20190101130000'];
  await put({
    [`Photos/Computer/${burst(0, one)}`]: 'one 0',
    [`Shared/${burst(0, one)}`]: 'one 0',
    [`Shared/${burst(1, one)}`]: 'one 1',
    [`Shared/${burst(0, two)}`]: 'two 0',
  });
  await backUp([
    ...[0, 1, 2].map((number) => [burst(number, one), `one ${number}`] as const),
    ...[0, 1, 2].map((number) => [burst(number, two), `two ${number}`] as const),
  ]);
  expect(await namesIn('Photos/Computer')).toEqual([burst(0, one), burst(1, two), burst(2, one), burst(2, two)]);
  expect(await namesIn('Shared')).toEqual([burst(0, one), burst(0, two), burst(1, one)]);
});

it('a photo and its film get the same number, also if a batch of others was selected between them', async () => {
  await put({ 'Photos/Computer/IMG_1.HEIC': 'of another phone', 'Photos/Computer/IMG_1 (2).MOV': 'of a third phone' });
  const others = Array.from({ length: 60 }, (_, index) => [`other ${index}.jpg`, `other ${index}`] as const);
  await backUp([['IMG_1.HEIC', 'photo'], ...others, ['img_1.mov', 'film']]);
  const names = (await namesIn('Photos/Computer')).filter((name) => !name.startsWith('other'));
  expect(names).toEqual(['IMG_1 (2).MOV', 'IMG_1 (3).HEIC', 'IMG_1.HEIC', 'img_1 (3).mov']);
});

it('whose film it is is not guessed if several photos have the name', async () => {
  await put({ 'Archive/image.jpg': 'first' });
  await backUp([
    ['image.jpg', 'first'],
    ['image.jpg', 'second'],
    ['image.mov', 'film'],
  ]);
  expect(await namesIn('Archive')).toEqual(['image.jpg']);
  expect(await namesIn('Photos/Computer')).toEqual(['image.jpg', 'image.mov']);
});

import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser/browser.ts';
import { edgesOf } from '../../support/browser/geometry.ts';
import { takePicture, visit } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome } from '../files/support.ts';
import { linkTo } from './links-support.ts';

let browser: Browser;
let household: Household;

const NAMES = [
  'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz.odt',
  'WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW.WWWWWWW',
  'Donaudampfschifffahrt.pdf',
  'Plum jam.txt',
];

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await fillHome(household.home, Object.fromEntries(NAMES.map((name) => [`Box/${name}`, 'text'])));
  await fillHome(household.home, {
    'Trip/film.mp4': await readFile('test/fixtures/video/h264.mp4'),
    'Trip/lake.jpg': await readFile('test/fixtures/pictures/camera.jpg'),
    'Trip/notes.txt': 'notes',
  });
  await fillHome(household.home, { [`Box/${NAMES[0]?.replace('.odt', '')}/a.txt`]: 'a' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

it.each([320, 340, 360, 390, 480, 720])(
  'a long name does not overlap the checkbox of its card at %i pixels',
  async (width) => {
    const link = await linkTo(household, '/ROOT/HOME/Box');
    const { page, context } = await visit(browser, { viewport: { width, height: 800 } });
    await page.goto(address(household, `${link}&mode=gallery`));
    const cards = await page.locator('.cards li').all();
    expect(cards).toHaveLength(NAMES.length + 1);
    await takePicture(page, `link-cards-${width}`);
    for (const card of cards) {
      const parts = await card.locator('strong, strong .cut > span').all();
      const box = await card.locator('.pick').boundingBox();
      for (const part of parts) {
        const name = await part.boundingBox();
        expect((name?.x ?? 0) + (name?.width ?? 0), await card.innerText()).toBeLessThanOrEqual(box?.x ?? 0);
      }
    }
    await context.close();
  },
);

it.each([320, 760])('a long name in the list does not touch the next column at %i pixels', async (width) => {
  const link = await linkTo(household, '/ROOT/HOME/Box');
  const { page, context } = await visit(browser, { viewport: { width, height: 800 } });
  await page.goto(address(household, `${link}&mode=list`));
  const cut = page.locator('.rows li:has(.cut)');
  expect(await cut.count()).toBeGreaterThan(1);
  for (const one of await cut.all()) {
    const next = one.locator(width < 720 ? '.bytes' : '.when');
    expect((await edgesOf(next)).left - (await edgesOf(one.locator('.cut'))).right).toBeGreaterThanOrEqual(12);
  }
  await context.close();
});

it('a list shows pictures, and how long films are', async () => {
  const link = await linkTo(household, '/ROOT/HOME/Trip');
  const { page, complaints, context } = await visit(browser);
  const list = `${link}&mode=list`;
  // What is in a film is read in the background.
  await expect
    .poll(async () => {
      await page.goto(address(household, list));
      return page.locator('.rows li').filter({ hasText: 'film.mp4' }).locator('.length').allTextContents();
    })
    .toEqual([expect.stringMatching(/^\d+:\d\d$/)]);
  const picture = page.locator('.rows li').filter({ hasText: 'lake.jpg' }).locator('img.thumb');
  await expect
    .poll(() => picture.evaluate((image) => (image as { naturalWidth?: number }).naturalWidth))
    .toBeGreaterThan(0);
  expect(await page.locator('.rows li').filter({ hasText: 'notes.txt' }).locator('img.thumb').count()).toBe(0);
  await takePicture(page, 'link-list-pictures');
  expect(complaints).toEqual([]);
  await context.close();
});

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { fixture } from '../../workers/thumbnail-support.ts';
import { address, enterAt, fillHome, picture, row } from '../files/support.ts';
import { linkTo } from '../links/links-support.ts';
import { HEBREW_NAME, LONG_NAME, PHOTOS, photosOfAllShapes } from './photos.ts';
import { fitsWindow, isOtherProblem, isWhole, viewer } from './viewer-support.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await photosOfAllShapes(household, 60, {
    [LONG_NAME]: await picture(3, 1500, 1000),
    [HEBREW_NAME]: await picture(4, 1200, 1600),
    'Film.webm': await readFile(fixture('video/vp8.webm')),
    'Moving.gif': await readFile(fixture('pictures/animated.gif')),
    'Small.png': await picture(5, 90, 60),
  });
  await fillHome(household.home, { 'Two/One.jpg': await picture(1), 'Two/Other.jpg': await picture(2) });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function at(path: string) {
  return enterAt({ browser, household }, path, { viewport: { width: 1280, height: 800 } });
}

const FOLDER = `/files/?path=${encodeURIComponent(PHOTOS)}`;
const LIST = `${FOLDER}&limit=80`;
const open = (page: Page, name: string) => row(page, name).locator('.open').click();

it.each(['Lake 01.jpg', 'Lake 06.jpg', 'Lake 10.jpg', HEBREW_NAME, LONG_NAME, 'Film.webm', 'Small.png'])(
  'shows %s whole in windows of all sizes',
  async (name) => {
    const { page, context, complaints } = await at(LIST);
    await open(page, name);
    await viewer(page, name).waitFor();
    if (name !== 'Film.webm') {
      await isWhole(page);
      for (const [width, height] of [
        [320, 568],
        [390, 844],
        [844, 390],
        [1280, 800],
        [2560, 1440],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect(await fitsWindow(page), `${width} × ${height}`).toBe(true);
      }
    }
    await inspect(page, `photo-viewer-${name.slice(0, 7).trim()}`);
    expect(complaints).toEqual([]);
    await context.close();
  },
);

it('the viewer continues beyond the loaded part of a list', async () => {
  const { page, context } = await at(`${FOLDER}&limit=6`);
  await open(page, 'Lake 03.jpg');
  await viewer(page, 'Lake 03.jpg').waitFor();
  await page.keyboard.press('End');
  await viewer(page, HEBREW_NAME).waitFor();
  await expect
    .poll(() => page.locator('.position').textContent())
    .toBe(t('photoViewer.position', { index: 65, total: 65, more: 'false' }));
  await context.close();
});

it('the viewer keeps the focus inside, and fills the screen on request', async () => {
  const { page, context } = await at(LIST);
  await open(page, 'Lake 02.jpg');
  await viewer(page, 'Lake 02.jpg').waitFor();
  const focused =
    "document.activeElement.closest('.photo-viewer') !== null || document.activeElement === document.body";
  for (let count = 0; count < 15; count += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(focused)).toBe(true);
  }
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate('document.fullscreenElement?.className')).toBe('view');
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate('document.fullscreenElement')).toBeNull();
  await viewer(page, 'Lake 02.jpg').waitFor();
  await context.close();
});

it('keys and the wheel zoom a photo, and the next one is shown whole again', async () => {
  const { page, context } = await at(LIST);
  await open(page, 'Lake 02.jpg');
  await viewer(page, 'Lake 02.jpg').waitFor();
  const scale = () =>
    page.evaluate<number>("new DOMMatrix(getComputedStyle(document.querySelector('.view-layer')).transform).a");
  await page.keyboard.press('+');
  await expect.poll(scale).toBe(1.5);
  await page.keyboard.press('-');
  await expect.poll(scale).toBe(1);
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, -400);
  await expect.poll(scale).toBeGreaterThan(2);
  await page.keyboard.press('ArrowRight');
  await viewer(page, 'Lake 03.jpg').waitFor();
  await expect.poll(scale).toBe(1);
  await page.mouse.dblclick(640, 400);
  await expect.poll(scale).toBe(2.5);
  await context.close();
});

it('the viewer opens from the page of a photo, and leads back to that page', async () => {
  const item = `/files/item?path=${encodeURIComponent(`${PHOTOS}/Lake 02.jpg`)}`;
  const { page, context } = await at(item);
  await page.getByRole('link', { name: t('item.preview.name', { name: 'Lake 02.jpg' }) }).click();
  await viewer(page, 'Lake 02.jpg').waitFor();
  await page.keyboard.press('ArrowRight');
  await viewer(page, 'Lake 03.jpg').waitFor();
  await page.keyboard.press('Escape');
  await viewer(page).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Lake 02.jpg' }).waitFor();
  await context.close();
});

it('the viewer closes when the last photo of a folder is deleted, and saves a rating in the details', async () => {
  const { page, context, complaints } = await at('/files/?path=/ROOT/HOME/Two');
  await open(page, 'One.jpg');
  await viewer(page, 'One.jpg').waitFor();
  await page.keyboard.press('i');
  await page.getByRole('button', { name: t('details.rating.give', { stars: 4 }) }).click();
  await page.getByRole('button', { name: t('details.rating.remove', { stars: 4 }) }).waitFor();
  await viewer(page, 'One.jpg').waitFor();
  await page.keyboard.press('Delete');
  await viewer(page, 'Other.jpg').waitFor();
  await page.keyboard.press('Delete');
  await viewer(page).waitFor({ state: 'detached' });
  await page.getByText(t('files.empty.folder.heading')).waitFor();
  expect(complaints.filter(isOtherProblem)).toEqual([]);
  await context.close();
});

it('an animated picture is animated for its owner, and a still picture at a link', async () => {
  const { page, context } = await at(LIST);
  await open(page, 'Moving.gif');
  await expect.poll(() => page.locator('.whole-photo').getAttribute('src')).toContain('/files/download');
  await page.goto(address(household, `${await linkTo(household, PHOTOS)}&mode=list`));
  await page.getByRole('link', { name: 'Lake 01.jpg' }).click();
  await viewer(page, 'Lake 01.jpg').waitFor();
  await page.keyboard.press('End');
  await expect.poll(() => page.locator('.whole-photo').getAttribute('src')).toContain('/wl/thumbnail');
  await context.close();
});

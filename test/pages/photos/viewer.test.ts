import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { edgesOf } from '../../support/browser/geometry.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { fixture } from '../../workers/thumbnail-support.ts';
import { address, ready, row, signInAt, toast } from '../files/support.ts';
import { PHOTOS, photosOfAllShapes } from './photos.ts';
import { fitsWindow, isOtherProblem, isWhole, pathIn, requestsOf, viewer } from './viewer-support.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await photosOfAllShapes(household, 24, {
    'Old film.avi': await readFile(fixture('video/mpeg4.avi')),
    'Song.mp3': await readFile(fixture('audio/cover.mp3')),
  });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const GALLERY = `/files/?path=${encodeURIComponent(PHOTOS)}&view=gallery`;

async function gallery(path = GALLERY) {
  const visited = await visit(browser, { viewport: { width: 1280, height: 800 } });
  const { page } = visited;
  await page.goto(address(household, path));
  await signInAt(page);
  await ready(page);
  return visited;
}

/** The name in the list that has the focus. */
const FOCUSED = "document.activeElement.querySelector('.name')?.textContent";

const scrollTop = (page: Page) => page.evaluate<number>('Math.round(scrollY)');

it('a photo opens over the whole window, leads to its neighbours by keys, and back to the same place', async () => {
  const { page, context, complaints } = await gallery();
  const asked = requestsOf(page);
  const opener = row(page, 'Lake 15.jpg').locator('.open');
  await opener.focus();
  await opener.scrollIntoViewIfNeeded();
  const top = await scrollTop(page);
  expect(top).toBeGreaterThan(100);
  await page.keyboard.press('Enter');
  const dialog = viewer(page, 'Lake 15.jpg');
  await dialog.waitFor();
  await isWhole(page);
  expect(await fitsWindow(page)).toBe(true);
  expect(pathIn(page.url())).toBe(`${PHOTOS}/Lake 15.jpg`);
  // The preview instead of the original, also for the neighbours.
  const large = () => asked.filter(({ pathname, width }) => pathname === '/files/thumbnail' && width === 2_048);
  await expect
    .poll(() =>
      large()
        .map(({ name }) => name)
        .sort(),
    )
    .toEqual(['Lake 14.jpg', 'Lake 15.jpg', 'Lake 16.jpg']);
  expect(asked.filter(({ pathname }) => pathname === '/files/download')).toEqual([]);

  await page.keyboard.press('ArrowRight');
  await viewer(page, 'Lake 16.jpg').waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(pathIn(page.url())).toBe(`${PHOTOS}/Lake 16.jpg`);
  await page.keyboard.press('ArrowLeft');
  await dialog.waitFor();
  // The current photo of the strip has its own proportions.
  const current = page.locator('.strip [aria-current] img');
  const isWide = async () => {
    const { width, height } = await edgesOf(current);
    return width > height;
  };
  await expect.poll(isWide).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await viewer(page, 'Lake 14.jpg').waitFor();
  await expect.poll(isWide).toBe(false);
  await page.keyboard.press('ArrowRight');
  await dialog.waitFor();
  await page.keyboard.press('i');
  const details = page.getByRole('complementary', { name: t('files.actions.details') });
  await details.getByText('1600 × 1200').waitFor();
  await inspect(page, 'photo-viewer-details');
  await page.keyboard.press('i');
  await details.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.url()).toBe(address(household, GALLERY));
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('Lake 15.jpg');
  expect(await scrollTop(page)).toBe(top);
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('the back button of the browser closes it, and forward opens it again', async () => {
  const { page, context } = await gallery();
  await row(page, 'Lake 03.jpg').locator('.open').click();
  await viewer(page, 'Lake 03.jpg').waitFor();
  await page.keyboard.press('ArrowRight');
  await viewer(page, 'Lake 04.jpg').waitFor();
  await page.goBack();
  await viewer(page).waitFor({ state: 'detached' });
  expect(page.url()).toBe(address(household, GALLERY));
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('Lake 04.jpg');
  await page.goForward();
  await viewer(page, 'Lake 04.jpg').waitFor();
  await page.reload();
  await viewer(page, 'Lake 04.jpg').waitFor();
  await page.getByRole('button', { name: t('photoViewer.close'), exact: true }).click();
  await row(page, 'Lake 04.jpg').waitFor();
  await expect.poll(() => page.url()).toBe(address(household, GALLERY));
  await context.close();
});

it('starring, renaming and deleting work in the viewer, and a deletion shows the next photo', async () => {
  const { page, context, complaints } = await gallery();
  await row(page, 'Lake 20.jpg').locator('.open').click();
  const star = page.getByRole('button', { name: t('files.actions.star'), exact: true });
  await star.click();
  await page.getByRole('button', { name: t('files.actions.unstar'), exact: true }).waitFor();
  await page.getByRole('button', { name: t('photoViewer.more') }).click();
  await page.getByRole('menuitem', { name: t('files.actions.rename') }).click();
  await page.getByLabel(t('files.forms.name'), { exact: true }).fill('Lake 20 at six.jpg');
  await page.keyboard.press('Enter');
  await viewer(page, 'Lake 20 at six.jpg').waitFor();
  await page.keyboard.press('Delete');
  await toast(page, t('files.toast.deleted', { count: 1 }));
  await viewer(page, 'Lake 21.jpg').waitFor();
  await page
    .locator('.toast')
    .last()
    .getByRole('button', { name: t('files.toast.undo') })
    .click();
  await page.locator('.strip').getByRole('button', { name: 'Lake 20 at six.jpg' }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await viewer(page, 'Lake 20 at six.jpg').waitFor();
  expect(complaints.filter(isOtherProblem)).toEqual([]);
  await context.close();
});

it('the viewer plays music, and offers a film that no browser plays as a download', async () => {
  const { page, context } = await gallery();
  await row(page, 'Song.mp3').locator('.open').click();
  await expect.poll(() => page.evaluate("document.querySelector('.photo-viewer audio').readyState >= 1")).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await viewer(page, 'Old film.avi').waitFor();
  await page.getByText(t('photoViewer.cannotPlay.video')).waitFor();
  const saved = page.waitForEvent('download');
  await page
    .locator('.cannot')
    .getByRole('button', { name: t('files.actions.download') })
    .click();
  expect((await saved).suggestedFilename()).toBe('Old film.avi');
  await inspect(page, 'photo-viewer-cannot-play');
  await context.close();
});

itInFull('music that could not be loaded can be tried again, unlike music that cannot be played', async () => {
  const { page, context } = await gallery();
  await context.route(/\/files\/download\?.*Song\.mp3/, (request) => request.abort());
  await row(page, 'Song.mp3').locator('.open').click();
  await page.getByText(t('photoViewer.notLoaded.audio')).waitFor();
  await inspect(page, 'photo-viewer-not-loaded');
  await context.unroute(/\/files\/download\?.*Song\.mp3/);
  await page.getByRole('button', { name: t('photoViewer.notLoaded.retry') }).click();
  await expect.poll(() => page.evaluate("document.querySelector('.photo-viewer audio').readyState >= 1")).toBe(true);
  await context.close();
});

itInFull('without a script, the page of a photo shows it whole in the window', async () => {
  const signedIn = await gallery();
  const storageState = await signedIn.context.storageState();
  await signedIn.context.close();
  const { page, context } = await visit(browser, { javaScriptEnabled: false, storageState });
  await page.goto(address(household, GALLERY));
  await page.getByRole('link', { name: 'Lake 06.jpg' }).click();
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(async () => (await page.locator('img.whole').boundingBox())?.height).toBeGreaterThan(200);
    const box = await page.locator('img.whole').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0), `at ${width}`).toBeLessThanOrEqual(width > 1100 ? height : height + 120);
  }
  await context.close();
});

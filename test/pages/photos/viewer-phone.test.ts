import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { takePicture, visit } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, row, signInAt } from '../files/support.ts';
import { PHOTOS, photosOfAllShapes } from './photos.ts';
import { isWhole, viewer } from './viewer-support.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await photosOfAllShapes(household, 6);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

type Points = readonly (readonly [x: number, y: number])[];

/** Seconds of the time of touches, which goes by as told: a slow machine has no slow fingers. */
let time = Date.now() / 1_000;

/** Fingers that go through these places, all at once. */
async function touch(page: Page, ...steps: Points[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const at = (points: Points) => points.map(([x, y], id) => ({ x, y, id }));
  for (const [index, points] of steps.entries()) {
    const type = index === 0 ? 'touchStart' : 'touchMove';
    await session.send('Input.dispatchTouchEvent', { type, touchPoints: at(points), timestamp: passing(0.02) });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp: passing(0.02) });
  await session.detach();
}

function passing(seconds: number): number {
  time += seconds;
  return time;
}

const scaleOf = (page: Page) =>
  page.evaluate<number>("new DOMMatrix(getComputedStyle(document.querySelector('.view-layer')).transform).a");

it('on a phone, the page of a photo is the viewer: swipes, pinch, double tap, and back to its folder', async () => {
  const { page, context, complaints } = await visit(browser, {
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
  });
  await page.goto(address(household, `/files/item?path=${encodeURIComponent(`${PHOTOS}/Lake 02.jpg`)}`));
  await signInAt(page);
  await viewer(page, 'Lake 02.jpg').waitFor();
  await isWhole(page);
  const hint = page.getByText(t('photoViewer.hint'));
  await hint.waitFor();
  await takePicture(page, 'photo-viewer-hint');
  await touch(page, [[300, 400]], [[200, 400]], [[100, 405]]);
  await viewer(page, 'Lake 03.jpg').waitFor();
  await hint.waitFor({ state: 'hidden' });
  await touch(page, [[100, 400]], [[200, 400]], [[300, 405]]);
  await viewer(page, 'Lake 02.jpg').waitFor();
  await isWhole(page);

  await touch(page, [[200, 350]]);
  await touch(page, [[202, 352]]);
  await expect.poll(() => scaleOf(page)).toBe(2.5);
  // An enlarged photo is moved, not left.
  await touch(page, [[300, 400]], [[200, 400]], [[100, 405]]);
  await viewer(page, 'Lake 02.jpg').waitFor();
  await touch(page, [[200, 350]]);
  await touch(page, [[202, 352]]);
  await expect.poll(() => scaleOf(page)).toBe(1);
  const [left, right, further, furthest] = [
    [150, 400],
    [250, 400],
    [100, 400],
    [300, 400],
  ] as const;
  await touch(page, [left, right], [further, right], [further, furthest]);
  await expect.poll(() => scaleOf(page)).toBeGreaterThan(1.8);
  await page.keyboard.press('0');

  await touch(page, [[200, 500]], [[200, 420]], [[200, 350]]);
  const details = page.getByRole('complementary', { name: t('files.actions.details') });
  await details.getByText('1000 × 1500').waitFor();
  await details.getByRole('button', { name: t('photoViewer.closeDetails') }).click();
  await touch(page, [[200, 300]], [[200, 400]], [[200, 500]]);
  await viewer(page).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Summer at the lake' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/files/');
  // Who has swiped is not told again.
  await row(page, 'Lake 01.jpg').locator('.open').click();
  await viewer(page, 'Lake 01.jpg').waitFor();
  await expect.poll(() => hint.isVisible()).toBe(false);
  expect(complaints).toEqual([]);
  await context.close();
});

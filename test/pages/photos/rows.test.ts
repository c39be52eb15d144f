import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome, picture, ready, signInAt } from '../files/support.ts';
import { linkTo } from '../links/links-support.ts';
import { checkProportions } from './gallery.ts';
import { HEBREW_NAME, LONG_NAME, PHOTOS, photosOfAllShapes } from './photos.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await photosOfAllShapes(household, 24);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const SHIFTS = `new Promise((done) => {
  let sum = 0;
  const add = (list) => { for (const { value } of list.getEntries()) sum += value; };
  const observer = new PerformanceObserver(add);
  observer.observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => { add({ getEntries: () => observer.takeRecords() }); done(sum); }));
})`;

it('a gallery shows photos of all shapes whole, in files and at a link, without the page moving', async () => {
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, `/files/?path=${encodeURIComponent(PHOTOS)}&view=gallery`));
  await signInAt(page);
  await ready(page);
  await checkProportions(page, 'files');
  await page.goto(address(household, `${await linkTo(household, PHOTOS)}&mode=gallery`));
  await expect
    .poll(() =>
      page.evaluate('[...document.images].slice(0, 8).every(({ complete, currentSrc }) => complete && currentSrc)'),
    )
    .toBe(true);
  expect(await page.evaluate(SHIFTS)).toBe(0);
  await checkProportions(page, 'link');
  await page.setViewportSize({ width: 390, height: 844 });
  await checkProportions(page, 'link on a phone');
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('a photo whose size is not known yet is shown whole in a tile of its own', async () => {
  const photo = await picture(1, 600, 1_800);
  await fillHome(household.home, { [`New/${LONG_NAME}`]: photo, [`New/${HEBREW_NAME}`]: photo });
  const { page, context } = await visit(browser);
  await page.goto(address(household, '/files/?path=/ROOT/HOME/New&view=gallery'));
  await signInAt(page);
  await ready(page);
  const fit = "getComputedStyle(document.querySelector('.fitted .photo')).objectFit";
  expect(await page.evaluate(fit)).toBe('contain');
  await inspect(page, 'files-gallery-names');
  await context.close();
});

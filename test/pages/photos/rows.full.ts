import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { launchBrowser } from '../../support/browser/browser.ts';
import { visit } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, signInAt } from '../files/support.ts';
import { linkTo } from '../links/links-support.ts';
import { checkProportions } from './gallery.ts';
import { PHOTOS, photosOfAllShapes } from './photos.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await photosOfAllShapes(household, 60);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const WIDTHS = [320, 390, 480, 600, 719, 720, 768, 1024, 1199, 1280, 1440, 1920, 2560];

it.each(['files', 'link'])('%s: no photo is cut off in windows of any width, also without a script', async (where) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, context } = await visit(browser, { javaScriptEnabled: true });
    const folder = `/files/?path=${encodeURIComponent(PHOTOS)}&view=gallery&limit=60`;
    const path = where === 'files' ? folder : `${await linkTo(household, PHOTOS)}&mode=gallery`;
    await page.goto(address(household, path));
    if (where === 'files') await signInAt(page);
    const state = await context.storageState();
    await context.close();
    const other = await visit(browser, { javaScriptEnabled, storageState: state });
    await other.page.goto(address(household, path));
    for (const width of WIDTHS) {
      await other.page.setViewportSize({ width, height: 800 });
      await checkProportions(other.page, `${where} at ${width}${javaScriptEnabled ? '' : ' without a script'}`);
    }
    await other.context.close();
  }
});

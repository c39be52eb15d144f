import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { edgesOf, isCutOff, styleOf } from '../../support/browser/geometry.ts';
import { inspect } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, enterAt, ready, row, sampleHome } from './support.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  await sampleHome(household.home);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function at(path: string) {
  return enterAt({ browser, household }, path);
}

const HOME = '/files/?path=/ROOT/HOME';
const LAKE = '/ROOT/HOME/Photos/Summer at the lake';

describe('the appearance of the file pages', () => {
  it('a folder as a list, with a selection, and as a gallery', async () => {
    const { page, complaints, context } = await at(HOME);
    await row(page, 'Documents').waitFor();
    await inspect(page, 'files-list');
    for (const name of ['Plum jam.txt', 'Scans 2024.zip']) await row(page, name).locator('.pick input').check();
    await inspect(page, 'files-selected');
    await page.goto(address(household, `/files/?path=${encodeURIComponent(LAKE)}&view=gallery`));
    await ready(page);
    await inspect(page, 'files-gallery');
    await page.goto(address(household, '/files/?path=/RECENT'));
    await row(page, 'Plum jam.txt').waitFor();
    await inspect(page, 'files-recent');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('nothing is cut off or covered in narrow windows', async () => {
    const { page, complaints, context } = await at(`${HOME}&view=gallery`);
    const name = page.locator('.house span');
    // The length of a film that has no picture.
    const tile = row(page, 'Whole afternoon.mp4');
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await tile.scrollIntoViewIfNeeded();
      const around = await edgesOf(tile);
      const [icon, text, length] = [
        await edgesOf(tile.locator('.type')),
        await edgesOf(tile.locator('.name')),
        await edgesOf(tile.locator('.play')),
      ];
      expect(icon.top).toBeGreaterThanOrEqual(around.top);
      expect(icon.bottom).toBeLessThanOrEqual(text.top);
      expect(text.bottom).toBeLessThanOrEqual(length.top);
      expect(length.bottom).toBeLessThanOrEqual(around.bottom);
      expect(await isCutOff(name), `${width}: the name of the household`).toBe(false);
    }
    // The picture leads to the account, which has the rest of the bar.
    await page.locator('a.me').click();
    await page.getByRole('button', { name: t('bar.signOut'), exact: true }).waitFor();
    for (const [width, lines] of [
      [320, 2],
      [390, 1],
      [1280, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      expect(await isCutOff(name), `${width}: the name of the household`).toBe(false);
      expect((await edgesOf(name)).height).toBeLessThan(lines * 20 + 10);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('the page goes to the lower edge of the window', async () => {
    const { page, complaints, context } = await at('/files/?path=/STARRED');
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      expect((await edgesOf(page.locator('.files'))).bottom, `${width}`).toBe(844);
    }
    await page.goto(address(household, `/files/item?path=${encodeURIComponent('/ROOT/HOME/Plum jam.txt')}`));
    await ready(page);
    // Beside a long column, there is nothing but the ground below what is shown.
    expect(await styleOf(page.locator('.viewer'), 'background-color')).toBe(
      await styleOf(page.locator('.stage'), 'background-color'),
    );
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('files: a picture, text, and one that cannot be shown', async () => {
    const { page, complaints, context } = await at(`/files/item?path=${encodeURIComponent(`${LAKE}/Lake 04.jpg`)}`);
    await inspect(page, 'files-picture');
    await page.goto(address(household, `/files/item?path=${encodeURIComponent('/ROOT/HOME/Plum jam.txt')}`));
    await inspect(page, 'files-text');
    await page.goto(address(household, `/files/item?path=${encodeURIComponent('/ROOT/HOME/Household budget.xlsx')}`));
    await inspect(page, 'files-no-preview');
    expect(complaints).toEqual([]);
    await context.close();
  });
});

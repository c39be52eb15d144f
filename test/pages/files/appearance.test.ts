import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, ready, row, sampleHome, signInAt } from './support.ts';

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
  const visited = await visit(browser);
  await visited.page.goto(address(household, path));
  await signInAt(visited.page);
  await ready(visited.page);
  return visited;
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

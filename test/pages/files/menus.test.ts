import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { homeOf } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { enterAt, fillHome, row } from './support.ts';

let browser: Browser;
let household: SharingHousehold;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`Work/${index + 10}.txt`, 'text']));
  await fillHome(homeOf(household, 'olga'), files);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function enter(username: string, path: string, options: BrowserContextOptions = {}) {
  return enterAt({ browser, household }, path, { username, ...options });
}

const undoButtons = (page: Page) => page.getByRole('button', { name: t('files.toast.undo') });

describe('the menu of a row', () => {
  it('never lies on its button, which is clicked twice', async () => {
    const { page, context } = await enter('olga', '/files/?path=/ROOT/HOME/Work', {
      viewport: { width: 1_280, height: 620 },
    });
    for (const name of ['10.txt', '13.txt', '15.txt']) {
      const button = row(page, name).locator('.more');
      await button.scrollIntoViewIfNeeded();
      await button.click();
      const box = async (locator: typeof button) => {
        const found = await locator.boundingBox();
        if (found === null) throw new Error(`${name}: not shown`);
        return found;
      };
      const [menu, own] = [await box(page.locator('.menu')), await box(button)];
      const isBeside = menu.x + menu.width <= own.x || menu.y >= own.y + own.height || menu.y + menu.height <= own.y;
      expect(isBeside, name).toBe(true);
      await page.keyboard.press('Escape');
    }
    await context.close();
  });
});

it('only the last of several changes can be undone', async () => {
  const { page, context } = await enter('olga', '/files/?path=/ROOT/HOME/Work');
  await row(page, '20.txt').locator('.open').focus();
  await page.keyboard.press('F2');
  await page.getByLabel(t('files.forms.name'), { exact: true }).fill('Renamed.txt');
  await page.keyboard.press('Enter');
  await expect.poll(() => undoButtons(page).count()).toBe(1);
  await row(page, 'Renamed.txt').locator('.open').focus();
  await page.keyboard.press('Delete');
  await row(page, 'Renamed.txt').waitFor({ state: 'detached' });
  await expect.poll(() => undoButtons(page).count()).toBe(1);
  await undoButtons(page).click();
  await row(page, 'Renamed.txt').waitFor();
  await context.close();
});

it('the folder that somebody shares is marked as shared among the places', async () => {
  const id = await household.share('/ROOT/HOME/Work', { uid: household.ids.ben, download: 1 });
  const { page, context } = await enter('ben', `/files/?path=/ROOT/${household.ids.olga}/${id}`);
  await row(page, '10.txt').waitFor();
  const current = page.locator('.file-nav [aria-current=page]').first();
  expect(await current.getAttribute('href')).toContain('path=/ROOT/SHARED');
  await context.close();
});

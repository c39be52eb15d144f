import { type Browser, devices, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, picture, signInAt } from '../files/support.ts';
import { type OtherDisk, openOtherDisk } from './other-disk.ts';

// Phones hand over copies of photos, and the page says what its receipt is about.

let browser: Browser;
let household: Household;
let disk: OtherDisk;

beforeAll(async () => {
  disk = await openOtherDisk();
  [browser, household] = await Promise.all([launchBrowser(), openHousehold({ disksUnder: disk.disksUnder })]);
  await household.control('settings.update', { backupFolder: disk.folder, backupFiles: true });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
  await disk?.remove();
});

async function openOn(device: keyof typeof devices): Promise<{ page: Page; close: () => Promise<void> }> {
  const { context, page, complaints } = await visit(browser, { ...devices[device], ignoreHTTPSErrors: true });
  await page.goto(address(household, '/files/photo-backup'));
  await signInAt(page);
  await page.locator('.photo-backup[data-ready]').waitFor();
  const close = async () => {
    await context.close();
    expect(complaints).toEqual([]);
  };
  return { page, close };
}

/** Selects the files, waits for the receipt, and returns what its field accepts. */
async function select(page: Page, names: readonly string[], button: string): Promise<string | null> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  const buffer = await picture(3, 600, 400);
  const accept = await chooser.element().getAttribute('accept');
  await chooser.setFiles(names.map((name) => ({ name, mimeType: '', buffer })));
  return accept;
}

const verdict = (page: Page) => page.locator('.verdict');
const notes = (page: Page) => page.locator('.photo-backup .note');

it('an iPhone is told how to hand over originals, and nothing that it handed over is called safe to delete', async () => {
  const { page, close } = await openOn('iPhone 15');
  await notes(page)
    .filter({ hasText: t('photoBackup.originals', { device: 'apple' }) })
    .waitFor();
  expect(await select(page, ['one.heic'], t('photoBackup.select'))).toBe('image/*,video/*');
  await verdict(page)
    .filter({ hasText: t('photoBackup.safe.none') })
    .waitFor();
  expect(await verdict(page).textContent()).not.toContain(t('photoBackup.handedOver', { device: 'apple' }));
  await household.control('backup.make');
  await select(page, ['one.heic'], t('photoBackup.again'));
  await verdict(page)
    .filter({ hasText: t('photoBackup.safe.copies') })
    .waitFor();
  expect(await verdict(page).textContent()).toContain(t('photoBackup.handedOver', { device: 'apple' }));
  expect(await page.locator('.receipt').textContent()).not.toContain(t('photoBackup.safe.all'));
  await inspect(page, 'photo-backup-iphone');
  await close();
});

it('Android opens the selection of files, which keeps places, and files of other kinds are left out', async () => {
  const { page, close } = await openOn('Pixel 7');
  await notes(page)
    .filter({ hasText: t('photoBackup.originals', { device: 'android' }) })
    .waitFor();
  expect(await select(page, ['letter.pdf'], t('photoBackup.select'))).toBeNull();
  await notes(page)
    .filter({ hasText: t('photoBackup.leftOut', { count: 1 }) })
    .waitFor();
  await select(page, ['two.dng', 'letter.pdf', 'film.mp4'], t('photoBackup.select'));
  await page.locator('.receipt').waitFor();
  await notes(page)
    .filter({ hasText: t('photoBackup.leftOut', { count: 1 }) })
    .waitFor();
  expect(await page.locator('.receipt-files .name').allTextContents()).toEqual(['two.dng', 'film.mp4']);
  await close();
});

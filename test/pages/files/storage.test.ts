import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { visit } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome, names, ready, row, signInAt, toast } from './support.ts';

// The storage in the sidebar follows what people do on the page.

const KILOBYTE = 1_024;

let browser: Browser;
let household: Household;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await fillHome(household.home, { 'Inbox/there.bin': randomBytes(200 * KILOBYTE) });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

beforeEach(async () => {
  const visited = await visit(browser);
  ({ page, complaints } = visited);
  await page.goto(address(household, '/files/?path=/ROOT/HOME/Inbox'));
  await signInAt(page);
  await ready(page);
  return () => visited.context.close();
});

/** What the sidebar and the menu of places say, in kilobytes. */
async function shown(): Promise<number[]> {
  const texts = await page.locator('.file-nav .storage, .file-nav .storage-entry').allTextContents();
  return texts.map((text) => Number(/([\d.]+) KB/.exec(text)?.[1] ?? 0));
}

const both = (kilobytes: number) => [kilobytes, kilobytes];

async function upload(name: string, kilobytes: number): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('link', { name: t('files.actions.upload') }).click(),
  ]);
  await chooser.setFiles({ name, mimeType: 'application/octet-stream', buffer: randomBytes(kilobytes * KILOBYTE) });
}

it('the space used grows with an upload, also on other pages, and shrinks when the trash is emptied', async () => {
  // The files are found in the background.
  await expect
    .poll(async () => {
      await page.reload();
      return shown();
    })
    .toEqual(both(200));
  await ready(page);
  await upload('more.bin', 100);
  await expect.poll(shown).toEqual(both(300));

  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/files\/upload\?/, async (route) => {
    await held;
    await route.continue();
  });
  await upload('later.bin', 300);
  await page.locator('.file-nav').getByRole('link', { name: 'Starred' }).click();
  await page.getByText(t('files.empty.starred.heading')).waitFor();
  expect(await shown()).toEqual(both(300));
  release();
  await expect.poll(shown).toEqual(both(600));

  await page.goto(address(household, '/files/?path=/ROOT/HOME/Inbox'));
  await ready(page);
  await expect.poll(() => names(page)).toContain('later.bin');
  await row(page, 'later.bin').locator('.open').focus();
  await page.keyboard.press('Delete');
  await toast(page, t('files.toast.deleted', { count: 1 }));
  await page.goto(address(household, '/files/?path=/TRASH'));
  await ready(page);
  expect(await shown()).toEqual(both(600));
  await page.getByRole('link', { name: t('files.actions.emptyTrash') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('files.actions.emptyTrash') })
    .click();
  await expect.poll(shown).toEqual(both(300));
  const onDisk = readdirSync(join(household.home, 'Inbox')).map((name) =>
    statSync(join(household.home, 'Inbox', name)),
  );
  expect(onDisk.reduce((sum, { size }) => sum + size, 0)).toBe(300 * KILOBYTE);
  expect(complaints).toEqual([]);
});

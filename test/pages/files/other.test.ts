import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER } from '../../support/households/member.ts';
import { address, enterAt, fillHome, names, ready, row, signInAt } from './support.ts';

// One browser that several people use: what one of them has open is not for the next.

let browser: Browser;
let household: Household;
let device = '';

beforeAll(async () => {
  device = await mkdtemp(join(tmpdir(), 'larder-device-'));
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await addMembersWithHomes(household, { mia: {}, tom: {} });
  await household.control('accounts.update', { username: 'tom', name: 'Tom' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
  await rm(device, { recursive: true, force: true });
});

async function enter(username: string) {
  return enterAt({ browser, household }, '/files/?path=/ROOT/HOME', { username });
}

/** In another tab of the same browser. */
async function signInInstead(page: Page, username: string): Promise<void> {
  await page.context().clearCookies();
  const other = await page.context().newPage();
  await other.goto(address(household));
  await signInAt(other, username, MEMBER.password);
  await ready(other);
  await other.close();
}

itInFull('a waiting upload does not continue into the home of another account', async () => {
  const { page, context } = await enter('mia');
  const content = randomBytes(20 * 1024 * 1024);
  await writeFile(join(device, 'diary.bin'), content);
  let sent = 0;
  await page.route(/\/files\/upload\?/, async (route) => {
    sent += 1;
    if (sent === 2) await signInInstead(page, 'tom');
    await route.continue();
  });
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('link', { name: t('files.actions.upload') }).click(),
  ]);
  await chooser.setFiles([join(device, 'diary.bin')]);
  const panel = page.getByRole('region', { name: t('uploads.heading') });
  await panel.getByText(t('uploads.otherAccount')).waitFor();
  await inspect(page, 'files-upload-somebody-else');
  await panel.getByRole('button', { name: t('uploads.continue') }).click();
  await panel.getByText(t('uploads.otherAccount')).waitFor();
  await signInInstead(page, 'mia');
  await panel.getByRole('button', { name: t('uploads.continue') }).click();
  await panel.getByText(t('uploads.finished', { count: 1 })).waitFor();
  expect([
    await readdir(homeOf(household, 'tom')),
    (await readdir(homeOf(household, 'mia'))).includes('diary.bin'),
  ]).toEqual([['.larder-home'], true]);
  await context.close();
});

it('a page left open by one account is loaded again completely for the next one', async () => {
  await fillHome(homeOf(household, 'mia'), { 'Letters/to Gran.txt': 'dear' });
  await fillHome(homeOf(household, 'tom'), { 'Toys/bear.txt': 'bear', 'Letters/to Santa.txt': 'dear' });
  const { page, context } = await enter('mia');
  await signInInstead(page, 'tom');
  await row(page, 'Letters').locator('.open').click();
  await page.getByRole('link', { name: 'Tom' }).waitFor();
  await ready(page);
  expect(await names(page)).toEqual(['to Santa.txt']);
  // What only looks for news says it, too.
  await signInInstead(page, 'mia');
  await row(page, 'to Santa.txt').locator('.open').focus();
  await page.keyboard.press('Delete');
  await page.locator('.toast').getByText(t('files.errors.otherAccount')).waitFor();
  expect(await readdir(join(homeOf(household, 'tom'), 'Letters'))).toEqual(['to Santa.txt']);
  await context.close();
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser/browser.ts';
import { type Visit, visit } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { t } from '../../support/server-texts.ts';
import { address, fillHome, names, row, signInAt } from './support.ts';

let browser: Browser;
let household: Household;
let visited: Visit;
let page: Page;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await fillHome(household.home, {
    'Letters/plan.txt': 'the plan',
    'Letters/old/first.txt': 'first',
    'Pictures/readme.txt': 'none yet',
  });
  visited = await visit(browser, { javaScriptEnabled: false });
  ({ page } = visited);
  await page.goto(address(household));
  await signInAt(page);
});
afterAll(async () => {
  await visited?.context.close();
  await browser?.close();
  await household?.close();
});

const onDisk = (path: string) => readFile(join(household.home, path), 'utf8');
const open = (path: string) => page.goto(address(household, path));

it('without JavaScript: folders are browsed, and a file is downloaded', async () => {
  await page.getByRole('heading', { name: t('files.myFiles') }).waitFor();
  await row(page, 'Letters').locator('.open').click();
  expect(await names(page)).toEqual(['old', 'plan.txt']);
  await page.getByRole('link', { name: t('files.sort.columns.mdate') }).click();
  await row(page, 'plan.txt').locator('.open').click();
  await page.getByText('the plan').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: t('files.actions.download') }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('plan.txt');
  expect(await readFile(await download.path(), 'utf8')).toBe('the plan');
  await page
    .getByRole('navigation', { name: t('files.breadcrumbs') })
    .getByRole('link', { name: t('files.myFiles') })
    .click();
  expect(await names(page)).toEqual(['Letters', 'Pictures']);
});

it('without JavaScript: one file is uploaded, and never replaces another', async () => {
  await open('/files/?path=/ROOT/HOME/Letters');
  const file = join(household.folder, 'plan.txt');
  await writeFile(file, 'another plan');
  await page.getByRole('link', { name: t('files.actions.upload') }).click();
  await page.getByLabel(t('files.forms.upload.file'), { exact: true }).setInputFiles(file);
  await page.getByRole('button', { name: t('files.actions.upload') }).click();
  await page.getByText(t('files.done.numbered')).waitFor();
  expect(await names(page)).toEqual(['old', 'plan (2).txt', 'plan.txt']);
  expect([await onDisk('Letters/plan.txt'), await onDisk('Letters/plan (2).txt')]).toEqual([
    'the plan',
    'another plan',
  ]);
});

it('without JavaScript: folders are created, and items renamed, moved, deleted and restored', async () => {
  await open('/files/?path=/ROOT/HOME');
  await page.getByRole('link', { name: t('files.actions.createFolder') }).click();
  await page.getByLabel(t('files.forms.name')).fill('a/b');
  await page.getByRole('button', { name: t('files.forms.createFolder.submit') }).click();
  await page.getByText(t('api.files.invalidName', { problem: 'characters', max: 255 })).waitFor();
  await expect.poll(() => page.getByLabel(t('files.forms.name')).inputValue()).toBe('a/b');
  await page.getByLabel(t('files.forms.name')).fill('Archive');
  await page.getByRole('button', { name: t('files.forms.createFolder.submit') }).click();
  await page.getByText(t('files.done.created')).waitFor();
  expect(await names(page)).toEqual(['Archive', 'Letters', 'Pictures']);

  await row(page, 'Pictures')
    .getByRole('link', { name: t('files.row.more', { name: 'Pictures' }) })
    .click();
  await page.getByRole('link', { name: t('files.actions.rename') }).click();
  await page.getByLabel(t('files.forms.name')).fill('Paintings');
  await page.getByRole('button', { name: t('files.actions.rename') }).click();
  expect(await names(page)).toEqual(['Archive', 'Letters', 'Paintings']);

  await row(page, 'Paintings')
    .getByRole('link', { name: t('files.row.more', { name: 'Paintings' }) })
    .click();
  await page.getByRole('link', { name: t('files.actions.move') }).click();
  await page.getByRole('link', { name: 'Archive' }).click();
  await page.getByRole('button', { name: t('files.forms.move.submit', { folder: 'Archive' }) }).click();
  await page.getByText(t('files.done.moved')).waitFor();
  expect(await onDisk('Archive/Paintings/readme.txt')).toBe('none yet');

  await row(page, 'Letters')
    .getByRole('link', { name: t('files.row.more', { name: 'Letters' }) })
    .click();
  await page.getByRole('link', { name: t('files.actions.delete') }).click();
  await page.getByRole('heading', { name: t('files.forms.delete.heading', { count: 1, name: 'Letters' }) }).waitFor();
  await page.getByRole('button', { name: t('files.actions.delete') }).click();
  await page.getByText(t('files.done.deleted')).waitFor();
  await page.getByRole('link', { name: 'Trash' }).click();
  await row(page, 'Letters').locator('.open').click();
  await page.getByRole('button', { name: t('files.actions.restore') }).click();
  await page.getByText(t('files.done.restored')).waitFor();
  expect(await onDisk('Letters/plan.txt')).toBe('the plan');
  expect(visited.complaints.filter((text) => !/status of 4(?:00|09)/.test(text))).toEqual([]);
});

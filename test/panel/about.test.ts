import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/page.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { like as textLike } from '../support/server-texts.ts';

let browser: Browser;
let household: Household;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  ({ context, page, complaints } = await visit(browser));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(String((await household.control('panel.link')).url));
  await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
  await page.getByRole('link', { name: t('about.title') }).click();
});
beforeEach(() => {
  complaints.length = 0;
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await household?.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const copied = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>;

it('shows the version and the folder of Larder', async () => {
  const { version, folder, sqlite } = await household.control('about.get');
  await page.getByRole('heading', { name: t('about.report.product', { version: String(version) }) }).waitFor();
  await page.getByText(String(folder), { exact: true }).waitFor();
  await page.getByText(String(sqlite), { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

itInFull('shows the licence of every package', async () => {
  const { packages } = (await household.control('about.get')) as { packages: { name: string }[] };
  await page.getByText(t('about.licences.count', { all: packages.length }), { exact: true }).waitFor();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(packages.length);
  await inspectPanel(page, 'about');
  await page.keyboard.press('/');
  await page.keyboard.type('mantine');
  await page.getByText(t('about.licences.found', { shown: 2, all: packages.length })).waitFor();
  await page.keyboard.press('n');
  await page.getByText(t('about.licences.none', { text: 'mantinen' })).waitFor();
  await page.keyboard.press('Backspace');
  await button(t('about.licences.open', { name: '@mantine/core' })).click();
  await dialog().getByText('Copyright (c) 2021 Vitaly Rtishchev').waitFor();
  await inspectPanel(page, 'about-licence');
  await dialog()
    .getByRole('button', { name: t('common.close') })
    .click();
  await dialog().waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

it('runs the doctor, shows what it would repair, and repairs it', async () => {
  const missing = join(household.folder, '.larder', 'backups');
  await rm(missing, { recursive: true });
  await button(t('about.doctor.check')).click();
  await page.getByRole('heading', { name: t('about.doctor.problems', { count: 1 }) }).waitFor();
  await page.getByText(textLike('api.doctor.folderMissingRepair', { folder: missing })).waitFor();
  await button(t('about.doctor.copy')).click();
  await button(t('common.copied')).waitFor();
  expect(await copied()).toMatch(
    new RegExp(
      `^${like('about.report.product').source}, ${like('about.report.node').source}.*\n${t('about.doctor.severity.problem')} {2}The folder .*backups is missing`,
    ),
  );
  await inspectPanel(page, 'about-problem');
  await button(t('about.doctor.repair')).click();
  await dialog()
    .getByText(textLike('api.doctor.folderMissingRepair', { folder: missing }))
    .waitFor();
  await inspectPanel(page, 'about-repair');
  await dialog()
    .getByRole('button', { name: t('about.doctor.keep') })
    .click();
  await dialog().waitFor({ state: 'detached' });
  await expect(stat(missing)).rejects.toThrow('ENOENT');
  await button(t('about.doctor.repair')).click();
  await dialog()
    .getByRole('button', { name: t('about.doctor.repair') })
    .click();
  await page.getByRole('heading', { name: t('about.doctor.repaired', { count: 1 }) }).waitFor();
  await page.getByRole('heading', { name: t('about.doctor.well') }).waitFor();
  expect((await stat(missing)).isDirectory()).toBe(true);
  await expect.poll(() => button(t('about.doctor.repair')).count()).toBe(0);
  await inspectPanel(page, 'about-repaired');
  // The report is still there when one comes back.
  await page.getByRole('link', { name: t('nav.overview') }).click();
  await page.getByRole('link', { name: t('about.title') }).click();
  await page.getByRole('heading', { name: t('about.doctor.well') }).waitFor();
  await button(t('about.doctor.again')).click();
  await page.getByRole('heading', { name: t('about.doctor.repaired', { count: 1 }) }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: t('about.doctor.well') }).waitFor();
  await page.getByRole('progressbar', { name: t('about.doctor.title') }).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

itInFull('stops the doctor on request, and keeps the previous report', async () => {
  // So many folders that it takes a while.
  const many = join(household.home, 'Many');
  await Promise.all(Array.from({ length: 3_000 }, (_, n) => mkdir(join(many, String(n)), { recursive: true })));
  await button(t('about.doctor.again')).click();
  await page.getByText(like('about.doctor.running', { check: 'files' })).waitFor();
  await button(t('about.doctor.cancel')).click();
  await page.getByText(t('about.doctor.cancelled'), { exact: true }).waitFor();
  await page.getByRole('progressbar', { name: t('about.doctor.title') }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: t('about.doctor.well') }).waitFor();
  await rm(many, { recursive: true });
  // The browser itself writes that something was refused.
  expect(complaints.filter((complaint) => !complaint.includes('409'))).toEqual([]);
  complaints.length = 0;
});

itInFull('shows the progress of the doctor', async () => {
  await page.getByRole('searchbox').fill('mantine');
  // Held back, as by a household with many files.
  let goOn = () => undefined as unknown;
  const held = new Promise((resolve) => {
    goOn = () => resolve(undefined);
  });
  await page.route('**/control/doctor', async (route) => {
    await held;
    await route.continue();
  });
  await button(t('about.doctor.again')).click();
  await page.getByRole('progressbar', { name: t('about.doctor.title') }).waitFor({ state: 'attached' });
  await page.getByText(t('about.doctor.long')).waitFor();
  await inspectPanel(page, 'about-checking', ['usual', 'phone']);
  goOn();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  await page.unroute('**/control/doctor');
  expect(complaints).toEqual([]);
});

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../../dist/server/database/database.js';
import { t } from '../../../dist/server/messages/messages.js';
import { layoutOf } from '../../../dist/server/storage/layout.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { visit } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER, signInAs } from '../../support/households/member.ts';
import { shareHome } from '../../support/households/shared-home.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { address, fillHome, names, ready, row, signInAt } from './support.ts';

// List or gallery and the sorting are remembered for each person and folder, wherever the folder is.

const HOME = '/ROOT/HOME';

let browser: Browser;
let household: Household;
let mia: Page;
let tom: Page;
let api: ApiClient;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await addMembersWithHomes(household, { mia: {}, tom: {} });
  await shareHome(household, 'mia', ['tom']);
  await fillHome(homeOf(household, 'mia'), {
    'Trips/a small.txt': '1',
    'Trips/b large.txt': 'x'.repeat(5_000),
    'Trips/Lake/shore.txt': 'in it',
    'Plans/c.txt': 'c',
    'Before/kept.txt': 'chosen by an earlier version',
  });
  // What earlier versions stored: a path, and no item.
  await household.whileStopped(async () => {
    const { database: file, backups } = layoutOf(household.folder);
    const database = await openDatabase(file, backups);
    await database.write((tx) =>
      tx.run(
        `INSERT INTO folder_looks SELECT id, '/ROOT/HOME/Before', 'gallery', 'name', 'asc', 1 FROM accounts
         WHERE username = 'mia'`,
      ),
    );
    await database.close();
  });
  api = await signInAs(household, 'mia');
  [mia, tom] = [await enter('mia'), await enter('tom')];
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function enter(username: string): Promise<Page> {
  const { page } = await visit(browser);
  await page.goto(address(household));
  await signInAt(page, username, MEMBER.password);
  await ready(page);
  return page;
}

async function go(page: Page, path: string): Promise<void> {
  await page.goto(address(household, `/files/?path=${encodeURIComponent(`${HOME}${path}`)}`));
  await ready(page);
}

/** How the page shows the folder. */
async function lookAt(page: Page, path: string) {
  await go(page, path);
  const isGallery = (await page.locator('.table.gallery').count()) > 0;
  return { view: isGallery ? 'gallery' : 'list', entries: await names(page) };
}

const BY_NAME = ['Lake', 'a small.txt', 'b large.txt'];
const BY_SIZE = ['Lake', 'b large.txt', 'a small.txt'];

it('the sorting and the gallery of a folder stay after a reload, for the one who chose them', async () => {
  await go(mia, '/Trips');
  await mia.getByRole('link', { name: t('files.sort.columns.size') }).click();
  await expect.poll(() => names(mia)).toEqual(BY_SIZE);
  await mia.getByRole('link', { name: t('files.view.gallery') }).click();
  await mia.locator('.table.gallery').waitFor();
  await mia.reload();
  await ready(mia);
  expect(await names(mia)).toEqual(BY_SIZE);
  expect(await mia.locator('.table.gallery').count()).toBe(1);
  expect(await lookAt(tom, '/Trips')).toEqual({ view: 'list', entries: BY_NAME });
});

it('they stay when the folder is renamed and moved, and not for another folder of its former name', async () => {
  await go(mia, '');
  await row(mia, 'Trips').locator('.open').press('F2');
  const form = mia.getByRole('dialog');
  await form.getByRole('textbox').fill('Journeys');
  await form.getByRole('textbox').press('Enter');
  await row(mia, 'Journeys').waitFor();
  expect(await lookAt(mia, '/Journeys')).toEqual({ view: 'gallery', entries: BY_SIZE });
  // Another device moves it, with what is in it.
  expect((await api.post('files/move', { path: `${HOME}/Journeys`, moveTo: `${HOME}/Plans` })).status).toBe(200);
  expect(await lookAt(mia, '/Plans/Journeys')).toEqual({ view: 'gallery', entries: BY_SIZE });
  expect((await lookAt(mia, '/Plans/Journeys/Lake')).view).toBe('gallery');
  expect((await lookAt(mia, '/Plans')).view).toBe('list');
  await fillHome(homeOf(household, 'mia'), { 'Trips/another.txt': 'another' });
  expect(await lookAt(mia, '/Trips')).toEqual({ view: 'list', entries: ['another.txt'] });
  expect((await lookAt(tom, '/Plans/Journeys')).view).toBe('list');
});

it('they stay when another program renames the folder on the disk', async () => {
  const plans = join(homeOf(household, 'mia'), 'Plans');
  await rename(join(plans, 'Journeys'), join(plans, 'Old journeys'));
  expect((await lookAt(mia, '/Plans')).entries).toContain('Old journeys');
  expect(await lookAt(mia, '/Plans/Old journeys')).toEqual({ view: 'gallery', entries: BY_SIZE });
});

it('what an earlier version stored still applies, until something else is chosen', async () => {
  expect((await lookAt(mia, '/Before')).view).toBe('gallery');
  expect((await lookAt(tom, '/Before')).view).toBe('list');
  await mia.getByRole('link', { name: t('files.view.list') }).click();
  await mia.locator('.table.list').waitFor();
  expect((await lookAt(mia, '/Before')).view).toBe('list');
});

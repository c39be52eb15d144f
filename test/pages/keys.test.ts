import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../support/browser/page.ts';
import { homeOf, MEMBER } from '../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { address, fillHome, ready, row, signInAt } from './files/support.ts';

// The keys that all pages with a bar have.

let browser: Browser;
let household: SharingHousehold;
let visited: Visit;
let page: Page;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await fillHome(homeOf(household, 'ben'), { 'annals.txt': 'a text', 'nuts.txt': 'another text' });
  await fillHome(homeOf(household, 'olga'), { 'Open/list.txt': 'a list' });
  await household.share('/ROOT/HOME/Open', { uid: Number(household.ids.ben), alter: 0, upload: 0 });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

beforeEach(async () => {
  visited = await visit(browser);
  ({ page } = visited);
  await page.goto(address(household, '/files/?path=/ROOT/HOME'));
  await signInAt(page, 'ben', MEMBER.password);
  await ready(page);
  return () => visited.context.close();
});

const help = () => page.getByRole('dialog', { name: t('files.keys.heading') });
const newFolder = () => page.getByRole('dialog', { name: t('files.actions.createFolder') });
const search = () => page.getByRole('searchbox', { name: t('search.label') });
const isFocused = () => search().evaluate((element) => element === document.activeElement);
/** The page with the form of a new folder in the own files. */
const isOnForm = () =>
  page.waitForURL((url) => url.pathname === '/files/do/create-folder' && url.searchParams.get('path') === '/ROOT/HOME');

describe('in a folder', () => {
  it.each([
    ['n', 'body'],
    ['Shift+N', 'body'],
    ['Shift+N', '.open'],
  ])('%s creates a folder if the focus is on %s', async (key, focused) => {
    if (focused === '.open') await row(page, 'annals.txt').locator('.open').focus();
    await page.keyboard.press(key);
    await newFolder().waitFor();
    expect(await page.getByLabel(t('files.forms.name')).inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await newFolder().waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('nN?');
    expect(await search().inputValue()).toBe('nN?');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('n on a row finds the next name that begins with it', async () => {
    await row(page, 'annals.txt').locator('.open').focus();
    await page.keyboard.press('n');
    await expect.poll(() => row(page, 'nuts.txt').evaluate((one) => one.contains(document.activeElement))).toBe(true);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('n continues a name whose first letters are typed', async () => {
    await row(page, 'nuts.txt').locator('.open').focus();
    // In one task, however slow the machine is: the letters of a name have to follow each other soon.
    await page.evaluate(async () => {
      for (const key of ['a', 'n', 'n']) {
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      }
    });
    await expect.poll(() => row(page, 'annals.txt').evaluate((one) => one.contains(document.activeElement))).toBe(true);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('of others in which no folder can be created, n does nothing', async () => {
    await page.goto(address(household, `/files/?path=/ROOT/${household.ids.olga}`));
    await ready(page);
    await row(page, 'Open').locator('.open').click();
    await row(page, 'list.txt').waitFor();
    const before = page.url();
    await page.keyboard.press('n');
    await page.keyboard.press('?');
    await help().waitFor();
    expect(page.url()).toBe(before);
    expect(await page.getByRole('dialog').count()).toBe(1);
  });
});

it.each(['/RECENT', '/STARRED', '/TRASH', '/PHOTOS'])('the list %s has all of them', async (path) => {
  await page.goto(address(household, `/files/?path=${path}`));
  await ready(page);
  await page.keyboard.press('?');
  await help().waitFor();
  await page.keyboard.press('Escape');
  await help().waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  expect(await isFocused()).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(isFocused).toBe(false);
  await page.keyboard.press('n');
  await isOnForm();
});

describe('on pages of the account', () => {
  it.each(['', 'programs', 'password', 'two-step', 'activity'])('all of them work: /account/%s', async (path) => {
    await page.goto(address(household, `/account/${path}`));
    await page.locator('body').press('?');
    await help().getByText(t('files.actions.createFolder')).waitFor();
    // A click on the text takes the focus away from the dialog.
    await help().getByRole('heading').click();
    await page.keyboard.press('n');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await help().waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    expect(await isFocused()).toBe(true);
    await page.keyboard.type('n?/');
    expect(await search().inputValue()).toBe('n?/');
    await search().evaluate((element: HTMLElement) => element.blur());
    await page.keyboard.press('n');
    await isOnForm();
    expect(visited.complaints).toEqual([]);
  });

  it('the list of keys looks like the one of files', async () => {
    await page.goto(address(household, '/account/'));
    await page.keyboard.press('?');
    await help().waitFor();
    await inspect(page, 'account-keys');
    await page.getByRole('button', { name: t('files.keys.close') }).click();
    await help().waitFor({ state: 'hidden' });
  });

  it('new folders are not offered to those who may create none', async () => {
    await household.control('accounts.update', {
      username: 'ben',
      permissions: { upload: false },
    });
    await page.goto(address(household, '/account/'));
    await page.keyboard.press('?');
    await help().getByText(t('files.keys.does.search')).waitFor();
    expect(await help().getByText(t('files.actions.createFolder')).count()).toBe(0);
  });
});

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { type Household, openHousehold } from '../support/household.ts';
import { MEMBER } from '../support/member.ts';
import { visit } from '../support/page.ts';
import { inspectPanel } from '../support/panel-page.ts';

let browser: Browser;
let household: Household;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  for (const name of ['Mia', 'Milo', 'Ben']) {
    await household.control('accounts.add', { ...MEMBER, username: name.toLowerCase(), name });
  }
  await household.control('clients.add', { name: 'Märchen & Notes' });
  ({ context, page, complaints } = await visit(browser));
  await page.goto(String((await household.control('panel.link')).url));
  await page.getByRole('heading', { name: 'Larder is running' }).waitFor();
}, 90_000);
beforeEach(async () => {
  complaints.length = 0;
  await go('');
  await page.getByRole('heading', { name: 'Larder is running' }).waitFor();
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await household?.close();
});

const go = (address: string) => page.evaluate(`location.hash = '#/${address}'`);
const here = () => page.evaluate('location.hash') as Promise<string>;
const dialog = () => page.getByRole('dialog');
const field = () => page.getByRole('combobox', { name: 'Go to a page, a person, an app or a setting' });
const options = () => page.getByRole('option').locator('span:first-child').allInnerTexts();
const current = () => page.getByRole('option', { selected: true }).locator('span:first-child').innerText();
const title = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function openGoTo(): Promise<void> {
  await page.keyboard.press('Control+k');
  await field().waitFor();
}

describe('go to', () => {
  it('is opened with Ctrl K and in the sidebar, and shows all pages', async () => {
    await openGoTo();
    const pages = await options();
    expect(pages.slice(0, 2)).toEqual(['Overview', 'People']);
    expect(pages).toEqual(expect.arrayContaining(['Mail', 'Security', 'About', 'Reference', 'Authorizations']));
    expect(pages, 'what is of the window only').not.toContain('This computer');
    await inspectPanel(page, 'go-to');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Go to' }).click();
    await field().waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toMatch(/^Go to/);
    expect(complaints).toEqual([]);
  });

  it('moves with the arrow keys, and opens with Enter', async () => {
    await openGoTo();
    expect(await current()).toBe('Overview');
    await page.keyboard.press('ArrowDown');
    expect(await current()).toBe('People');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await current()).toBe((await options()).at(-1));
    await page.keyboard.press('Home');
    expect(await current()).toBe('Overview');
    const active = await field().getAttribute('aria-activedescendant');
    await expect.poll(() => page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.type('author');
    expect(await options()).toEqual(['Authorizations']);
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(await here()).toBe('#/api/authorizations');
    expect(complaints).toEqual([]);
  });

  it('finds people, apps and settings, whatever the case and the accents', async () => {
    await openGoTo();
    await page.keyboard.type('mi');
    await page.getByRole('group', { name: 'People' }).getByText('Milo', { exact: true }).waitFor();
    await inspectPanel(page, 'go-to-found');
    await page.getByRole('group', { name: 'People' }).getByText('Mia', { exact: true }).click();
    await expect.poll(here).toBe('#/people/users/2');
    await openGoTo();
    await page.keyboard.type('MARCHEN');
    await page.getByRole('group', { name: 'Apps' }).getByText('Märchen & Notes').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(here).toBe('#/api');
    await openGoTo();
    await page.keyboard.type('shortest password');
    await page.getByRole('group', { name: 'Settings' }).waitFor();
    await page.keyboard.press('Enter');
    await title('Security');
    await openGoTo();
    await page.keyboard.type('zzz');
    await page.getByText('Nothing by that name').waitFor();
    await inspectPanel(page, 'go-to-nothing', ['usual', 'phone']);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await title('Security');
    expect(complaints).toEqual([]);
  });

  it('leads to pages on which the setting is', async () => {
    for (const name of ['Enable API', 'Wrong passwords', 'Thumbnails', 'Doctor', 'Server', 'Name of the household']) {
      await openGoTo();
      await field().fill(name);
      await page.getByRole('group', { name: 'Settings' }).getByText(name, { exact: true }).click();
      await dialog().waitFor({ state: 'detached' });
      await page
        .getByRole('main')
        .getByText(new RegExp(`^${name}`))
        .first()
        .waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('is in the bar of a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Go to' }).click();
    await field().fill('about');
    await page.getByRole('option', { name: 'About' }).first().click();
    await title('About');
    await page.setViewportSize({ width: 1280, height: 832 });
    expect(complaints).toEqual([]);
  });
});

describe('keys', () => {
  it('add where the page has Add, and not in a field or under a dialog', async () => {
    await go('api');
    await page.getByRole('row').filter({ hasText: 'Märchen' }).waitFor();
    await page.keyboard.press('n');
    await dialog().getByRole('heading', { name: 'Add an app' }).waitFor();
    await dialog().getByLabel('Name').pressSequentially('n/?');
    await expect.poll(() => dialog().getByLabel('Name').inputValue()).toBe('n/?');
    await dialog().getByRole('button', { name: 'Cancel' }).focus();
    for (const key of ['n', '?', 'Control+k']) await page.keyboard.press(key);
    await expect.poll(() => dialog().count()).toBe(1);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await go('people');
    await page.getByText('Ben', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('milo');
    await page.getByText('Ben', { exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('milo');
    await expect.poll(() => dialog().count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('save with Ctrl S, also from within a field', async () => {
    await go('security');
    const tries = page.getByLabel('Wrong passwords');
    await tries.fill('7');
    await page.getByText('1 change, not saved').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('1 change, not saved').waitFor({ state: 'detached' });
    expect(await household.control('settings.get')).toMatchObject({ wrongPasswordLimit: 7 });
    expect(complaints).toEqual([]);
  });

  it('are listed with ?, and single letters are switched off and on there', async () => {
    await go('api');
    await page.getByRole('row').filter({ hasText: 'Märchen' }).waitFor();
    await page.keyboard.press('?');
    await dialog().getByRole('heading', { name: 'Keys' }).waitFor();
    const list = await dialog().getByRole('definition').allInnerTexts();
    expect(list).toEqual(expect.arrayContaining(['add', 'this list', 'go to: pages, people, apps, settings']));
    expect(list).not.toContain('save changes');
    await inspectPanel(page, 'keys');
    await page.getByRole('switch', { name: 'Single letters' }).press(' ');
    await dialog().getByRole('button', { name: 'Done' }).click();
    await dialog().waitFor({ state: 'detached' });
    for (const key of ['n', '?', '/']) await page.keyboard.press(key);
    await expect.poll(() => dialog().count()).toBe(0);
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'Märchen' }).waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => dialog().count(), { message: 'the browser remembers it' }).toBe(0);
    // Without letters, the list is found by its name.
    await openGoTo();
    await page.keyboard.type('keys');
    await page.keyboard.press('Enter');
    await page.getByRole('switch', { name: 'Single letters' }).press(' ');
    await dialog().getByRole('button', { name: 'Done' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await dialog().getByRole('heading', { name: 'Add an app' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});

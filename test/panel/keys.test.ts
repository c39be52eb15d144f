import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/page.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { t } from '../support/browser/panel-texts.ts';
import { describeInFull, itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { MEMBER } from '../support/households/member.ts';

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
  await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
});
beforeEach(async () => {
  complaints.length = 0;
  await go('');
  await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await household?.close();
});

const go = (address: string) => page.evaluate(`location.hash = '#/${address}'`);
const here = () => page.evaluate('location.hash') as Promise<string>;
const dialog = () => page.getByRole('dialog');
const field = () => page.getByRole('combobox', { name: t('goTo.label') });
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
    expect(pages.slice(0, 2)).toEqual([t('nav.overview'), t('goTo.groups.people')]);
    expect(pages).toEqual(
      expect.arrayContaining([
        t('nav.mail'),
        t('nav.security'),
        t('nav.about'),
        t('panelApi.tabs.reference'),
        t('panelApi.tabs.authorizations'),
      ]),
    );
    expect(pages, 'what is of the window only').not.toContain(t('nav.computer'));
    await inspectPanel(page, 'go-to');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: t('goTo.open') }).click();
    await field().waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toContain(t('goTo.open'));
    expect(complaints).toEqual([]);
  });

  it('moves with the arrow keys, and opens with Enter', async () => {
    await openGoTo();
    expect(await current()).toBe(t('nav.overview'));
    await page.keyboard.press('ArrowDown');
    expect(await current()).toBe(t('goTo.groups.people'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await current()).toBe((await options()).at(-1));
    await page.keyboard.press('Home');
    expect(await current()).toBe(t('nav.overview'));
    const active = await field().getAttribute('aria-activedescendant');
    await expect.poll(() => page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.type(t('panelApi.tabs.authorizations').slice(0, 6).toLowerCase());
    expect(await options()).toEqual([t('panelApi.tabs.authorizations')]);
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(await here()).toBe('#/api/authorizations');
    expect(complaints).toEqual([]);
  });

  itInFull('finds people, apps and settings, ignoring case and accents', async () => {
    await openGoTo();
    await page.keyboard.type('mi');
    await page
      .getByRole('group', { name: t('goTo.groups.people') })
      .getByText('Milo', { exact: true })
      .waitFor();
    await inspectPanel(page, 'go-to-found');
    await page
      .getByRole('group', { name: t('goTo.groups.people') })
      .getByText('Mia', { exact: true })
      .click();
    await expect.poll(here).toBe('#/people/users/2');
    await openGoTo();
    await page.keyboard.type('MARCHEN');
    await page
      .getByRole('group', { name: t('goTo.groups.apps') })
      .getByText('Märchen & Notes')
      .waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(here).toBe('#/api');
    await openGoTo();
    await page.keyboard.type(t('security.passwords.least').toLowerCase());
    await page.getByRole('group', { name: t('goTo.groups.settings') }).waitFor();
    await page.keyboard.press('Enter');
    await title(t('nav.security'));
    await openGoTo();
    await page.keyboard.type('zzz');
    await page.getByText(t('goTo.none')).waitFor();
    await inspectPanel(page, 'go-to-nothing', ['usual', 'phone']);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await title(t('nav.security'));
    expect(complaints).toEqual([]);
  });

  itInFull('leads to the page that contains the setting', async () => {
    for (const name of [
      t('panelApi.settings.enable'),
      t('security.passwords.limit'),
      t('files.thumbnails.title'),
      t('about.doctor.title'),
      t('about.licences.parts.server'),
      t('household.name'),
    ]) {
      await openGoTo();
      await field().fill(name);
      await page
        .getByRole('group', { name: t('goTo.groups.settings') })
        .getByText(name, { exact: true })
        .click();
      await dialog().waitFor({ state: 'detached' });
      await page
        .getByRole('main')
        .getByText(new RegExp(`^${name}`))
        .first()
        .waitFor();
    }
    expect(complaints).toEqual([]);
  });

  itInFull('is available in the bar on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: t('goTo.open') }).click();
    await field().fill('about');
    await page
      .getByRole('option', { name: t('nav.about') })
      .first()
      .click();
    await title(t('nav.about'));
    await page.setViewportSize({ width: 1280, height: 832 });
    expect(complaints).toEqual([]);
  });
});

describeInFull('keys', () => {
  it('add an item if the page has Add, but not in a field or while a dialog is open', async () => {
    await go('api');
    await page.getByRole('row').filter({ hasText: 'Märchen' }).waitFor();
    await page.keyboard.press('n');
    await dialog()
      .getByRole('heading', { name: t('panelApi.form.addTitle') })
      .waitFor();
    await dialog().getByLabel(t('people.add.name')).pressSequentially('n/?');
    await expect.poll(() => dialog().getByLabel(t('people.add.name')).inputValue()).toBe('n/?');
    await dialog()
      .getByRole('button', { name: t('people.add.cancel') })
      .focus();
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

  it('save with Ctrl S, also in a field', async () => {
    await go('security');
    const tries = page.getByLabel(t('security.passwords.limit'));
    await tries.fill('7');
    await page.getByText(t('saveBar.changes', { count: 1 })).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText(t('saveBar.changes', { count: 1 })).waitFor({ state: 'detached' });
    expect(await household.control('settings.get')).toMatchObject({ wrongPasswordLimit: 7 });
    expect(complaints).toEqual([]);
  });

  itInFull('are listed with ?, and single letters are disabled and enabled there', async () => {
    await go('api');
    await page.getByRole('row').filter({ hasText: 'Märchen' }).waitFor();
    await page.keyboard.press('?');
    await dialog()
      .getByRole('heading', { name: t('keys.title') })
      .waitFor();
    const list = await dialog().getByRole('definition').allInnerTexts();
    expect(list).toEqual(
      expect.arrayContaining([t('keys.actions.add'), t('keys.actions.list'), t('keys.actions.goTo')]),
    );
    expect(list).not.toContain(t('keys.actions.save'));
    await inspectPanel(page, 'keys');
    await page.getByRole('switch', { name: t('keys.letters') }).press(' ');
    await dialog()
      .getByRole('button', { name: t('keys.done') })
      .click();
    await dialog().waitFor({ state: 'detached' });
    for (const key of ['n', '?', '/']) await page.keyboard.press(key);
    await expect.poll(() => dialog().count()).toBe(0);
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'Märchen' }).waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => dialog().count(), { message: 'the browser remembers it' }).toBe(0);
    // Without letters, the list is found by its name.
    await openGoTo();
    await page.keyboard.type(t('goTo.keys'));
    await page.keyboard.press('Enter');
    await page.getByRole('switch', { name: t('keys.letters') }).press(' ');
    await dialog()
      .getByRole('button', { name: t('keys.done') })
      .click();
    await dialog().waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await dialog()
      .getByRole('heading', { name: t('panelApi.form.addTitle') })
      .waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});

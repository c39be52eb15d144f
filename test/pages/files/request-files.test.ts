import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { homeOf } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { enterAt, fillHome } from './support.ts';

let browser: Browser;
let household: SharingHousehold;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await fillHome(homeOf(household, 'olga'), {
    'Wedding/list.txt': 'one',
    'Linked/two.txt': 'two',
    'Plain/one.txt': '1',
  });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const folder = (path: string) => `/files/?path=${encodeURIComponent(path)}`;
const enter = (username: string, path: string, options: BrowserContextOptions = {}) =>
  enterAt({ browser, household }, path, { username, ...options });
const more = (page: Page) => page.getByRole('button', { name: t('files.actions.uploadMore') });
const entry = (page: Page) => page.getByRole('menuitem', { name: t('files.actions.requestFiles'), exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Whether somebody finds it in the menu of a folder. */
async function offered(username: string, path: string): Promise<boolean> {
  const { page, context } = await enter(username, path);
  await more(page).click();
  await page.getByRole('menuitem', { name: t('files.actions.uploadFiles') }).waitFor();
  const isOffered = (await entry(page).count()) > 0;
  await context.close();
  return isOffered;
}

const state = (page: Page) => page.locator('.known li').allTextContents();

async function whatOutsidersSee(page: Page): Promise<string> {
  const link = new URL(await page.getByLabel(t('weblinks.address'), { exact: true }).inputValue());
  return (await new WebVisitor(household).get(`${link.pathname}${link.search}`)).text;
}

it('a request for files is created from the menu of the shown folder', async () => {
  const { page, context, complaints } = await enter('olga', folder('/ROOT/HOME/Wedding'));
  await more(page).click();
  await entry(page).click();
  const dialog = page.getByRole('dialog', { name: t('weblinks.request.heading', { name: 'Wedding' }) });
  await inspect(page, 'request-files');
  await button(page, t('weblinks.create')).click();
  await dialog.getByText(t('weblinks.done.created')).waitFor();
  expect(await state(page)).toEqual([t('weblinks.state.request')]);
  const seen = await whatOutsidersSee(page);
  expect(seen).toContain('type="file"');
  expect(seen).not.toContain('list.txt');
  expect(complaints).toEqual([]);
  await context.close();
});

it('a link with which nobody can send files is changed to allow it, and keeps what it allowed', async () => {
  const made = await household.as('olga').post('files/weblink', { path: '/ROOT/HOME/Linked' });
  expect(made.status).toBe(200);
  const { page, context } = await enter('olga', folder('/ROOT/HOME/Linked'));
  await more(page).click();
  await entry(page).click();
  await page.getByText(t('weblinks.request.existing')).waitFor();
  await inspect(page, 'request-files-existing');
  expect(await page.getByRole('radio', { name: t('weblinks.visitors.both.label') }).isChecked()).toBe(true);
  expect(await whatOutsidersSee(page)).not.toContain('type="file"');
  await button(page, t('weblinks.save')).click();
  await page.getByRole('dialog').getByText(t('weblinks.done.saved')).waitFor();
  expect(await state(page)).toEqual([t('weblinks.state.both')]);
  expect(await page.getByText(t('weblinks.request.existing')).count()).toBe(0);
  const seen = await whatOutsidersSee(page);
  expect([seen.includes('type="file"'), seen.includes('two.txt')]).toEqual([true, true]);
  await context.close();
});

it('without a script, the page to upload leads there, and a wrong option keeps the request', async () => {
  const { page, context } = await enter('olga', '/files/do/upload?path=/ROOT/HOME/Plain', { javaScriptEnabled: false });
  await page.getByRole('link', { name: t('files.actions.requestFiles') }).click();
  const heading = page.getByRole('heading', { name: t('weblinks.request.heading', { name: 'Plain' }) });
  await heading.waitFor();
  await page.getByText(t('weblinks.more')).click();
  await page.getByLabel(t('weblinks.expiry.label')).fill('2020-01-31');
  await button(page, t('weblinks.create')).click();
  await page.getByText(t('weblinks.problems.expiry')).waitFor();
  await heading.waitFor();
  await page.getByLabel(t('weblinks.expiry.label')).fill('');
  await button(page, t('weblinks.create')).click();
  await page.getByText(t('weblinks.done.created')).waitFor();
  expect(await state(page)).toEqual([t('weblinks.state.request')]);
  await context.close();
});

it('nobody is offered what is not allowed: for a home, and in a share without links', async () => {
  const { ben } = household.ids;
  const closed = await household.share('/ROOT/HOME/Plain', { uid: ben, upload: 1, alter: 1, share: 0 });
  const open = await household.share('/ROOT/HOME/Wedding', { uid: ben, upload: 1, alter: 1, share: 1 });
  expect(await offered('olga', '/files/')).toBe(false);
  expect(await offered('ben', folder(`/ROOT/${household.ids.olga}/${closed}`))).toBe(false);
  expect(await offered('ben', folder(`/ROOT/${household.ids.olga}/${open}`))).toBe(true);
});

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER, signInAs } from '../../support/households/member.ts';
import { shareHome } from '../../support/households/shared-home.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { type DavClient, davClient } from '../../support/webdav/dav-client.ts';
import { address, fillHome, names, picture, ready, row, signInAt, toast } from './support.ts';

// What somebody else has locked is not offered to be renamed, moved or deleted, exactly where the server refuses it.

const HOME = '/ROOT/HOME';
const LISTED = ['Deep', 'Held', 'Shallow', 'by-program.txt', 'by-tom.txt', 'free.txt', 'mine.txt'];

let browser: Browser;
let household: Household;
let program: DavClient;
let apis: Record<'mia' | 'tom', ApiClient>;
/** The owner of the home, and another account with the same home. */
let pages: Record<'mia' | 'tom', Page>;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await addMembersWithHomes(household, { mia: {}, tom: {} });
  for (const [username, name] of Object.entries({ mia: 'Mia', tom: 'Tom' }))
    await household.control('accounts.update', { username, name });
  await shareHome(household, 'mia', ['tom']);
  await fillHome(homeOf(household, 'mia'), {
    'by-program.txt': 'open in a program',
    'by-tom.txt': 'open elsewhere',
    'mine.txt': 'mine',
    'free.txt': 'free',
    'Held/in/paper.txt': 'below a folder',
    'Deep/inside.txt': 'below a locked folder',
    'Shallow/entry.txt': 'in a locked folder',
    'Pictures/Lake.jpg': await picture(2),
    'Pictures/Wood.jpg': await picture(3),
  });
  const [mia, tom] = await Promise.all([signInAs(household, 'mia'), signInAs(household, 'tom')]);
  apis = { mia, tom };
  for (const [api, path] of [
    [tom, 'by-tom.txt'],
    [tom, 'Held/in/paper.txt'],
    [tom, 'Pictures/Lake.jpg'],
    [mia, 'mine.txt'],
  ] as const)
    expect((await api.post('files/lock', { path: `${HOME}/${path}` })).status).toBe(200);
  program = await davClient(mia);
  const ofTom = await davClient(tom);
  const locked = [
    await program.lock('/My%20files/by-program.txt'),
    await ofTom.lock('/My%20files/Deep', { headers: { depth: 'infinity' } }),
    await ofTom.lock('/My%20files/Shallow'),
  ];
  expect(locked.map(({ status }) => status)).toEqual([200, 200, 200]);
  const signedIn = async (username: string) => {
    const { page } = await visit(browser);
    await page.goto(address(household));
    await signInAt(page, username, MEMBER.password);
    await ready(page);
    return page;
  };
  pages = { mia: await signedIn('mia'), tom: await signedIn('tom') };
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function go(page: Page, path: string): Promise<void> {
  await page.goto(address(household, path));
  await ready(page);
}

const CHANGES = ['rename', 'move', 'delete'] as const;

/** Which of the changes the menu of a row offers. */
async function offered(page: Page, name: string): Promise<string[]> {
  await row(page, name).locator('.open').click({ button: 'right' });
  const menu = page.getByRole('menu');
  await menu.waitFor();
  const actions = await menu.locator('[data-do]').evaluateAll((all) => all.map((one) => one.getAttribute('data-do')));
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  return CHANGES.filter((action) => actions.includes(action));
}

async function menusAt(page: Page, path: string, wanted: readonly string[]): Promise<Record<string, string>> {
  await go(page, path);
  const found: Record<string, string> = {};
  for (const name of wanted) found[name] = (await offered(page, name)).join(' ');
  return found;
}

const lockOf = (page: Page, name: string) => row(page, name).locator('.mark[title*="ocked"]').getAttribute('title');

it('the owner of a home may delete what others have locked, and only that', async () => {
  const page = pages.mia;
  expect(await menusAt(page, `/files/?path=${HOME}`, LISTED)).toEqual({
    Deep: 'delete',
    Held: 'delete',
    Shallow: 'delete',
    'by-program.txt': 'delete',
    'by-tom.txt': 'delete',
    'free.txt': 'rename move delete',
    'mine.txt': 'rename move delete',
  });
  const byTom = t('files.row.lockedBy', { holder: 'person', user: 'Tom' });
  expect(await lockOf(page, 'by-tom.txt')).toBe(byTom);
  expect(await lockOf(page, 'mine.txt')).toBe(t('files.row.lockedByYou'));
  expect(await lockOf(page, 'by-program.txt')).toBe(t('files.row.lockedBy', { holder: 'program', user: '' }));
  expect(await lockOf(page, 'Held')).toBe(t('files.row.lockedInside', { holder: 'person', user: 'Tom' }));
  expect(await lockOf(page, 'Deep')).toBe(byTom);
  await inspect(page, 'files-locked');
});

it('another account may not delete what others have locked either', async () => {
  expect(await menusAt(pages.tom, `/files/?path=${HOME}`, LISTED)).toMatchObject({
    Held: 'rename move delete',
    'by-program.txt': '',
    'by-tom.txt': 'rename move delete',
    'free.txt': 'rename move delete',
    'mine.txt': '',
  });
  expect(await lockOf(pages.tom, 'mine.txt')).toBe(t('files.row.lockedBy', { holder: 'person', user: 'Mia' }));
});

it('the locks of a folder hold for its entries, also in search results', async () => {
  expect(await menusAt(pages.mia, `/files/?path=${HOME}/Deep`, ['inside.txt'])).toEqual({ 'inside.txt': 'delete' });
  expect(await menusAt(pages.mia, `/files/?path=${HOME}/Shallow`, ['entry.txt'])).toEqual({ 'entry.txt': 'delete' });
  expect(await menusAt(pages.mia, '/files/search?q=entry', ['entry.txt'])).toEqual({ 'entry.txt': 'delete' });
});

it('what menus offer is what the server allows', async () => {
  const rename = async (api: ApiClient, name: string) =>
    (await api.post('files/rename', { path: `${HOME}/${name}`, newName: `${name}!` })).status;
  for (const name of ['Held', 'Deep', 'Shallow', 'by-tom.txt']) expect(await rename(apis.mia, name)).toBe(423);
  for (const name of ['mine.txt', 'by-program.txt']) {
    expect(await rename(apis.tom, name)).toBe(423);
    expect((await apis.tom.post('files/delete', { path: `${HOME}/${name}` })).status).toBe(423);
  }
});

it('the bar, the keys and dragging leave out what a lock keeps', async () => {
  const page = pages.mia;
  await go(page, `/files/?path=${HOME}`);
  const bar = page.locator('.selection');
  await row(page, 'free.txt').locator('.pick input').check();
  await bar.locator('[data-do=move]').waitFor();
  await row(page, 'by-tom.txt').locator('.pick input').check();
  await bar.locator('[data-do=move]').waitFor({ state: 'hidden' });
  expect(await bar.locator('[data-do=delete]').isVisible()).toBe(true);
  await bar.locator('[data-do=clear]').click();
  await bar.waitFor({ state: 'hidden' });
  // A later key and a later drag, which have an effect.
  await row(page, 'by-tom.txt').locator('.open').press('F2');
  await row(page, 'free.txt').locator('.open').press('F2');
  const form = page.getByRole('dialog');
  await form.waitFor();
  expect(await form.getByRole('textbox').inputValue()).toBe('free.txt');
  await page.keyboard.press('Escape');
  await row(page, 'by-tom.txt').dragTo(row(page, 'Pictures'));
  await row(page, 'free.txt').dragTo(row(page, 'Pictures'));
  await toast(page, t('files.toast.moved', { count: 1 }));
  await expect.poll(() => names(page)).not.toContain('free.txt');
  expect(await names(page)).toContain('by-tom.txt');
});

it('the page of a file and the photo viewer offer only what a lock allows', async () => {
  const { mia, tom } = pages;
  await go(tom, `/files/item?path=${HOME}/mine.txt`);
  expect(await tom.locator('.facts .item-actions').locator('[data-do=copy]').count()).toBe(1);
  for (const action of CHANGES) expect(await tom.locator(`.facts [data-do=${action}]`).count()).toBe(0);
  expect(await tom.locator('.facts dl').innerText()).toContain(
    t('files.row.lockedBy', { holder: 'person', user: 'Mia' }),
  );
  await inspect(tom, 'files-locked-item');
  await go(mia, `/files/?path=${HOME}/Pictures`);
  await row(mia, 'Lake.jpg').locator('.open').click();
  const viewer = mia.getByRole('dialog');
  await viewer.getByRole('button', { name: t('photoViewer.more') }).click();
  const menu = mia.getByRole('menu');
  await menu.locator('[data-do=delete]').waitFor();
  expect(await menu.locator('[data-do=rename], [data-do=move]').count()).toBe(0);
});

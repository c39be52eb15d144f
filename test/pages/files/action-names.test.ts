import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { ITEM_ACTIONS } from '../../../dist/server/web/files/abilities.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome, picture, ready, row, signInAt } from './support.ts';

// An action has one name, wherever it is offered.

let browser: Browser;
let household: Household;
let page: Page;
/** An album with a photo, and the addresses of web links to a folder and to a photo. */
let album = '';
let links: Readonly<Record<'folder' | 'photo', string>>;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await fillHome(household.home, { 'Plums.txt': 'plums', 'Folder/a.txt': 'a', 'Lake.jpg': await picture(2) });
  const api = await household.signIn();
  await api.post('files/star', { path: '/ROOT/HOME/Plums.txt' });
  await api.put({ path: '/ROOT/HOME/gone.txt' }, 'gone');
  await api.post('files/delete', { path: '/ROOT/HOME/gone.txt' });
  album = (await api.post('albums/add', { title: 'By the lake' })).body.data.album;
  const items = JSON.stringify([{ path: '/ROOT/HOME/Lake.jpg' }]);
  expect((await api.post('albums/items/add', { album, items })).status).toBe(200);
  const linkTo = async (path: string) => {
    const { searchParams } = new URL((await api.post('files/weblink', { path })).body.data.url);
    return address(household, `/wl/?id=${searchParams.get('id')}`);
  };
  links = { folder: await linkTo('/ROOT/HOME/Folder'), photo: await linkTo('/ROOT/HOME/Lake.jpg') };
  ({ page } = await visit(browser));
  await page.goto(address(household));
  await signInAt(page);
  await ready(page);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

/** Every action that the page offers: in its menus, bars and buttons, also where they are not open. */
const OFFERED = `[document, ...[...document.querySelectorAll('template')].map(({ content }) => content)].flatMap((part) =>
  [...part.querySelectorAll('[data-do]')].map((button) => {
    const copy = button.cloneNode(true);
    for (const key of copy.querySelectorAll('kbd, svg')) key.remove();
    return [button.dataset.do, button.getAttribute('aria-label') ?? copy.textContent.trim()];
  }))`;

const isAction = (name: string): name is (typeof ITEM_ACTIONS)[number] =>
  ITEM_ACTIONS.some((action) => action === name);

it.each([
  ['a folder', '/files/?path=/ROOT/HOME', ['download', 'share', 'link', 'rename', 'move', 'copy', 'delete']],
  ['a gallery', '/files/?path=/ROOT/HOME&view=gallery', ['download', 'share', 'link', 'rename', 'delete']],
  ['photos', '/files/?path=/PHOTOS', ['download', 'share', 'link', 'delete']],
  ['starred items', '/files/?path=/STARRED', ['download', 'share', 'unstar', 'delete']],
  ['recent files', '/files/?path=/RECENT', ['download', 'share', 'link', 'delete']],
  ['search results', '/files/search?q=plums', ['download', 'share', 'link', 'delete']],
  ['the trash', '/files/?path=/TRASH', ['restore', 'erase']],
  ['the page of a file', '/files/item?path=/ROOT/HOME/Plums.txt', ['download', 'share', 'link', 'rename', 'delete']],
  ['the page of a folder', '/files/item?path=/ROOT/HOME/Folder', ['download', 'share', 'link', 'rename', 'delete']],
] as const)('%s uses the names of the actions', async (_name, path, wanted) => {
  await expect
    .poll(async () => {
      await page.goto(address(household, path));
      await ready(page);
      const offered = await page.evaluate<[string, string][]>(OFFERED);
      return wanted.filter((action) => !offered.some(([name]) => name === action));
    })
    .toEqual([]);
  const offered = await page.evaluate<[string, string][]>(OFFERED);
  for (const [action, text] of offered) if (isAction(action)) expect(text).toBe(t(`files.actions.${action}`));
});

it('an album uses the names of the actions, for its photos and for itself', async () => {
  await page.goto(address(household, `/files/album?album=${album}`));
  await ready(page);
  const offered = await page.evaluate<[string, string][]>(OFFERED);
  const wanted = ['download', 'star', 'share', 'link', 'albumRemove', 'rename', 'move', 'copy', 'delete'] as const;
  expect(wanted.filter((action) => !offered.some(([name]) => name === action))).toEqual([]);
  for (const [action, text] of offered) if (isAction(action)) expect(text).toBe(t(`files.actions.${action}`));
  const own = page.locator('.page-actions');
  const {
    share,
    rename,
    delete: remove,
    link,
  } = Object.fromEntries(
    (['share', 'rename', 'delete', 'link'] as const).map((action) => [action, t(`files.actions.${action}`)]),
  );
  const names = (await own.locator('a[data-do]').allTextContents()).map((text) => text.trim());
  expect(names).toContain(share);
  expect(names).toContain(link);
  expect(names.some((name) => name.startsWith(`${rename} `))).toBe(true);
  expect(names.some((name) => name.startsWith(`${remove} `))).toBe(true);
});

it.each(['folder', 'photo'] as const)('the page of a web link uses the names of the actions: %s', async (kind) => {
  const { page: visitor, context } = await visit(browser);
  await visitor.goto(links[kind]);
  const download = t('files.actions.download');
  const names = await visitor.locator('button.primary, button[name=some]').allTextContents();
  expect(names.length).toBeGreaterThan(0);
  // Of several items it says how many.
  for (const name of names) expect(name.startsWith(download), name).toBe(true);
  await context.close();
});

itInFull('the viewer uses the names of the actions', async () => {
  await page.goto(address(household, '/files/?path=/ROOT/HOME'));
  await ready(page);
  await row(page, 'Lake.jpg').locator('.open').click();
  const viewer = page.getByRole('dialog');
  for (const action of ['share', 'download', 'star', 'details'] as const) {
    await viewer.getByRole('button', { name: t(`files.actions.${action}`), exact: true }).waitFor();
  }
  await viewer.getByRole('button', { name: t('files.actions.star'), exact: true }).click();
  await viewer.getByRole('button', { name: t('files.actions.unstar'), exact: true }).click();
  await viewer.getByRole('button', { name: t('files.actions.star'), exact: true }).waitFor();
});

itInFull.each(['rename', 'tag', 'delete'] as const)('the form of %s uses the name of the action', async (action) => {
  await page.goto(address(household, `/files/do/${action}?path=/ROOT/HOME/Plums.txt`));
  await page
    .locator('main form')
    .getByRole('button', { name: t(`files.actions.${action}`), exact: true })
    .waitFor();
});

it('the help for keys uses the names of the actions', async () => {
  await page.goto(address(household, '/files/?path=/ROOT/HOME'));
  await ready(page);
  await page.locator('body').press('?');
  const does = page.getByRole('dialog').locator('dt');
  await does.first().waitFor();
  const names = await does.allTextContents();
  for (const action of ['createFolder', 'open', 'select', 'rename', 'delete'] as const)
    expect(names).toContain(t(`files.actions.${action}`));
});

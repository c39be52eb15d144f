import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../support/browser/page.ts';
import { readZip } from '../support/content/read-zip.ts';
import { describeInFull, itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { address, fillHome, names, picture, ready, row, signInAt, toast } from './files/support.ts';

let browser: Browser;
let household: Household;
let visited: Visit;
let page: Page;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  visited = await visit(browser);
  ({ page } = visited);
  await page.goto(address(household));
  await signInAt(page);
  await ready(page);
});
afterAll(async () => {
  await visited?.context.close();
  await browser?.close();
  await household?.close();
});

let folder = 0;
let here = '';
/** A folder of its own for every test. */
beforeEach(async () => {
  folder += 1;
  here = `case ${folder}`;
  await fillHome(household.home, {
    [`${here}/a.txt`]: 'the first',
    [`${here}/b.txt`]: 'the second',
    [`${here}/c.txt`]: 'the third',
    [`${here}/inner/deep.txt`]: 'deep',
  });
  visited.complaints.length = 0;
  await page.goto(address(household, `/files/?path=${encodeURIComponent(`/ROOT/HOME/${here}`)}`));
  await ready(page);
});

const onDisk = (path: string) => join(household.home, here, path);
const isThere = (path: string) =>
  access(onDisk(path)).then(
    () => true,
    () => false,
  );
const focused = () =>
  page.evaluate("document.activeElement?.closest('.item')?.querySelector('.name')?.textContent ?? ''");
const press = (key: string) => page.keyboard.press(key);
const begin = () => row(page, 'inner').locator('.open').focus();

describeInFull('with the mouse', () => {
  it('a new folder has the focus', async () => {
    await page.getByRole('link', { name: t('files.actions.createFolder') }).click();
    await page.getByRole('dialog', { name: t('files.actions.createFolder') }).waitFor();
    await page.getByRole('button', { name: t('files.forms.createFolder.submit') }).waitFor();
    await page.getByLabel(t('files.forms.name')).fill('inner');
    await press('Enter');
    await page
      .getByRole('dialog')
      .getByText(t('api.access.alreadyExists', { name: 'inner' }))
      .waitFor();
    await expect.poll(() => page.getByLabel(t('files.forms.name')).inputValue()).toBe('inner');
    await inspect(page, 'files-dialog-wrong');
    await page.getByLabel(t('files.forms.name')).fill('Gran’s & jam, 100% #1 ‮odd');
    await press('Enter');
    await toast(page, t('files.toast.created'));
    await expect.poll(() => names(page)).toContain('Gran’s & jam, 100% #1 \ufffdodd');
  });
});

describe('by keyboard', () => {
  it('the arrow keys move, and items are selected, deleted and restored by undo', async () => {
    await begin();
    await press('ArrowDown');
    expect(await focused()).toBe('a.txt');
    await press('Space');
    await press('Shift+ArrowDown');
    await page
      .locator('#count')
      .getByText(t('files.selection.count', { count: 2, total: 4 }))
      .waitFor();
    await press('Delete');
    await toast(page, t('files.toast.deleted', { count: 2 }));
    await expect.poll(() => names(page)).toEqual(['inner', 'c.txt']);
    expect(await isThere('a.txt')).toBe(false);
    await inspect(page, 'files-toast');
    await page.getByRole('button', { name: t('files.toast.undo') }).click();
    await toast(page, t('files.toast.restored', { count: 2 }));
    await expect.poll(() => names(page)).toEqual(['inner', 'a.txt', 'b.txt', 'c.txt']);
    expect(await readFile(onDisk('a.txt'), 'utf8')).toBe('the first');
  });

  itInFull('F2 renames, with the name before the extension selected', async () => {
    await begin();
    await press('End');
    expect(await focused()).toBe('c.txt');
    await press('F2');
    await page.getByRole('dialog', { name: t('files.actions.rename') }).waitFor();
    await page.keyboard.type('last');
    await press('Enter');
    await toast(page, t('files.toast.renamed'));
    await expect.poll(() => names(page)).toEqual(['inner', 'a.txt', 'b.txt', 'last.txt']);
    await expect.poll(focused).toBe('last.txt');
  });

  itInFull('Enter opens, Backspace goes up, and the focus is where it was', async () => {
    await begin();
    await press('Enter');
    await page.getByRole('heading', { name: 'inner', level: 1 }).waitFor();
    await expect.poll(() => names(page)).toEqual(['deep.txt']);
    await row(page, 'deep.txt').locator('.open').focus();
    await press('Enter');
    await page.getByRole('heading', { name: 'deep.txt', level: 1 }).waitFor();
    await press('Escape');
    await page.getByRole('heading', { name: 'inner', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'deep.txt', level: 1 }).waitFor();
  });

  itInFull('the menu of an item opens', async () => {
    await begin();
    await press('ArrowDown');
    await press('Shift+F10');
    await page.getByRole('menu').waitFor();
    await inspect(page, 'files-menu');
    await press('ArrowDown');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(t('files.actions.download'));
    await press('Escape');
    expect(await focused()).toBe('a.txt');
    await press('Shift+F10');
    await page.getByRole('menuitem', { name: t('files.actions.star'), exact: true }).click();
    await toast(page, t('files.toast.starred', { count: 1 }));
    await row(page, 'a.txt').getByText(t('files.row.starred')).waitFor();
  });
});

it('moves selected items into another folder', async () => {
  for (const name of ['a.txt', 'b.txt']) await row(page, name).locator('.pick input').check();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('files.actions.move') })
    .click();
  const dialog = page.getByRole('dialog', { name: t('files.forms.move.heading', { count: 2, name: '' }) });
  await dialog.waitFor();
  await inspect(page, 'files-move');
  await dialog.getByRole('link', { name: 'inner' }).click();
  await dialog.getByRole('button', { name: t('files.forms.move.submit', { folder: 'inner' }) }).click();
  await toast(page, t('files.toast.moved', { count: 2 }));
  await expect.poll(() => names(page)).toEqual(['inner', 'c.txt']);
  expect([await isThere('inner/a.txt'), await isThere('a.txt')]).toEqual([true, false]);
});

itInFull('shows photos in the gallery, and thumbnails that the server creates', async () => {
  await fillHome(household.home, { [`${here}/one.jpg`]: await picture(1), [`${here}/two.jpg`]: await picture(2) });
  await page.getByRole('link', { name: t('files.view.gallery') }).click();
  await page.locator('.gallery .photo').nth(1).waitFor();
  const shown = "[...document.querySelectorAll('.photo')].every((one) => one.complete && one.naturalWidth > 0)";
  await expect.poll(() => page.evaluate(shown)).toBe(true);
  await begin();
  await press('ArrowRight');
  expect(await focused()).toBe('a.txt');
  expect(visited.complaints).toEqual([]);
});

it('downloads one file as it is and several as one archive, without leaving the page', async () => {
  await row(page, 'a.txt')
    .getByRole('link', { name: t('files.row.more', { name: 'a.txt' }) })
    .click();
  const [one] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: t('files.actions.download') }).click(),
  ]);
  expect([one.suggestedFilename(), await readFile(await one.path(), 'utf8')]).toEqual(['a.txt', 'the first']);
  for (const name of ['inner', 'b.txt']) await row(page, name).locator('.pick input').check();
  const [several] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('toolbar')
      .getByRole('button', { name: t('files.actions.download') })
      .click(),
  ]);
  expect(several.suggestedFilename()).toBe(`${here}.zip`);
  const packed = await readZip(await readFile(await several.path()));
  expect(Object.keys(packed).toSorted()).toEqual(['b.txt', 'inner/', 'inner/deep.txt']);
  // Gone in the meantime: that is said, and no page takes the place of this one.
  await rm(onDisk('b.txt'));
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('files.actions.download') })
    .click();
  await toast(page, t('api.access.notFound'));
  await page.getByRole('heading', { name: here }).waitFor();
});

itInFull('goes from photo to photo in the list from which the first was opened', async () => {
  await fillHome(household.home, { [`${here}/new.png`]: await picture(3), [`${here}/film.mp4`]: Buffer.alloc(9_000) });
  await page.getByRole('link', { name: 'Photos' }).click();
  await page.getByRole('heading', { name: 'Photos', level: 1 }).waitFor();
  await expect
    .poll(async () => {
      await page.reload();
      await ready(page);
      return names(page);
    })
    .toContain('new.png');
  await row(page, 'new.png').locator('.open').click();
  const viewer = page.getByRole('dialog', { name: 'new.png' });
  await viewer.waitFor();
  await viewer.getByText(/\d+ of \d+/).waitFor();
  await page.keyboard.press('ArrowRight');
  await viewer.waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('from')).toBe('/PHOTOS');
  await page.goto(address(household, `/files/item?path=${encodeURIComponent(`/ROOT/HOME/${here}/film.mp4`)}`));
  await expect.poll(() => page.locator('video').getAttribute('src')).toContain('openInBrowser=1');
});

import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { axe, inspect, type Visit, visit } from '../../support/browser/page.ts';
import { isFullForm, itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome, names, picture, ready, row, signInAt, toast } from './support.ts';

// Lists of which only the rows near the window are in the document.

const MANY = isFullForm ? 10_000 : 2_000;
/** A row of the list, by its place among 10,000. */
const place = (of10000: number) => Math.floor((of10000 * MANY) / 10_000);

let browser: Browser;
let household: Household;
let visited: Visit;
let page: Page;

const nameAt = (index: number) => `file-${String(index).padStart(5, '0')}.txt`;
const onDisk = (name: string) => join(household.home, 'many', name);

async function fill(count: number): Promise<void> {
  await rm(join(household.home, 'many'), { recursive: true, force: true });
  await mkdir(join(household.home, 'many'));
  for (let start = 0; start < count; start += 500) {
    const some = Array.from({ length: Math.min(500, count - start) }, (_, index) => nameAt(start + index));
    await Promise.all(some.map((name) => writeFile(onDisk(name), '')));
  }
}

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await fill(MANY);
  visited = await visit(browser);
  page = visited.page;
  await page.goto(address(household));
  await signInAt(page);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});
beforeEach(async () => {
  await page.goto(address(household, '/files/?path=/ROOT/HOME/many'));
  await ready(page);
});

const open = (name: string) => row(page, name).locator('.open');
const focused = () =>
  page.evaluate<string>('document.activeElement.closest(".item")?.querySelector(".name").textContent');
const nameField = () => page.getByRole('dialog').getByRole('textbox', { name: t('files.forms.name') });
const inDocument = async () => (await names(page)).length;
const count = (selected: number, total = MANY) =>
  page.locator('#count').getByText(t('files.selection.count', { count: selected, total }), { exact: true });
const scrolledTo = (index: number) =>
  page.evaluate(`scrollTo(0, document.querySelector('.long .items').offsetTop + ${index} * 53)`);

itInFull('the whole list can be scrolled, but only rows near the window are in the document', async () => {
  const grid = page.getByRole('grid', { name: t('files.list') });
  expect(await grid.getAttribute('aria-rowcount')).toBe(String(MANY + 1));
  expect(await row(page, nameAt(0)).getAttribute('aria-rowindex')).toBe('2');
  expect(await page.locator('.long .items').evaluate((list) => (list as HTMLElement).offsetHeight)).toBe(53 * MANY);
  const middle = place(5_000);
  await scrolledTo(middle);
  await row(page, nameAt(middle)).waitFor();
  expect(await row(page, nameAt(middle)).getAttribute('aria-rowindex')).toBe(String(middle + 2));
  expect(await inDocument()).toBeLessThan(60);
  // The heads stay at the top of the window.
  expect((await page.locator('.heads').boundingBox())?.y).toBe(0);
  expect(await axe(page)).toEqual([]);
  // A shorter one, of which there can be pictures.
  const long = Array.from(
    { length: 60 },
    (_, index) => `${nameAt(index).slice(0, -4)} with a long name that ends in ${index}.pdf`,
  );
  await fillHome(household.home, Object.fromEntries([...long, 'short.txt'].map((name) => [`some/${name}`, ''])));
  await page.goto(address(household, '/files/?path=/ROOT/HOME/some'));
  await ready(page);
  await inspect(page, 'files-long-list');
  expect(visited.complaints).toEqual([]);
});

itInFull('the arrow keys move through all rows', async () => {
  await open(nameAt(0)).focus();
  await page.keyboard.press('End');
  await expect.poll(focused).toBe(nameAt(MANY - 1));
  expect(await page.evaluate('Math.ceil(scrollY + innerHeight) > document.documentElement.scrollHeight - 200')).toBe(
    true,
  );
  await page.keyboard.press('ArrowUp');
  await expect.poll(focused).toBe(nameAt(MANY - 2));
  await page.keyboard.press('PageUp');
  await expect.poll(focused).toBe(nameAt(MANY - 12));
  await page.keyboard.press('Home');
  await expect.poll(focused).toBe(nameAt(0));
  // The focused row stays, wherever the window is.
  await scrolledTo(place(3_000));
  await row(page, nameAt(place(3_000))).waitFor();
  expect(await focused()).toBe(nameAt(0));
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toBe(nameAt(1));
  const typed = nameAt(place(7_123));
  await page.keyboard.type(typed.slice(0, -'.txt'.length));
  await expect.poll(focused).toBe(typed);
});

itInFull('selects all, and ranges with rows that were never in the document', async () => {
  await open(nameAt(0)).focus();
  await page.keyboard.press('Control+a');
  await count(MANY).waitFor();
  expect(await inDocument()).toBeLessThan(60);
  await scrolledTo(place(8_000));
  await expect
    .poll(() =>
      row(page, nameAt(place(8_000)))
        .locator('.pick input')
        .isChecked(),
    )
    .toBe(true);
  await page.locator('#picked').click();
  await page.locator('.selection').waitFor({ state: 'hidden' });

  await scrolledTo(100);
  await row(page, nameAt(100)).locator('.pick').click();
  await count(1).waitFor();
  const last = 100 + place(2_000) - 1;
  await scrolledTo(last + 1);
  await row(page, nameAt(last))
    .locator('.pick')
    .click({ modifiers: ['Shift'] });
  await count(place(2_000)).waitFor();
  await page.reload();
  await ready(page);
});

itInFull('menus and actions work on rows far down, and keep the scroll position', async () => {
  await scrolledTo(6_000);
  await row(page, nameAt(6_003)).locator('.more').click();
  await page.getByRole('menuitem', { name: t('files.actions.rename') }).click();
  await nameField().fill('file-06003 renamed.txt');
  await page.keyboard.press('Enter');
  await toast(page, t('files.toast.renamed'));
  await expect.poll(focused).toBe('file-06003 renamed.txt');
  await page.keyboard.press('Delete');
  await toast(page, t('files.toast.deleted', { count: 1 }));
  await expect.poll(() => names(page)).not.toContain('file-06003 renamed.txt');
  await expect.poll(focused).toBe(nameAt(6_004));
  await page
    .locator('.toast', { hasText: t('files.toast.deleted', { count: 1 }) })
    .getByRole('button', { name: t('files.toast.undo') })
    .click();
  await row(page, 'file-06003 renamed.txt').waitFor();
  // What was renamed to another place in the list is shown there.
  await open('file-06003 renamed.txt').focus();
  await page.keyboard.press('F2');
  await nameField().fill('file-00002 and a half.txt');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('file-00002 and a half.txt');
  await rename(onDisk('file-00002 and a half.txt'), onDisk(nameAt(6_003)));
});

it('a refresh keeps the scroll position and the selection', async () => {
  const [first, second] = [place(4_000), place(9_000)];
  await scrolledTo(first);
  await row(page, nameAt(first + 1))
    .locator('.pick')
    .click();
  await scrolledTo(second);
  await row(page, nameAt(second + 2))
    .locator('.pick')
    .click();
  await count(2).waitFor();
  const changed = nameAt(second + 3).replace('.txt', ' new.txt');
  await rename(onDisk(nameAt(second + 3)), onDisk(changed));
  // What the person uploads refreshes the list.
  const top = await page.evaluate('scrollY');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    // Without scrolling to it.
    page.getByRole('link', { name: t('files.actions.upload') }).dispatchEvent('click'),
  ]);
  await chooser.setFiles({ name: 'zzz.txt', mimeType: 'text/plain', buffer: Buffer.from('last') });
  await row(page, changed).waitFor();
  await count(2, MANY + 1).waitFor();
  expect(await page.evaluate('scrollY')).toBe(top);
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('files.actions.delete') })
    .click();
  await toast(page, t('files.toast.deleted', { count: 2 }));
  await expect.poll(() => page.getByText(t('files.count.items', { count: MANY - 1 })).count()).toBe(1);
});

itInFull('going back restores the scroll position', async () => {
  await scrolledTo(place(5_555));
  const name = nameAt(place(5_555) + 5);
  const top = await page.evaluate('scrollY');
  await open(name).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.goBack();
  await row(page, name).waitFor();
  expect(await page.evaluate('scrollY')).toBe(top);
});

itInFull('on paper, there are up to 300 rows, one below the other', async () => {
  await scrolledTo(700);
  await row(page, nameAt(700)).waitFor();
  await page.emulateMedia({ media: 'print' });
  await expect.poll(inDocument).toBe(301);
  const tops = await page
    .locator('.items .item')
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetTop));
  expect(tops.map((top) => top - (tops[0] ?? 0))).toEqual(tops.map((_, index) => index * 53));
  await page.emulateMedia({ media: 'screen' });
  await expect.poll(inDocument).toBeLessThan(60);
});

itInFull('the photo viewer leads through a long list in both directions', async () => {
  const folder = join(household.home, 'pictures');
  await mkdir(folder);
  const photo = await picture(1, 60, 40);
  await Promise.all(
    Array.from({ length: 700 }, (_, index) => writeFile(join(folder, `${String(index).padStart(3, '0')}.jpg`), photo)),
  );
  await page.goto(address(household, '/files/?path=/ROOT/HOME/pictures'));
  await ready(page);
  await scrolledTo(598);
  await open('601.jpg').click();
  const title = page.locator('#photo-viewer-title');
  const shows = (name: string) => expect.poll(() => title.textContent()).toBe(name);
  await shows('601.jpg');
  const steps = [
    ...[600, 599, 598, 597].map((next) => ['ArrowLeft', next]),
    ...[598, 599, 600, 601].map((next) => ['ArrowRight', next]),
  ];
  for (const [key, next] of steps) {
    await page.keyboard.press(String(key));
    await shows(`${next}.jpg`);
  }
  await page.keyboard.press('Delete');
  await shows('602.jpg');
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('602.jpg');
});

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { axe, type Visit, visit } from '../../support/browser/page.ts';
import { isFullForm, itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { eventually } from '../../support/system/eventually.ts';
import { address, names, picture, ready, row, signInAt, toast } from './support.ts';

// Galleries of which only the tiles near the window are in the document.

const FOLDERS = 21;
const PHOTOS = 150;
const TEXTS = isFullForm ? 10_000 : 700;
const TOTAL = FOLDERS + PHOTOS + TEXTS;

let browser: Browser;
let household: Household;
let visited: Visit;
let page: Page;

const folderAt = (index: number) => `Folder ${String(index).padStart(2, '0')}`;
const photoAt = (index: number) => `photo ${String(index).padStart(3, '0')}.jpg`;
const textAt = (index: number) => `text-${String(index).padStart(5, '0')}.txt`;
/** The name at an index of the gallery. */
function nameAt(index: number): string {
  if (index < FOLDERS) return folderAt(index);
  return index < FOLDERS + PHOTOS ? photoAt(index - FOLDERS) : textAt(index - FOLDERS - PHOTOS);
}

const MANY = '/files/?path=/ROOT/HOME/many&view=gallery';

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  const folder = join(household.home, 'many');
  await mkdir(folder);
  const shapes = await Promise.all(
    [
      [90, 60],
      [60, 80],
      [120, 60],
      [60, 60],
    ].map(([width, height], index) => picture(index, width, height)),
  );
  for (let index = 0; index < FOLDERS; index += 1) await mkdir(join(folder, folderAt(index)));
  for (let index = FOLDERS; index < TOTAL; index += 1) {
    const isPhoto = index < FOLDERS + PHOTOS;
    await writeFile(join(folder, nameAt(index)), isPhoto ? (shapes[(index * 7) % 4] ?? '') : '');
  }
  await eventually(
    async () => (await household.control('status')).embedded as { waiting: number; indexed: number },
    (state) => state.waiting === 0 && state.indexed >= PHOTOS,
  );
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
  // The same address again would be shown where it was.
  await page.goto('about:blank');
  await page.goto(address(household, MANY));
  await galleryReady();
});

async function galleryReady(): Promise<void> {
  await ready(page);
  await page.locator('.gallery[data-ready]').waitFor();
}

const open = (name: string) => row(page, name).locator('.open');
const focused = () =>
  page.evaluate<string>('document.activeElement.closest(".item")?.querySelector(".name").textContent');
const inDocument = async () => (await names(page)).length;
const count = (selected: number, total = TOTAL) =>
  page.locator('#count').getByText(t('files.selection.count', { count: selected, total }), { exact: true });
const scrolledTo = (share: number) =>
  page.evaluate(`scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * ${share})`);
/** The first tile that is in the window as a whole, once all tiles there are known. */
async function firstInWindow(): Promise<string> {
  const look = `(() => {
    const all = [...document.querySelectorAll('.items > *')].filter((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    return all.some((one) => one.matches('.to-come')) ? null : all[0]?.querySelector('.name').textContent ?? null;
  })()`;
  // The window has moved before its tiles are drawn.
  return eventually(
    () => page.evaluate<string | null>(look),
    (name) => name !== null,
  ).then((name) => name ?? '');
}
const topOf = async (name: string) => (await row(page, name).boundingBox())?.y ?? Number.NaN;

/** Where tiles are in the list, and how large. */
const boxes = (of: Page) =>
  of.evaluate<Record<string, readonly number[]>>(`(() => {
    const list = document.querySelector('.gallery .items').getBoundingClientRect();
    return Object.fromEntries([...document.querySelectorAll('.gallery .item')].map((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return [one.querySelector('.name').textContent, [left - list.left, top - list.top, width, height]];
    }));
  })()`);

itInFull('the whole gallery can be scrolled, but only tiles near the window are in the document', async () => {
  expect(await inDocument()).toBeLessThan(150);
  expect(await row(page, folderAt(0)).getAttribute('aria-posinset')).toBe('1');
  expect(await row(page, folderAt(0)).getAttribute('aria-setsize')).toBe(String(TOTAL));
  await scrolledTo(0.5);
  await expect.poll(() => page.locator('.to-come').count()).toBe(0);
  const shown = await firstInWindow();
  const index = Number(await row(page, shown).getAttribute('aria-posinset')) - 1;
  expect(nameAt(index)).toBe(shown);
  expect(index).toBeGreaterThan(TOTAL / 4);
  expect(await inDocument()).toBeLessThan(150);
  expect(await axe(page)).toEqual([]);
  await scrolledTo(1);
  await row(page, nameAt(TOTAL - 1)).waitFor();
  expect(visited.complaints).toEqual([]);
});

it('End leads to the last entry, also while the script of the gallery is still to come', async () => {
  const SCRIPT = /\/open-[^/]+\.js$/;
  let send = () => {};
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  // In a page of its own, which has no script in its memory.
  const other = await visit(browser);
  try {
    await other.page.route(SCRIPT, async (route) => {
      await sent;
      await route.continue();
    });
    const requested = other.page.waitForRequest(SCRIPT);
    await other.page.goto(address(household, MANY));
    await signInAt(other.page);
    await requested;
    await row(other.page, folderAt(0)).locator('.open').press('End');
    send();
    await other.page.locator('.gallery[data-ready]').waitFor();
    const at = () =>
      other.page.evaluate<string>('document.activeElement.closest(".item")?.querySelector(".name").textContent');
    await expect.poll(at).toBe(nameAt(TOTAL - 1));
    expect(other.complaints).toEqual([]);
  } finally {
    await other.context.close();
  }
});

itInFull('tiles are where they are without the script', async () => {
  for (const viewport of [
    { width: 1_280, height: 832 },
    { width: 900, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const plain = await visit(browser, { viewport, javaScriptEnabled: false });
    const scripted = await visit(browser, { viewport });
    for (const { page: one } of [plain, scripted]) {
      // Enough for folders, pictures, and the beginning of the other files.
      await one.goto(address(household, `${MANY}&limit=${FOLDERS + PHOTOS + 20}`));
      await signInAt(one);
      await one.locator('.gallery .item').first().waitFor();
    }
    await scripted.page.locator('.gallery[data-ready]').waitFor();
    // On a phone, the folders alone fill the window.
    await scripted.page.evaluate('scrollTo(0, 800)');
    await row(scripted.page, photoAt(11)).waitFor();
    const [expected, placed] = [await boxes(plain.page), await boxes(scripted.page)];
    const together = Object.keys(placed).filter((name) => name in expected);
    // A line of folders is not full at its end, and then the script does not stretch them.
    const compared = together.filter((name) => !name.startsWith('Folder') || viewport.width > 720);
    expect(compared.length).toBeGreaterThan(10);
    for (const name of compared) {
      for (const [at, value] of (placed[name] ?? []).entries())
        expect(Math.abs(value - (expected[name]?.[at] ?? 0)), `${name} at ${viewport.width}`).toBeLessThan(2);
    }
    await plain.page.context().close();
    await scripted.page.context().close();
  }
});

it('keys lead through all tiles, by lines', async () => {
  await open(folderAt(0)).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(focused).toBe(folderAt(1));
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).not.toBe(folderAt(1));
  const [above, below] = [await row(page, folderAt(1)).boundingBox(), await row(page, await focused()).boundingBox()];
  expect(below?.x).toBe(above?.x);
  expect(below?.y).toBe((above?.y ?? 0) + 62);
  await page.keyboard.press('ArrowUp');
  await expect.poll(focused).toBe(folderAt(1));
  await page.keyboard.press('End');
  await expect.poll(focused).toBe(nameAt(TOTAL - 1));
  await page.keyboard.press('ArrowLeft');
  await expect.poll(focused).toBe(nameAt(TOTAL - 2));
  await page.keyboard.press('Home');
  await expect.poll(focused).toBe(folderAt(0));
  // The focused tile stays, wherever the window is, and keys go on from it.
  await scrolledTo(0.6);
  await expect.poll(() => page.locator('.to-come').count()).toBe(0);
  expect(await focused()).toBe(folderAt(0));
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toMatch(/^Folder 0[1-9]$/);
  await page.keyboard.type('text-00555');
  await expect.poll(focused).toBe(textAt(555));
});

itInFull('selects all, and ranges with tiles that were never in the document', async () => {
  await open(folderAt(0)).focus();
  await page.keyboard.press('Control+a');
  await count(TOTAL).waitFor();
  expect(await inDocument()).toBeLessThan(150);
  await scrolledTo(0.8);
  await expect.poll(() => page.locator('.to-come').count()).toBe(0);
  await expect
    .poll(async () =>
      row(page, await firstInWindow())
        .locator('.pick input')
        .isChecked(),
    )
    .toBe(true);
  await page.keyboard.press('Escape');
  await page.locator('.selection').waitFor({ state: 'hidden' });
  await scrolledTo(0);
  await row(page, folderAt(2)).locator('.pick').click();
  await open(folderAt(2)).focus();
  await page.keyboard.press('Shift+End');
  await count(TOTAL - 2).waitFor();
});

itInFull('going back, and loading the page again, leads to where one was', async () => {
  await scrolledTo(0.4);
  await expect.poll(() => page.locator('.to-come').count()).toBe(0);
  const name = await firstInWindow();
  const top = await topOf(name);
  await open(name).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.goBack();
  await row(page, name).waitFor();
  await expect.poll(async () => Math.abs((await topOf(name)) - top)).toBeLessThan(2);
  await page.reload();
  await galleryReady();
  await row(page, name).waitFor();
  await expect.poll(async () => Math.abs((await topOf(name)) - top)).toBeLessThan(2);
});

it('tiles are dragged onto folders, and the page stays where it is', async () => {
  const first = row(page, photoAt(0));
  await first.scrollIntoViewIfNeeded();
  const shown = await page.evaluate('scrollY');
  await first.dragTo(row(page, folderAt(3)));
  await toast(page, t('files.toast.moved', { count: 1 }));
  await row(page, photoAt(0)).waitFor({ state: 'detached' });
  expect(await page.evaluate('scrollY')).toBe(shown);
  await page
    .locator('.toast')
    .last()
    .getByRole('button', { name: t('files.toast.undo') })
    .click();
  await row(page, photoAt(0)).waitFor();
});

it('on paper, there are up to 300 tiles, laid out by the styles', async () => {
  await page.emulateMedia({ media: 'print' });
  await page.locator('.gallery:not(.placed)').waitFor();
  await expect.poll(inDocument).toBe(300);
  const line = page.locator('.break');
  expect(await line.count()).toBe(1);
  const positions = await page
    .locator('.gallery .item')
    .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).position))]);
  expect(positions).toEqual(['relative']);
  await page.emulateMedia({ media: 'screen' });
  await page.locator('.gallery.placed').waitFor();
  await line.waitFor({ state: 'detached' });
  expect(await inDocument()).toBeLessThan(150);
});

it('albums are long galleries, too', async () => {
  await page.goto(address(household, '/files/?path=/ROOT/HOME/many&view=list'));
  await ready(page);
  await open(photoAt(0)).focus();
  await page.keyboard.press('Space');
  await count(1).waitFor();
  await page.evaluate(`scrollTo(0, document.querySelector('.long .items').offsetTop + ${FOLDERS + PHOTOS - 5} * 53)`);
  await row(page, photoAt(PHOTOS - 1))
    .locator('.pick')
    .click({ modifiers: ['Shift'] });
  await count(PHOTOS).waitFor();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('files.actions.album') })
    .click();
  await page.getByRole('dialog').getByLabel(t('albums.into.new')).fill('Everything');
  await page.keyboard.press('Enter');
  await page
    .locator('.toast')
    .getByRole('button', { name: t('albums.see') })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Everything' }).waitFor();
  await page.locator('.gallery[data-ready]').waitFor();
  const album = page.locator('.items .item');
  expect(await album.first().getAttribute('aria-setsize')).toBe(String(PHOTOS));
  expect(await inDocument()).toBeLessThan(PHOTOS);
  // The last one is removed, and put back.
  await album.first().locator('.open').focus();
  await page.keyboard.press('End');
  await expect
    .poll(() => page.evaluate('document.activeElement.closest(".item")?.getAttribute("aria-posinset")'))
    .toBe(String(PHOTOS));
  const last = await focused();
  await row(page, last).locator('.more').click();
  await page.getByRole('menuitem', { name: t('files.actions.albumRemove') }).click();
  await toast(page, t('albums.toast.removed', { count: 1 }));
  await row(page, last).waitFor({ state: 'detached' });
  await expect.poll(() => album.last().getAttribute('aria-setsize')).toBe(String(PHOTOS - 1));
  expect(await axe(page)).toEqual([]);
  expect(visited.complaints).toEqual([]);
});

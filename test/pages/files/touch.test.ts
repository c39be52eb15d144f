import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, CDPSession, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { takePicture, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome, names, ready, row, signInAt, toast } from './support.ts';

// What fingers do in the list. Chromium gets touches, and makes long presses, scrolling and taps of them itself.

let browser: Browser;
let household: Household;
let page: Page;
let complaints: string[];
let session: CDPSession;

const at = (...path: string[]) => join(household.home, ...path);

const ENTRIES = ['Letters', 'one.txt', 'three.txt', 'two.txt'];

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  const many = Array.from({ length: 120 }, (_, index) => [`Long/${String(index).padStart(3, '0')}.txt`, ''] as const);
  await fillHome(household.home, {
    'Inbox/one.txt': '1',
    'Inbox/two.txt': '2',
    'Inbox/three.txt': '3',
    'Inbox/Letters/old.txt': 'old',
    'Long/zz/kept.txt': 'kept',
    ...Object.fromEntries(many),
  });
  ({ page, complaints } = await visit(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  }));
  session = await page.context().newCDPSession(page);
  await page.goto(address(household, '/files/?path=/ROOT/HOME/Inbox'));
  await signInAt(page);
  await ready(page);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});
beforeEach(async () => {
  await open('Inbox');
});

/** Scripts of the page that were loaded, of those for touch screens. */
const LOADED = `performance.getEntriesByType('resource')
  .filter(({ name, responseEnd }) => name.includes('/touch-dragging-') && responseEnd > 0).length`;

/** @param query below the home */
async function open(query: string): Promise<void> {
  await page.goto(address(household, `/files/?path=/ROOT/HOME/${query}`));
  await ready(page);
  await expect.poll(() => page.evaluate(LOADED)).toBe(1);
}

type Point = readonly [x: number, y: number];

function send(type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', ...points: Point[]): Promise<unknown> {
  return session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
}

async function middleOf(locator: Locator): Promise<Point> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return [box.x + box.width / 2, box.y + box.height / 2];
}

const menu = () => page.getByRole('menu', { name: t('files.actions.label') });
const carried = () => page.locator('.drag-image');

/** A finger lies on a row until the menu opens. @returns where it lies */
async function press(name: string): Promise<Point> {
  const point = await middleOf(row(page, name).locator('.name'));
  await send('touchStart', point);
  await menu().waitFor();
  return point;
}

/** A finger that drags a row moves onto something. @returns where it is then */
async function dragOnto(name: string, target: Locator): Promise<Point> {
  const [x, y] = await press(name);
  await send('touchMove', [x + 4, y - 20]);
  await carried().waitFor();
  const end = await middleOf(target);
  await send('touchMove', end);
  return end;
}

async function nothingChanged(): Promise<void> {
  await expect.poll(() => carried().count()).toBe(0);
  expect(await page.locator('.lifted, .drop-here').count()).toBe(0);
  expect(await names(page)).toEqual(ENTRIES);
  expect(existsSync(at('Inbox/one.txt'))).toBe(true);
}

async function undo(): Promise<void> {
  const button = page
    .locator('.toast')
    .last()
    .getByRole('button', { name: t('files.toast.undo') });
  await button.click();
  await expect.poll(() => names(page)).toEqual(ENTRIES);
}

itInFull('a row dragged after a long press moves into the folder on which it is dropped', async () => {
  await dragOnto('one.txt', row(page, 'Letters').locator('.name'));
  await page.locator('.item.dir.drop-here').waitFor();
  expect(await menu().count()).toBe(0);
  await takePicture(page, 'files-touch-drag');
  await send('touchEnd');
  await toast(page, t('files.toast.moved', { count: 1 }));
  await expect.poll(() => names(page)).toEqual(['Letters', 'three.txt', 'two.txt']);
  expect(existsSync(at('Inbox/Letters/one.txt'))).toBe(true);
  await undo();
});

itInFull('all selected rows are dragged together, onto breadcrumbs and the entries of the sidebar', async () => {
  for (const name of ['one.txt', 'two.txt']) await row(page, name).locator('.pick').tap();
  const home = page.locator('.file-nav').getByRole('link', { name: t('files.myFiles') });
  await dragOnto('two.txt', home);
  expect(await carried().textContent()).toContain('2');
  await send('touchEnd');
  await toast(page, t('files.toast.moved', { count: 2 }));
  await expect.poll(() => names(page)).toEqual(['Letters', 'three.txt']);
  expect(existsSync(at('two.txt'))).toBe(true);
  await undo();
  await dragOnto('one.txt', page.locator('.crumbs a').first());
  await page.locator('.crumbs .drop-here').waitFor();
  await send('touchEnd');
  await toast(page, t('files.toast.moved', { count: 1 }));
  expect(existsSync(at('one.txt'))).toBe(true);
  await undo();
});

it('the page scrolls while a row is dragged to its edge, also in a long list', async () => {
  await open('Long&sort=name&order=desc');
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  const name = '000.txt';
  await row(page, name).waitFor();
  const [x] = await press(name);
  const deep = await page.evaluate<number>('scrollY');
  expect(deep).toBeGreaterThan(4_000);
  await send('touchMove', [x, 4]);
  await expect.poll(() => page.evaluate<number>('scrollY')).toBe(0);
  await send('touchMove', await middleOf(row(page, 'zz').locator('.name')));
  await page.locator('.item.dir.drop-here').waitFor();
  await send('touchEnd');
  await toast(page, t('files.toast.moved', { count: 1 }));
  expect(existsSync(at('Long/zz', name))).toBe(true);
});

itInFull('a cancelled touch and a second finger change nothing', async () => {
  const end = await dragOnto('one.txt', row(page, 'Letters').locator('.name'));
  await page.locator('.item.dir.drop-here').waitFor();
  await send('touchCancel');
  await nothingChanged();
  await dragOnto('one.txt', row(page, 'Letters').locator('.name'));
  await page.locator('.item.dir.drop-here').waitFor();
  await send('touchStart', end, [end[0], end[1] + 200]);
  await nothingChanged();
  await send('touchEnd');
  await dragOnto('one.txt', row(page, 'two.txt').locator('.name'));
  await send('touchEnd');
  await nothingChanged();
});

itInFull(
  'a long press opens the menu, in which the item can be selected; a tap opens, and a swipe scrolls',
  async () => {
    await press('one.txt');
    await send('touchEnd');
    await page.getByRole('menuitem', { name: t('files.actions.select') }).tap();
    await row(page, 'one.txt').and(page.locator('.selected')).waitFor();
    await nothingChanged();
    await row(page, 'Letters').locator('.open').tap();
    await expect.poll(() => names(page)).toEqual(['old.txt']);
    await open('Long');
    const [x, y] = await middleOf(page.locator('.items .item').nth(8));
    await send('touchStart', [x, y]);
    for (const step of [20, 60, 120, 180, 240, 300]) await send('touchMove', [x, y - step]);
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(200);
    expect(await carried().count()).toBe(0);
    await send('touchEnd');
    expect(complaints).toEqual([]);
  },
);

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { edgesOf, isCutOff } from '../../support/browser/geometry.ts';
import { inspect, sidewaysScroll, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER, signInAs } from '../../support/households/member.ts';
import { eventually } from '../../support/system/eventually.ts';
import { address, enterAt, picture, ready, row, signInAt, toast } from '../files/support.ts';
import { monthHeading, photosByMonth, putAt, slider, tiles, timelineReady } from './timeline-support.ts';
import { viewer } from './viewer-support.ts';

// Photos and films by month.

let browser: Browser;
let household: Household;
let names: Map<string, string[]>;

/** In one month there are far more than fit into a window, and more than the server sends at once. */
const MANY = 400;
const MONTHS = [
  ['2026-10', 9],
  ['2026-08', 25],
  ['2026-03', 3],
  ['2025-06', MANY],
  ['2024-03', 40],
  ['2021-01', 6],
] as const;
const TOTAL = MONTHS.reduce((sum, [, count]) => sum + count, 0);
const sums = (photos: number, films = 0) => t('photos.sums', { photos, films });

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await addMembersWithHomes(household, { mia: {} });
  names = await photosByMonth(household.home, MONTHS);
  const mia = homeOf(household, 'mia');
  await photosByMonth(mia, [
    ['2026-10', 7],
    ['2026-08', 5],
    ['2019-12', 2],
  ]);
  const today = new Date(household.clock.now());
  for (const [years, name] of [1, 4].flatMap((count) => [
    [count, `a ${count}.jpg`] as const,
    [count, `b ${count}.jpg`] as const,
  ])) {
    const then = new Date(today.getFullYear() - years, today.getMonth(), today.getDate(), 12);
    await putAt(mia, `Then/${name}`, await picture(years), then.getTime());
  }
  await eventually(
    async () => (await household.control('status')).embedded as { waiting: number; indexed: number },
    (state) => state.waiting === 0 && state.indexed >= TOTAL + 18,
  );
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

interface Opened {
  readonly query?: string;
  readonly username?: string;
  readonly password?: string;
  readonly javaScriptEnabled?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
}

async function open({ query = '', username, password, ...options }: Opened = {}) {
  const visited = await enterAt({ browser, household }, `/files/?path=/PHOTOS${query}`, {
    username,
    password,
    ...options,
  });
  if (options.javaScriptEnabled !== false) await timelineReady(visited.page);
  return visited;
}

const monthOf = (page: Page) => new URL(page.url()).searchParams.get('month');
const scrolledTo = (page: Page, share: number) =>
  page.evaluate(`scrollTo(0, ${share} * (document.documentElement.scrollHeight - innerHeight))`);
/** How far below the top edge of the window the heading of a month is. */
const topOf = async (page: Page, name: string) => (await monthHeading(page, name).boundingBox())?.y ?? Number.NaN;

itInFull('the months show what they contain, and only the photos near the window are in the document', async () => {
  const { page, context, complaints } = await open();
  await page.getByText(sums(TOTAL), { exact: true }).waitFor();
  const october = page.getByRole('region', { name: 'October 2026' });
  await october.getByText(sums(9), { exact: true }).waitFor();
  expect(await october.locator('.name').allTextContents()).toEqual(names.get('2026-10'));
  const entries = await page.evaluate<number>('history.length');
  const most: number[] = [];
  // To the middle of the month of many, which nobody has asked for before, and to the end.
  for (const [share, name] of [
    [0.5, 'June 2025'],
    [1, 'January 2021'],
  ] as const) {
    await scrolledTo(page, share);
    await page.getByRole('region', { name }).locator('.item').first().waitFor();
    await expect.poll(() => page.locator('.to-come').count()).toBe(0);
    await expect.poll(() => monthOf(page)).toBe(share === 1 ? '2024-03' : '2025-06');
    most.push(await tiles(page));
  }
  expect(Math.max(...most)).toBeLessThan(70);
  expect(await page.evaluate('history.length')).toBe(entries);
  expect(await row(page, '2021-01 006.jpg').count()).toBe(1);
  // What has left the window is not in the document, besides the one that the tab key leads to.
  expect(await page.getByRole('region', { name: 'October 2026' }).locator('.item').count()).toBe(1);
  await page.reload();
  await timelineReady(page);
  await row(page, '2024-03 001.jpg').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('a month in the address is shown first, and stays where it is while those above it are loaded', async () => {
  const { page, context, complaints } = await open({ query: '&month=2025-06' });
  await row(page, '2025-06 001.jpg').waitFor();
  await expect.poll(() => page.locator('.to-come').count()).toBe(0);
  const top = await topOf(page, 'June 2025');
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThan(60);
  // A month without photos is that of the photos before.
  await page.goto(address(household, '/files/?path=/PHOTOS&month=2025-01'));
  await timelineReady(page);
  await row(page, '2024-03 001.jpg').waitFor();
  await page.goto(address(household, '/files/?path=/PHOTOS&month=nonsense'));
  await timelineReady(page);
  expect(complaints).toEqual([]);
  await context.close();
});

it('the control at the edge moves to any month, by keyboard and pointer', async () => {
  const { page, context, complaints } = await open();
  const control = slider(page);
  const value = (month: string, photos: number) => t('photos.goToValue', { month, sums: sums(photos) });
  expect(await control.getAttribute('aria-valuetext')).toBe(value('October 2026', 9));
  await control.focus();
  for (const [key, month, photos] of [
    ['ArrowDown', 'August 2026', 25],
    ['PageDown', 'June 2025', MANY],
    ['PageDown', 'March 2024', 40],
    ['ArrowUp', 'June 2025', MANY],
  ] as const) {
    await page.keyboard.press(key);
    expect(await control.getAttribute('aria-valuetext')).toBe(value(month, photos));
    await expect.poll(() => topOf(page, month)).toBeLessThan(60);
  }
  await page.keyboard.press('Home');
  expect(await page.evaluate('scrollY')).toBe(0);
  const box = await control.boundingBox();
  if (box === null) throw new Error('the control has no box');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 8);
  await page.locator('.scrub .tip').getByText('January 2021', { exact: true }).waitFor();
  await page.mouse.down();
  await page.mouse.up();
  await row(page, '2021-01 006.jpg').waitFor();
  expect(await control.getAttribute('aria-valuetext')).toBe(value('January 2021', 6));
  await expect.poll(() => monthOf(page)).toBe('2021-01');
  // Near the end, the window cannot be moved further, but every month can be gone to.
  await page.keyboard.press('ArrowUp');
  expect(await control.getAttribute('aria-valuetext')).toBe(value('March 2024', 40));
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('the viewer continues from month to month, and returns to the position where it was opened', async () => {
  const { page, context, complaints } = await open({ query: '&month=2026-08' });
  const last = row(page, '2026-08 025.jpg').locator('.open');
  await last.click();
  await viewer(page, '2026-08 025.jpg').waitFor();
  await page.keyboard.press('ArrowRight');
  await viewer(page, '2026-03 001.jpg').waitFor();
  await page.keyboard.press('ArrowLeft');
  await viewer(page, '2026-08 025.jpg').waitFor();
  await page.keyboard.press('Escape');
  await viewer(page).waitFor({ state: 'detached' });
  await expect.poll(() => last.evaluate((link) => link === document.activeElement)).toBe(true);
  // With the arrow keys from photo to photo, also into the next month.
  await page.keyboard.press('ArrowRight');
  await expect
    .poll(() => page.evaluate("document.activeElement.closest('.item')?.querySelector('.name').textContent"))
    .toBe('2026-03 001.jpg');
  expect(complaints).toEqual([]);
  await context.close();
});

it('the slide show advances automatically until it is paused, and ends with the last photo', async () => {
  const visited = await visit(browser);
  const { page, context, complaints } = visited;
  await page.clock.install();
  await page.goto(address(household, '/files/?path=/PHOTOS&month=2021-01'));
  await signInAt(page);
  await ready(page);
  await timelineReady(page);
  await row(page, '2021-01 003.jpg').locator('.open').click();
  await viewer(page, '2021-01 003.jpg').waitFor();
  await page.getByRole('button', { name: t('photoViewer.slideShow') }).click();
  const pause = page.getByRole('button', { name: t('photoViewer.pause') });
  await pause.waitFor();
  await page.clock.fastForward(5_000);
  await viewer(page, '2021-01 004.jpg').waitFor();
  await pause.click();
  await page.clock.fastForward(60_000);
  await page.keyboard.press('ArrowRight');
  await viewer(page, '2021-01 005.jpg').waitFor();
  // Space does the same where no button has the focus.
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('Space');
  await pause.waitFor();
  await page.clock.fastForward(5_000);
  await viewer(page, '2021-01 006.jpg').waitFor();
  await page.clock.fastForward(5_000);
  await page.getByRole('button', { name: t('photoViewer.slideShow') }).waitFor();
  await viewer(page, '2021-01 006.jpg').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

it('photos of several months are selected, starred and deleted at once', async () => {
  const { page, context, complaints } = await open({ username: 'mia', password: MEMBER.password });
  const own = 18;
  const pick = async (name: string) => {
    await row(page, name).hover();
    await row(page, name).locator('.pick').click();
  };
  await pick('2026-10 002.jpg');
  await pick('2026-08 001.jpg');
  const bar = page.getByRole('toolbar', { name: t('files.selection.label') });
  await bar.getByText(t('files.selection.count', { count: 2, total: own }), { exact: true }).waitFor();
  await bar.getByRole('button', { name: t('files.actions.star') }).click();
  await row(page, '2026-10 002.jpg').locator('.mark').waitFor();
  await row(page, '2026-08 001.jpg').locator('.mark').waitFor();
  await pick('2026-10 002.jpg');
  await row(page, '2026-10 001.jpg').locator('.open').focus();
  await page.keyboard.press('Control+a');
  await bar.getByText(t('files.selection.count', { count: own, total: own }), { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await pick('2026-10 003.jpg');
  await pick('2026-08 002.jpg');
  await bar.getByRole('button', { name: t('files.actions.delete') }).click();
  await page.getByText(sums(own - 2), { exact: true }).waitFor();
  await page.getByRole('region', { name: 'October 2026' }).getByText(sums(6), { exact: true }).waitFor();
  await page
    .locator('.toast')
    .getByRole('button', { name: t('files.toast.undo') })
    .click();
  await page.getByText(sums(own), { exact: true }).waitFor();
  await row(page, '2026-10 003.jpg').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('the page is accessible in every size, and shows photos of this day in earlier years', async () => {
  const { page, context, complaints } = await open({ username: 'mia', password: MEMBER.password });
  const past = page.getByRole('region', { name: t('photos.pastDays') });
  const cards = past.getByRole('link');
  expect(await cards.allInnerTexts()).toEqual([1, 4].map((years) => `${t('photos.yearsAgo', { years })}\n${sums(2)}`));
  await inspect(page, 'photos-by-time');
  await cards.last().click();
  await expect
    .poll(() => monthOf(page))
    .toBe(
      `${new Date(household.clock.now()).getFullYear() - 4}-${String(new Date(household.clock.now()).getMonth() + 1).padStart(2, '0')}`,
    );
  await row(page, 'b 4.jpg').waitFor();
  await page.goBack();
  await past.waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('without a script, there is a page for each month, with links to the others', async () => {
  const { page, context, complaints } = await open({ javaScriptEnabled: false, query: '&month=2025-06' });
  await monthHeading(page, 'June 2025').waitFor();
  expect(await tiles(page)).toBe(40);
  expect(await sidewaysScroll(page)).toBe(0);
  await page.getByRole('link', { name: t('files.more', { count: 300 }) }).click();
  await row(page, '2025-06 041.jpg').waitFor();
  await page.getByRole('link', { name: t('files.more', { count: MANY - 340 }) }).click();
  await row(page, `2025-06 ${MANY}.jpg`).waitFor();
  await page.getByRole('link', { name: t('photos.earlier', { month: 'March 2024' }) }).click();
  await row(page, '2024-03 040.jpg').waitFor();
  await page.getByRole('link', { name: t('photos.later', { month: 'June 2025' }) }).click();
  await row(page, '2025-06 001.jpg').waitFor();
  const months = page.getByRole('navigation', { name: t('photos.months') });
  for (const link of await page.locator('.scrubber a').all()) {
    expect((await edgesOf(link)).height, 'in one line').toBeLessThan(30);
    expect(await isCutOff(link)).toBe(false);
  }
  await months.getByRole('link', { name: 'January' }).click();
  await monthHeading(page, 'January 2021').waitFor();
  expect(await tiles(page)).toBe(6);
  expect(complaints).toEqual([]);
  await context.close();
});

it('a new photo is shown in its month, and a renamed one keeps its position', async () => {
  const { page, context, complaints } = await open({ viewport: { width: 390, height: 844 } });
  const api = await household.signIn();
  const lastModified = new Date('2026-10-25T12:00:00').getTime() / 1000;
  expect((await api.put({ path: '/ROOT/HOME/2026/new.jpg', lastModified }, await picture(3))).status).toBe(201);
  await page.reload();
  await timelineReady(page);
  await row(page, 'new.jpg').waitFor();
  await row(page, 'new.jpg').locator('.open').focus();
  await page.keyboard.press('F2');
  const field = page.getByRole('dialog').getByRole('textbox', { name: t('files.forms.name') });
  await field.fill('newer.jpg');
  await page.keyboard.press('Enter');
  await toast(page, t('files.toast.renamed'));
  await row(page, 'newer.jpg').waitFor();
  await api.post('files/delete', { path: '/ROOT/HOME/2026/newer.jpg' });
  // The sums of a month are shown as a whole, or not at all.
  for (const width of [390, 320, 240]) {
    await page.setViewportSize({ width, height: 844 });
    const head = page.locator('.month-head').first();
    // At one moment: the timeline may be laid out again.
    const { around, name, sums } = await head.evaluate((element) => {
      const edges = (one: Element | null) => one?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      const [outer, heading, text] = [element, element.querySelector('h2'), element.querySelector('p')].map(edges);
      return {
        around: outer?.bottom ?? 0,
        name: heading?.bottom ?? 0,
        sums: { top: text?.top ?? 0, bottom: text?.bottom ?? 0 },
      };
    });
    expect(name).toBeLessThanOrEqual(around + 1);
    const { top, bottom } = sums;
    expect(bottom <= around + 1 || top >= around - 1, `${width}: ${top} to ${bottom}`).toBe(true);
  }
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('the page tells where to find the photos of others', async () => {
  const api = await household.signIn();
  const { body } = await api.get('account/info');
  const mia = await signInAs(household, 'mia');
  const shared = await mia.post('files/share', { path: '/ROOT/HOME/2019', uid: body.id });
  expect(shared.body.success).toBe(true);
  const { page, context, complaints } = await open();
  await page.getByRole('link', { name: t('photos.list'), exact: true }).click();
  await expect.poll(() => page.locator('.listing').getAttribute('data-total')).toBe(String(TOTAL + 2));
  await page.goto(address(household, '/files/?path=/PHOTOS'));
  await timelineReady(page);
  expect(complaints).toEqual([]);
  await context.close();
});

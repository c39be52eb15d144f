import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { axe, inspect, takePicture, visit } from '../../support/browser/page.ts';
import { setPermissions } from '../../support/households/member.ts';
import { type LinkHousehold, openLinkHousehold } from '../../support/requests/links.ts';
import { address } from '../files/support.ts';
import { choose, list, MEGABYTE, onDevice, readyToSend, rowOf } from './link-send-support.ts';

const LIMITS = { upload_max_size: 30 };

let browser: Browser;
let household: LinkHousehold;
let device = '';
let link = '';

beforeAll(async () => {
  device = await mkdtemp(join(tmpdir(), 'larder-device-'));
  [browser, household] = await Promise.all([launchBrowser(), openLinkHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  await household.control('accounts.update', { username: 'olga', name: 'Ann' });
  await setPermissions(household, { olga: LIMITS });
  await household.put('Photos for Gran’s birthday/Secret plan.txt', 'Together/First.txt');
  link = await linkTo('Photos for Gran’s birthday', { allow_uploads: 1 });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
  await rm(device, { recursive: true, force: true });
});

const linkTo = async (folder: string, form: Record<string, number>) =>
  `/wl/?id=${await household.link(`/ROOT/HOME/${folder}`, form)}`;

/** A visit in the middle: some is sent, some goes, some waits, and some cannot go. */
async function inTheMiddle(page: Page, button: string): Promise<() => void> {
  const held: (() => void)[] = [];
  let isFree = false;
  await page.route(/startByte=16777216|Speeches|Cake|Song/, async (route) => {
    if (!isFree) await new Promise<void>((done) => held.push(done));
    await route.continue();
  });
  await page.getByLabel(t('links.send.name')).fill('Mia');
  const files = {
    'Garden party 01.jpg': Buffer.alloc(4.8 * MEGABYTE),
    'Garden party 02.jpg': Buffer.alloc(5.1 * MEGABYTE),
    'Candles.mp4': Buffer.alloc(26 * MEGABYTE),
    'Speeches.mp4': Buffer.alloc(6 * MEGABYTE),
    'Cake.jpg': Buffer.alloc(3 * MEGABYTE),
    'Song.mp3': Buffer.alloc(4 * MEGABYTE),
    'Whole afternoon with everybody who was there and what they said.mov': Buffer.alloc(42 * MEGABYTE),
  };
  await choose(page, await onDevice(device, files), button);
  await list(page)
    .getByText(t('links.send.list.progress', { sent: 2, total: 6 }))
    .waitFor();
  await rowOf(page, 'Candles.mp4')
    .getByText(t('uploads.bytes', { sent: '16.0', total: '26.0 MB' }))
    .waitFor();
  return () => {
    isFree = true;
    for (const goOn of held) goOn();
  };
}

it('a file request is accessible before, during and after an upload', async () => {
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, link));
  await readyToSend(page);
  await inspect(page, 'send-begin');
  const goOn = await inTheMiddle(page, t('links.send.chooseHere'));
  await inspect(page, 'send-middle');
  expect(await page.content()).not.toContain('Secret plan');
  goOn();
  await list(page)
    .getByText(t('links.send.list.someFailed', { sent: 6, total: 7, failed: 1 }))
    .waitFor();
  await inspect(page, 'send-end');
  await page.reload();
  await readyToSend(page);
  await inspect(page, 'send-again');
  expect(complaints).toEqual([]);
  await context.close();
});

it('a file request asks for the name, and shows when the link has ended', async () => {
  const { page, context } = await visit(browser);
  await page.goto(address(household, link));
  await readyToSend(page);
  await choose(page, await onDevice(device, { 'Garden party 03.jpg': Buffer.alloc(MEGABYTE) }));
  await page.getByText(t('links.send.nameMissing')).waitFor();
  await inspect(page, 'send-nameless');
  await setPermissions(household, { olga: { ...LIMITS, upload: false } });
  await page.getByLabel(t('links.send.name')).fill('Mia');
  await page.getByLabel(t('links.send.name')).press('Enter');
  await list(page).getByRole('alert').waitFor();
  await inspect(page, 'send-ended');
  await setPermissions(household, { olga: LIMITS });
  await context.close();
});

it('a file request does not mention dropping on a touch screen', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme };
    const { page, context } = await visit(browser, options);
    await page.goto(address(household, link));
    await readyToSend(page);
    await expect.poll(() => page.getByText(t('links.send.drop')).isVisible()).toBe(false);
    const goOn = await inTheMiddle(page, t('links.send.choose'));
    await takePicture(page, `send-touch-${colorScheme}`);
    expect(await axe(page)).toEqual([]);
    goOn();
    await list(page)
      .getByText(t('links.send.list.someFailed', { sent: 6, total: 7, failed: 1 }))
      .waitFor();
    await context.close();
  }
});

it('a file request has a form without JavaScript, and one beside a folder that is shown', async () => {
  const plain = await visit(browser);
  // As where scripts do not run: pictures are taken with one of our own.
  await plain.page.route(/link\.js/, (route) => route.abort());
  await plain.page.goto(address(household, link));
  await takePicture(plain.page, 'send-plain');
  await plain.page.setViewportSize({ width: 390, height: 844 });
  await takePicture(plain.page, 'send-plain-phone');
  await plain.context.close();
  const both = await linkTo('Together', { allow_uploads: 1, allow_downloads: 1 });
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, both));
  await readyToSend(page);
  await page.getByText(t('links.send.alsoHere'), { exact: true }).click();
  await page.getByLabel(t('links.send.name')).fill('Mia');
  await choose(page, await onDevice(device, { 'Cake.jpg': Buffer.alloc(MEGABYTE) }));
  await list(page)
    .getByText(t('links.send.list.done', { count: 1 }))
    .waitFor();
  await inspect(page, 'send-both');
  expect(complaints).toEqual([]);
  await context.close();
});

it('the first load of a file request is less than 60 KB', async () => {
  const { page, context } = await visit(browser);
  const own: string[] = [];
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    own.push(new URL(request.url()).pathname);
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(address(household, link));
  await readyToSend(page);
  await page.waitForLoadState('networkidle');
  const bytes = await Promise.all(sizes);
  const all = bytes.reduce((sum, size) => sum + size, 0);
  expect(own).toContainEqual(expect.stringMatching(/^\/assets\/send-[\w-]+\.js$/));
  expect(all, own.map((path, index) => `${path} ${bytes[index]}`).join('\n')).toBeLessThan(60 * 1024);
  await context.close();
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/page.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { address, fillHome, ready, signInAt } from './files/support.ts';
import { linkTo } from './links/links-support.ts';
import { photosByMonth, timelineReady } from './photos/timeline-support.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await fillHome(household.home, { 'Letters/First.txt': '' });
  const names = Array.from({ length: 1_000 }, (_, index) => longName(index));
  await Promise.all(names.map((name) => writeFile(join(household.home, 'Letters', name), '')));
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const WORDS = [
  'Rindfleisch',
  'entwurf',
  'Versicherung',
  'naïve',
  'für Großmutter',
  'Zweite Lesung',
  'scan',
  'Été',
  'plums',
  'עברית',
];

/** A long name that has little in common with the others. */
function longName(index: number): string {
  const words = Array.from(
    { length: 8 },
    (_, at) => `${WORDS[(index * 7 + at * 3) % 10]}${((index + 1) * (at + 7919)) % 9_973}`,
  );
  return `${words.join(' ')} ${index}.odt`;
}

const MAX = 60 * 1024;

/** Bytes on the wire of what a page loads at first, with headers: documents, styles, scripts and fonts. */
async function weightOf(page: Page, load: () => Promise<unknown>): Promise<number> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  const counted = new Set<string>();
  // The document before may still be loading scripts: only requests of the document that is loaded now count.
  let loader: string | undefined;
  let bytes = 0;
  client.on('Network.requestWillBeSent', ({ type, loaderId }) => {
    if (type === 'Document') loader = loaderId;
  });
  client.on('Network.responseReceived', ({ requestId, loaderId, type }) => {
    if (loaderId === loader && ['Document', 'Stylesheet', 'Script', 'Font'].includes(type)) counted.add(requestId);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (counted.has(requestId)) bytes += encodedDataLength;
  });
  await load();
  await page.waitForLoadState('networkidle');
  await client.detach();
  return bytes;
}

it('the first load of a folder with a thousand long names is at most 60 KB', async () => {
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, '/files/?path=/ROOT/HOME/Letters'));
  await signInAt(page);
  await ready(page);
  const weight = await weightOf(page, async () => {
    await page.reload();
    await ready(page);
  });
  expect(weight).toBeGreaterThan(20_000);
  expect(weight).toBeLessThanOrEqual(MAX);
  expect(complaints).toEqual([]);
  await context.close();
});

it('the first load of photos of twenty years is at most 60 KB, with the scripts that show them by month', async () => {
  const months = Array.from({ length: 240 }, (_, index) => {
    const month = `${2006 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
    return [month, 1] as const;
  });
  await photosByMonth(household.home, [...months, ['2026-11', 60]]);
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, '/files/?path=/PHOTOS'));
  await signInAt(page);
  await expect
    .poll(async () => {
      await page.reload();
      return page.locator('.scrubber a').count();
    })
    .toBe(241);
  const weight = await weightOf(page, async () => {
    await page.reload();
    await timelineReady(page);
  });
  expect(weight).toBeGreaterThan(20_000);
  expect(weight).toBeLessThanOrEqual(MAX);
  expect(complaints).toEqual([]);
  await context.close();
});

it('the first load of a link to that folder is at most 60 KB', async () => {
  const { page, context, complaints } = await visit(browser);
  const link = await linkTo(household, '/ROOT/HOME/Letters');
  const weight = await weightOf(page, async () => {
    await page.goto(address(household, link));
    await page.getByRole('heading', { name: 'Letters' }).waitFor();
  });
  expect(weight).toBeGreaterThan(15_000);
  expect(weight).toBeLessThanOrEqual(MAX);
  expect(complaints).toEqual([]);
  await context.close();
});

import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bidiIsolate } from '../../../dist/server/lib/text/bidi-isolate.js';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { visit } from '../../support/browser/page.ts';
import { homeOf, MEMBER } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { eventually } from '../../support/system/eventually.ts';
import { address, fillHome, names, picture, ready, signInAt } from './support.ts';

// The filters of a search, chosen on the page, and the key that limits a search to the shown list.

let browser: Browser;
let household: SharingHousehold;
let page: Page;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('accounts.update', { username: 'olga', name: 'Olga', lastName: 'Ohm' });
  await fillHome(homeOf(household, 'ben'), {
    'Plum jam.md': 'Halve the fruit.',
    'Plum song.mp3': Buffer.alloc(400),
    'plum.jpg': await picture(1),
    'old plums.txt': 'the plums of long ago',
    'Plum trees/notes.txt': 'planted in the spring',
  });
  const old = new Date('2019-05-06T12:00:00Z');
  await utimes(join(homeOf(household, 'ben'), 'old plums.txt'), old, old);
  await fillHome(homeOf(household, 'olga'), { 'Cellar/plum wine.txt': 'in bottles' });
  await household.share('/ROOT/HOME/Cellar', { uid: Number(household.ids.ben) });
  // The page shows what is known when it is asked.
  for (const [person, count] of [
    ['ben', 5],
    ['olga', 1],
  ] as const) {
    await eventually(
      async () =>
        (await household.as(person).post('files/search', { path: '/ROOT/HOME', filename: 'plum' })).body.data.files,
      (files: unknown[]) => files.length === count,
    );
  }
  ({ page } = await visit(browser));
  await page.goto(address(household));
  await signInAt(page, 'ben', MEMBER.password);
  await ready(page);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const ALL = ['Plum jam.md', 'Plum song.mp3', 'Plum trees', 'old plums.txt', 'plum wine.txt', 'plum.jpg'];
const results = async () => (await names(page)).toSorted();

async function search(): Promise<void> {
  await page.goto(address(household));
  await ready(page);
  await page.locator('body').press('/');
  await page.keyboard.type('plum');
  await page.keyboard.press('Enter');
  await expect.poll(results).toEqual(ALL);
}

/** Chooses a filter from one of the menus. */
async function choose(from: string, to: string): Promise<void> {
  await page.locator('.search-limits summary', { hasText: from }).click();
  await page.locator('.search-limits').getByRole('link', { name: to }).click();
}

it('results are limited to a kind, and to all kinds again', async () => {
  await search();
  const kind = (name: 'photos' | 'music' | 'folders' | 'everything') =>
    page.locator('.search-kinds').getByRole('link', { name: t(`search.kind.${name}`) });
  for (const [name, wanted] of [
    ['photos', ['plum.jpg']],
    ['music', ['Plum song.mp3']],
    ['folders', ['Plum trees']],
    ['everything', ALL],
  ] as const) {
    await kind(name).click();
    await expect.poll(results).toEqual(wanted);
    expect(await kind(name).getAttribute('aria-current')).toBe('true');
  }
});

it('results are limited to a time, and to any time again', async () => {
  await search();
  await choose(t('search.time.any'), t('search.time.earlier'));
  await expect.poll(results).toEqual(['old plums.txt']);
  await choose(t('search.time.earlier'), t('search.time.week'));
  await expect.poll(results).toEqual(ALL.filter((name) => name !== 'old plums.txt'));
  await choose(t('search.time.week'), t('search.time.any'));
  await expect.poll(results).toEqual(ALL);
});

it('results are limited to what one person shares, and together with a kind', async () => {
  await search();
  const olga = t('search.person.sharer', { name: bidiIsolate('Olga Ohm') });
  await choose(t('search.person.anyone'), olga);
  await expect.poll(results).toEqual(['plum wine.txt']);
  await choose(olga, t('search.person.me'));
  await expect.poll(results).toEqual(ALL.filter((name) => name !== 'plum wine.txt'));
  await page
    .locator('.search-kinds')
    .getByRole('link', { name: t('search.kind.music') })
    .click();
  await expect.poll(results).toEqual(['Plum song.mp3']);
});

it('the key for finding searches what a person shares, or the photos, where these are shown', async () => {
  for (const [path, wanted] of [
    [`/ROOT/${household.ids.olga}`, ['plum wine.txt']],
    ['/PHOTOS', ['plum.jpg']],
    ['/MUSIC', ['Plum song.mp3']],
  ] as const) {
    await page.goto(address(household, `/files/?path=${path}`));
    await ready(page);
    await page.locator('body').press('Control+f');
    await page.keyboard.type('plum');
    await page.keyboard.press('Enter');
    await expect.poll(results).toEqual(wanted);
  }
});

it('the key for finding is the browser’s own in lists that no filter describes', async () => {
  const isLeft = () =>
    page.evaluate<boolean>(
      `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true }))`,
    );
  for (const path of ['/files/?path=/STARRED', '/files/?path=/RECENT', '/files/?path=/ROOT/SHARED', '/files/albums']) {
    await page.goto(address(household, path));
    await ready(page);
    expect(await isLeft(), path).toBe(true);
    expect(await page.evaluate('document.activeElement === document.body'), path).toBe(true);
  }
  await page.goto(address(household));
  await ready(page);
  expect(await isLeft()).toBe(false);
});

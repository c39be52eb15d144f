import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, enterAt, fillHome, names, ready, row, toast } from './support.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function at(path: string) {
  return enterAt({ browser, household }, path);
}

it('links work for names of every kind', async () => {
  const odd = [
    '50% off?.txt',
    'a & b <img src=x onerror=alert(1)>.txt',
    'hash #1 + plus.txt',
    '%2e%2e.txt',
    'öäü – 日本語 🍑.txt',
    'it\'s "quoted".txt',
    'back\\slash.txt',
    `${'long '.repeat(48)}.txt`,
    '&lt;script&gt;.txt',
  ];
  await fillHome(household.home, Object.fromEntries(odd.map((name) => [`odd names ?#%/${name}`, `this is ${name}`])));
  const { page, complaints, context } = await at('/files/');
  await row(page, 'odd names ?#%').locator('.open').click();
  await page.getByRole('heading', { name: 'odd names ?#%' }).waitFor();
  expect((await names(page)).toSorted()).toEqual(odd.toSorted());
  await inspect(page, 'files-odd');
  for (const name of odd) {
    const link = page.locator('.items .open').filter({ hasText: name.slice(0, 60) });
    await link.click();
    await expect.poll(() => page.locator('.paper pre').textContent()).toBe(`this is ${name}`);
    await page.goBack();
    await page.getByRole('heading', { name: 'odd names ?#%' }).waitFor();
  }
  // What a browser would resolve, it does not get to see as a path.
  await page.locator('.items .item').filter({ hasText: '%2e%2e.txt' }).locator('.pick input').check();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('files.actions.delete') })
    .click();
  await toast(page, t('files.toast.deleted', { count: 1 }));
  await expect.poll(async () => (await names(page)).length).toBe(odd.length - 1);
  expect(complaints).toEqual([]);
  await context.close();
});

it('loads in less than 60 KB before the household’s own pictures', async () => {
  // As long names, and as many, as somebody may have.
  const many = Array.from({ length: 90 }, (_, index) => `full/A document with a name of usual length ${index}.pdf`);
  await fillHome(household.home, Object.fromEntries(many.map((name) => [name, ''])));
  const { context: known } = await at('/files/?path=/ROOT/HOME');
  // Somebody who is signed in, in a browser that has nothing of ours yet.
  const { page, context } = await visit(browser, { storageState: await known.storageState() });
  const own: string[] = [];
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    own.push(new URL(request.url()).pathname);
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(address(household, '/files/?path=/ROOT/HOME/full'));
  await ready(page);
  await page.waitForLoadState('networkidle');
  const bytes = await Promise.all(sizes);
  const all = bytes.reduce((sum, size) => sum + size, 0);
  expect(all, own.map((path, index) => `${path} ${bytes[index]}`).join('\n')).toBeLessThan(60 * 1024);
  expect(own).toContainEqual(expect.stringMatching(/^\/assets\/files-[\w-]+\.js$/));
  await known.close();
  await context.close();
});

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { homeOf, MEMBER } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { address, fillHome, row, shown, signInAt } from './support.ts';

let browser: Browser;
let household: SharingHousehold;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('accounts.update', { username: 'olga', name: 'Olga' });
  await fillHome(homeOf(household, 'olga'), {
    'Recipes/jam.txt': 'Plums',
    'Letters/one.txt': 'Dear',
    'Songs/one.txt': 'La',
    'Plans/one.txt': 'House',
  });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function visitorOf(username: string): Promise<WebVisitor> {
  const visitor = new WebVisitor(household);
  const page = await visitor.get('/files/');
  const fields = { form_token: page.field('form_token'), next: '/files/' };
  await visitor.post('/account/sign-in', { ...fields, username, password: MEMBER.password });
  return visitor;
}

/** How many are new, as the place in the navigation says; 0 where it says nothing. */
async function newIn(visitor: WebVisitor, path: string): Promise<number> {
  const { text } = await visitor.get(`/files/?path=${path}`);
  return Number(/<span class="new-badge"><span aria-hidden="true">(\d+)</.exec(text)?.[1] ?? 0);
}

/** The names of the entries that are marked as new. */
async function newEntries(visitor: WebVisitor): Promise<string[]> {
  const { text } = await visitor.get('/files/?path=/ROOT/SHARED');
  const rows = text.match(/<li class="item.*?<\/li>/gs) ?? [];
  const isNew = (entry: string) => entry.includes(`<span class="new-badge">${t('files.row.new')}</span>`);
  return rows.filter(isNew).map((entry) => /class="name">(.*?)<\/span>/.exec(entry)?.[1] ?? '');
}

it('what is shared with a person is new until they have seen the list of it', async () => {
  const { ben = 0, gil = 0 } = household.ids;
  const [recipient, other] = [await visitorOf('ben'), await visitorOf('gil')];
  expect(await newIn(recipient, '/RECENT')).toBe(0);
  await household.share('/ROOT/HOME/Recipes', { uid: ben, download: 1 });
  await household.share('/ROOT/HOME/Letters', { uid: ben, anonymous: 1, alias: 'Letters' });
  expect([await newIn(recipient, '/RECENT'), await newIn(other, '/RECENT')]).toEqual([2, 0]);
  expect(await newEntries(recipient)).toEqual(['Recipes', 'Letters']);
  expect(await newEntries(recipient)).toEqual([]);
  expect(await newIn(recipient, '/RECENT')).toBe(0);

  await household.share('/ROOT/HOME/Songs', { uid: ben, download: 1 });
  await household.share('/ROOT/HOME/Songs', { uid: gil, download: 1 });
  expect([await newIn(recipient, '/RECENT'), await newIn(other, '/RECENT')]).toEqual([1, 1]);
  // One that ends before it was seen is not new.
  expect((await household.as('olga').post('files/unshare', { path: '/ROOT/HOME/Songs', uid: gil })).status).toBe(200);
  expect(await newIn(other, '/RECENT')).toBe(0);
  expect(await newEntries(recipient)).toEqual(['Songs']);
});

it('a link on another site does not make it seen', async () => {
  const visitor = await visitorOf('ben');
  await household.share('/ROOT/HOME/Plans', { uid: household.ids.ben ?? 0, download: 1 });
  await visitor.get('/files/?path=/ROOT/SHARED', { 'sec-fetch-site': 'cross-site' });
  expect(await newEntries(visitor)).toEqual(['Plans']);
});

it('the place and the entries are marked, also on a phone', async () => {
  await household.share('/ROOT/HOME/Recipes', { uid: household.ids.gil ?? 0, download: 1 });
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, '/files/?path=/RECENT'));
  await signInAt(page, 'gil', MEMBER.password);
  await shown(page);
  await inspect(page, 'shared-news');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('.places .new-dot').waitFor();
  await page.goto(address(household, '/files/?path=/ROOT/SHARED'));
  await row(page, 'Recipes').getByText(t('files.row.new'), { exact: true }).waitFor();
  await inspect(page, 'shared-news-list');
  expect(complaints).toEqual([]);
  await context.close();
});

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../../support/browser/page.ts';
import { endsVisiblyWith } from '../../support/browser/shown-names.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome, picture, ready, row, signInAt, toast } from './support.ts';

// How the script behaves towards hands that are quicker or slower than it.

let browser: Browser;
let household: Household;
let visited: Visit;
let page: Page;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  const many = Array.from({ length: 60 }, (_, index) => [`many/file ${index}.txt`, '']);
  await fillHome(household.home, {
    ...Object.fromEntries(many),
    'pictures/one.jpg': await picture(1),
    'pictures/two.jpg': await picture(2),
    'one/two/three/four/five/six/deep.txt': 'deep',
    'a.txt': 'a',
    'b.txt': 'b',
    'later.txt': 'starred while a folder opens',
    'safe \u202egpj.exe': 'reversed',
    'שלום (1).txt': 'peace',
  });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});
beforeEach(async () => {
  visited = await visit(browser);
  ({ page } = visited);
  await page.goto(address(household));
  await signInAt(page);
  await ready(page);
  return () => visited.context.close();
});

const go = async (path: string) => {
  await page.goto(address(household, path));
  await ready(page);
};

it('arrow keys go from photo to photo at once, but not with Alt or Shift, which the browser uses', async () => {
  await go('/files/item?path=/ROOT/HOME/pictures/one.jpg');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { name: 'two.jpg' }).waitFor();
  for (const key of ['Alt+ArrowLeft', 'Shift+ArrowLeft']) {
    const isTaken = await page.evaluate(`new Promise((done) => {
      addEventListener('keydown', (event) => { done(event.defaultPrevented); event.preventDefault(); }, { once: true });
      const [modifier] = '${key}'.split('+');
      document.querySelector('main').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true, [modifier.toLowerCase() + 'Key']: true }));
    })`);
    expect([key, isTaken]).toEqual([key, false]);
  }
});

itInFull('the menu of an item ends with Delete, separated from the other entries', async () => {
  await row(page, 'a.txt').locator('.more').click();
  const entries = await page.locator('.menu > *').evaluateAll((all) => all.map((entry) => entry.textContent?.trim()));
  expect(entries.slice(-2)).toEqual(['', `${t('files.actions.delete')}${t('files.keys.delete')}`]);
  expect(entries.filter((text) => text === '')).toHaveLength(2);
  await page.keyboard.press('Escape');
});

itInFull('an open menu stays open while the folder is refreshed', async () => {
  const held: (() => void)[] = [];
  await page.route(/files\/\?path=/, async (route) => {
    if (held.length === 0) await new Promise<void>((done) => held.push(done));
    await route.continue();
  });
  await row(page, 'a.txt').locator('.open').focus();
  await page.keyboard.press('Delete');
  await toast(page, t('files.toast.deleted', { count: 1 }));
  await expect.poll(() => held.length).toBe(1);
  await row(page, 'b.txt').locator('.more').click();
  const answered = page.waitForResponse(/files\/\?path=/);
  held[0]?.();
  await (await answered).finished();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.getByRole('menuitem', { name: t('files.actions.star'), exact: true }).click();
  await toast(page, t('files.toast.starred', { count: 1 }));
  await row(page, 'a.txt').waitFor({ state: 'detached' });
});

it('a clicked folder opens even if the list changes while it loads', async () => {
  const held: (() => void)[] = [];
  await page.route(/files\/\?path=(?:\/|%2F)ROOT(?:\/|%2F)HOME(?:\/|%2F)one$/, async (route) => {
    await new Promise<void>((done) => held.push(done));
    await route.continue();
  });
  await row(page, 'one').locator('.open').click();
  await expect.poll(() => held.length).toBe(1);
  await row(page, 'later.txt').locator('.more').click();
  await page.getByRole('menuitem', { name: t('files.actions.star'), exact: true }).click();
  await toast(page, t('files.toast.starred', { count: 1 }));
  held[0]?.();
  await row(page, 'two').waitFor();
  expect(new URL(page.url()).searchParams.get('path')).toBe('/ROOT/HOME/one');
});

itInFull('progress is shown for the whole duration of an action', async () => {
  await page.clock.install();
  await go('/files/?path=/ROOT/HOME/many');
  const held: (() => void)[] = [];
  await page.route(/do\/star/, async (route) => {
    await new Promise<void>((done) => held.push(done));
    await route.continue();
  });
  await page.locator('#all').check();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('files.actions.star') })
    .click();
  await toast(page, t('files.batch.progress', { count: 0, total: 60 }));
  for (const [index, count] of [25, 50].entries()) {
    await page.clock.fastForward(4_000);
    await expect.poll(() => held.length).toBe(index + 1);
    held[index]?.();
    await toast(page, t('files.batch.progress', { count, total: 60 }));
  }
  await page.clock.fastForward(4_000);
  await toast(page, t('files.batch.progress', { count: 50, total: 60 }));
  await expect.poll(() => held.length).toBe(3);
  held[2]?.();
  await toast(page, t('files.toast.starred', { count: 60 }));
});

itInFull('a message explains that a selection is too large for one download', async () => {
  await go('/files/?path=/ROOT/HOME/pictures');
  await page.evaluate(`(() => {
    const list = document.querySelector('.items');
    const [one] = list.children;
    for (let index = 0; index < 900; index += 1) {
      const more = one.cloneNode(true);
      more.dataset.path += index;
      list.append(more);
    }
  })()`);
  await page.locator('#all').click();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('files.actions.download') })
    .click();
  await toast(page, t('files.errors.tooMany', { max: 900 }));
});

itInFull('a name written from right to left does not change the direction of the sentence around it', async () => {
  for (const name of ['safe \u202egpj.exe', 'שלום (1).txt']) {
    await go(`/files/do/delete?path=${encodeURIComponent(`/ROOT/HOME/${name}`)}`);
    await expect.poll(() => page.locator('h1').textContent()).toBe(t('files.forms.delete.heading', { count: 1, name }));
    expect(await endsVisiblyWith(page.locator('h1'), name.slice(-4))).toBe(true);
  }
  await go('/files/do/delete?path=/ROOT/HOME/b.txt');
  await expect
    .poll(() => page.locator('h1').textContent())
    .toBe(t('files.forms.delete.heading', { count: 1, name: 'b.txt' }));
});

itInFull('an address with invalid encoding does not exist', async () => {
  expect((await page.goto(address(household, '/files/do/%ff')))?.status()).toBe(404);
});

itInFull('a folder can be created in the dialog for moving', async () => {
  await row(page, 'b.txt').locator('.more').click();
  await page.getByRole('menuitem', { name: t('files.actions.move'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: t('files.forms.move.heading', { count: 1, name: 'b.txt' }) });
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('link', { name: 'pictures' }).click();
  await dialog.getByRole('button', { name: t('files.forms.move.submit', { folder: 'pictures' }) }).waitFor();
  await dialog.getByRole('link', { name: t('files.actions.createFolder') }).click();
  await dialog.getByLabel(t('files.forms.name'), { exact: true }).fill('one.jpg');
  await page.keyboard.press('Enter');
  await dialog.getByText(t('api.access.alreadyExists', { name: 'one.jpg' })).waitFor();
  await inspect(page, 'files-move-new-folder');
  await dialog.getByRole('link', { name: t('files.forms.cancel') }).click();
  await dialog.getByRole('button', { name: t('files.forms.move.submit', { folder: 'pictures' }) }).waitFor();
  await dialog.getByRole('link', { name: t('files.actions.createFolder') }).click();
  await dialog.getByLabel(t('files.forms.name'), { exact: true }).fill('letters');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: t('files.forms.move.submit', { folder: 'letters' }) }).waitFor();
  await expect.poll(() => dialog.getByRole('checkbox').isChecked()).toBe(true);
  await dialog.getByRole('button', { name: t('files.forms.move.submit', { folder: 'letters' }) }).click();
  await toast(page, t('files.toast.moved', { count: 1 }));
  await row(page, 'b.txt').waitFor({ state: 'detached' });
  await go('/files/?path=/ROOT/HOME/pictures/letters');
  await row(page, 'b.txt').waitFor();
});

itInFull('a long path shows its beginning and end, and the rest on demand', async () => {
  await go('/files/?path=/ROOT/HOME/one/two/three/four/five/six');
  const way = page.getByRole('navigation', { name: t('files.breadcrumbs') });
  const seen = async () => (await way.getByRole('link').allTextContents()).join(' ');
  expect(await seen()).toBe(`${t('files.myFiles')} four five`);
  await inspect(page, 'files-deep');
  await way.getByLabel(t('files.breadcrumbs.hidden', { count: 3 })).click();
  expect(await seen()).toBe(`${t('files.myFiles')} one two three four five`);
  await way.getByRole('link', { name: 'two' }).click();
  await page.getByRole('heading', { name: 'two' }).waitFor();
  expect(await seen()).toBe(`${t('files.myFiles')} one`);
});

itInFull('the page of a file shows its folder, wherever it was opened; the home has no such page', async () => {
  await go('/files/item?path=/ROOT/HOME/one/two/three/four/five/six/deep.txt&from=/STARRED');
  await expect.poll(() => page.locator('.facts dd').getByRole('link').textContent()).toBe('six');
  await go('/files/item?path=/ROOT/HOME');
  expect(new URL(page.url()).pathname).toBe('/files/');
});

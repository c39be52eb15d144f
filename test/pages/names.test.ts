import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, visit } from '../support/browser/page.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { t as panelText } from '../support/browser/panel-texts.ts';
import { endsVisiblyWith } from '../support/browser/shown-names.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { address, fillHome, ready, signInAt } from './files/support.ts';
import { linkTo } from './links/links-support.ts';

/** Names that try to look like photos and documents, and one that does not fit into a line. */
const NAMES = [
  'holiday \u202egpj.exe',
  'invoice \u2067\u202efdp.exe',
  '\u200fgnp.\u2066photo\u2069.exe',
  'תמונה gpj.exe',
  'صورة.jpg.exe',
  `Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz, ${'Entwurf '.repeat(8)}.exe`,
];
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2067]/u;

let browser: Browser;
let household: Household;
let device: string;
beforeAll(async () => {
  device = await mkdtemp(join(tmpdir(), 'larder-device-'));
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await fillHome(household.home, Object.fromEntries(NAMES.map((name) => [`Box/${name}`, 'content'])));
  const many = [...NAMES, ...Array.from({ length: 400 }, (_, index) => `zzz ${index}.txt`)];
  await fillHome(household.home, Object.fromEntries(many.map((name) => [`Many/${name}`, ''])));
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
  await rm(device, { recursive: true, force: true });
});

const SIZES = [
  { width: 1280, height: 832 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];

itInFull('the page of a link shows the ending of every name at its end', async () => {
  const link = await linkTo(household, '/ROOT/HOME/Box');
  const { page, context, complaints } = await visit(browser);
  for (const mode of ['list', 'gallery']) {
    await page.goto(`https://127.0.0.1:${household.port}${link}&mode=${mode}`);
    const names = page.locator(mode === 'list' ? '.rows .what' : '.cards strong');
    await expect.poll(() => names.count()).toBe(NAMES.length);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const name of await names.all()) {
        expect(await endsVisiblyWith(name, '.exe'), `${mode} ${size.width} ${await name.textContent()}`).toBe(true);
      }
    }
    expect(await page.locator('main').innerText()).not.toMatch(CONTROLS);
    await inspect(page, `names-link-${mode}`);
  }
  await page.goto(`https://127.0.0.1:${household.port}${link}&path=${encodeURIComponent(`/${NAMES[0]}`)}`);
  expect(await page.title()).not.toMatch(CONTROLS);
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('own folders show the ending of every name at its end, as lists, galleries and long lists', async () => {
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, '/files/?path=/ROOT/HOME/Box'));
  await signInAt(page);
  await ready(page);
  for (const place of ['Box&view=list', 'Box&view=gallery', 'Many&view=list']) {
    await page.goto(address(household, `/files/?path=/ROOT/HOME/${place}`));
    await ready(page);
    const names = page.locator('.item .name').filter({ hasText: '.exe' });
    // Of a long list, only the rows in the window are there: the other names are behind its end.
    const least = place.startsWith('Many') ? 3 : NAMES.length;
    await expect.poll(() => names.count()).toBeGreaterThanOrEqual(least);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const name of await names.all()) {
        expect(await endsVisiblyWith(name, '.exe'), `${place} ${size.width} ${await name.textContent()}`).toBe(true);
      }
    }
  }
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('search results show the ending of every name at its end, with the words marked', async () => {
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, '/files/search?q=exe'));
  await signInAt(page);
  await ready(page);
  const names = page.locator('.results .name').filter({ hasText: '.exe' });
  await expect.poll(() => names.count()).toBeGreaterThanOrEqual(5);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const name of await names.all()) {
      expect(await endsVisiblyWith(name, '.exe'), `${size.width} ${await name.textContent()}`).toBe(true);
      expect(await name.locator('mark').allTextContents()).toContain('exe');
    }
  }
  // A word on both sides of where the name is shortened.
  await page.goto(address(household, '/files/search?q=entwurf'));
  const long = page.locator('.results .name').filter({ hasText: 'Rindfleisch' }).first();
  await expect.poll(async () => (await long.locator('mark').allTextContents()).join('')).toBe('Entwurf'.repeat(8));
  expect(await long.textContent()).toBe(NAMES.at(-1));
  await inspect(page, 'names-search');
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('the addresses of the files before and after a file cannot pretend to have another ending', async () => {
  const { page, context } = await visit(browser);
  await page.goto(address(household, `/files/item?path=${encodeURIComponent(`/ROOT/HOME/Box/${NAMES[1]}`)}`));
  await signInAt(page);
  const titles = page.locator('.steps-along a');
  await titles.first().waitFor();
  for (const step of await titles.all()) expect(await step.getAttribute('title')).not.toMatch(CONTROLS);
  await context.close();
});

itInFull('the page of a file, its dialogs and the upload window show the ending of every name at its end', async () => {
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, '/files/?path=/ROOT/HOME/Box'));
  await signInAt(page);
  await ready(page);
  for (const name of NAMES) await writeFile(join(device, name), 'more');
  await page.goto(address(household, '/files/?path=/ROOT/HOME'));
  await ready(page);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('link', { name: t('files.actions.upload') }).click(),
  ]);
  await chooser.setFiles(NAMES.map((name) => join(device, name)));
  const uploads = page.locator('.uploads-panel');
  await uploads.getByRole('heading', { name: t('uploads.finished', { count: NAMES.length }) }).waitFor();
  // Done, it is one line; the list is there on request, and reached by the keyboard.
  await expect.poll(async () => (await uploads.boundingBox())?.height ?? 0).toBeLessThan(80);
  await inspect(page, 'uploads-done');
  await uploads.getByRole('button', { name: t('uploads.expand') }).click();
  await page.keyboard.press('Tab');
  expect(await page.evaluate("document.activeElement?.closest('.uploads-panel ul') !== null")).toBe(true);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const name of await uploads.locator('.name').all()) {
      expect(await endsVisiblyWith(name, '.exe'), `${size.width} ${await name.textContent()}`).toBe(true);
    }
  }
  await inspect(page, 'uploads-list');
  for (const name of NAMES) {
    const path = encodeURIComponent(`/ROOT/HOME/${name}`);
    for (const place of [`/files/item?path=${path}`, `/files/do/delete?path=${path}`]) {
      await page.goto(address(household, place));
      expect(await endsVisiblyWith(page.locator('h1'), '.exe'), place).toBe(true);
      expect(await page.title()).not.toMatch(CONTROLS);
    }
  }
  await inspect(page, 'names-item');
  expect(complaints).toEqual([]);
  await context.close();
});

it('the panel shows the ending of every name at its end in its lists and dialogs', async () => {
  for (const name of NAMES) await linkTo(household, `/ROOT/HOME/Box/${name}`);
  const { page, context, complaints } = await visit(browser);
  await page.goto(String((await household.control('panel.link')).url));
  await page
    .getByRole('navigation', { name: panelText('nav.pages') })
    .getByRole('link', { name: panelText('nav.links') })
    .click();
  await expect.poll(() => page.locator('tbody th').count()).toBeGreaterThan(NAMES.length - 1);
  const names = page.locator('tbody th strong').filter({ hasText: '.exe' });
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const name of await names.all()) {
      expect(await endsVisiblyWith(name, '.exe'), `${size.width} ${await name.textContent()}`).toBe(true);
    }
  }
  expect(await page.locator('main').innerText()).not.toMatch(CONTROLS);
  await inspectPanel(page, 'names-links');
  expect(complaints).toEqual([]);
  await context.close();
});

import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { type Visit, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome, withoutTokens } from '../files/support.ts';
import { choose, drop, list, onDevice, readyToSend, rowOf } from './link-send-support.ts';
import { linkTo } from './links-support.ts';

let browser: Browser;
let household: Household;
let device = '';

beforeAll(async () => {
  device = await mkdtemp(join(tmpdir(), 'larder-device-'));
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
  await rm(device, { recursive: true, force: true });
});

let number = 0;
let here = '';
let link = '';
beforeEach(async () => {
  number += 1;
  here = `party ${number}`;
  await fillHome(household.home, { [`${here}/there.txt`]: 'what was there' });
  link = await linkTo(household, `/ROOT/HOME/${here}`, { allow_uploads: 1 });
});

async function arrive(name: string | null = 'Mia', options: BrowserContextOptions = {}): Promise<Visit> {
  const visited = await visit(browser, options);
  await visited.page.goto(address(household, link));
  if (options.javaScriptEnabled !== false) await readyToSend(visited.page);
  if (name !== null) await visited.page.getByLabel(t('links.send.name')).fill(name);
  return visited;
}

const onDisk = async (name: string) => String(await readFile(join(household.home, here, name)));

describe('a file request', () => {
  it('accepts several selected files, and lists them again when the page is reloaded', async () => {
    const { page, context, complaints } = await arrive();
    const contents = Object.fromEntries([1, 2, 3, 4, 5].map((one) => [`photo ${one}.jpg`, randomBytes(one * 1_000)]));
    await choose(page, await onDevice(device, contents));
    await list(page)
      .getByText(t('links.send.list.done', { count: 5 }))
      .waitFor();
    await expect.poll(() => page.locator('#say').textContent()).toBe(t('links.send.list.done', { count: 5 }));
    await expect.poll(() => list(page).locator('.state.good').count()).toBe(5);
    await expect
      .poll(() => rowOf(page, 'photo 1.jpg').locator('img').getAttribute('src'))
      .toMatch(/\/icons\/image\.svg$/);
    for (const [name, content] of Object.entries(contents)) {
      expect((await readFile(join(household.home, here, name))).equals(content)).toBe(true);
    }
    await page.reload();
    await readyToSend(page);
    const shown = await page.locator('.sent .name').allTextContents();
    expect(shown.toSorted()).toEqual(Object.keys(contents));
    await expect.poll(() => page.getByLabel(t('links.send.name')).inputValue()).toBe('Mia');
    await expect.poll(() => list(page).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('accepts dropped and selected folders, and keeps their structure', async () => {
    const { page, context } = await arrive();
    await drop(page, { Trip: { 'one.txt': '1', Day: { 'two.txt': '2' }, Nothing: {} }, 'three.txt': '3' });
    await list(page)
      .getByText(t('links.send.list.done', { count: 3 }))
      .waitFor();
    await list(page).getByText(t('links.send.list.emptyFolders')).waitFor();
    await onDevice(device, { 'Walk/four.txt': '4', 'Walk/Deep/five.txt': '5' });
    await choose(page, join(device, 'Walk'), t('links.send.chooseFolder'));
    await list(page)
      .getByText(t('links.send.list.done', { count: 5 }))
      .waitFor();
    expect(
      await Promise.all(
        ['Trip/one.txt', 'Trip/Day/two.txt', 'three.txt', 'Walk/four.txt', 'Walk/Deep/five.txt'].map(onDisk),
      ),
    ).toEqual(['1', '2', '3', '4', '5']);
    await rowOf(page, 'Trip/Day/two.txt').waitFor();
    await context.close();
  });

  itInFull('accepts a pasted picture', async () => {
    const { page, context } = await arrive();
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      const lastModified = new Date(2026, 10, 26, 9, 5, 4).getTime();
      clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png', lastModified }));
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    })()`);
    await list(page)
      .getByText(t('links.send.list.done', { count: 1 }))
      .waitFor();
    expect(await onDisk(`${t('uploads.pasted')} 2026-11-26 09.05.04.png`)).toBe('picture');
    await context.close();
  });

  itInFull('asks for the name first, and continues automatically once it is entered', async () => {
    const { page, context } = await arrive(null);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') asked.push(new URL(request.url()).searchParams.get('sender') ?? '');
    });
    await drop(page, { 'one.txt': '1', 'two.txt': '2' });
    await page.getByText(t('links.send.nameMissing')).waitFor();
    const field = page.getByLabel(t('links.send.name'));
    await expect.poll(() => field.evaluate('document.activeElement.id')).toBe('sender');
    await expect.poll(() => field.getAttribute('aria-describedby')).toBe('sender-missing');
    expect(asked).toEqual([]);
    const send = page.getByRole('button', { name: t('links.send.submit'), exact: true });
    await send.waitFor();
    await field.pressSequentially('Mia');
    await expect.poll(() => page.getByText(t('links.send.nameMissing')).count()).toBe(0);
    await list(page)
      .getByText(t('links.send.list.done', { count: 2 }))
      .waitFor();
    expect(asked).toEqual(['Mia', 'Mia']);
    await send.waitFor({ state: 'hidden' });
    await context.close();
  });

  itInFull('is usable by keyboard', async () => {
    const { page, context } = await arrive();
    // A key that is pressed again before the first dialog is there opens it twice.
    const kinds = new Set<string | null>();
    page.on('filechooser', async (chooser) => kinds.add(await chooser.element().getAttribute('webkitdirectory')));
    await page.getByLabel(t('links.send.name')).focus();
    for (const kind of [null, '']) {
      await page.keyboard.press('Tab');
      await expect
        .poll(async () => {
          if (!kinds.has(kind)) await page.keyboard.press('Enter');
          return [...kinds].at(-1);
        })
        .toBe(kind);
    }
    expect([...kinds]).toEqual([null, '']);
    await context.close();
  });

  it('never replaces a file, and does not reveal that one exists', async () => {
    await fillHome(household.home, { [`${here}/Trip`]: 'a file with the name of a folder' });
    const { page, context } = await arrive(null);
    const replies: Promise<string>[] = [];
    page.on('response', (response) => replies.push(response.text().catch(() => '')));
    await page.reload();
    await readyToSend(page);
    await page.getByLabel(t('links.send.name')).fill('Mia');
    await drop(page, { 'there.txt': 'new', Trip: { 'a.txt': 'a', 'b.txt': 'b' } });
    await list(page)
      .getByText(t('links.send.list.done', { count: 3 }))
      .waitFor();
    expect([await onDisk('there.txt'), await onDisk('there (2).txt')]).toEqual(['what was there', 'new']);
    expect([await onDisk('Trip'), await onDisk('Trip (2)/a.txt'), await onDisk('Trip (2)/b.txt')]).toEqual([
      ...['a file with the name of a folder', 'a', 'b'],
    ]);
    await page.reload();
    expect((await page.locator('.sent .name').allTextContents()).toSorted()).toEqual([
      'Trip/a.txt',
      'Trip/b.txt',
      'there.txt',
    ]);
    const said = (await Promise.all(replies)).join('\n');
    expect(said).toContain('there.txt');
    expect(said).not.toMatch(/\(2\)|what was there|with the name of a folder/);
    await context.close();
  });

  itInFull('stores files of equal names from two visitors separately', async () => {
    const [mia, ben] = await Promise.all([arrive('Mia'), arrive('Ben')]);
    await Promise.all([drop(mia.page, { 'cake.txt': 'of Mia' }), drop(ben.page, { 'cake.txt': 'of Ben' })]);
    await drop(ben.page, { 'candles.txt': 'of Ben' });
    await list(mia.page)
      .getByText(t('links.send.list.done', { count: 1 }))
      .waitFor();
    await list(ben.page)
      .getByText(t('links.send.list.done', { count: 2 }))
      .waitFor();
    expect([await onDisk('cake.txt'), await onDisk('cake (2).txt')].toSorted()).toEqual(['of Ben', 'of Mia']);
    await Promise.all([mia.page.reload(), ben.page.reload()]);
    expect(await mia.page.locator('.sent .name').allTextContents()).toEqual(['cake.txt']);
    expect((await ben.page.locator('.sent .name').allTextContents()).toSorted()).toEqual(['cake.txt', 'candles.txt']);
    expect(withoutTokens(await mia.page.content())).not.toMatch(/Ben|candles|there/);
    await Promise.all([mia.context.close(), ben.context.close()]);
  });

  itInFull('shows names of every kind unchanged', async () => {
    const { page, context, complaints } = await arrive('<b>Mia</b>');
    const odd = [
      'a & b <img src=x onerror=alert(1)>.txt',
      '50% #1 + plus?.txt',
      'öäü – 日本語 🍑.txt',
      '&lt;i&gt;.txt',
    ];
    await drop(page, Object.fromEntries(odd.map((name) => [name, `this is ${name}`])));
    await list(page)
      .getByText(t('links.send.list.done', { count: 4 }))
      .waitFor();
    expect(await list(page).locator('.name').allTextContents()).toEqual(odd);
    await page.reload();
    await readyToSend(page);
    expect((await page.locator('.sent .name').allTextContents()).toSorted()).toEqual(odd.toSorted());
    await expect.poll(() => page.getByLabel(t('links.send.name')).inputValue()).toBe('<b>Mia</b>');
    expect(await onDisk('öäü – 日本語 🍑.txt')).toBe('this is öäü – 日本語 🍑.txt');
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('does not send a file twice that is in the list already', async () => {
    const { page, context } = await arrive();
    await drop(page, { 'one.txt': '1' });
    await list(page)
      .getByText(t('links.send.list.done', { count: 1 }))
      .waitFor();
    await drop(page, { 'one.txt': '1', 'two.txt': '2' });
    await list(page)
      .getByText(t('links.send.list.done', { count: 2 }))
      .waitFor();
    await list(page).getByText(t('links.send.list.known')).waitFor();
    expect((await readdir(join(household.home, here))).toSorted()).toEqual(['one.txt', 'there.txt', 'two.txt']);
    await context.close();
  });

  it('accepts one file without JavaScript, and lists it', async () => {
    const { page, context } = await arrive('Mia', { javaScriptEnabled: false });
    const [path = ''] = await onDevice(device, { 'there.txt': 'without a script' });
    await page.getByLabel(t('links.send.chooseOne')).setInputFiles(path);
    await page.getByRole('button', { name: t('links.send.submit') }).click();
    await page.getByText(new RegExp(t('links.send.thanks', { name: '.+' }))).waitFor();
    expect(await page.locator('.sent .name').allTextContents()).toEqual(['there.txt']);
    expect([await onDisk('there.txt'), await onDisk('there (2).txt')]).toEqual(['what was there', 'without a script']);
    expect(await page.content()).not.toContain('(2)');
    await context.close();
  });
});

describe('a folder that is shown and accepts files', () => {
  it('stores files in the open folder, and allows viewing and downloading them', async () => {
    await fillHome(household.home, { [`${here}/both/inside/in.txt`]: 'in' });
    link = await linkTo(household, `/ROOT/HOME/${here}/both`, { allow_uploads: 1, allow_downloads: 1 });
    const visited = await visit(browser);
    const { page, context, complaints } = visited;
    await page.goto(address(household, `${link}&path=/inside`));
    await readyToSend(page);
    await page.getByText(t('links.send.alsoHere'), { exact: true }).click();
    await page.getByLabel(t('links.send.name')).fill('Mia');
    await drop(page, { 'new.txt': 'new' });
    await list(page)
      .getByText(t('links.send.list.done', { count: 1 }))
      .waitFor();
    expect(await onDisk('both/inside/new.txt')).toBe('new');
    await page.getByRole('link', { name: t('links.send.list.show') }).click();
    await page.locator('form.take').getByText('new.txt').waitFor();
    const [whole] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('links.folder.downloadAll') }).click(),
    ]);
    expect(whole.suggestedFilename()).toMatch(/\.zip$/);
    await page.goto(address(household, `${link}&path=/inside&mode=list`));
    await page.getByLabel(t('links.folder.select', { name: 'new.txt' })).check();
    const [one] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('links.folder.downloadSelected') }).click(),
    ]);
    expect(String(await readFile(await one.path()))).toBe('new');
    expect(complaints).toEqual([]);
    await context.close();
  });
});

import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Request } from 'playwright-core';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { areaOf } from '../../faults/support.ts';
import { Rows } from '../../model/records.ts';
import { launchBrowser } from '../../support/browser/browser.ts';
import { type Visit, visit } from '../../support/browser/page.ts';
import { setPermissions } from '../../support/households/member.ts';
import { idOf, type LinkHousehold, openLinkHousehold } from '../../support/requests/links.ts';
import { address } from '../files/support.ts';
import { choose, drop, list, MEGABYTE, onDevice, readyToSend, rowOf } from './link-send-support.ts';

/** WindowedReader of many megabytes take a while on a busy machine. */

let browser: Browser;
let household: LinkHousehold;
let device = '';

beforeAll(async () => {
  device = await mkdtemp(join(tmpdir(), 'larder-device-'));
  [browser, household] = await Promise.all([launchBrowser(), openLinkHousehold()]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
  await rm(device, { recursive: true, force: true });
});

let number = 0;
let here = '';
let id = '';
let visited: Visit;
let page: Page;
beforeEach(async () => {
  number += 1;
  here = `edge ${number}`;
  await mkdir(household.at(here));
  id = await household.link(`/ROOT/HOME/${here}`, { allow_uploads: 1 });
  visited = await visit(browser);
  visited.context.setDefaultTimeout(120_000);
  ({ page } = visited);
  await arrive(page);
  return () => visited.context.close();
});

async function arrive(tab: Page): Promise<void> {
  await tab.goto(address(household, `/wl/?id=${id}`));
  await readyToSend(tab);
  const name = tab.getByLabel(t('links.send.name'));
  if ((await name.inputValue()) === '') await name.fill('Mia');
}

/** Uploads that nobody has finished, by what the database and the work area say. */
async function underWay(): Promise<[rows: number, files: number]> {
  const rows = await Rows.open(household.folder);
  try {
    return [(await rows.read()).uploads.length, (await areaOf(household, 'incoming')).length];
  } finally {
    await rows.close();
  }
}

/** Where the pieces that are sent begin, and when somebody asks how far it has come. */
function piecesOf(tab: Page): string[] {
  const asked: string[] = [];
  tab.on('request', (request) => {
    if (request.method() === 'PUT') asked.push(new URL(request.url()).searchParams.get('startByte') ?? 'offset?');
  });
  return asked;
}

/** The second piece never leaves. */
async function holdSecond(tab: Page): Promise<() => boolean> {
  let isHeld = false;
  await tab.route(/startByte=16777216/, () => {
    isHeld = true;
  });
  return () => isHeld;
}

/** Sends a request of the browser in its place. Playwright's own way to do that does not trust the household. */
async function sendOn(asked: Request): Promise<void> {
  const { host: _, ...headers } = await asked.allHeaders();
  const dispatcher = new Agent({ connect: { ca: household.ca } });
  const reply = await request(asked.url(), { method: 'PUT', headers, body: asked.postDataBuffer(), dispatcher });
  await reply.body.dump();
  expect(reply.statusCode).toBe(200);
  await dispatcher.close();
}

describe('interrupted uploads to a link', () => {
  it('continue automatically after a restart of the server', async () => {
    const content = randomBytes(40 * MEGABYTE);
    let isHeld = false;
    let goOn = () => {};
    await page.route(/startByte=16777216/, async (route) => {
      if (isHeld) return route.continue();
      isHeld = true;
      await new Promise<void>((done) => {
        goOn = done;
      });
      await route.abort('connectionreset');
    });
    await choose(page, await onDevice(device, { 'film.mkv': content }));
    await expect.poll(() => isHeld).toBe(true);
    const asked = piecesOf(page);
    const { port } = household;
    await household.whileStopped(
      async () => {
        goOn();
        await rowOf(page, 'film.mkv').getByText(t('links.send.list.noAnswer')).waitFor();
      },
      { port },
    );
    await list(page)
      .getByText(t('links.send.list.done', { count: 1 }))
      .waitFor();
    expect(asked.filter((from) => from === '0')).toEqual([]);
    expect((await readFile(household.at(`${here}/film.mkv`))).equals(content)).toBe(true);
    expect(await underWay()).toEqual([0, 0]);
  });

  it('continue if the same file is selected again after the page was closed', async () => {
    const content = randomBytes(40 * MEGABYTE);
    const paths = await onDevice(device, { 'secret film.mkv': content });
    const isHeld = await holdSecond(page);
    await choose(page, paths);
    await expect.poll(isHeld).toBe(true);
    const kept = String(await page.evaluate('JSON.stringify(localStorage)'));
    expect(kept).toContain('larder-sending:');
    expect(kept).not.toMatch(new RegExp(`secret|film|mkv|${id}`));
    await page.close({ runBeforeUnload: false });
    const again = await visited.context.newPage();
    const asked = piecesOf(again);
    await arrive(again);
    await choose(again, paths);
    await list(again)
      .getByText(t('links.send.list.done', { count: 1 }))
      .waitFor();
    // What came of the second piece counts, too.
    expect([asked.length, asked[0], Number(asked[1]) >= 16 * MEGABYTE]).toEqual([3, 'offset?', true]);
    expect((await readFile(household.at(`${here}/secret film.mkv`))).equals(content)).toBe(true);
    expect(await again.evaluate('localStorage.length')).toBe(0);
    expect(await readdir(household.at(here))).toEqual(['secret film.mkv']);
  });

  it('stored state older than a week is deleted', async () => {
    await page.evaluate(`localStorage.setItem('larder-sending:old', (Date.now() - 8 * 864e5) + ' key');
      localStorage.setItem('larder-sending:new', (Date.now() - 6 * 864e5) + ' key');
      localStorage.setItem('larder-sending:odd', 'something else');
      localStorage.setItem('other', '1');`);
    await page.reload();
    await readyToSend(page);
    expect(await page.evaluate('Object.keys(localStorage).sort().join()')).toBe('larder-sending:new,other');
  });

  it('the same file in two tabs is uploaded by each tab separately', async () => {
    const content = randomBytes(24 * MEGABYTE);
    const paths = await onDevice(device, { 'twice.bin': content });
    const isHeld = await holdSecond(page);
    await choose(page, paths);
    await expect.poll(isHeld).toBe(true);
    const other = await visited.context.newPage();
    await arrive(other);
    await choose(other, paths);
    await list(other)
      .getByText(t('links.send.list.done', { count: 1 }))
      .waitFor();
    expect((await readFile(household.at(`${here}/twice.bin`))).equals(content)).toBe(true);
    // The first one is where it was.
    expect(await underWay()).toEqual([1, 1]);
    await rowOf(page, 'twice.bin')
      .getByRole('button', { name: t('uploads.verbs.cancel') })
      .click();
    await expect.poll(underWay).toEqual([0, 0]);
  });

  it('are not sent a second time if the reply was lost', async () => {
    let lost = 0;
    await page.route(/\/wl\/upload\?/, async (route) => {
      lost += 1;
      if (lost > 1) return route.continue();
      await sendOn(route.request());
      await route.abort('connectionreset');
    });
    await drop(page, { 'one.txt': 'once' });
    await list(page)
      .getByText(t('links.send.list.done', { count: 1 }))
      .waitFor();
    expect(await readdir(household.at(here))).toEqual(['one.txt']);
    await page.reload();
    expect(await page.locator('.sent .name').allTextContents()).toEqual(['one.txt']);
  });

  it('leave no data after they are cancelled, and a new attempt starts at the beginning', async () => {
    const content = randomBytes(40 * MEGABYTE);
    const isHeld = await holdSecond(page);
    const paths = await onDevice(device, { 'film.mkv': content });
    await choose(page, paths);
    await expect.poll(isHeld).toBe(true);
    expect(await underWay()).toEqual([1, 1]);
    await rowOf(page, 'film.mkv')
      .getByRole('button', { name: t('uploads.verbs.cancel') })
      .click();
    await rowOf(page, 'film.mkv').getByText(t('links.send.list.states.cancelled')).waitFor();
    await expect.poll(underWay).toEqual([0, 0]);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect(await readdir(household.at(here))).toEqual([]);
    await page.unroute(/startByte=16777216/);
    await choose(page, paths);
    await list(page)
      .getByText(t('links.send.list.done', { count: 1 }))
      .waitFor();
    await expect.poll(() => list(page).locator('li').count()).toBe(1);
    expect((await readFile(household.at(`${here}/film.mkv`))).equals(content)).toBe(true);
  });

  it('stop with one message if the link ends', async () => {
    const isHeld = await holdSecond(page);
    await choose(
      page,
      await onDevice(device, { 'film.mkv': randomBytes(40 * MEGABYTE), 'small.txt': 'small', 'other.txt': 'other' }),
    );
    await expect.poll(isHeld).toBe(true);
    await household.as('olga').post('files/unweblink', { path: `/ROOT/HOME/${here}` });
    await drop(page, { 'late.txt': 'late', 'later.txt': 'later' });
    await list(page).getByRole('alert').getByText(t('links.ended.heading')).waitFor();
    await expect.poll(() => list(page).getByRole('alert').count()).toBe(1);
    await expect.poll(() => page.getByRole('button', { name: t('links.send.chooseHere') }).isVisible()).toBe(false);
    await rowOf(page, 'film.mkv').getByText(t('links.send.list.notSent')).waitFor();
    const before = piecesOf(page);
    await drop(page, { 'latest.txt': 'latest' });
    expect([await rowOf(page, 'latest.txt').count(), before.length]).toEqual([0, 0]);
    expect((await readdir(household.at(here))).toSorted()).toEqual(['other.txt', 'small.txt']);
  });

  it('an outdated page shows a message and can be reloaded', async () => {
    await visited.context.clearCookies();
    await drop(page, { 'one.txt': '1' });
    await list(page).getByRole('alert').getByText(t('links.send.list.ends.stale')).waitFor();
    await page.getByRole('button', { name: t('links.send.list.reload') }).click();
    await readyToSend(page);
    await page.getByLabel(t('links.send.name')).fill('Mia');
    await drop(page, { 'one.txt': '1' });
    await list(page)
      .getByText(t('links.send.list.done', { count: 1 }))
      .waitFor();
  });

  it('files over the limits of size, type or quota are explained without revealing the account', async () => {
    const ben = household.as('ben');
    await ben.post('files/createfolder', { path: '/ROOT/HOME', name: 'box' });
    id = idOf(await ben.post('files/weblink', { path: '/ROOT/HOME/box', allow_uploads: 1 }));
    const limits = { upload_max_size: 1, upload_limit_types: 'txt,jpg', space_quota_max: 1 };
    const replies: Promise<string>[] = [];
    page.on('response', (response) => replies.push(response.text().catch(() => '')));
    await arrive(page);
    await setPermissions(household, { ben: limits });
    // What the page does not know yet, the server says.
    await choose(page, await onDevice(device, { 'old.mkv': 'film', 'old.txt': Buffer.alloc(2 * MEGABYTE) }));
    await rowOf(page, 'old.mkv').getByText(t('links.errors.typeNotAllowed')).waitFor();
    await rowOf(page, 'old.txt').getByText(t('links.send.list.tooLarge')).waitFor();
    await arrive(page);
    await page.getByText(t('links.send.limit.both', { types: '.txt .jpg', size: '1.0 MB' })).waitFor();
    const asked = piecesOf(page);
    await choose(page, await onDevice(device, { 'large.txt': Buffer.alloc(2 * MEGABYTE), 'film.mkv': 'film' }));
    await rowOf(page, 'large.txt')
      .getByText(t('uploads.tooLarge', { size: '1.0 MB' }))
      .waitFor();
    await rowOf(page, 'film.mkv').getByText(t('links.errors.typeNotAllowed')).waitFor();
    await list(page)
      .getByText(t('links.send.list.someFailed', { sent: 0, total: 2, failed: 2 }))
      .waitFor();
    expect(asked).toEqual([]);
    await choose(page, await onDevice(device, { 'first.txt': Buffer.alloc(0.7 * MEGABYTE) }));
    await rowOf(page, 'first.txt').locator('.good').waitFor();
    await choose(page, await onDevice(device, { 'second.txt': Buffer.alloc(0.7 * MEGABYTE) }));
    await rowOf(page, 'second.txt').getByText(t('links.errors.noSpace')).waitFor();
    await setPermissions(household, { ben: {} });
    await rowOf(page, 'second.txt')
      .getByRole('button', { name: t('uploads.verbs.retry') })
      .click();
    await rowOf(page, 'second.txt').locator('.good').waitFor();
    await rowOf(page, 'film.mkv')
      .getByRole('button', { name: t('uploads.verbs.remove') })
      .click();
    await expect.poll(() => rowOf(page, 'film.mkv').count()).toBe(0);
    expect((await Promise.all(replies)).join('')).not.toMatch(/quota is|"used"|"needed"|"allowed"|sent [0-9a-f]{24}/);
  });

  it('the page asks before it is left during an upload, and not afterwards', async () => {
    const isHeld = await holdSecond(page);
    await choose(page, await onDevice(device, { 'film.mkv': randomBytes(20 * MEGABYTE) }));
    await expect.poll(isHeld).toBe(true);
    const asks = () => page.evaluate('!dispatchEvent(new Event("beforeunload", { cancelable: true }))');
    expect(await asks()).toBe(true);
    await rowOf(page, 'film.mkv')
      .getByRole('button', { name: t('uploads.verbs.cancel') })
      .click();
    expect(await asks()).toBe(false);
  });
});

import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { fixture } from '../../workers/thumbnail-support.ts';
import { address, fillHome } from '../files/support.ts';
import { linkTo } from '../links/links-support.ts';
import { PHOTOS, photosOfAllShapes } from './photos.ts';
import { isWhole, pathIn, requestsOf, viewer } from './viewer-support.ts';

let browser: Browser;
let household: Household;
const FILMS = '/ROOT/HOME/Films';

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  const film = await readFile(fixture('video/vp8.webm'));
  await photosOfAllShapes(household, 12, { 'Film.webm': film });
  await fillHome(household.home, {
    'Films/Film.webm': film,
    'Films/Song.mp3': await readFile(fixture('audio/cover.mp3')),
  });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

/** The downloads of the link to a folder, as its maker sees them. */
async function downloads(name: string): Promise<unknown> {
  const api = await household.signIn();
  const query = { path: '/ROOT/HOME', itemType: 'any', 'details[]': 'weblink-full' };
  const { body } = await api.get('files/browse', query);
  return body.data.files.find(({ filename }: { filename: string }) => filename === name)?.['weblink-full'].downloads;
}

it('at a link, the viewer requests previews only, and a film once someone plays it', async () => {
  const link = await linkTo(household, PHOTOS);
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, `${link}&mode=gallery`));
  const asked = requestsOf(page);
  await page.getByRole('link', { name: 'Lake 02.jpg' }).click();
  await viewer(page, 'Lake 02.jpg').waitFor();
  await isWhole(page);
  expect(pathIn(page.url())).toBe('/Lake 02.jpg');
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await viewer(page, 'Film.webm').waitFor();
  const play = page.getByRole('button', { name: t('photoViewer.playNamed', { name: 'Film.webm' }) });
  await play.waitFor();
  await inspect(page, 'link-photo-viewer-film');
  const others = () => asked.filter(({ pathname }) => !/^\/(?:wl\/thumbnail|assets\/|icons\/)/.test(pathname));
  expect(others()).toEqual([]);
  await play.click();
  await expect.poll(() => page.evaluate("document.querySelector('.photo-viewer video').readyState >= 2")).toBe(true);
  expect([...new Set(others().map(({ pathname }) => pathname))]).toEqual(['/wl/play', '/wl/content']);
  await page.goBack();
  await viewer(page).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('path')).toBeNull();
  // After reloading in the viewer there is the page of the photo, and the way leads back to the folder all the same.
  await page.getByRole('link', { name: 'Lake 03.jpg' }).click();
  await viewer(page, 'Lake 03.jpg').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Lake 03.jpg' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Summer at the lake' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('the page of a linked photo opens the viewer, over which back leads to the page', async () => {
  const link = await linkTo(household, `${PHOTOS}/Lake 06.jpg`, { singleDownload: 0 });
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, link));
  await page.locator('.stage .enlarge').click();
  await viewer(page, 'Lake 06.jpg').waitFor();
  await isWhole(page);
  await page.keyboard.press('i');
  await page
    .getByRole('complementary', { name: t('files.actions.details') })
    .getByText(t('links.file.sharedBy'))
    .waitFor();
  const saved = page.waitForEvent('download');
  await viewer(page)
    .getByRole('button', { name: t('files.actions.download') })
    .click();
  expect((await saved).suggestedFilename()).toBe('Lake 06.jpg');
  await inspect(page, 'link-photo-viewer-alone');
  await page.goBack();
  await viewer(page).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('enlarge');
  await page.goForward();
  await viewer(page, 'Lake 06.jpg').waitFor();
  await page.keyboard.press('Escape');
  await viewer(page).waitFor({ state: 'detached' });
  expect(page.url()).toBe(address(household, link));
  expect(complaints).toEqual([]);
  await context.close();
});

it('if downloads are limited, playing counts as a download, which is stated before', async () => {
  const link = await linkTo(household, FILMS, { download_limit: 3 });
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, link));
  await page.getByRole('link', { name: 'Film.webm' }).click();
  await viewer(page, 'Film.webm').waitFor();
  await page.getByText(t('links.play.counts', { used: 0, limit: 3 })).waitFor();
  await inspect(page, 'link-photo-viewer-counted');
  expect(await downloads('Films')).toBe(0);
  await page.getByRole('button', { name: t('photoViewer.playNamed', { name: 'Film.webm' }) }).click();
  await expect.poll(() => downloads('Films')).toBe(1);
  await expect.poll(() => page.evaluate("document.querySelector('.photo-viewer video').readyState >= 2")).toBe(true);
  await page.goto(address(household, `${link}&path=/Film.webm`));
  await page.getByText(t('links.play.counts', { used: 1, limit: 3 })).waitFor();
  expect(await page.getByRole('link', { name: t('links.play.play') }).getAttribute('href')).toContain('fmode=open');
  expect(complaints).toEqual([]);
  await context.close();
});

it('nothing is played without the ticket of its page, or if it may not be shown', async () => {
  const { page, context } = await visit(browser, { javaScriptEnabled: false });
  await page.goto(address(household, `${await linkTo(household, PHOTOS)}&path=/Film.webm`));
  const play = new URL((await page.locator('video.film').getAttribute('src')) ?? '', page.url());
  const status = async (change: (query: URLSearchParams) => void) => {
    const query = new URLSearchParams(play.search);
    change(query);
    return (await household.api.send('GET', `/wl/play?${query}`)).status;
  };
  expect(await status(() => undefined)).toBe(303);
  expect(await status((query) => query.delete('ticket'))).toBe(404);
  expect(await status((query) => query.set('ticket', `${query.get('ticket')}x`))).toBe(404);
  expect(await status((query) => query.set('path', '/Nowhere.webm'))).toBe(404);
  const api = await household.signIn();
  await api.post('files/weblink/edit', { path: PHOTOS, force_save: 1 });
  expect(await status(() => undefined)).toBe(404);
  await api.post('files/weblink/edit', { path: PHOTOS, force_save: 0 });
  await context.close();
});

it('an item for download only is neither shown large nor played', async () => {
  const link = await linkTo(household, `${PHOTOS}/Lake 01.jpg`, { force_save: 1, singleDownload: 0 });
  const { page, context } = await visit(browser);
  await page.goto(address(household, link));
  await page.getByText(t('links.file.saved.heading')).waitFor();
  await expect.poll(() => page.locator('.stage img[src*=thumbnail]').count()).toBe(0);
  await context.close();
});

itInFull('the page of a film at a link requests nothing of it before it is played', async () => {
  const link = await linkTo(household, PHOTOS);
  const { page, context } = await visit(browser, { javaScriptEnabled: false });
  const asked = requestsOf(page);
  await page.goto(address(household, `${link}&path=/Film.webm`));
  await page.locator('video.film').waitFor();
  await page.getByRole('link', { name: t('links.file.next', { name: 'Lake 01.jpg' }) }).click();
  await page.locator('img.pictured').waitFor();
  expect(asked.map(({ pathname }) => pathname)).not.toContain('/wl/play');
  await context.close();
});

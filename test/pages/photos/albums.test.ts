import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { eventually } from '../../support/system/eventually.ts';
import { address, enterAt, fillHome, names, row, toast } from '../files/support.ts';
import { photosByMonth, timelineReady } from './timeline-support.ts';
import { viewer } from './viewer-support.ts';

// Albums of photos.

let browser: Browser;
let household: Household;
let api: ApiClient;

const PHOTOS = 24;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  await photosByMonth(household.home, [
    ['2026-08', PHOTOS - 6],
    ['2025-06', 6],
  ]);
  await fillHome(household.home, { '2026/Notes.txt': 'Tent' });
  await eventually(
    async () => (await household.control('status')).embedded as { waiting: number; indexed: number },
    (state) => state.waiting === 0 && state.indexed >= PHOTOS,
  );
  api = await household.signIn();
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const path = (name: string) => `/ROOT/HOME/${name.slice(0, 4)}/${name}`;
const photo = (day: number) => `2026-08 ${String(day).padStart(3, '0')}.jpg`;
const photosOf = (count: number) => Array.from({ length: count }, (_, index) => photo(index + 1));

async function albumOf(title: string, photos: readonly string[]): Promise<string> {
  const { album } = (await api.post('albums/add', { title })).body.data;
  if (photos.length > 0) {
    const items = JSON.stringify(photos.map((name) => ({ path: path(name) })));
    expect((await api.post('albums/items/add', { album, items })).status).toBe(200);
  }
  return album;
}

const namesIn = async (album: string): Promise<string[]> =>
  (await api.get('albums/items', { album })).body.data.files.map(({ filename }: { filename: string }) => filename);
const albumNamed = async (title: string): Promise<string> =>
  (await api.get('albums/list')).body.data.albums.find((one: { title: string }) => one.title === title)?.album;

async function open(at: string, options: { readonly javaScriptEnabled?: boolean } = {}) {
  return enterAt({ browser, household }, at, options);
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const card = (page: Page, name: string) => page.locator('.albums a').filter({ hasText: name });
const choose = (page: Page, title: string) => page.locator('.album-choices button').filter({ hasText: title }).click();
const menuOf = async (page: Page, name: string, action: string) => {
  await row(page, name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: action, exact: true }).click();
};

it('the page of albums shows their covers, with links to and from the photos', async () => {
  await albumOf('Summer at the lake', photosOf(12));
  await albumOf('An album with a name that is much longer than there is room for below its cover', ['2025-06 001.jpg']);
  await albumOf('Nothing yet', []);
  await api.post('albums/folder', { path: '/ROOT/HOME/2025' });
  for (const name of photosOf(3)) await api.post('files/star', { path: path(name) });
  const { page, context, complaints } = await open('/files/?path=/PHOTOS');
  await timelineReady(page);
  await inspect(page, 'photos-with-albums');
  await page.getByRole('link', { name: t('albums.heading') }).click();
  await heading(page, t('albums.heading')).waitFor();
  await card(page, 'Summer at the lake')
    .getByText(t('photos.sums', { photos: 12, films: 0 }))
    .waitFor();
  await card(page, t('albums.favourites'))
    .getByText(t('photos.sums', { photos: 3, films: 0 }))
    .waitFor();
  await card(page, '2025')
    .getByText(t('photos.sums', { photos: 6, films: 0 }))
    .waitFor();
  await inspect(page, 'albums');
  await card(page, 'Summer at the lake').click();
  await heading(page, 'Summer at the lake').waitFor();
  expect((await names(page)).length).toBe(12);
  await inspect(page, 'album');
  await page.goBack();
  await card(page, 'Nothing yet').click();
  await page.getByText(t('albums.empty.list.heading')).waitFor();
  await inspect(page, 'album-empty');
  await page.locator('.crumbs').getByRole('link', { name: 'Photos' }).click();
  await timelineReady(page);
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('adds selected photos to a new album, and to one that exists', async () => {
  const { page, context, complaints } = await open('/files/?path=/PHOTOS');
  await timelineReady(page);
  for (const name of photosOf(2)) {
    await row(page, name).hover();
    await row(page, name).locator('.pick').click();
  }
  const add = page.locator('.selection').getByRole('button', { name: t('files.actions.album') });
  await add.click();
  const dialog = page.getByRole('dialog');
  await inspect(page, 'album-choice');
  await dialog.getByRole('button', { name: t('albums.add.submit') }).click();
  await dialog.getByLabel(t('albums.into.new')).fill('Picnic');
  await page.keyboard.press('Enter');
  await toast(page, t('albums.toast.into', { count: 2 }));
  await expect.poll(() => dialog.count()).toBe(0);
  const album = await albumNamed('Picnic');
  expect((await namesIn(album)).sort()).toEqual(photosOf(2));
  await menuOf(page, photo(3), t('files.actions.album'));
  await choose(page, 'Picnic');
  await expect.poll(() => namesIn(album)).toHaveLength(3);
  await page.locator('.toast button').last().click();
  await heading(page, 'Picnic').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('offers albums for photos only, in the files as well', async () => {
  const { page, context } = await open('/files/?path=/ROOT/HOME/2026');
  await row(page, 'Notes.txt').click({ button: 'right' });
  await page.getByRole('menuitem', { name: t('files.actions.copy'), exact: true }).waitFor();
  expect(await page.getByRole('menuitem', { name: t('files.actions.album') }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await menuOf(page, photo(1), t('files.actions.album'));
  await page
    .getByRole('dialog')
    .getByRole('link', { name: t('files.forms.cancel') })
    .click();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await context.close();
});

itInFull('opens the viewer, sets a cover, and removes a photo, which can be undone', async () => {
  const album = await albumOf('Boats', photosOf(4));
  const { page, context, complaints } = await open(`/files/album?album=${album}`);
  await row(page, photo(2)).locator('.open').click();
  await viewer(page).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => viewer(page).count()).toBe(0);
  await menuOf(page, photo(2), t('files.actions.albumCover'));
  await toast(page, t('albums.toast.cover'));
  const { cover } = (await api.get('albums/items', { album })).body.data.album;
  expect(cover.path).toBe(path(photo(2)));
  await menuOf(page, photo(1), t('files.actions.albumRemove'));
  await toast(page, t('albums.toast.removed', { count: 1 }));
  await expect.poll(async () => (await names(page)).length).toBe(3);
  expect(await namesIn(album)).toHaveLength(3);
  await page
    .locator('.toast')
    .last()
    .getByRole('button', { name: t('files.toast.undo') })
    .click();
  await expect.poll(async () => (await names(page)).length).toBe(4);
  expect((await api.get('files/info', { path: path(photo(1)) })).status).toBe(200);
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('shows all of its photos one after the other', async () => {
  const album = await albumOf('Slides', photosOf(3));
  const { page, context, complaints } = await open(`/files/album?album=${album}`);
  await page.getByRole('button', { name: t('albums.slideShow') }).click();
  await viewer(page)
    .getByRole('button', { name: t('photoViewer.pause') })
    .click();
  await viewer(page)
    .getByRole('button', { name: t('photoViewer.slideShow') })
    .waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => viewer(page).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

it('renames, sorts and deletes an album by keyboard', async () => {
  const album = await albumOf('Old title', photosOf(2).reverse());
  const { page, context, complaints } = await open(`/files/album?album=${album}`);
  const more = page.locator('.page-actions summary');
  await more.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: t('albums.edit.heading') }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('albums.title')).fill(' ');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel(t('albums.title')).fill('New title');
  await page.keyboard.press('Enter');
  await heading(page, 'New title').waitFor();
  await more.click();
  await inspect(page, 'album-menu');
  await page.getByRole('button', { name: t('albums.order.hand') }).click();
  await page.getByText(t('albums.order.taken')).waitFor({ state: 'attached' });
  await page.locator('.page-actions summary').click();
  await page.getByRole('button', { name: t('albums.order.taken') }).waitFor();
  await page.getByRole('link', { name: t('albums.delete.submit') }).click();
  await dialog.getByText(t('albums.delete.lead')).waitFor();
  await inspect(page, 'album-delete');
  await dialog.getByRole('button', { name: t('albums.delete.submit') }).click();
  await heading(page, t('albums.heading')).waitFor();
  await toast(page, t('albums.toast.deleted'));
  expect((await api.get('albums/items', { album })).status).toBe(404);
  // The title that was refused.
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
  await context.close();
});

itInFull('works without the script', async () => {
  const { page, context, complaints } = await open('/files/albums', { javaScriptEnabled: false });
  await page.getByRole('link', { name: t('albums.add.heading') }).click();
  await page.getByLabel(t('albums.title')).fill('x'.repeat(201));
  await page.getByRole('button', { name: t('albums.add.submit') }).click();
  await page.getByText(t('api.albums.titleLength', { max: 200 })).waitFor();
  await page.getByLabel(t('albums.title')).fill('Plain');
  await page.getByRole('button', { name: t('albums.add.submit') }).click();
  await heading(page, 'Plain').waitFor();
  const album = await albumNamed('Plain');
  for (const choice of ['existing', 'new'] as const) {
    await page.goto(address(household, `/files/item?path=${path(photo(5))}`));
    await page.getByRole('link', { name: t('files.actions.album') }).click();
    if (choice === 'existing') await choose(page, 'Plain');
    else {
      await page.getByLabel(t('albums.into.new')).fill('Plainer');
      await page.getByRole('button', { name: t('albums.add.submit') }).click();
    }
    await page.getByText(t('files.done.intoAlbum')).waitFor();
  }
  expect(await namesIn(album)).toEqual([photo(5)]);
  expect(await namesIn(await albumNamed('Plainer'))).toEqual([photo(5)]);
  await page.goto(address(household, `/files/album?album=${album}`));
  await page.locator('.page-actions summary').click();
  await page.getByRole('link', { name: t('albums.delete.submit') }).click();
  await page.getByRole('button', { name: t('albums.delete.submit') }).click();
  await page.getByText(t('albums.done.deleted')).waitFor();
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
  await context.close();
});

itInFull('shows a folder as an album with one switch, and no longer', async () => {
  const { page, context, complaints } = await open('/files/item?path=/ROOT/HOME/2026');
  await page.getByRole('button', { name: t('albums.show') }).click();
  await page.getByRole('button', { name: t('albums.hide') }).waitFor();
  await inspect(page, 'album-switch');
  await page.getByRole('link', { name: t('albums.see') }).click();
  await expect.poll(() => names(page)).toHaveLength(PHOTOS - 6);
  await page.locator('.page-actions summary').click();
  await page.getByRole('button', { name: t('albums.hide') }).click();
  await toast(page, t('albums.toast.hidden'));
  expect(await albumNamed('2026')).toBeUndefined();
  expect((await page.goto(address(household, '/files/album?album=none')))?.status()).toBe(404);
  expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
  await context.close();
});

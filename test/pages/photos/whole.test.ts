import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, type visit } from '../../support/browser/page.ts';
import { applePhoto } from '../../support/content/apple-photos.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, signInAs } from '../../support/households/member.ts';
import { eventually } from '../../support/system/eventually.ts';
import { address, enterAt, fillHome, picture, ready, row, toast } from '../files/support.ts';
import { photosByMonth, timelineReady } from './timeline-support.ts';
import { viewer } from './viewer-support.ts';

// Live Photos and bursts, which are one photo in the photos by time.

let browser: Browser;
let household: Household;

const STILL = 'IMG_0001.JPG';
const FILM = 'IMG_0001.MP4';
const BURST = Array.from({ length: 5 }, (_, index) => `IMG_00${index + 20}.JPG`);
const [FIRST = ''] = BURST;

/** Photos that belong to nothing else, in an earlier month. */
const OTHERS = 6;

const at = (minute: number) => `2026:09:12 10:${String(minute).padStart(2, '0')}:00`;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await addMembersWithHomes(household, { mia: {} });
  await photosByMonth(household.home, [['2026-08', OTHERS]]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

/** Puts a Live Photo and a burst into a folder, and waits until it is known what they are. */
async function putWholes(folder: string): Promise<void> {
  const burst = `${folder} burst`;
  const photos = await Promise.all(
    BURST.map(
      async (name, index) =>
        [`${folder}/${name}`, applePhoto(await picture(index), { burst, taken: at(20 + index) })] as const,
    ),
  );
  const still = applePhoto(await picture(9), { content: folder, taken: at(40) });
  const film = await readFile('test/fixtures/video/vp8.webm');
  await fillHome(household.home, {
    ...Object.fromEntries(photos),
    [`${folder}/${STILL}`]: still,
    [`${folder}/${FILM}`]: film,
  });
  wholes += 7;
  await eventually(
    async () => (await household.control('status')).embedded as { waiting: number; indexed: number },
    ({ waiting, indexed }) => waiting === 0 && indexed >= wholes,
  );
}

/** Files that are known by now. */
let wholes = OTHERS;

async function open(options: Parameters<typeof visit>[1] = {}) {
  const visited = await enterAt({ browser, household }, '/files/?path=/PHOTOS', options);
  if (options.javaScriptEnabled !== false) await timelineReady(visited.page);
  return visited;
}

const marks = (page: Page) => page.locator('.by-month .whole').allTextContents();
const isThere = (path: string) =>
  access(join(household.home, path)).then(
    () => true,
    () => false,
  );

itInFull('shows a Live Photo and a burst as one photo each, with and without the script', async () => {
  await putWholes('Shown');
  for (const javaScriptEnabled of [true, false]) {
    const { page, context, complaints } = await open({ javaScriptEnabled });
    await expect.poll(() => page.locator('.by-month .item').count()).toBe(javaScriptEnabled ? 8 : 2);
    expect(await marks(page)).toEqual([t('photos.live'), t('photos.burst', { count: 5 })]);
    expect(await page.locator('.heading .meta').textContent()).toBe(t('photos.sums', { photos: 8, films: 0 }));
    await expect.poll(() => row(page, STILL).count()).toBe(1);
    expect(await row(page, FIRST).count()).toBe(1);
    for (const name of [FILM, BURST[1] ?? '']) expect(await row(page, name).count()).toBe(0);
    if (javaScriptEnabled) await inspect(page, 'photos-as-one');
    expect(complaints).toEqual([]);
    await context.close();
  }
});

itInFull('plays the film over the photo, without sound, by a button and by holding', async () => {
  await putWholes('Played');
  const { page, context, complaints } = await open();
  await row(page, STILL).first().locator('.open').click();
  const dialog = viewer(page);
  const play = dialog.getByRole('button', { name: t('photoViewer.live') });
  await play.click();
  const film = dialog.locator('.live-film');
  await film.waitFor();
  expect(await film.evaluate((video) => (video as unknown as { muted: boolean }).muted)).toBe(true);
  expect(await play.getAttribute('aria-pressed')).toBe('true');
  await dialog.getByRole('button', { name: t('photoViewer.sound') }).click();
  // At its end, it gives way to the photo.
  await film.waitFor({ state: 'detached' });
  expect(await play.getAttribute('aria-pressed')).toBe('false');
  const photo = await dialog.locator('.photo-box').boundingBox();
  await page.mouse.move((photo?.x ?? 0) + 300, (photo?.y ?? 0) + 200);
  await page.mouse.down();
  await film.waitFor();
  await page.mouse.up();
  await film.waitFor({ state: 'detached' });
  await inspect(page, 'live-photo');
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('lists the photos of a burst in the viewer', async () => {
  await putWholes('Listed');
  const { page, context, complaints } = await open();
  await row(page, FIRST).first().locator('.open').click();
  const list = viewer(page).getByRole('navigation', { name: t('photoViewer.burst') });
  await expect.poll(() => list.getByRole('listitem').count()).toBe(BURST.length);
  const third = list.getByRole('button', { name: BURST[2] ?? '' });
  await third.click();
  await viewer(page, BURST[2]).waitFor();
  expect(await third.getAttribute('aria-current')).toBe('true');
  await inspect(page, 'burst');
  // The Live Photos are newer.
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => list.count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

it('a photo is deleted with its film, with a message, and both are restored', async () => {
  await putWholes('Deleted');
  const { page, context, complaints } = await open();
  const tile = page.locator(`.item[data-path="/ROOT/HOME/Deleted/${STILL}"]`);
  await tile.hover();
  await tile.locator('.pick').click();
  const all = Number(await page.locator('.listing').getAttribute('data-total'));
  expect(await page.locator('#count').textContent()).toBe(t('photos.selected', { count: 1, total: all, files: 2 }));
  await page.locator('.selection [data-do=delete]').click();
  await toast(page, t('photos.toast.deleted', { count: 2 }));
  expect([await isThere(`Deleted/${STILL}`), await isThere(`Deleted/${FILM}`)]).toEqual([false, false]);
  await page.getByRole('button', { name: t('files.toast.undo') }).click();
  await expect.poll(() => isThere(`Deleted/${FILM}`)).toBe(true);
  await tile.waitFor();
  await expect.poll(() => tile.locator('.whole').count()).toBe(1);
  expect(complaints).toEqual([]);
  await context.close();
});

it('one photo of a burst is deleted from the viewer, without the others, and restored', async () => {
  await putWholes('Chosen');
  const { page, context, complaints } = await open();
  const tile = (name: string) => page.locator(`.item[data-path="/ROOT/HOME/Chosen/${name}"]`);
  await tile(FIRST).locator('.open').click();
  const list = viewer(page).getByRole('navigation', { name: t('photoViewer.burst') });
  const pictures = list.getByRole('listitem');
  await expect.poll(() => pictures.count()).toBe(5);
  const [, , third = '', ...last] = BURST;
  await pictures.nth(2).getByRole('button').click();
  await viewer(page, third).waitFor();
  await inspect(page, 'burst-photo');
  const remove = list.getByRole('button', { name: t('photoViewer.deleteOne') });
  await remove.click();
  await expect.poll(() => isThere(`Chosen/${third}`)).toBe(false);
  await viewer(page, FIRST).waitFor();
  await expect.poll(() => pictures.count()).toBe(4);
  // The one that stands for the burst can be deleted, too: then the next one does.
  await remove.click();
  const [, second = ''] = BURST;
  await viewer(page, second).waitFor();
  await expect.poll(() => pictures.count()).toBe(3);
  expect(await isThere(`Chosen/${FIRST}`)).toBe(false);
  for (const name of [second, ...last]) expect(await isThere(`Chosen/${name}`)).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => tile(second).locator('.whole').textContent()).toBe(t('photos.burst', { count: 3 }));
  await page
    .getByRole('button', { name: t('files.toast.undo') })
    .last()
    .click();
  await expect.poll(() => isThere(`Chosen/${FIRST}`)).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('a burst is added to an album as a whole, with a message', async () => {
  await putWholes('Added');
  const { page, context, complaints } = await open();
  const tile = page.locator(`.item[data-path="/ROOT/HOME/Added/${FIRST}"]`);
  await tile.hover();
  await tile.locator('.more').click();
  await page.locator('.menu [data-do=album]').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(t('photos.wholeNote', { count: 5 })).waitFor();
  await dialog.getByLabel(t('albums.into.new')).fill('Jumps');
  await dialog.getByRole('button', { name: t('albums.add.submit') }).click();
  await toast(page, t('albums.toast.into', { count: 5 }));
  const api = await household.signIn();
  const albums = (await api.get('albums/list')).body.data.albums as { album: string; title: string }[];
  const album = albums.find(({ title }) => title === 'Jumps');
  const items = await api.post('albums/items', { album: album?.album ?? '' });
  expect(items.body.data.files).toHaveLength(5);
  expect(complaints).toEqual([]);
  await context.close();
});

it('a photo is shared with its film from the viewer, with a message', async () => {
  await putWholes('Given');
  const { page, context, complaints } = await open();
  await page.locator(`.item[data-path="/ROOT/HOME/Given/${STILL}"] .open`).click();
  await viewer(page)
    .getByRole('button', { name: t('files.actions.share') })
    .click();
  const dialog = page.getByRole('dialog', { name: t('files.forms.share.heading', { count: 2, name: '' }) });
  await dialog.getByText(t('photos.wholeNote', { count: 2 })).waitFor();
  await dialog.getByLabel(t('sharing.add.who'), { exact: true }).selectOption({ label: 'Mia' });
  await dialog.getByRole('button', { name: t('sharing.add.submit') }).click();
  await toast(page, t('files.toast.shared', { count: 2 }));
  const mia = await signInAs(household, 'mia');
  const [ann] = (await mia.get('files/browse', { path: '/ROOT/SHARED' })).body.data.files;
  const shares = (await mia.get('files/browse', { path: ann.path })).body.data.files as { filename: string }[];
  expect(shares.map(({ filename }) => filename).sort()).toEqual([STILL, FILM]);
  expect(complaints).toEqual([]);
  await context.close();
});

it('the page of a photo shows which files belong to it, and deletes all of them, without the script', async () => {
  await putWholes('Plain');
  const other = await open();
  await other.page.goto(address(household, `/files/item?path=/ROOT/HOME/Plain/${FIRST}&from=/PHOTOS`));
  await ready(other.page);
  await inspect(other.page, 'photo-of-burst');
  await other.context.close();
  const { page, context } = await open({ javaScriptEnabled: false });
  const tile = page.locator(`.open[href*="Plain/${FIRST}"]`);
  await tile.click();
  await page.getByRole('heading', { name: t('photos.burst', { count: 5 }) }).waitFor();
  expect(await page.locator('.whole-list a').allTextContents()).toHaveLength(4);
  await page.locator('.item-actions [data-do=delete]').click();
  await page.getByText(t('photos.wholeNote', { count: 5 })).waitFor();
  await page.getByRole('button', { name: t('files.actions.delete') }).click();
  await page.locator('.done').waitFor();
  for (const name of BURST) expect(await isThere(`Plain/${name}`)).toBe(false);
  expect(await isThere(`Plain/${STILL}`)).toBe(true);
  await context.close();
});

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { applePhoto } from '../../support/content/apple-photos.ts';
import { readZip } from '../../support/content/read-zip.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, signInAs } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { eventually } from '../../support/system/eventually.ts';
import { address, enterAt, fillHome, picture, ready, row, toast, withoutTokens } from '../files/support.ts';
import { viewer } from './viewer-support.ts';

// Live Photos and bursts in albums, which are one there, too.

let browser: Browser;
let household: Household;
let ann: ApiClient;
let mia: ApiClient;

const FOLDER = '/ROOT/HOME/Lake';
const BURST = ['Pier/IMG_0011.JPG', 'Pier/IMG_0012.JPG', 'Pier/IMG_0013.JPG'];
/** The film of the second photo of the burst. */
const BURST_FILM = 'Pier/IMG_0012.MP4';
const [STILL, FILM, PLAIN] = ['IMG_0001.JPG', 'IMG_0001.MP4', 'IMG_0002.JPG'];

/** The first marker of what describes the picture in a JPEG, and the last one. */
const [FRAME, END] = [Buffer.from([0xff, 0xc0]), Buffer.from([0xff, 0xd9])];

const embedded = async () => (await household.control('status')).embedded as { waiting: number; indexed: number };

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await addMembersWithHomes(household, { mia: {} });
  [ann, mia] = [await household.signIn(), await signInAs(household, 'mia')];
  const film = await readFile('test/fixtures/video/vp8.webm');
  const files = {
    [`Lake/${STILL}`]: applePhoto(await picture(1), { content: 'lake', taken: '2026:09:12 10:40:00' }),
    [`Lake/${FILM}`]: film,
    [`Lake/${PLAIN}`]: applePhoto(await picture(2), { content: 'other', taken: '2026:09:12 10:41:00' }),
  };
  const burst = await Promise.all(
    BURST.map(async (name, index) => {
      const about = { burst: 'pier', taken: `2026:09:13 08:00:0${index}`, content: `pier ${index}` };
      return [name, applePhoto(await picture(index + 3), about)] as const;
    }),
  );
  await fillHome(household.home, { ...files, ...Object.fromEntries(burst), [BURST_FILM]: film });
  await fillHome(homeOf(household, 'mia'), files);
  await eventually(embedded, ({ waiting, indexed }) => waiting === 0 && indexed >= 10);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function albumWith(title: string, names: readonly string[], api = ann): Promise<string> {
  const { album } = (await api.post('albums/add', { title })).body.data;
  const items = JSON.stringify(
    names.map((name) => ({ path: name.includes('/') ? `/ROOT/HOME/${name}` : `${FOLDER}/${name}` })),
  );
  const { status, body } = await api.post('albums/items/add', { album, items });
  // The API counts files.
  expect([status, body.data.photos + body.data.films]).toEqual([200, names.length]);
  return album;
}

const namesIn = async (album: string, api = ann): Promise<string[]> => {
  const { files } = (await api.get('albums/items', { album })).body.data;
  return files.map(({ filename }: { filename: string }) => filename).sort();
};

async function open(at: string, options: Parameters<typeof visit>[1] = {}, username?: string) {
  return enterAt({ browser, household }, at, { username, ...options });
}

const sums = (page: Page) => page.locator('.album-head .meta');
const itemsOn = (page: Page) => page.locator('.items .item').count();
const pick = async (page: Page, name: string) => {
  await row(page, name).hover();
  await row(page, name).locator('.pick').click();
};
const playFilm = async (page: Page, name: string) => {
  await row(page, name).locator('.open').click();
  await playFilmShown(page);
};
const playFilmShown = async (page: Page) => {
  await viewer(page)
    .getByRole('button', { name: t('photoViewer.live') })
    .click();
  await viewer(page).locator('.live-film').waitFor();
  // At its end, it gives way to the photo: it was played.
  await viewer(page).locator('.live-film').waitFor({ state: 'detached' });
  expect(await viewer(page).locator('.note-of-live').count()).toBe(0);
};

it.each([true, false])('a Live Photo is one photo in an album, with the script: %s', async (javaScriptEnabled) => {
  const album = await albumWith('One', [FILM, STILL, PLAIN]);
  const { page, context, complaints } = await open(`/files/album?album=${album}`, { javaScriptEnabled });
  expect(await itemsOn(page)).toBe(2);
  expect(await sums(page).textContent()).toContain(t('photos.sums', { photos: 2, films: 0 }));
  expect(await page.locator('.listing').getAttribute('data-total')).toBe('2');
  expect(await row(page, STILL).locator('.whole').textContent()).toBe(t('photos.live'));
  expect(await row(page, PLAIN).locator('.whole').count()).toBe(0);
  if (javaScriptEnabled) {
    await inspect(page, 'live-photo-in-album');
    await playFilm(page, STILL);
  }
  await page.goto(address(household, '/files/albums'));
  const card = page.locator('.albums a').filter({ hasText: 'One' }).first();
  expect(await card.locator('.sums').textContent()).toBe(t('photos.sums', { photos: 2, films: 0 }));
  expect(complaints).toEqual([]);
  await context.close();
  await ann.post('albums/delete', { album });
});

itInFull('a photo without its film in the album counts as one, and a film is shown without its photo', async () => {
  const [still, film] = [await albumWith('Still', [STILL]), await albumWith('Film', [FILM])];
  const { page, context } = await open(`/files/album?album=${still}`);
  await playFilm(page, STILL);
  await page.goto(address(household, `/files/album?album=${film}`));
  await ready(page);
  expect(await itemsOn(page)).toBe(1);
  expect(await sums(page).textContent()).toContain(t('photos.sums', { photos: 0, films: 1 }));
  await context.close();
});

itInFull('a Live Photo is one photo in the album of a folder', async () => {
  const { album } = (await ann.post('albums/folder', { path: FOLDER })).body.data;
  const { page, context } = await open(`/files/album?album=${album}`);
  expect(await itemsOn(page)).toBe(2);
  expect(await row(page, STILL).locator('.whole').count()).toBe(1);
  await context.close();
});

it('the viewer says when a photo was taken, also from a folder, whose list says when the file was changed', async () => {
  const { page, context } = await open(`/files/?path=${FOLDER}&view=gallery`);
  expect(await row(page, PLAIN).locator('.when').textContent()).not.toContain('September');
  await row(page, PLAIN).locator('.open').click();
  await viewer(page).locator('.when-taken').getByText('12 September').waitFor();
  await context.close();
});

describe('adding and removing a Live Photo', () => {
  itInFull.each([STILL, FILM])('adds photo and film from a folder if %s is chosen', async (name) => {
    const album = await albumWith(`From ${name}`, [PLAIN]);
    const { page, context } = await open(`/files/?path=${FOLDER}&view=gallery`);
    await row(page, name).click({ button: 'right' });
    await page.locator('.menu [data-do=album]').click();
    await page
      .locator('.album-choices button')
      .filter({ hasText: `From ${name}` })
      .click();
    await toast(page, t('albums.toast.into', { count: 1 }));
    expect(await namesIn(album)).toEqual([STILL, FILM, PLAIN]);
    await context.close();
  });

  it('removes photo and film together, and restores both', async () => {
    const album = await albumWith('Out', [STILL, FILM, PLAIN]);
    const { page, context, complaints } = await open(`/files/album?album=${album}`);
    await pick(page, STILL);
    await page.locator('.selection [data-do=albumRemove]').click();
    await toast(page, t('albums.toast.removed', { count: 1 }));
    expect(await namesIn(album)).toEqual([PLAIN]);
    await page.getByRole('button', { name: t('files.toast.undo') }).click();
    await toast(page, t('files.toast.undone'));
    expect(await namesIn(album)).toEqual([STILL, FILM, PLAIN]);
    await expect.poll(() => row(page, STILL).locator('.whole').count()).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

it('one photo of a burst is deleted from an album, with its film and without the others', async () => {
  const folder = 'Jetty';
  const film = await readFile('test/fixtures/video/vp8.webm');
  const names = [1, 2, 3].map((number) => `${folder}/IMG_003${number}.JPG`);
  const photos = await Promise.all(
    names.map(async (name, index) => {
      const about = { burst: 'jetty', taken: `2026:09:14 08:00:0${index}`, content: `jetty ${index}` };
      return [name, applePhoto(await picture(index + 6), about)] as const;
    }),
  );
  await fillHome(household.home, { ...Object.fromEntries(photos), [`${folder}/IMG_0032.MP4`]: film });
  await eventually(embedded, ({ waiting, indexed }) => waiting === 0 && indexed >= 14);
  const album = await albumWith('Jetty', [...names, `${folder}/IMG_0032.MP4`]);
  const { page, context, complaints } = await open(`/files/album?album=${album}`);
  await row(page, 'IMG_0031.JPG').locator('.open').click();
  const list = viewer(page).getByRole('navigation', { name: t('photoViewer.burst') });
  await list.getByRole('listitem').nth(1).getByRole('button').click();
  await viewer(page, 'IMG_0032.JPG').waitFor();
  await list.getByRole('button', { name: t('photoViewer.deleteOne') }).click();
  await viewer(page, 'IMG_0031.JPG').waitFor();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
  expect(await namesIn(album)).toEqual(['IMG_0031.JPG', 'IMG_0033.JPG']);
  expect(complaints).toEqual([]);
  await context.close();
});

describe('on the link of an album', () => {
  const [first = '', second = '', third = ''] = BURST.map((name) => name.slice('Pier/'.length));
  const linkOf = async (title: string, names: readonly string[], fields: Record<string, string> = {}) => {
    const album = await albumWith(title, names);
    const { url } = (await ann.post('albums/link', { album, ...fields })).body.data;
    return String(url).slice(String(url).indexOf('/wl/'));
  };

  it('a Live Photo is one photo, whose film plays when it is asked for', async () => {
    const link = await linkOf('Lake', [STILL, FILM, PLAIN]);
    const { page, context, complaints } = await visit(browser);
    await page.goto(address(household, `${link}&mode=gallery`));
    const tiles = page.locator('.pictures li');
    expect(await tiles.count()).toBe(2);
    const whole = tiles.filter({ has: page.locator('.whole') });
    expect(await whole.locator('.whole').textContent()).toBe(t('photos.live'));
    await inspect(page, 'link-live');
    await whole.getByRole('link').click();
    await playFilmShown(page);
    await inspect(page, 'link-live-viewer');
    await page.keyboard.press('Escape');
    await viewer(page).waitFor({ state: 'detached' });
    await whole.hover();
    await whole.getByRole('checkbox').check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('links.folder.downloadSelected') }).click(),
    ]);
    expect(Object.keys(await readZip(await readFile(await download.path()))).sort()).toEqual([STILL, FILM]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('a Live Photo is two files where downloads are counted', async () => {
    const link = await linkOf('Counted', [STILL, FILM], { download_limit: '3' });
    const { page, context } = await visit(browser);
    await page.goto(address(household, `${link}&mode=list`));
    expect(await page.locator('.rows li').count()).toBe(2);
    expect(await page.locator('.rows .whole').count()).toBe(0);
    await context.close();
  });

  it('the film of a photo that the viewer cannot show is an entry of its own', async () => {
    const { indexed: before } = await embedded();
    const whole = applePhoto(await picture(5), { content: 'odd', taken: '2026:09:15 10:00:00' });
    await fillHome(household.home, {
      // All but the picture.
      'Odd/IMG_0009.JPG': Buffer.concat([whole.subarray(0, whole.indexOf(FRAME)), END]),
      'Odd/IMG_0009.MP4': await readFile('test/fixtures/video/vp8.webm'),
    });
    await eventually(embedded, ({ waiting, indexed }) => waiting === 0 && indexed >= before + 2);
    await expect
      .poll(async () => (await ann.get('files/thumbnail', { path: '/ROOT/HOME/Odd/IMG_0009.JPG' })).status)
      .not.toBe(200);
    const link = await linkOf('Odd', ['Odd/IMG_0009.JPG', 'Odd/IMG_0009.MP4']);
    const { page, context } = await visit(browser);
    await page.goto(address(household, `${link}&mode=list`));
    expect(await page.locator('.rows li').count()).toBe(2);
    expect(await page.locator('.rows .whole').count()).toBe(0);
    await context.close();
  });

  it('a burst is one photo, of what is in the album only', async () => {
    const link = await linkOf('Pier', [...BURST.slice(0, 2), BURST_FILM, PLAIN]);
    const { page, context, complaints } = await visit(browser);
    await page.goto(address(household, `${link}&mode=gallery`));
    const tiles = page.locator('.pictures li');
    expect(await tiles.count()).toBe(2);
    const burst = tiles.filter({ has: page.locator('.whole') });
    expect(await burst.locator('.whole').textContent()).toBe(t('photos.burst', { count: 2 }));
    expect(await page.content()).not.toContain(third);
    await inspect(page, 'link-burst');
    await burst.getByRole('link').click();
    const list = viewer(page).getByRole('navigation', { name: t('photoViewer.burst') });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
    await list.getByRole('listitem').nth(1).getByRole('button').click();
    await viewer(page, second).waitFor();
    await playFilmShown(page);
    // Visitors delete nothing.
    expect(await list.getByRole('button', { name: t('photoViewer.deleteOne') }).count()).toBe(0);
    await inspect(page, 'link-burst-viewer');
    await page.keyboard.press('Escape');
    await viewer(page).waitFor({ state: 'detached' });
    // What is selected is all of it.
    await burst.hover();
    await burst.getByRole('checkbox').check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('links.folder.downloadSelected') }).click(),
    ]);
    const names = Object.keys(await readZip(await readFile(await download.path())));
    expect(names.sort()).toEqual([first, second, BURST_FILM.slice('Pier/'.length)].sort());
    await page.goto(address(household, `${link}&mode=list`));
    expect(await page.locator('.rows li').count()).toBe(2);
    await inspect(page, 'link-burst-list');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('the photos of a burst are separate if the one that stands for it is not in the album', async () => {
    const link = await linkOf('Rest', BURST.slice(1));
    const { page, context } = await visit(browser, { javaScriptEnabled: false });
    await page.goto(address(household, `${link}&mode=gallery`));
    expect(await page.locator('.pictures li').count()).toBe(2);
    expect(await page.locator('.whole').count()).toBe(0);
    expect(await page.content()).not.toContain(first);
    await context.close();
  });
});

describe('a Live Photo in a shared album', () => {
  const share = async (names: readonly string[], role: string) => {
    const album = await albumWith(`Shared ${role} ${names.length}`, names);
    const uid = (await mia.get('account/info')).body.id;
    expect((await ann.post('albums/share', { album, uid, role })).status).toBe(200);
    return album;
  };

  it('is one photo for people with access only through the album, and plays', async () => {
    const album = await share([STILL, FILM], 'view');
    const { page, context, complaints } = await open(`/files/album?album=${album}`, {}, 'mia');
    expect(await itemsOn(page)).toBe(1);
    expect(await sums(page).textContent()).toContain(t('photos.sums', { photos: 1, films: 0 }));
    await playFilm(page, STILL);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('does not reveal a film that is not in the album', async () => {
    const album = await share([STILL], 'view');
    const { page, context } = await open(`/files/album?album=${album}`, { javaScriptEnabled: false }, 'mia');
    expect(await itemsOn(page)).toBe(1);
    expect(await row(page, STILL).locator('.whole').count()).toBe(0);
    expect(withoutTokens(await page.content())).not.toContain('MP4');
    await context.close();
  });

  it('is removed completely when the person who added it removes it', async () => {
    const album = await share([PLAIN], 'contribute');
    const items = JSON.stringify([STILL, FILM].map((name) => ({ path: `${FOLDER}/${name}` })));
    expect((await mia.post('albums/items/add', { album, items })).status).toBe(200);
    const { page, context } = await open(`/files/album?album=${album}`, {}, 'mia');
    expect(await itemsOn(page)).toBe(2);
    await pick(page, STILL);
    await page.locator('.selection [data-do=albumRemove]').click();
    await toast(page, t('albums.toast.removed', { count: 1 }));
    expect(await namesIn(album)).toEqual([PLAIN]);
    await context.close();
    // The files stay.
    expect((await mia.get('files/info', { path: `${FOLDER}/${FILM}` })).status).toBe(200);
  });
});

describe('a burst', () => {
  const [FIRST = '', SECOND = '', THIRD = ''] = BURST;
  const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const markOf = (page: Page, name: string) => row(page, fileName(name)).locator('.whole');
  const share = async (album: string, role: string) => {
    const uid = (await mia.get('account/info')).body.id;
    expect((await ann.post('albums/share', { album, uid, role })).status).toBe(200);
  };
  /** Through all of its photos, and plays the film of the second. */
  const look = async (page: Page) => {
    await row(page, fileName(FIRST)).locator('.open').click();
    const list = viewer(page).getByRole('navigation', { name: t('photoViewer.burst') });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(3);
    await list.getByRole('button', { name: fileName(SECOND) }).click();
    await viewer(page, fileName(SECOND)).waitFor();
    await viewer(page)
      .getByRole('button', { name: t('photoViewer.live') })
      .click();
    await viewer(page).locator('.live-film').waitFor();
    await page.keyboard.press('Escape');
  };

  itInFull.each([true, false])('is one photo in an album, with the script: %s', async (javaScriptEnabled) => {
    const album = await albumWith('Pier', [...BURST, BURST_FILM, PLAIN]);
    const { page, context, complaints } = await open(`/files/album?album=${album}`, { javaScriptEnabled });
    expect(await itemsOn(page)).toBe(2);
    expect(await sums(page).textContent()).toContain(t('photos.sums', { photos: 2, films: 0 }));
    expect(await markOf(page, FIRST).textContent()).toBe(t('photos.burst', { count: 3 }));
    if (javaScriptEnabled) await look(page);
    expect(complaints).toEqual([]);
    await context.close();
    await ann.post('albums/delete', { album });
  });

  itInFull('is as many photos as were added to the album', async () => {
    const some = await albumWith('Two of three', [FIRST, THIRD]);
    const { page, context } = await open(`/files/album?album=${some}`);
    expect(await itemsOn(page)).toBe(1);
    expect(await markOf(page, FIRST).textContent()).toBe(t('photos.burst', { count: 2 }));
    const others = await albumWith('Without the first', [SECOND, THIRD]);
    await page.goto(address(household, `/files/album?album=${others}`));
    await ready(page);
    expect(await itemsOn(page)).toBe(2);
    expect(await markOf(page, THIRD).count()).toBe(0);
    await context.close();
  });

  itInFull('is removed as one, and restored', async () => {
    const album = await albumWith('Burst out', [...BURST, BURST_FILM, PLAIN]);
    const { page, context } = await open(`/files/album?album=${album}`);
    await pick(page, fileName(FIRST));
    await page.locator('.selection [data-do=albumRemove]').click();
    await toast(page, t('albums.toast.removed', { count: 1 }));
    expect(await namesIn(album)).toEqual([PLAIN]);
    await page.getByRole('button', { name: t('files.toast.undo') }).click();
    await toast(page, t('files.toast.undone'));
    expect(await namesIn(album)).toEqual([PLAIN, ...[...BURST, BURST_FILM].map(fileName)].sort());
    await context.close();
  });

  it('is one photo for people with access only through the album', async () => {
    const album = await albumWith('Shared pier', [...BURST, BURST_FILM]);
    await share(album, 'view');
    const { page, context, complaints } = await open(`/files/album?album=${album}`, {}, 'mia');
    expect(await itemsOn(page)).toBe(1);
    expect(await markOf(page, FIRST).textContent()).toBe(t('photos.burst', { count: 3 }));
    await look(page);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('does not reveal photos and films that are not in the album', async () => {
    const album = await albumWith('Shared first', [FIRST]);
    await share(album, 'view');
    const { page, context } = await open(`/files/album?album=${album}`, {}, 'mia');
    expect(await itemsOn(page)).toBe(1);
    expect(await markOf(page, FIRST).count()).toBe(0);
    for (const name of [SECOND, BURST_FILM]) expect(await page.content()).not.toContain(fileName(name));
    await context.close();
  });

  itInFull('is separate photos if different people added them', async () => {
    const album = await albumWith('From two', [FIRST]);
    await share(album, 'contribute');
    // Mia has the same burst in her home; hers is another one.
    await fillHome(homeOf(household, 'mia'), {
      [SECOND]: applePhoto(await picture(4), { burst: 'pier', taken: '2026:09:13 08:00:01' }),
    });
    const items = JSON.stringify([{ path: `/ROOT/HOME/${SECOND}` }]);
    expect((await mia.post('albums/items/add', { album, items })).status).toBe(200);
    const { page, context } = await open(`/files/album?album=${album}`);
    expect(await itemsOn(page)).toBe(2);
    await context.close();
  });
});

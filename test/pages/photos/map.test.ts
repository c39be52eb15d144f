import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER } from '../../support/households/member.ts';
import { eventually } from '../../support/system/eventually.ts';
import { address, enterAt, fillHome, picture, ready, row, signInAt } from '../files/support.ts';
import { viewer } from './viewer-support.ts';

// Photos where they were taken.

let browser: Browser;
let household: Household;

/** Latitude and longitude of places, and how many photos were taken there. */
const PLACES: Record<string, readonly [number, number, number]> = {
  Munich: [48.137, 11.575, 12],
  Lake: [47.99, 11.33, 5],
  Lisbon: [38.722, -9.139, 7],
  Sydney: [-33.857, 151.215, 3],
  'New York': [40.689, -74.045, 4],
  'Cape Town': [-33.957, 18.461, 1],
};
const TOTAL = Object.values(PLACES).reduce((sum, [, , count]) => sum + count, 0);

/** Degrees, minutes and seconds as EXIF has them. */
function degrees(value: number): string {
  const seconds = Math.round(Math.abs(value) * 3_600);
  return `${Math.floor(seconds / 3_600)}/1 ${Math.floor(seconds / 60) % 60}/1 ${seconds % 60}/1`;
}

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await addMembersWithHomes(household, { mia: {}, noah: {}, fiji: {} });
  const files: Record<string, Buffer> = {};
  let number = 0;
  const photoAt = async (latitude: number, longitude: number): Promise<Buffer> => {
    const exif = {
      GPSLatitude: degrees(latitude),
      GPSLongitude: degrees(longitude),
      GPSLatitudeRef: latitude < 0 ? 'S' : 'N',
      GPSLongitudeRef: longitude < 0 ? 'W' : 'E',
    };
    number += 1;
    return sharp(await picture(number))
      .withExif({ IFD3: exif })
      .toBuffer();
  };
  // On the map of the world, they are one place.
  const near = { 'Munich.jpg': await photoAt(48.137, 11.575), 'Barcelona.jpg': await photoAt(41.38, 2.17) };
  for (const [place, [latitude, longitude, count]] of Object.entries(PLACES)) {
    for (let index = 1; index <= count; index += 1) {
      files[`${place}/${place} ${index}.jpg`] = await photoAt(latitude + index / 500, longitude + index / 400);
    }
  }
  await fillHome(household.home, files);
  await fillHome(homeOf(household, 'noah'), near);
  const fiji = {
    'west.jpg': await photoAt(-17.7, 178.1),
    'middle.jpg': await photoAt(-16.8, 179.9),
    'east.jpg': await photoAt(-16.9, -179.6),
  };
  await fillHome(homeOf(household, 'fiji'), fiji);
  await eventually(
    async () => (await household.control('status')).embedded as { waiting: number; indexed: number },
    ({ waiting, indexed }) => waiting === 0 && indexed >= TOTAL + Object.keys({ ...near, ...fiji }).length,
  );
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function open(options: Parameters<typeof visit>[1] = {}, query = '') {
  const visited = await enterAt({ browser, household }, `/files/map${query}`, options);
  if (options.javaScriptEnabled !== false) await visited.page.locator('.live-map').waitFor();
  return visited;
}

const counts = async (page: Page) =>
  (await page.locator('.map-places .map-number').allTextContents()).map(Number).sort((a, b) => b - a);
const placeOf = (page: Page, count: number) =>
  page.locator('.map-places a').filter({ has: page.getByText(t('map.photos', { count }), { exact: true }) });
const zoomOf = (page: Page) => Number(new URL(page.url()).searchParams.get('zoom'));
const longitudeOf = (page: Page) => Number(new URL(page.url()).searchParams.get('lon'));
const map = (page: Page) => page.locator('.map-view');

async function middle(page: Page): Promise<[number, number]> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await map(page).boundingBox()) ?? {};
  return [x + width / 2, y + height / 2];
}

/** Holds requests until what is in the list is called. */
async function hold(page: Page, address: string | RegExp): Promise<(() => void)[]> {
  const held: (() => void)[] = [];
  await page.route(address, async (route) => {
    await new Promise<void>((done) => held.push(done));
    await route.continue();
  });
  return held;
}

it('the photos lead to the map of the places where they were taken', async () => {
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, '/files/?path=/PHOTOS'));
  await signInAt(page);
  await ready(page);
  await page.getByRole('link', { name: t('map.heading') }).click();
  await page.locator('.live-map').waitFor();
  expect(await page.locator('.heading .meta').textContent()).toBe(t('map.count', { count: TOTAL, where: 'world' }));
  expect(await counts(page)).toEqual([17, 7, 4, 3, 1]);
  await expect
    .poll(() =>
      page
        .locator('.world use')
        .first()
        .evaluate((use) => (use as unknown as { getBBox(): { width: number } }).getBBox().width),
    )
    .toBeGreaterThan(3_000);
  expect(await page.locator('.map-labels li').allTextContents()).toContain('Asia');
  await inspect(page, 'map');
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('a place on the map leads to its photos, and back', async () => {
  const { page, context, complaints } = await open();
  await placeOf(page, 7).click();
  await row(page, 'Lisbon 1.jpg').waitFor();
  expect(zoomOf(page)).toBe(2);
  await page.goBack();
  await expect.poll(() => counts(page)).toEqual([17, 7, 4, 3, 1]);
  await page.goForward();
  await row(page, 'Lisbon 1.jpg').locator('.open').click();
  await viewer(page, 'Lisbon 1.jpg').waitFor();
  await page.keyboard.press('Escape');
  await inspect(page, 'map-of-place');
  expect(complaints).toEqual([]);
  await context.close();
});

it('photos on both sides of the 180th meridian are one view, which goes on around the world', async () => {
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, '/files/map'));
  await signInAt(page, 'fiji', MEMBER.password);
  await page.locator('.live-map').waitFor();
  expect(await page.locator('.heading .meta').textContent()).toBe(t('map.count', { count: 3, where: 'here' }));
  const edges = (await map(page).boundingBox()) ?? { x: 0, width: 0 };
  const boxes = async () =>
    Promise.all((await page.locator('.map-places a').all()).map(async (place) => (await place.boundingBox())?.x ?? 0));
  for (const x of await boxes()) {
    expect(x).toBeGreaterThan(edges.x);
    expect(x).toBeLessThan(edges.x + edges.width);
  }
  await row(page, 'east.jpg').waitFor();
  await row(page, 'west.jpg').waitFor();
  await inspect(page, 'map-fiji');
  await map(page).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => Math.abs(longitudeOf(page))).toBeGreaterThan(170);
  await page
    .locator('.meta')
    .getByText(t('map.count', { count: 3, where: 'here' }))
    .waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('keys move and zoom the map, and keep the focus on it', async () => {
  const { page, context, complaints } = await open({}, '?lat=45&lon=5&zoom=3');
  await expect.poll(() => counts(page)).toEqual([17, 7]);
  await map(page).focus();
  await page.keyboard.press('+');
  await expect.poll(() => zoomOf(page)).toBe(4);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => longitudeOf(page)).toBeGreaterThan(10);
  await expect.poll(() => counts(page)).toEqual([17]);
  await expect.poll(() => map(page).evaluate((element) => element.matches(':focus'))).toBe(true);
  await page.keyboard.press('0');
  await expect.poll(() => new URL(page.url()).search).toBe('?zoom=0');
  await expect.poll(() => counts(page)).toEqual([17, 7, 4, 3, 1]);
  expect(complaints).toEqual([]);
  await context.close();
});

it('the mouse moves and zooms the map', async () => {
  const { page, context, complaints } = await open({}, '?lat=0&lon=0&zoom=1');
  const [x, y] = await middle(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 200, y + 50, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => longitudeOf(page)).toBeGreaterThan(20);
  await page.mouse.wheel(0, -500);
  await expect.poll(() => zoomOf(page)).toBeGreaterThan(2);
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('the map keeps its position if it is moved while photos are loading', async () => {
  const { page, context, complaints } = await open({}, '?lat=45&lon=5&zoom=3');
  const held = await hold(page, '**/files/map*');
  await map(page).focus();
  await page.keyboard.press('+');
  await expect.poll(() => held.length).toBe(1);
  // A map that is held requests nothing.
  const [x, y] = await middle(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 200, y, { steps: 4 });
  const button = page.getByRole('link', { name: t('map.nearer') });
  await button.focus();
  held[0]?.();
  await page
    .locator('.meta')
    .getByText(t('map.count', { count: 17, where: 'here' }))
    .waitFor();
  await page.mouse.up();
  await expect.poll(() => held.length).toBe(2);
  held[1]?.();
  expect(longitudeOf(page)).toBeGreaterThan(8);
  expect(zoomOf(page)).toBe(4);
  await expect.poll(() => counts(page)).toEqual([17]);
  await expect.poll(() => button.evaluate((element) => element.matches(':focus'))).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => held.length).toBe(3);
  held[2]?.();
  await expect.poll(() => zoomOf(page)).toBe(5);
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('the map does not interrupt navigation to another page', async () => {
  const { page, context, complaints } = await open({}, '?lat=45&lon=5&zoom=3');
  const held = await hold(page, /\/files\/(\?path=|$)/u);
  await page.getByRole('link', { name: t('files.myFiles'), exact: true }).click();
  await expect.poll(() => held.length).toBe(1);
  await map(page).focus();
  await page.keyboard.press('+');
  await expect.poll(() => zoomOf(page)).toBe(4);
  held[0]?.();
  await row(page, 'Lisbon').waitFor();
  await page.goBack();
  await page.locator('.live-map').waitFor();
  expect(zoomOf(page)).toBe(4);
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('two fingers zoom the map', async () => {
  const { page, context, complaints } = await open({ hasTouch: true }, '?lat=45&lon=5&zoom=2');
  const [x, y] = await middle(page);
  const client = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart?: number) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        apart === undefined
          ? []
          : [
              { x: x - apart, y, id: 1 },
              { x: x + apart, y, id: 2 },
            ],
    });
  await touch('touchStart', 40);
  for (const apart of [60, 90, 120]) await touch('touchMove', apart);
  await touch('touchEnd');
  await expect.poll(() => zoomOf(page)).toBeGreaterThan(3);
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('without the script, a list of places replaces the map', async () => {
  const { page, context } = await open({ javaScriptEnabled: false });
  const places = page.locator('.map-places a');
  // The page is there some time after the form was sent.
  await expect.poll(() => places.count()).toBe(5);
  const lisbon = placeOf(page, 7);
  expect(await lisbon.locator('.map-where').textContent()).toBe(
    t('map.coordinates', { latitude: '38.7', north: 'yes', longitude: '9.1', east: 'no' }),
  );
  await lisbon.click();
  await row(page, 'Lisbon 1.jpg').waitFor();
  await page.getByRole('link', { name: t('map.farther') }).click();
  expect(zoomOf(page)).toBe(1);
  await context.close();
});

itInFull('the map begins where the photos are, and leads to the whole world', async () => {
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, '/files/map'));
  await signInAt(page, 'noah', MEMBER.password);
  await page.locator('.live-map').waitFor();
  expect(await page.locator('.heading .meta').textContent()).toBe(t('map.count', { count: 2, where: 'here' }));
  expect(await counts(page)).toEqual([1, 1]);
  await row(page, 'Barcelona.jpg').waitFor();
  const { x = 0, width = 0 } = (await map(page).boundingBox()) ?? {};
  for (const place of await page.locator('.map-places a').all()) {
    const box = await place.boundingBox();
    expect(box?.x).toBeGreaterThan(x);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(x + width);
  }
  await map(page).focus();
  await page.keyboard.press('0');
  await page
    .locator('.meta')
    .getByText(t('map.count', { count: 2, where: 'world' }))
    .waitFor();
  // Also after it was loaded again.
  await page.reload();
  await page.locator('.live-map').waitFor();
  expect(await page.locator('.heading .meta').textContent()).toBe(t('map.count', { count: 2, where: 'world' }));
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('the map shows a message if no photo has a place, and no photos of others', async () => {
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, '/files/map'));
  await signInAt(page, 'mia', MEMBER.password);
  await page.getByText(t('map.empty.heading')).waitFor();
  expect(await page.locator('.map-places').count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { householdConstraints } from '../../../dist/server/tls/household-constraints.js';
import { issueAuthority, issueServer } from '../../../dist/server/tls/issue.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { closeServer } from '../../support/system/close-server.ts';
import { eventually } from '../../support/system/eventually.ts';
import { address, fillHome, picture, ready, signInAt } from '../files/support.ts';

// The map with tiles of an outside source.

interface Asked {
  readonly path: string;
  readonly referer: string | undefined;
  readonly cookie: string | undefined;
}

let browser: Browser;
let household: Household;
let source: https.Server;
let visited: Visit;
let page: Page;
let asked: Asked[] = [];
/** The status of the tiles. */
let status = 200;

const ATTRIBUTION = '© Orchard Mappers';
const template = () => `https://localhost:${(source.address() as AddressInfo).port}/tiles/{z}/{x}/{y}.png`;
const use = (url: string) =>
  household.control('settings.update', { mapTileUrl: url, mapTileAttribution: ATTRIBUTION, mapTileZoom: 19 });

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  const now = Date.now();
  const authority = await issueAuthority({
    commonName: 'Everyone',
    constraints: householdConstraints('localhost', []),
    now,
  });
  const { certificate: cert, key } = await issueServer({ names: ['localhost'], authority, now });
  const background = { r: 150, g: 190, b: 220 };
  const tile = await sharp({ create: { width: 256, height: 256, channels: 3, background } })
    .png()
    .toBuffer();
  source = https.createServer({ cert, key }, ({ url = '', headers }, response) => {
    asked.push({ path: url, referer: headers.referer, cookie: headers.cookie });
    response.writeHead(status, {
      'Content-Type': 'image/png',
      'Access-Control-Allow-Origin': '*',
      Connection: 'close',
    });
    response.end(status === 200 ? tile : '');
  });
  await new Promise<void>((done) => source.listen(0, '127.0.0.1', done));
  const exif = {
    GPSLatitude: '48/1 8/1 0/1',
    GPSLongitude: '11/1 34/1 0/1',
    GPSLatitudeRef: 'N',
    GPSLongitudeRef: 'E',
  };
  const photo = await sharp(await picture(1))
    .withExif({ IFD3: exif })
    .toBuffer();
  await fillHome(household.home, { 'Munich.jpg': photo });
  await eventually(
    async () => (await household.control('status')).embedded as { waiting: number; indexed: number },
    ({ waiting, indexed }) => waiting === 0 && indexed >= 1,
  );
});
afterAll(async () => {
  await browser?.close();
  source?.closeAllConnections();
  if (source !== undefined) await closeServer(source);
  await household?.close();
});
beforeEach(async () => {
  [asked, status] = [[], 200];
  await use('');
  visited = await visit(browser, { ignoreHTTPSErrors: true });
  ({ page } = visited);
  await page.goto(address(household, '/files/map'));
  await signInAt(page);
  await ready(page);
  await page.locator('.live-map').waitFor();
  return () => visited.context.close();
});

const policyOf = async (path: string) =>
  (await page.request.get(address(household, path))).headers()['content-security-policy'] ?? '';
const tiles = () => page.locator('.map-tiles img');
const origin = () => new URL(template().replaceAll(/[{}]/g, '')).origin;
/** Tiles that are there and have their content. */
const loaded = () =>
  page.evaluate<number>(
    '[...document.querySelectorAll(".map-tiles img")].filter(({ naturalWidth }) => naturalWidth > 0).length',
  );

it('asks nobody unless the owner has set a source', async () => {
  expect(await tiles().count()).toBe(0);
  expect(await page.locator('.map-source').count()).toBe(0);
  expect(await policyOf('/files/map')).toContain("img-src 'self';");
  expect(asked).toEqual([]);
});

itInFull('links addresses in the attribution, such as that of a licence', async () => {
  const attribution = '© Orchard Mappers (https://maps.example/licence?a=1), data <b>&';
  await household.control('settings.update', { mapTileUrl: template(), mapTileAttribution: attribution });
  await page.reload();
  const source = page.locator('.map-source');
  await source.waitFor();
  expect(await source.textContent()).toContain('© Orchard Mappers (maps.example/licence), data <b>&');
  const link = source.getByRole('link', { name: 'maps.example/licence' });
  expect(await link.getAttribute('href')).toBe('https://maps.example/licence?a=1');
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
});

it('shows the tiles and whose they are, without cookies, and names only the household as the origin', async () => {
  await use(template());
  await page.goto(address(household, '/files/map?lat=48.1&lon=11.6&zoom=4'));
  await ready(page);
  await expect.poll(loaded).toBeGreaterThan(2);
  const host = origin().replace('https://', '');
  await page.getByText(t('map.source', { attribution: ATTRIBUTION, host })).waitFor();
  await inspect(page, 'map-tiles');
  await expect.poll(loaded).toBeGreaterThan(2);
  for (const { path, referer, cookie } of asked) {
    expect(path).toMatch(/^\/tiles\/\d+\/\d+\/\d+\.png$/);
    expect([referer, cookie]).toEqual([`${address(household, '/')}`, undefined]);
  }
  // The photo is in the tile that has its place.
  const place = await page.locator('.map-places a').first().boundingBox();
  const level = Number(/\/tiles\/(\d+)\//.exec(asked[0]?.path ?? '')?.[1]);
  const latitude = (48.1333 * Math.PI) / 180;
  const column = Math.floor(((11.5667 + 180) / 360) * 2 ** level);
  const row = Math.floor(((1 - Math.asinh(Math.tan(latitude)) / Math.PI) / 2) * 2 ** level);
  const tile = await page.locator(`.map-tiles img[data-tile="${level}/${column}/${row}"]`).boundingBox();
  if (place === null || tile === null) throw new Error('the photo or its tile is not shown');
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  expect([x > tile.x, x < tile.x + tile.width, y > tile.y, y < tile.y + tile.height]).toEqual([true, true, true, true]);
  expect(visited.complaints).toEqual([]);
});

it('allows images of the source on the page of the map only', async () => {
  await use(template());
  expect(await policyOf('/files/map')).toContain(`img-src 'self' ${origin()};`);
  for (const path of ['/files/?path=/PHOTOS', '/files/?path=/ROOT/HOME', '/files/albums', '/account/'])
    expect(await policyOf(path)).not.toContain(origin());
});

itInFull('shows tiles after another page, and leaves nothing of the source to the page that follows', async () => {
  await use(template());
  await page.goto(address(household, '/files/?path=/PHOTOS'));
  await ready(page);
  await page.locator('a[href$="/files/map"]').first().click();
  await page.locator('.live-map').waitFor();
  await expect.poll(loaded).toBeGreaterThan(0);
  // Tiles that are still requested would be counted for the next page.
  await expect.poll(async () => (await tiles().count()) - (await loaded())).toBe(0);
  const before = asked.length;
  await page.locator('.crumbs a').first().click();
  await page.waitForURL(({ searchParams }) => searchParams.get('path') === '/PHOTOS');
  await ready(page);
  const isRefused = `new Promise((done) => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => done(effectiveDirective));
    document.createElement('img').src = '${origin()}/tiles/0/0/0.png';
  })`;
  expect(await page.evaluate(isRefused)).toBe('img-src');
  expect(asked.length).toBe(before);
});

itInFull('keeps the outline where tiles fail', async () => {
  status = 404;
  await use(template());
  await page.goto(address(household, '/files/map'));
  await ready(page);
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  await expect.poll(() => tiles().count()).toBe(0);
  expect(await page.locator('.world').isVisible()).toBe(true);
  await page.locator('.map-places a').first().waitFor();
});

itInFull('ends at once for a map that is open, when it shows the next view', async () => {
  await use(template());
  await page.goto(address(household, '/files/map'));
  await ready(page);
  await expect.poll(loaded).toBeGreaterThan(0);
  await use('');
  await page.getByRole('link', { name: t('map.nearer') }).click();
  await expect.poll(() => page.locator('.map-source').count()).toBe(0);
  await page.locator('.live-map').waitFor();
  expect(await tiles().count()).toBe(0);
});

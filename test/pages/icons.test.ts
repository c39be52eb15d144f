import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileTypes } from '../../dist/server/lib/names/file-types.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { takePicture, visit } from '../support/browser/page.ts';
import { type Household, openHousehold } from '../support/households/household.ts';

const FOLDER = fileURLToPath(new URL('../../assets/file-icons/', import.meta.url));

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

it('there is exactly one icon for each type of a listing', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(fileTypes.map((type) => `${type}.svg`).sort());
});

it.each(fileTypes)('serves the icon %s', async (type) => {
  const source = readFileSync(`${FOLDER}${type}.svg`);
  expect(source.length).toBeLessThan(2_048);
  const reply = await household.api.send('GET', `/icons/${type}.svg`);
  expect(reply.status).toBe(200);
  expect(reply.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(reply.bytes.equals(source)).toBe(true);
});

it('serves no other files below /icons/', async () => {
  for (const path of [
    '/icons/',
    '/icons/unknown.svg',
    '/icons/Image.svg',
    '/icons/image.svg/',
    '/icons/..%2fapp-icon.svg',
  ]) {
    const reply = await household.api.send('GET', path, { headers: { accept: 'application/json' } });
    expect([path, reply.status]).toEqual([path, 404]);
  }
});

it('the icons are shown in light and dark', async () => {
  const { page, complaints, context } = await visit(browser, { deviceScaleFactor: 2 });
  await page.goto(`https://127.0.0.1:${household.port}/`);
  const parsed = await page.evaluate(
    `Promise.all(${JSON.stringify(fileTypes)}.map(async (type) => {
      const image = new Image();
      image.src = '/icons/' + type + '.svg';
      await image.decode();
      return image.naturalWidth === 40 && image.naturalHeight === 40;
    }))`,
  );
  expect(parsed).toEqual(fileTypes.map(() => true));
  const sheet = (size: number) =>
    fileTypes.map((type) => `<img src="/icons/${type}.svg" width="${size}" height="${size}" alt="${type}">`).join(' ');
  await page.setViewportSize({ width: 900, height: 360 });
  await page.evaluate(
    `document.body.innerHTML = ${JSON.stringify(`<p></p>${sheet(80)}<p></p>${sheet(44)}<p></p>${sheet(30)}<p></p>${sheet(16)}`)}`,
  );
  await page.waitForLoadState('networkidle');
  const colour = `(async () => {
    const canvas = new OffscreenCanvas(40, 40).getContext('2d');
    const image = document.querySelector('img');
    await image.decode();
    canvas.drawImage(image, 0, 0, 40, 40);
    return [...canvas.getImageData(3, 20, 1, 1).data].slice(0, 3).join(' ');
  })()`;
  const tints: unknown[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await takePicture(page, `icons-${colorScheme}`);
    tints.push(await page.evaluate(colour));
  }
  expect(tints).toEqual(['251 235 196', '58 46 18']);
  expect(complaints).toEqual([]);
  await context.close();
});

it('each icon is well-formed when opened as a page', async () => {
  const { page, complaints, context } = await visit(browser);
  for (const type of fileTypes) {
    await page.goto(`https://127.0.0.1:${household.port}/icons/${type}.svg`);
    expect(
      await page.evaluate('document.documentElement.nodeName + document.querySelectorAll("parsererror").length'),
    ).toBe('svg0');
  }
  expect(complaints).toEqual([]);
  await context.close();
});

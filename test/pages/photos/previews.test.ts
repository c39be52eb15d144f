import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser/browser.ts';
import { visit } from '../../support/browser/page.ts';
import { watchThumbnailJobs } from '../../support/content/thumbnail-jobs.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome, picture, ready, signInAt } from '../files/support.ts';
import { linkTo } from '../links/links-support.ts';
import { PHOTOS, photoNames, photosOfAllShapes } from './photos.ts';

let browser: Browser;
let household: Household;
/** The widths that workers were asked for, one list per decoding. */
const decodings: number[][] = [];

beforeAll(async () => {
  const spawnWorker = watchThumbnailJobs((_made, post, message) => {
    const { input } = message as { input: { shapes: { width: number }[] } };
    decodings.push(input.shapes.map(({ width }) => width));
    post();
  });
  [browser, household] = await Promise.all([launchBrowser(), openHousehold({ spawnWorker })]);
  await photosOfAllShapes(household, 60);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const images = (page: Page) =>
  page.locator('.fitted .photo').evaluateAll((all) =>
    (all as unknown as { currentSrc: string; complete: boolean }[]).map(({ currentSrc, complete }) => ({
      isThere: complete && currentSrc !== '',
      width: Number(new URL(currentSrc || 'https://none/').searchParams.get('width') ?? 400),
    })),
  );

async function gallery(path: string, deviceScaleFactor: number) {
  const visited = await visit(browser, { deviceScaleFactor, viewport: { width: 1280, height: 800 } });
  await visited.page.goto(address(household, path));
  return visited;
}

itInFull('60 photos are loaded near the window only, and each is decoded once for the size of its tile', async () => {
  const { page, context, complaints } = await gallery(
    `/files/?path=${encodeURIComponent(PHOTOS)}&view=gallery&limit=60`,
    1,
  );
  await signInAt(page);
  await ready(page);
  await expect.poll(async () => (await images(page)).slice(0, 8).every(({ isThere }) => isThere)).toBe(true);
  expect((await images(page)).at(-1)?.isThere).toBe(false);
  expect(decodings.length).toBeLessThan(60);
  await expect
    .poll(async () => {
      for (const tile of await page.locator('.fitted').all()) await tile.scrollIntoViewIfNeeded();
      const all = await images(page);
      return all.filter(({ isThere }) => isThere).length;
    })
    .toBe(60);
  // As before at a density of 1, but for what is wider than a tile: the panoramas.
  const panoramas = photoNames(60).filter(({ width, height }) => width / height > 2).length;
  expect(decodings).toHaveLength(60);
  expect(decodings.filter(([side]) => side !== 400)).toEqual(Array(panoramas).fill([800]));
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('a display of twice the density gets twice the pixels, also at a link', async () => {
  const link = await linkTo(household, PHOTOS);
  const { page, context } = await gallery(`${link}&mode=gallery`, 2);
  await expect.poll(async () => (await images(page)).slice(0, 6).every(({ isThere }) => isThere)).toBe(true);
  const widths = (await images(page)).slice(0, 6).map(({ width }) => width);
  expect(widths).toEqual(Array(6).fill(800));
  await context.close();
});

it('every width is rounded up to one of five, and no photo is enlarged', async () => {
  await fillHome(household.home, { 'Large.jpg': await picture(1, 3000, 2000), 'Small.jpg': await picture(2, 90, 60) });
  const { page, context } = await visit(browser);
  await page.goto(address(household));
  await signInAt(page);
  await ready(page);
  const widthOf = async (name: string, width: number | string) => {
    const at = address(household, `/files/thumbnail?path=/ROOT/HOME/${name}&width=${width}`);
    const reply = await page.request.get(at, { ignoreHTTPSErrors: true });
    return reply.ok() ? (await sharp(await reply.body()).metadata()).width : reply.status();
  };
  const widths = await Promise.all([1, 200, 201, 500, 801, 1_300, 5_000].map((width) => widthOf('Large.jpg', width)));
  expect(widths).toEqual([200, 200, 400, 800, 1_280, 2_048, 2_048]);
  expect(await widthOf('Small.jpg', 2_048)).toBe(90);
  expect(await widthOf('Large.jpg', 0)).toBe(400);
  expect(await widthOf('Large.jpg', 'wide')).toBe(400);
  await context.close();
});

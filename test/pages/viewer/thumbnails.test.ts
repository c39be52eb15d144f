import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { fixture } from '../../workers/thumbnail-support.ts';
import { address, enterAt } from '../files/support.ts';
import { linkTo } from '../links/links-support.ts';

let browser: Browser;
let household: Household;
const FOLDER = '/ROOT/HOME/Mixed';

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  const at = (name: string) => join(household.home, 'Mixed', name);
  await mkdir(at(''), { recursive: true });
  await copyFile(fixture('pictures/telephone.heic'), at('Telephone.heic'));
  await copyFile(fixture('raw/preview.dng'), at('Camera.dng'));
  await copyFile(fixture('pictures/drawing.svg'), at('Drawing.svg'));
  await copyFile(fixture('audio/cover.mp3'), at('Song.mp3'));
  await copyFile(fixture('documents/book.epub'), at('Book.epub'));
  await copyFile(fixture('documents/text.odt'), at('Letter.odt'));
  await copyFile(fixture('documents/table.xlsx'), at('Table.xlsx'));
  await writeFile(at('Broken.jpg'), 'no picture');
  await mkdir(join(household.home, 'Counted'));
  await copyFile(fixture('pictures/telephone.heic'), join(household.home, 'Counted', 'Telephone.heic'));
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

/** Names and sizes of the pictures that are shown, once all of them have come. */
async function shown(page: Page, selector: string): Promise<[string, number][]> {
  const images = page.locator(selector);
  await images.first().waitFor();
  const all = () =>
    images.evaluateAll((found) =>
      (found as unknown as { currentSrc: string; complete: boolean }[]).map(({ currentSrc: src, complete }) => ({
        src: complete ? src : '',
      })),
    );
  await expect.poll(async () => (await all()).every(({ src }) => src !== '')).toBe(true);
  // With several sources, an element says how wide the picture would be at a density of 1.
  const real = await page.evaluate<{ src: string; width: number }[]>(`Promise.all(${JSON.stringify(await all())}
    .map(async ({ src }) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      return { src, width: image.naturalWidth };
    }))`);
  return real.map(({ src, width }) => [new URL(src).searchParams.get('path')?.split('/').at(-1) ?? '', width]);
}

async function signedIn(path: string) {
  return enterAt({ browser, household }, path);
}

describe('pictures that no browser shows by itself', () => {
  it('are shown as thumbnails in the gallery of a folder, with an icon if there is none', async () => {
    const { page, context, complaints } = await signedIn(`/files/?path=${FOLDER}&view=gallery`);
    expect(await shown(page, 'img.photo')).toEqual([
      ['Broken.jpg', 160],
      ['Camera.dng', 64],
      ['Drawing.svg', 400],
      ['Telephone.heic', 64],
    ]);
    await inspect(page, 'files-thumbnails');
    await page.reload();
    // Known by now.
    expect((await shown(page, 'img.photo')).map(([name]) => name)).toEqual([
      'Camera.dng',
      'Drawing.svg',
      'Telephone.heic',
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('are shown on the page of the file, and no thumbnail is shown if none exists', async () => {
    const { page, context, complaints } = await signedIn(`/files/item?path=${FOLDER}/Telephone.heic`);
    expect(await shown(page, 'img.whole')).toEqual([['Telephone.heic', 64]]);
    for (const [name, selector] of [
      ['Book.epub', 'img.front'],
      ['Letter.odt', 'img.front'],
      ['Song.mp3', 'img.cover'],
    ] as const) {
      await page.goto(address(household, `/files/item?path=${FOLDER}/${name}`));
      expect(
        (await shown(page, selector)).map(([path]) => path),
        name,
      ).toEqual([name]);
    }
    await inspect(page, 'files-cover');
    await page.goto(address(household, `/files/item?path=${FOLDER}/Table.xlsx`));
    await page.getByText(t('viewer.sheets.cellsOnly')).first().waitFor();
    await expect.poll(() => page.locator('img.whole').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are shown to visitors of a link, without cookies, only by the ticket of its page', async () => {
    const { page, context, complaints } = await visit(browser);
    const link = await linkTo(household, FOLDER);
    await page.goto(`${address(household, link)}&mode=gallery`);
    expect((await shown(page, '.pictures img')).map(([name]) => name)).toEqual([
      'Camera.dng',
      'Drawing.svg',
      'Telephone.heic',
    ]);
    const source = (await page.locator('.pictures img').first().getAttribute('src')) ?? '';
    const { pathname, searchParams } = new URL(source, page.url());
    expect(pathname).toBe('/wl/thumbnail');
    const status = async (change: (query: URLSearchParams) => void) => {
      const query = new URLSearchParams(searchParams);
      change(query);
      return (await household.api.send('GET', `${pathname}?${query}`)).status;
    };
    expect(await status(() => undefined)).toBe(200);
    expect(await status((query) => query.delete('ticket'))).toBe(404);
    expect(await status((query) => query.set('ticket', `${query.get('ticket')}x`))).toBe(404);
    expect(await status((query) => query.set('path', '/../secret.jpg'))).not.toBe(200);
    // The ticket of a page opens no content.
    const content = await household.api.send('GET', `/wl/content?${searchParams}`);
    expect(content.status).toBe(404);
    await page.goto(`${address(household, link)}&path=/Telephone.heic`);
    expect((await shown(page, 'img.pictured')).map(([name]) => name)).toEqual(['Telephone.heic']);
    await inspect(page, 'link-pictured');
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('are shown as icons if downloads are counted, because a preview would be a download', async () => {
    const { page, context } = await visit(browser);
    await page.goto(
      `${address(household, await linkTo(household, '/ROOT/HOME/Counted', { download_limit: 3 }))}&mode=gallery`,
    );
    await page.getByText('Telephone.heic').waitFor();
    await expect.poll(() => page.locator('img[src*="thumbnail"]').count()).toBe(0);
    await context.close();
  });

  itInFull('are not shown without the permission to download', async () => {
    const link = await linkTo(household, FOLDER);
    const { page, context } = await visit(browser);
    await page.goto(`${address(household, link)}&mode=gallery`);
    await page.locator('.pictures img').first().waitFor();
    const source = (await page.locator('.pictures img').first().getAttribute('src')) ?? '';
    expect((await household.api.send('GET', source)).status).toBe(200);
    const api = await household.signIn();
    await api.post('files/unweblink', { path: FOLDER });
    expect((await household.api.send('GET', source)).status).toBe(404);
    await context.close();
  });
});

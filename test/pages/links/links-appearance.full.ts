import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address } from '../files/support.ts';
import { LAKE, linkHome, linkTo } from './links-support.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  await linkHome(household);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function at(path: string) {
  const visited = await visit(browser);
  const response = await visited.page.goto(address(household, path));
  return { ...visited, status: response?.status() };
}

describe('the appearance of the pages of web links', () => {
  it('a folder of photos, as a gallery, as a list, and with a selection', async () => {
    const link = await linkTo(household, LAKE, { expiry: '2099-06-30' });
    const { page, complaints, context } = await at(link);
    await page.getByRole('heading', { name: 'Summer at the lake' }).waitFor();
    await inspect(page, 'link-gallery');
    for (const box of await page.locator('.pictures .pick input').all()) {
      await box.check();
      if ((await page.locator('.pictures :checked').count()) === 2) break;
    }
    await inspect(page, 'link-chosen');
    await page.goto(address(household, `${link}&mode=list`));
    await inspect(page, 'link-list');
    await page.getByRole('link', { name: 'Boat trip' }).click();
    await inspect(page, 'link-inside');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('files: a PDF, a picture, Markdown, and one with a download limit', async () => {
    const pdf = await linkTo(household, '/ROOT/HOME/Gran’s recipes.pdf', {
      ...{ expiry: '2099-06-30', show_comments: 1, show_comments_names: 1, show_metadata: 1 },
    });
    const api = await household.signIn();
    await api.post('files/comments/add', {
      path: '/ROOT/HOME/Gran’s recipes.pdf',
      comment: 'Less sugar for the yellow ones.',
    });
    const { page, complaints, context } = await at(pdf);
    await page.frameLocator('iframe').locator('canvas').first().waitFor();
    await inspect(page, 'link-pdf');
    const photo = await linkTo(household, '/ROOT/HOME/Lake.jpg');
    await page.goto(address(household, photo));
    await page.locator('img.pictured').waitFor();
    await inspect(page, 'link-picture');
    await page.goto(address(household, await linkTo(household, '/ROOT/HOME/Notes.md')));
    await page.frameLocator('iframe').getByRole('heading', { name: 'Plum jam' }).waitFor();
    await inspect(page, 'link-markdown');
    const counted = await linkTo(household, '/ROOT/HOME/Plum jam.txt', { download_limit: 5 });
    await page.goto(address(household, counted));
    await inspect(page, 'link-counted');
    await page.goto(address(household, `${await linkTo(household, LAKE)}&path=/Lake 04.jpg`));
    await page.locator('img.pictured').waitFor();
    await inspect(page, 'link-one-of-many');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('the questions before access, and a link that has ended', async () => {
    const locked = await linkTo(household, '/ROOT/HOME/Plum jam.txt', { singleDownload: 1, password: 'plums' });
    const { page, context } = await at(locked);
    await inspect(page, 'link-password');
    await page.getByLabel(t('links.password.label')).fill('pears');
    await page.getByRole('button', { name: t('links.password.submit') }).click();
    await page.getByText(t('links.password.wrong')).waitFor();
    await inspect(page, 'link-password-wrong');
    const terms = 'These photos are for the family.\n\nDo not pass them on.\nAnd tell Gran.';
    await page.goto(address(household, await linkTo(household, LAKE, { singleDownload: 1, download_terms: terms })));
    await inspect(page, 'link-terms');
    await page.goto(address(household, '/wl/?id=00000000000000000000000000000000'));
    await inspect(page, 'link-gone');
    const once = await linkTo(household, '/ROOT/HOME/Plum jam.txt', { singleDownload: 1 });
    await household.api.send('GET', `${once}&fmode=download`);
    const ended = await page.goto(address(household, once));
    expect(ended?.status()).toBe(410);
    await inspect(page, 'link-ended');
    await context.close();
  });
});

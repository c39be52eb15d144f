import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { axe, inspect, visit } from '../support/browser/page.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const base = () => `https://127.0.0.1:${household.port}`;

describe('the first page', () => {
  it('shows the name of the household, and leads to the page for adding a device', async () => {
    const { page, complaints, context } = await visit(browser);
    const reply = await page.goto(`${base()}/`);
    expect(reply?.status()).toBe(200);
    expect(await page.title()).toBe('Orchard House');
    await page.getByRole('heading', { name: t('landing.heading', { household: 'Orchard House' }) }).waitFor();
    await expect.poll(() => page.locator('footer').textContent()).toBe(`127.0.0.1:${household.port}`);
    await inspect(page, 'landing');
    await page.getByRole('link', { name: t('landing.trust.add') }).click();
    await page.getByRole('heading', { name: t('trust.heading') }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('works without JavaScript', async () => {
    const { page, context } = await visit(browser, { javaScriptEnabled: false });
    await page.goto(`${base()}/`);
    await expect.poll(() => page.getByRole('link', { name: t('landing.trust.add') }).isVisible()).toBe(true);
    await context.close();
  });

  itInFull('shows any name of a household, however long', async () => {
    const name = '<b>Gran’s</b> & Rindfleischetikettierungsüberwachungsverein';
    await household.control('settings.update', { householdName: name });
    const { page, complaints, context } = await visit(browser);
    await page.goto(`${base()}/`);
    await expect.poll(() => page.locator('header span').textContent()).toBe(name);
    await inspect(page, 'landing-long');
    expect(complaints).toEqual([]);
    await context.close();
    await household.control('settings.update', { householdName: 'Orchard House' });
  });
});

describe('an unknown address', () => {
  it('shows a page with a link to the first page', async () => {
    const { page, complaints, context } = await visit(browser);
    const reply = await page.goto(`${base()}/photos/<script>`);
    expect(reply?.status()).toBe(404);
    await page.getByRole('heading', { name: t('missing.heading') }).waitFor();
    await inspect(page, 'missing');
    await page.getByRole('link', { name: t('missing.home') }).click();
    await page.getByRole('heading', { name: t('landing.heading', { household: 'Orchard House' }) }).waitFor();
    expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
    await context.close();
  });

  it('returns an error in JSON to programs', async () => {
    const reply = await household.api.send('GET', '/photos', { headers: { accept: 'application/json' } });
    expect([reply.status, reply.body.code]).toEqual([404, 'unknown_endpoint']);
  });
});

it('all pages and files are found below a base path, too', async () => {
  const below = await openHousehold({ config: { basePath: '/files' } });
  const { page, complaints, context } = await visit(browser);
  await page.goto(`https://127.0.0.1:${below.port}/files/nowhere`);
  await page.getByRole('link', { name: t('missing.home') }).click();
  const add = page.getByRole('link', { name: t('landing.trust.add') });
  await expect.poll(() => add.getAttribute('href')).toBe('/files/trust');
  expect(await page.evaluate('getComputedStyle(document.querySelector(".card")).borderRadius')).toBe('16px');
  expect((await below.api.send('GET', '/icons/folder.svg')).status).toBe(200);
  expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
  await context.close();
  await below.close();
});

itInFull('the checks detect errors of a page', async () => {
  const { page, complaints, context } = await visit(browser);
  await page.goto(`${base()}/`);
  expect(complaints).toEqual([]);
  await page.evaluate(`document.querySelector('main').innerHTML += '<i style="color: red"></i>'`);
  await page.evaluate(`void (new Image().src = 'https://elsewhere.example/')`);
  await expect.poll(() => complaints.join(' ')).toMatch(/style-src[\s\S]*elsewhere\.example/);
  await page.evaluate(`document.documentElement.removeAttribute('lang')`);
  expect((await axe(page)).join(' ')).toContain('html-has-lang');
  await context.close();
});

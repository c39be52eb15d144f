import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { type Household, openHousehold } from '../support/household.ts';
import { inspect, takePicture, type Visit, visit } from '../support/page.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold({ owner: null })]);
}, 90_000);
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const PASSWORD = 'three small pears';

const newLink = async () => String((await household.control('panel.link')).url);

async function openForm(): Promise<Visit> {
  const opened = await visit(browser);
  await opened.page.goto(await newLink());
  await opened.page.getByRole('heading', { name: 'Welcome to Larder' }).waitFor();
  return opened;
}

describe('before there is an owner', () => {
  it('needs a link that has not been used', async () => {
    const link = await newLink();
    const first = await visit(browser);
    await first.page.goto(link);
    await first.page.getByRole('button', { name: 'Set up' }).waitFor();
    expect(first.page.url(), 'the secret does not stay in the address').not.toContain('open=');

    const { page, complaints, context } = await visit(browser);
    await page.goto(link);
    await page.getByRole('heading', { name: 'This page needs a fresh link' }).waitFor();
    expect(await page.getByLabel('User name').isVisible()).toBe(false);
    expect(complaints.filter((text) => !/status of 401/.test(text))).toEqual([]);
    await inspect(page, 'locked');
    await context.close();
    await first.context.close();
  });

  it('says so without any link', async () => {
    const { page, complaints, context } = await visit(browser);
    await page.goto(`http://127.0.0.1:${household.controlPort}/`);
    await page.getByText('larder control panel.link').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says how to go on without JavaScript', async () => {
    const { page, context } = await visit(browser, { javaScriptEnabled: false });
    await page.goto(await newLink());
    await page.locator('noscript pre').waitFor();
    expect(await page.locator('noscript').textContent()).toContain('larder setup --owner');
    expect(await page.getByLabel('User name').isVisible()).toBe(false);
    await context.close();
  });

  it('shows a form that anyone can read and reach', async () => {
    const { page, complaints, context } = await openForm();
    await inspect(page, 'setup');
    await page.keyboard.press('Tab');
    const order: string[] = [];
    for (let step = 0; step < 5; step += 1) {
      order.push(await page.evaluate('document.activeElement.id || document.activeElement.textContent'));
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outline');
      expect(outline, 'focus can be seen').toMatch(/solid 2px/);
      await page.keyboard.press('Tab');
    }
    expect(order).toEqual(['owner', 'password', 'repeat', 'api', 'Set up']);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('keeps the tab signed in over a reload, and no other', async () => {
    const { page, context } = await openForm();
    await page.reload();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole('heading', { name: 'This page needs a fresh link' }).waitFor();
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  it('asks for what is missing, all at once', async () => {
    const { page, context } = await openForm();
    await page.getByRole('button', { name: 'Set up' }).click();
    for (const text of ['Choose a user name.', 'Choose a password.', 'Type the password once more.']) {
      expect(await page.locator('.error').filter({ hasText: text }).isVisible(), text).toBe(true);
      expect(await page.locator('#note').textContent()).toContain(text);
    }
    expect(await page.evaluate('document.activeElement.id')).toBe('owner');
    await inspect(page, 'setup-empty');
    await context.close();
  });

  it('says beside the field that the passwords differ, and asks nobody', async () => {
    const { page, complaints, context } = await openForm();
    await page.getByLabel('User name').fill('ann');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Password again').fill(`${PASSWORD}!`);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByText('The two passwords differ.').waitFor();
    const repeat = page.getByLabel('Password again');
    expect(await repeat.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.id')).toBe('repeat');
    await inspect(page, 'setup-differ');
    await repeat.fill(PASSWORD);
    expect(await page.getByText('The two passwords differ.').isVisible(), 'gone once it is mended').toBe(false);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([
    ['a password that is too short', 'ann', 'short', '#password', /at least 10 characters/],
    ['a password everybody tries', 'ann', 'aaaaaaaaaaaa', '#password', /among the first/],
    ['a user name that cannot be one', 'ann/ben', PASSWORD, '#owner', /letters and digits/],
  ])('refuses %s and loses nothing that was typed', async (_name, owner, password, field, text) => {
    const { page, complaints, context } = await openForm();
    await page.getByLabel('User name').fill(owner);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Password again').fill(password);
    await page.getByLabel('Enable API').uncheck();
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.locator(`${field}-error`).filter({ hasText: text }).waitFor();
    expect(await page.locator(field).getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('User name').inputValue()).toBe(owner);
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(password);
    expect(await page.getByLabel('Password again').inputValue()).toBe(password);
    expect(await page.getByLabel('Enable API').isChecked()).toBe(false);
    expect(complaints.filter((line) => !/status of 400/.test(line))).toEqual([]);
    await context.close();
  });
});

it('keeps what was typed when the server is away', async () => {
  const { page, context } = await openForm();
  await page.getByLabel('User name').fill('ann');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password again').fill(PASSWORD);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByText('Larder does not answer.').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('note');
  expect(await page.getByLabel('Password again').inputValue()).toBe(PASSWORD);
  await takePicture(page, 'setup-away');
  await context.close();
});

describe('the end of it', () => {
  it('makes the owner and shows where the house is', async () => {
    const { page, complaints, context } = await openForm();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('User name').fill('ann');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Password again').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Larder is ready' }).waitFor();

    const status = await household.control('status');
    const addresses = status.addresses as string[];
    for (const address of addresses) expect(await page.getByText(address, { exact: true }).count(), address).toBe(1);
    expect(await page.locator('#fingerprint').textContent()).toBe(status.fingerprint);
    expect(await page.locator('#authority').textContent()).toBe(status.authorityFingerprint);
    expect(await page.getByText(household.folder).isVisible()).toBe(true);
    expect(await page.getByText('The API is on.').isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'Save certificate' }).getAttribute('href')).toBe(
      `${addresses[0]}/ca.crt`,
    );
    await page.getByRole('button', { name: `Copy ${addresses[0]}` }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(addresses[0]);
    await inspect(page, 'overview');
    expect(complaints).toEqual([]);

    await page.reload();
    await page.getByRole('heading', { name: 'Larder is ready' }).waitFor();
    expect(await household.control('settings.get')).toMatchObject({ apiEnabled: true });
    await context.close();
  });

  it('cannot be done twice', async () => {
    const { page, context } = await visit(browser);
    await page.goto(await newLink());
    await page.getByRole('heading', { name: 'Larder is ready' }).waitFor();
    expect(await page.getByRole('button', { name: 'Set up' }).count()).toBe(0);
    await context.close();
  });

  it('says what needs attention', async () => {
    await household.control('settings.update', { httpTesting: true, apiEnabled: false });
    const { page, complaints, context } = await visit(browser);
    await page.goto(await newLink());
    await page.getByText('Plain HTTP is allowed').waitFor();
    expect(await page.getByText('The API is off.').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: /Copy larder control settings.update/ }).isVisible()).toBe(true);
    await inspect(page, 'overview-attention');
    expect(complaints).toEqual([]);
    await context.close();
  });
});

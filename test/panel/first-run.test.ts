import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { ANN, openFirstRun, PASSWORD } from '../support/first-run.ts';
import { type Household, openHousehold } from '../support/household.ts';
import { takePicture, visit } from '../support/page.ts';
import { inspectPanel } from '../support/panel-page.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold({ owner: null })]);
}, 90_000);
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const newLink = async () => String((await household.control('panel.link')).url);
const open = async () => openFirstRun(browser, await newLink());

describe('before there is an owner', () => {
  it('needs a link that has not been used', async () => {
    const link = await newLink();
    const first = await openFirstRun(browser, link);
    expect(first.page.url(), 'the secret does not stay in the address').not.toContain('open=');

    const { page, complaints, context } = await visit(browser);
    await page.goto(link);
    await page.getByRole('heading', { name: 'This page needs a fresh link' }).waitFor();
    await expect.poll(() => page.getByLabel('User name').count()).toBe(0);
    expect(complaints.filter((text) => !/status of 401/.test(text))).toEqual([]);
    await inspectPanel(page, 'panel-locked');
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
    await page.getByRole('heading', { name: 'This page needs JavaScript' }).waitFor();
    await expect.poll(() => page.locator('noscript').textContent()).toContain('larder setup --owner');
    await context.close();
  });

  it('shows a form that anyone can read and reach', async () => {
    const { page, button, complaints, context } = await open();
    await expect.poll(() => page.title()).toBe('Who looks after it? · Larder');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await inspectPanel(page, 'panel-you');
    const order: string[] = [];
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab');
      order.push(
        await page.evaluate(
          '(({ name, role, ariaLabel, textContent }) => name || role || ariaLabel || textContent)(document.activeElement)',
        ),
      );
    }
    const show = 'Show passwords';
    expect(order).toEqual(['name', 'owner', 'password', show, 'repeat', show, 'switch', 'Continue']);
    await button('Continue').focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outline'), 'focus can be seen').toMatch(
      /solid 2px/,
    );
    await expect.poll(() => button('Back').count(), { message: 'there is nothing before it' }).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('keeps the tab signed in over a reload, and no other', async () => {
    const { page, asks, context } = await open();
    await page.reload();
    await asks('you');
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole('heading', { name: 'This page needs a fresh link' }).waitFor();
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  it('asks for what is missing, all at once', async () => {
    const { page, button, context } = await open();
    await button('Continue').click();
    const missing = ['Type your name.', 'Choose a user name.', 'Choose a password.', 'Type the password once more.'];
    for (const text of missing) {
      await expect.poll(() => page.getByText(text, { exact: true }).isVisible(), { message: text }).toBe(true);
      await expect.poll(() => page.getByRole('alert').first().textContent()).toContain(text);
    }
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
    await inspectPanel(page, 'panel-you-empty');
    await context.close();
  });

  it('says beside the field that the passwords differ, and asks nobody', async () => {
    const { page, button, field, fill, complaints, context } = await open();
    await fill({ ...ANN, 'Password again': `${PASSWORD}!` });
    await button('Continue').click();
    await page.getByText('The two passwords differ.').waitFor();
    const repeat = field('Password again');
    await expect.poll(() => repeat.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('repeat');
    await repeat.fill(PASSWORD);
    await expect
      .poll(() => page.getByText('The two passwords differ.').isVisible(), { message: 'gone once it is mended' })
      .toBe(false);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([
    ['a password that is too short', 'ann', 'short', 'Password', /at least 10 characters/],
    ['a password everybody tries', 'ann', 'aaaaaaaaaaaa', 'Password', /among the first/],
    ['a user name that cannot be one', 'ann/ben', PASSWORD, 'User name', /letters and digits/],
  ])('leads back to %s, and loses nothing that was typed', async (_name, owner, password, wrongField, text) => {
    const { page, button, field, fill, asks, goOn, enablesApi, complaints, context } = await open();
    await fill({ Name: 'Ann', 'User name': owner, Password: password, 'Password again': password });
    await goOn('address');
    await fill({ 'Name of the household (optional)': 'Orchard House' });
    await goOn('apps');
    await page.getByRole('radio', { name: 'Not now' }).click();
    await button('Set up').click();
    await asks('you');
    await page.getByText(text).waitFor();
    const wrong = field(wrongField);
    await expect.poll(() => wrong.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => wrong.evaluate((element) => element.matches(':focus'))).toBe(true);
    const described = ((await wrong.getAttribute('aria-describedby')) ?? '').split(' ').map((id) => `[id="${id}"]`);
    expect((await page.locator(described.join()).allTextContents()).join(' ')).toMatch(text);
    await expect.poll(() => field('User name').inputValue()).toBe(owner);
    for (const name of ['Password', 'Password again']) {
      await expect.poll(() => field(name).inputValue()).toBe(password);
    }
    await goOn('address');
    await expect.poll(() => field('Name of the household (optional)').inputValue()).toBe('Orchard House');
    await goOn('apps');
    expect(await enablesApi()).toBe(false);
    expect(complaints.filter((line) => !/status of 400/.test(line))).toEqual([]);
    expect(await household.control('status')).toMatchObject({ hasOwner: false, apiEnabled: false });
    await context.close();
  });

  it('keeps what was typed when the server is away', async () => {
    const { page, button, field, fill, goOn, goBack, context } = await open();
    await fill(ANN);
    await goOn('address');
    await goOn('apps');
    await context.setOffline(true);
    await button('Set up').click();
    await page.getByText('Larder does not answer. What you typed is still here.').waitFor();
    await takePicture(page, 'panel-apps-away');
    await goBack('address');
    await goBack('you');
    await expect.poll(() => field('Password again').inputValue()).toBe(PASSWORD);
    await context.close();
  });
});

describe('the end of it', () => {
  it('makes the owner and shows where the house is', async () => {
    const { page, button, field, fill, asks, goOn, complaints, context } = await open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await fill(ANN);
    const files = join(household.folder, 'homes', 'what I have');
    await mkdir(files);
    await writeFile(join(files, 'lake.txt'), 'a picture');
    await page.getByRole('switch', { name: 'I have files already' }).press(' ');
    await button('Continue').click();
    await page.getByText('Choose the folder, or switch this off.').waitFor();
    await fill({ Folder: `${files} not` });
    await goOn('address');
    await fill({ 'Name of the household (optional)': 'Orchard House' });
    await goOn('apps');
    await button('Set up').click();
    await asks('you');
    await expect.poll(() => field('Folder').getAttribute('aria-invalid')).toBe('true');
    await inspectPanel(page, 'panel-you-files', ['usual', 'phone']);
    await fill({ Folder: files });
    await field('Folder').press('Enter');
    await asks('address');
    await goOn('apps');
    await button('Set up').click();
    await page.getByRole('heading', { level: 1, name: 'Orchard House is ready' }).waitFor();
    await expect.poll(() => page.title()).toBe('Orchard House is ready · Larder');
    const { addresses, authorityFingerprint } = (await household.control('status')) as {
      addresses: string[];
      authorityFingerprint: string;
    };
    const [address = ''] = addresses;
    const shown = (await page.locator('body').innerText()).replaceAll(/\s/g, '');
    expect(shown).toContain(address);
    expect(shown).toContain(authorityFingerprint);
    await button(`Copy ${address}`).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address);
    await inspectPanel(page, 'panel-done');
    await button('Open the control panel').click();
    await page.getByRole('heading', { name: 'Larder is running' }).waitFor();
    await page.getByText('Latest activity').waitFor();
    await inspectPanel(page, 'panel-overview');
    // What was asked is over, also for the browser's own button.
    await page.evaluate('history.back()');
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    expect(complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
    expect(await household.control('settings.get')).toMatchObject({ apiEnabled: true, householdName: 'Orchard House' });
    expect(await household.control('accounts.get', { id: 1 })).toMatchObject({ homeFolder: files });
    await context.close();
  });

  it('cannot be done twice', async () => {
    const { page, context } = await visit(browser);
    await page.goto(await newLink());
    await page.getByRole('heading', { name: 'Larder is running' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
    // What only the window of the desktop application can do is not there.
    await expect.poll(() => page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    await context.close();
  });

  it('says what needs attention, and switches the API', async () => {
    await household.control('settings.update', { httpTesting: true });
    const { page, complaints, context } = await visit(browser);
    await page.goto(await newLink());
    await page.getByText('Plain HTTP is allowed').waitFor();
    await inspectPanel(page, 'panel-attention');
    await page.getByRole('switch', { name: 'Enable API' }).press(' ');
    await expect.poll(() => household.control('settings.get')).toMatchObject({ apiEnabled: false });
    expect(complaints).toEqual([]);
    await context.close();
  });
});

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { type Household, openHousehold } from '../support/household.ts';
import { takePicture, type Visit, visit } from '../support/page.ts';
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

const PASSWORD = 'three small pears';

const newLink = async () => String((await household.control('panel.link')).url);

async function openForm(): Promise<Visit> {
  const opened = await visit(browser);
  await opened.page.goto(await newLink());
  await opened.page.getByRole('heading', { name: 'Who looks after it?' }).waitFor();
  return opened;
}

async function fill({ page }: Visit, typed: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(typed)) await page.getByLabel(name, { exact: true }).fill(text);
}

const ANN = { Name: 'Ann', 'User name': 'ann', Password: PASSWORD, 'Password again': PASSWORD };

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
    const { page, complaints, context } = await openForm();
    await inspectPanel(page, 'panel-you');
    await page.getByLabel('Name', { exact: true }).focus();
    const order: string[] = [];
    for (let step = 0; step < 10; step += 1) {
      order.push(
        await page.evaluate(
          '(({ name, role, ariaLabel, textContent }) => name || role || ariaLabel || textContent)(document.activeElement)',
        ),
      );
      await page.keyboard.press('Tab');
    }
    const show = 'Show passwords';
    const fields = ['name', 'owner', 'password', show, 'repeat', show, 'householdName'];
    expect(order).toEqual([...fields, 'switch', 'switch', 'Set up']);
    await page.getByRole('button', { name: 'Set up' }).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outline'), 'focus can be seen').toMatch(
      /solid 2px/,
    );
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
    const visited = await openForm();
    const { page, complaints, context } = visited;
    await fill(visited, { ...ANN, 'Password again': `${PASSWORD}!` });
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByText('The two passwords differ.').waitFor();
    const repeat = page.getByLabel('Password again', { exact: true });
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
  ])('refuses %s and loses nothing that was typed', async (_name, owner, password, field, text) => {
    const visited = await openForm();
    const { page, complaints, context } = visited;
    await fill(visited, { Name: 'Ann', 'User name': owner, Password: password, 'Password again': password });
    await page.getByRole('switch', { name: 'Enable API' }).press(' ');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByText(text).waitFor();
    const wrong = page.getByLabel(field, { exact: true });
    await expect.poll(() => wrong.getAttribute('aria-invalid')).toBe('true');
    const described = ((await wrong.getAttribute('aria-describedby')) ?? '').split(' ').map((id) => `[id="${id}"]`);
    expect((await page.locator(described.join()).allTextContents()).join(' ')).toMatch(text);
    await expect.poll(() => page.getByLabel('User name').inputValue()).toBe(owner);
    for (const name of ['Password', 'Password again']) {
      await expect.poll(() => page.getByLabel(name, { exact: true }).inputValue()).toBe(password);
    }
    await expect.poll(() => page.getByRole('switch', { name: 'Enable API' }).isChecked()).toBe(false);
    expect(complaints.filter((line) => !/status of 400/.test(line))).toEqual([]);
    await context.close();
  });

  it('keeps what was typed when the server is away', async () => {
    const visited = await openForm();
    const { page, context } = visited;
    await fill(visited, ANN);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByText('Larder does not answer').first().waitFor();
    await expect.poll(() => page.getByLabel('Password again', { exact: true }).inputValue()).toBe(PASSWORD);
    await takePicture(page, 'panel-you-away');
    await context.close();
  });
});

describe('the end of it', () => {
  it('makes the owner and shows where the house is', async () => {
    const visited = await openForm();
    const { page, complaints, context } = visited;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await fill(visited, { ...ANN, 'Name of the household (optional)': 'Orchard House' });
    const files = join(household.folder, 'homes', 'what I have');
    await mkdir(files);
    await writeFile(join(files, 'lake.txt'), 'a picture');
    await page.getByRole('switch', { name: 'I have files already' }).press(' ');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByText('Choose the folder, or switch this off.').waitFor();
    await fill(visited, { Folder: `${files} not` });
    await page.getByRole('button', { name: 'Set up' }).click();
    await expect.poll(() => page.getByLabel('Folder', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.getByLabel('Password again', { exact: true }).inputValue()).toBe(PASSWORD);
    await inspectPanel(page, 'panel-you-files', ['usual', 'phone']);
    await fill(visited, { Folder: files });
    await page.getByLabel('Folder', { exact: true }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Orchard House is ready' }).waitFor();
    const { addresses, authorityFingerprint } = (await household.control('status')) as {
      addresses: string[];
      authorityFingerprint: string;
    };
    const [address = ''] = addresses;
    const shown = (await page.locator('body').innerText()).replaceAll(/\s/g, '');
    expect(shown).toContain(address);
    expect(shown).toContain(authorityFingerprint);
    await page.getByRole('button', { name: `Copy ${address}` }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address);
    await inspectPanel(page, 'panel-done');
    await page.getByRole('button', { name: 'Open the control panel' }).click();
    await page.getByRole('heading', { name: 'Larder is running' }).waitFor();
    await page.getByText('Latest activity').waitFor();
    await inspectPanel(page, 'panel-overview');
    expect(complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
    expect(await household.control('settings.get')).toMatchObject({ apiEnabled: true, householdName: 'Orchard House' });
    expect(await household.control('accounts.get', { id: 1 })).toMatchObject({ homeFolder: files });
    await context.close();
  });

  it('cannot be done twice', async () => {
    const { page, context } = await visit(browser);
    await page.goto(await newLink());
    await page.getByRole('heading', { name: 'Larder is running' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Set up' }).count()).toBe(0);
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

import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appOf } from '../oauth/support.ts';
import { launchBrowser } from '../support/browser.ts';
import { type Household, OWNER, openHousehold } from '../support/household.ts';
import { visit } from '../support/page.ts';
import { inspectPanel } from '../support/panel-page.ts';

let browser: Browser;
let household: Household;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  ({ context, page, complaints } = await visit(browser));
  await page.goto(String((await household.control('panel.link')).url));
  await page.getByRole('heading', { name: 'Larder is running' }).waitFor();
}, 90_000);
beforeEach(() => {
  complaints.length = 0;
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await household?.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
/** What a person gets who pastes lines into a terminal and types what they ask for. */
function runInShell(lines: string, typed: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const shell = execFile('bash', ['-c', lines], { cwd: tmpdir() }, (error, out, complaints) =>
      error === null ? resolve(out) : reject(new Error(complaints, { cause: error })),
    );
    shell.stdin?.end(typed);
  });
}

const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
const dialog = () => page.getByRole('dialog');

async function open(tab: 'Clients' | 'Authorizations' | 'Settings'): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'API' }).click();
  await page.getByRole('navigation', { name: 'API' }).getByRole('link', { name: tab }).click();
}

async function pick(name: string, action: string): Promise<void> {
  await button(`Actions for ${name}`).click();
  await page.getByRole('menuitem', { name: action }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

/** Of a dialog: the text of the field that can be copied. */
const shown = (label: string) =>
  dialog().getByText(label, { exact: true }).locator('xpath=..').locator('code').innerText();

describe('clients', () => {
  it('are added with id and secret shown once, edited, switched off and on, and removed', async () => {
    await open('Clients');
    await row('Larder mobile apps').waitFor();
    await inspectPanel(page, 'api-clients');
    await button('Add').click();
    await dialog().getByRole('button', { name: 'Add' }).click();
    await dialog().getByText('Give the app a name.').waitFor();
    await dialog().getByLabel('Name').fill('Notes');
    await dialog().getByLabel('Redirect URIs').fill('https://notes.example/cb\nhttp://not.example/');
    await dialog().getByRole('button', { name: 'Add' }).click();
    // What the server says is at its field, and nothing that was typed is lost.
    await dialog()
      .getByText(/not\.example\/: /)
      .waitFor();
    await expect.poll(() => dialog().getByLabel('Name').inputValue()).toBe('Notes');
    await inspectPanel(page, 'api-client-form');
    await dialog().getByLabel('Redirect URIs').fill('https://notes.example/cb');
    await dialog().getByRole('button', { name: 'Add' }).click();
    await dialog().getByRole('heading', { name: 'Notes is added' }).waitFor();
    await inspectPanel(page, 'api-client-added');
    const credentials = { client_id: await shown('Client id'), client_secret: await shown('Client secret') };
    const lines = await dialog().locator('pre').innerText();
    const ran = await runInShell(lines, `${OWNER.password}\n`);
    expect(JSON.parse(ran)).toMatchObject({ success: true, data: { meta: { path: '/ROOT/HOME' } } });
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect.poll(() => dialog().isVisible(), { message: 'nobody loses a secret by a slip' }).toBe(true);
    await button('Done').click();
    await dialog().waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(credentials.client_secret);

    const app = appOf(household, credentials);
    const { access } = await app.signIn();
    await pick('Notes', 'Edit');
    await dialog().getByLabel('Made by').fill('Fern & Field');
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await row('Notes').getByText('Confidential · Fern & Field').waitFor();

    await pick('Notes', 'Switch off');
    await row('Notes').getByText('Off').waitFor();
    expect(await app.use(access)).toBe(401);
    await pick('Notes', 'Switch on');
    await row('Notes').getByText('On', { exact: true }).waitFor();
    expect(await app.use(access)).toBe(200);

    await pick('Notes', 'Replace secret');
    await dialog().getByRole('button', { name: 'Replace secret' }).click();
    await dialog().getByRole('heading', { name: 'Notes has a new secret' }).waitFor();
    const secret = await shown('Client secret');
    expect(secret).not.toBe(credentials.client_secret);
    await button('Done').click();
    expect((await app.password()).status).toBe(401);

    await pick('Notes', 'Remove');
    await dialog().getByText('One person uses it.').waitFor();
    await inspectPanel(page, 'api-client-remove');
    await dialog().getByRole('button', { name: 'Keep Notes' }).click();
    await expect.poll(() => row('Notes').count()).toBe(1);
    await pick('Notes', 'Remove');
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await row('Notes').waitFor({ state: 'detached' });
    expect((await appOf(household, { ...credentials, client_secret: secret }).password()).status).toBe(401);
    expect(complaints.filter((line) => !/status of (400|409)/.test(line))).toEqual([]);
  }, 90_000);
});

describe('authorizations', () => {
  it('say who allowed which app what, and are revoked', async () => {
    const app = appOf(household);
    const { access } = await app.signIn({ scope: 'profile list' });
    await open('Clients');
    await open('Authorizations');
    await page.getByText('profile list', { exact: true }).waitFor();
    await inspectPanel(page, 'api-authorizations');
    await page.getByRole('row').filter({ hasText: 'profile list' }).getByRole('button').click();
    await dialog().getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('profile list', { exact: true }).waitFor({ state: 'detached' });
    expect(await app.use(access)).toBe(401);
    expect(complaints).toEqual([]);
  });
});

describe('settings', () => {
  it('take effect when they are saved, and plain HTTP is warned of on every page until it is off', async () => {
    await open('Settings');
    const api = page.getByRole('switch', { name: 'Enable API' });
    const http = page.getByRole('switch', { name: 'Allow HTTP for testing' });
    await api.waitFor();
    expect([await api.isChecked(), await http.isChecked()]).toEqual([true, false]);
    await api.press(' ');
    await http.press(' ');
    await page.getByText('2 changes, not saved').waitFor();
    expect(await household.control('settings.get')).toMatchObject({ apiEnabled: true, httpTesting: false });
    await inspectPanel(page, 'api-settings-changed');
    await button('Discard').click();
    expect([await api.isChecked(), await http.isChecked()]).toEqual([true, false]);
    await http.press(' ');
    await button('Save changes').click();
    await page.getByRole('alert').getByText('Plain HTTP is allowed').waitFor();
    expect(await household.control('settings.get')).toMatchObject({ apiEnabled: true, httpTesting: true });
    await api.press(' ');
    await page.getByRole('link', { name: 'Overview' }).click();
    await dialog().getByText('One change is lost.').waitFor();
    await button('Keep editing').click();
    await page.getByText('1 change, not saved').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await dialog().getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Larder is running' }).waitFor();
    await expect.poll(() => page.getByText('Plain HTTP is allowed').count()).toBe(1);
    await button('Turn off').click();
    await page.getByText('Plain HTTP is allowed').waitFor({ state: 'detached' });
    expect(await household.control('settings.get')).toMatchObject({ httpTesting: false });
    expect(complaints).toEqual([]);
  });
});

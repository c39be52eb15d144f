import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appOf } from '../oauth/support.ts';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/page.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { t } from '../support/browser/panel-texts.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';

let browser: Browser;
let household: Household;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  ({ context, page, complaints } = await visit(browser));
  await page.goto(String((await household.control('panel.link')).url));
  await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
});
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

async function open(tab: string): Promise<void> {
  await page
    .getByRole('navigation', { name: t('nav.pages') })
    .getByRole('link', { name: t('panelApi.title') })
    .click();
  await page
    .getByRole('navigation', { name: t('panelApi.title') })
    .getByRole('link', { name: tab })
    .click();
}

async function pick(name: string, action: string): Promise<void> {
  await button(t('panelApi.clients.actionsOf', { name })).click();
  await page.getByRole('menuitem', { name: action }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

/** Of a dialog: the text of the field that can be copied. */
const shown = (label: string) =>
  dialog().getByText(label, { exact: true }).locator('xpath=..').locator('code').innerText();

describe('clients', () => {
  it('are added with id and secret shown once, edited, switched off and on, and removed', async () => {
    await open(t('panelApi.tabs.clients'));
    await row('Larder mobile apps').waitFor();
    await inspectPanel(page, 'api-clients');
    await button(t('panelApi.clients.add')).click();
    await dialog()
      .getByRole('button', { name: t('panelApi.clients.add') })
      .click();
    await dialog().getByText(t('panelApi.form.nameless')).waitFor();
    await dialog().getByLabel(t('panelApi.form.name')).fill('Notes');
    await dialog().getByLabel(t('panelApi.clients.columns.uris')).fill('https://notes.example/cb\nhttp://not.example/');
    await dialog()
      .getByRole('button', { name: t('panelApi.clients.add') })
      .click();
    // What the server says is at its field, and nothing that was typed is lost.
    await dialog()
      .getByText(/not\.example\/: /)
      .waitFor();
    await expect.poll(() => dialog().getByLabel(t('panelApi.form.name')).inputValue()).toBe('Notes');
    await inspectPanel(page, 'api-client-form');
    await dialog().getByLabel(t('panelApi.clients.columns.uris')).fill('https://notes.example/cb');
    await dialog()
      .getByRole('button', { name: t('panelApi.clients.add') })
      .click();
    await dialog()
      .getByRole('heading', { name: t('panelApi.added.title', { name: 'Notes' }) })
      .waitFor();
    await inspectPanel(page, 'api-client-added');
    const credentials = {
      client_id: await shown(t('panelApi.clients.columns.id')),
      client_secret: await shown(t('panelApi.added.secret')),
    };
    const lines = await dialog().locator('pre').innerText();
    const ran = await runInShell(lines, `${OWNER.password}\n`);
    expect(JSON.parse(ran)).toMatchObject({ success: true, data: { meta: { path: '/ROOT/HOME' } } });
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect.poll(() => dialog().isVisible(), { message: 'nobody loses a secret by a slip' }).toBe(true);
    await button(t('panelApi.added.done')).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(credentials.client_secret);

    const app = appOf(household, credentials);
    const { access } = await app.signIn();
    await pick('Notes', t('panelApi.clients.edit'));
    await dialog().getByLabel(t('panelApi.form.publisher')).fill('Fern & Field');
    await dialog()
      .getByRole('button', { name: t('panelApi.form.save') })
      .click();
    await row('Notes').getByText('Confidential · Fern & Field').waitFor();

    await pick('Notes', t('panelApi.clients.switchOff'));
    await row('Notes').getByText(t('panelApi.clients.off')).waitFor();
    expect(await app.use(access)).toBe(401);
    await pick('Notes', t('panelApi.clients.switchOn'));
    await row('Notes').getByText(t('panelApi.clients.on'), { exact: true }).waitFor();
    expect(await app.use(access)).toBe(200);

    await pick('Notes', t('panelApi.clients.replace'));
    await dialog()
      .getByRole('button', { name: t('panelApi.clients.replace') })
      .click();
    await dialog()
      .getByRole('heading', { name: t('panelApi.added.replacedTitle', { name: 'Notes' }) })
      .waitFor();
    const secret = await shown(t('panelApi.added.secret'));
    expect(secret).not.toBe(credentials.client_secret);
    await button(t('panelApi.added.done')).click();
    expect((await app.password()).status).toBe(401);

    await pick('Notes', t('panelApi.clients.remove'));
    await dialog()
      .getByText(t('panelApi.confirm.removeLoss', { people: 1 }))
      .waitFor();
    await inspectPanel(page, 'api-client-remove');
    await dialog()
      .getByRole('button', { name: t('panelApi.confirm.keep', { name: 'Notes' }) })
      .click();
    await expect.poll(() => row('Notes').count()).toBe(1);
    await pick('Notes', t('panelApi.clients.remove'));
    await dialog()
      .getByRole('button', { name: t('panelApi.clients.remove') })
      .click();
    await row('Notes').waitFor({ state: 'detached' });
    expect((await appOf(household, { ...credentials, client_secret: secret }).password()).status).toBe(401);
    expect(complaints.filter((line) => !/status of (400|409)/.test(line))).toEqual([]);
  });
});

describe('authorizations', () => {
  it('show who authorized which app for what, and are revoked', async () => {
    const app = appOf(household);
    const { access } = await app.signIn({ scope: 'profile list' });
    await open(t('panelApi.tabs.clients'));
    await open(t('panelApi.tabs.authorizations'));
    await page.getByText('profile list', { exact: true }).waitFor();
    await inspectPanel(page, 'api-authorizations');
    await page.getByRole('row').filter({ hasText: 'profile list' }).getByRole('button').click();
    await dialog()
      .getByRole('button', { name: t('panelApi.confirm.revokeDo') })
      .click();
    await page.getByText('profile list', { exact: true }).waitFor({ state: 'detached' });
    expect(await app.use(access)).toBe(401);
    expect(complaints).toEqual([]);
  });
});

describe('settings', () => {
  it('take effect when they are saved, and every page warns of plain HTTP until it is disabled', async () => {
    await open(t('panelApi.tabs.settings'));
    const api = page.getByRole('switch', { name: t('panelApi.settings.enable') });
    const http = page.getByRole('switch', { name: t('panelApi.settings.http') });
    await api.waitFor();
    expect([await api.isChecked(), await http.isChecked()]).toEqual([true, false]);
    await api.press(' ');
    await http.press(' ');
    await page.getByText(t('saveBar.changes', { count: 2 })).waitFor();
    expect(await household.control('settings.get')).toMatchObject({ apiEnabled: true, httpTesting: false });
    await inspectPanel(page, 'api-settings-changed');
    await button(t('saveBar.discard')).click();
    expect([await api.isChecked(), await http.isChecked()]).toEqual([true, false]);
    await http.press(' ');
    await button(t('saveBar.save')).click();
    await page.getByRole('alert').getByText(t('panelApi.httpWarning.text')).waitFor();
    expect(await household.control('settings.get')).toMatchObject({ apiEnabled: true, httpTesting: true });
    await api.press(' ');
    await page.getByRole('link', { name: t('nav.overview') }).click();
    await dialog()
      .getByText(t('saveBar.leaveLoss', { count: 1 }))
      .waitFor();
    await button(t('saveBar.stay')).click();
    await page.getByText(t('saveBar.changes', { count: 1 })).waitFor();
    await page.getByRole('link', { name: t('nav.overview') }).click();
    await dialog()
      .getByRole('button', { name: t('saveBar.leaveDo') })
      .click();
    await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
    await expect.poll(() => page.getByText(t('panelApi.httpWarning.text')).count()).toBe(1);
    await button(t('panelApi.httpWarning.off')).click();
    await page.getByText(t('panelApi.httpWarning.text')).waitFor({ state: 'detached' });
    expect(await household.control('settings.get')).toMatchObject({ httpTesting: false });
    expect(complaints).toEqual([]);
  });

  it('let the owner switch apps for Nextcloud off and on', async () => {
    await open(t('panelApi.tabs.settings'));
    const allow = page.getByRole('switch', { name: t('panelApi.settings.nextcloud') });
    const status = async () => (await household.api.send('GET', '/status.php')).status;
    const isOn = async () => (await household.control('settings.get')).nextcloudApps;
    await allow.waitFor();
    expect([await allow.isChecked(), await isOn(), await status()]).toEqual([true, true, 200]);
    for (const [wanted, answer] of [
      [false, 404],
      [true, 200],
    ] as const) {
      await allow.press(' ');
      await page.getByText(t('saveBar.changes', { count: 1 })).waitFor();
      // Only when it is saved.
      expect(await isOn()).toBe(!wanted);
      await button(t('saveBar.save')).click();
      await expect.poll(isOn).toBe(wanted);
      expect(await status()).toBe(answer);
      await page.getByText(t('saveBar.changes', { count: 1 })).waitFor({ state: 'detached' });
      await open(t('panelApi.tabs.clients'));
      await open(t('panelApi.tabs.settings'));
      await expect.poll(() => allow.isChecked()).toBe(wanted);
    }
    expect(complaints).toEqual([]);
  });
});

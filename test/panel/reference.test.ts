import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t as text } from '../../dist/server/messages/messages.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/page.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes } from '../support/households/member.ts';

/** One pixel, red. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

let browser: Browser;
let household: Household;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await addMembersWithHomes(household, { mia: {}, ben: {} });
  await writeFile(join(household.home, 'note.txt'), 'Apples');
  await writeFile(join(household.home, 'red.png'), Buffer.from(PICTURE, 'base64'));
  await writeFile(join(household.home, 'old.txt'), 'old');
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
const list = () => page.getByRole('navigation', { name: t('reference.list') });
const field = (name: string) => page.getByLabel(name, { exact: true }).locator('visible=true');
const person = () => page.getByRole('combobox', { name: t('reference.console.person') });
const answer = () => page.getByRole('region', { name: t('reference.answer.body') });

async function show(operation: string): Promise<void> {
  await page.evaluate(`location.hash = '#/api/reference?operation=${operation}'`);
  await page.getByRole('heading', { name: t('reference.console.title') }).waitFor();
}

async function send(): Promise<void> {
  await button(t('reference.console.try')).click();
  await page.getByRole('heading', { name: t('reference.answer.title'), exact: true }).waitFor();
}

const tried = async () => {
  const { entries } = await household.control('activity.list', { kinds: ['api.tried'] });
  return (entries as { subject: string }[]).map(({ subject }) => subject);
};

describe('the reference', () => {
  it('lists every operation by area, and searches while typing', async () => {
    await page
      .getByRole('navigation', { name: t('nav.pages') })
      .getByRole('link', { name: t('nav.api') })
      .click();
    await page
      .getByRole('navigation', { name: t('nav.api') })
      .getByRole('link', { name: t('panelApi.tabs.reference') })
      .click();
    const { document } = (await household.control('api.description')) as { document: { paths: object } };
    const paths = Object.keys(document.paths).map((path) => path.slice(1));
    await list().getByRole('link').first().waitFor();
    const shown = await list().locator('code').allInnerTexts();
    expect([...new Set(shown)].sort()).toEqual(paths.sort());
    await inspectPanel(page, 'reference');
    await page.keyboard.press('/');
    await page.keyboard.type('trash');
    await expect.poll(() => list().locator('code').allInnerTexts()).toContain('files/trash/empty');
    await expect.poll(() => list().locator('code').allInnerTexts()).not.toContain('files/star');
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText(t('reference.none', { text: 'nothing like it' })).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => list().getByRole('link').count()).toBe(shown.length);
    expect(complaints).toEqual([]);
  });

  itInFull('explains an operation: parameters, replies, codes and a command for the terminal', async () => {
    await list().getByRole('link', { name: 'files/browse' }).click();
    await page.getByRole('heading', { name: 'List a folder' }).waitFor();
    expect(page.url()).toContain('operation=files%2Fbrowse');
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
    await expect.poll(() => row('path').innerText()).toContain('Virtual path of the item');
    await expect.poll(() => row('uuid').innerText()).toContain('instead of path');
    await expect.poll(() => row('details[]').innerText()).toContain('hasWebLink');
    await expect
      .poll(() => row('itemType').innerText())
      .toContain(t('reference.parameters.standard', { value: 'any' }));
    await page
      .getByText(t('reference.answers.any', { count: 47 }))
      .or(page.getByText(like('reference.answers.any')))
      .click();
    await page.getByText('quota_exceeded').waitFor();
    await field('path').fill("/ROOT/HOME/Ann's");
    await page.getByText("files/browse?path=%2FROOT%2FHOME%2FAnn%27s'").waitFor();
    await inspectPanel(page, 'reference-operation');
    // At phone width the list makes room for what was chosen.
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => list().isVisible()).toBe(false);
    await page.getByRole('link', { name: t('reference.back') }).click();
    await list().waitFor();
    await page.setViewportSize({ width: 1280, height: 832 });
    expect(complaints).toEqual([]);
  });
});

describe('the console', () => {
  it('runs an operation as the owner, and shows the reply', async () => {
    await show('files/browse');
    await field('path').fill('/ROOT/HOME');
    await page.getByText(t('reference.console.optional', { count: 9 })).click();
    await field('itemType').selectOption('files');
    await page.getByRole('checkbox', { name: 'fileSize', exact: true }).check();
    await send();
    await answer().getByText('"fileSize": 6').waitFor();
    await page.getByText(new RegExp(`^${like('reference.answer.headers').source}$`)).click();
    await page.getByText('x-request-id', { exact: true }).waitFor();
    await inspectPanel(page, 'reference-answer');
    expect((await tried())[0]).toBe('GET files/browse as ann');
    expect(complaints).toEqual([]);
  });

  itInFull('runs it as another account, with its rights', async () => {
    await show('files/createfolder');
    await person().fill('mi');
    await page.getByRole('option', { name: 'mia' }).click();
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await field('path').fill('/ROOT/HOME');
    await field('name').fill('Pears');
    await send();
    await answer().getByText('"success": true').waitFor();
    expect((await tried())[0]).toBe('GET files/createfolder as mia');
    await household.control('accounts.update', { username: 'mia', permissions: { upload: false } });
    await field('name').fill('Plums');
    await button(t('reference.console.try')).click();
    await page.getByText('403', { exact: true }).waitFor();
    // What was typed is still there.
    await expect.poll(() => field('name').inputValue()).toBe('Plums');
    await inspectPanel(page, 'reference-refused');
    expect(complaints).toEqual([]);
  });

  itInFull('asks before something is deleted', async () => {
    await show('files/delete');
    await field('path').fill('/ROOT/HOME/old.txt');
    await button(t('reference.console.try')).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('heading', { name: t('reference.console.confirm', { path: 'files/delete', name: 'ann' }) })
      .waitFor();
    await inspectPanel(page, 'reference-confirm');
    const before = await tried();
    await dialog.getByRole('button', { name: t('reference.console.keep') }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await tried()).toEqual(before);
    await button(t('reference.console.try')).click();
    await dialog.getByRole('button', { name: t('reference.console.confirmDo') }).click();
    await answer().getByText('/TRASH/').waitFor();
    expect((await tried())[0]).toBe('GET files/delete as ann');
    expect(complaints).toEqual([]);
  });

  itInFull('sends a file, and shows pictures and text according to their type', async () => {
    await show('files/upload');
    const file = page.locator('input[type=file]');
    await file.setInputFiles({ name: 'large', mimeType: 'x/y', buffer: Buffer.alloc(1024 * 1024 + 1) });
    await page.getByText(t('reference.console.fileTooLarge')).waitFor();
    await button(t('reference.console.try')).click();
    await file.setInputFiles({ name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('Quinces') });
    await field('path').fill('/ROOT/HOME/sent.txt');
    await send();
    await answer().getByText('"success": true').waitFor();
    expect((await tried())[0]).toBe('PUT files/upload as ann');
    await show('files/download');
    await field('path').fill('/ROOT/HOME/sent.txt');
    await send();
    await answer().getByText('Quinces').waitFor();
    await field('path').fill('/ROOT/HOME/red.png');
    await button(t('reference.console.try')).click();
    const picture = page.getByRole('img', { name: t('reference.answer.picture') });
    await picture.waitFor();
    expect(
      await page.evaluate(`document.querySelector('img[alt="${t('reference.answer.picture')}"]').naturalWidth`),
    ).toBe(1);
    await page.getByText(t('reference.answer.bytes', { size: '70 bytes', type: 'image/png' })).waitFor();
    expect(complaints).toEqual([]);
  });

  itInFull('cancels a request', async () => {
    await show('files/browse');
    await field('path').fill('/ROOT/HOME');
    const asked: string[] = [];
    let goOn = () => undefined as unknown;
    const held = new Promise((resolve) => {
      goOn = () => resolve(undefined);
    });
    await page.route('**/control/api.try', async (route) => {
      asked.push(String(route.request().postDataJSON().id));
      await held;
      // As the server says it of one that was broken off.
      const error = text('api.control.requestStopped');
      await route.fulfill({ status: 409, json: { error, code: 'refused' } });
    });
    await page.route('**/control/api.cancel', async (route) => {
      asked.push(String(route.request().postDataJSON().id));
      await route.continue();
      goOn();
    });
    await button(t('reference.console.try')).click();
    await button(t('reference.console.cancel')).click();
    await page.getByRole('alert').getByText(text('api.control.requestStopped')).waitFor();
    await expect.poll(() => button(t('reference.console.cancel')).count()).toBe(0);
    expect([asked.length, asked[0]]).toEqual([2, asked[1]]);
    await page.unroute('**/control/api.try');
    await page.unroute('**/control/api.cancel');
    await send();
    await answer().getByText('"success": true').waitFor();
    expect(complaints.filter((line) => !/status of 409/.test(line))).toEqual([]);
  });

  itInFull('shows a message while the API is disabled', async () => {
    await household.control('settings.update', { apiEnabled: false });
    await show('account/info');
    await send();
    await page.getByText(`${text('api.service.apiDisabled')} api_disabled`).waitFor();
    await household.control('settings.update', { apiEnabled: true });
    expect(complaints).toEqual([]);
  });
});

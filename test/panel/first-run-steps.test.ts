import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import sqlite3 from 'sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { t } from '../support/browser/panel-texts.ts';
import { itInFull } from '../support/forms.ts';
import { ANN, openFirstRun, PASSWORD } from '../support/households/first-run.ts';
import { type Household, openHousehold } from '../support/households/household.ts';

const HOUSEHOLD = t('firstRun.address.household');

let browser: Browser;
let household: Household;
/** Files that the owner has already. */
let photos: string;

beforeAll(async () => {
  const addresses = () => ['192.168.1.20'];
  photos = await mkdtemp(join(tmpdir(), 'larder-photos-'));
  [browser, household] = await Promise.all([launchBrowser(), openHousehold({ owner: null, addresses })]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
  await rm(photos, { recursive: true, force: true });
});

const open = async () => openFirstRun(browser, String((await household.control('panel.link')).url));

/** Of what setting up writes, nothing is there: neither in the database, which is read past the server, nor on the disk. */
async function nothingIsWritten(): Promise<void> {
  const database = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'), sqlite3.OPEN_READONLY);
  try {
    for (const table of ['accounts', 'settings', 'homes']) {
      expect(await database.all(`SELECT * FROM ${table}`), table).toEqual([]);
    }
  } finally {
    await database.close();
  }
  expect(await readdir(join(household.folder, 'homes')).catch(() => [])).toEqual([]);
}

/** A step behind the folder, with its number. */
const stepText = (step: 'you' | 'address' | 'apps' | 'done', at: number) => `${at + 2}${t(`firstRun.steps.${step}`)}`;

describe('the steps of the set-up', () => {
  it('keep the input in both directions, and store nothing before the end', async () => {
    const { page, field, fill, goOn, goBack, enablesApi, complaints, context } = await open();
    await fill(ANN);
    await page.getByRole('switch', { name: t('firstRun.you.files') }).press(' ');
    await fill({ [t('firstRun.you.homeFolder')]: photos });
    await goOn('address');
    await expect.poll(() => page.title()).toBe(t('common.documentTitle', { page: t('firstRun.address.heading') }));
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await fill({ [HOUSEHOLD]: 'Orchard House' });
    // It listens on this computer alone, whatever networks that is in.
    await page.getByText(t('firstRun.address.onlyHere')).waitFor();
    await page.getByText(t('firstRun.address.portGiven', { port: household.port })).waitFor();
    await expect
      .poll(() => field(t('firstRun.address.port')).count(), { message: 'it was given at the start' })
      .toBe(0);
    await inspectPanel(page, 'panel-address');
    await goOn('apps');
    await expect.poll(() => page.title()).toBe(t('common.documentTitle', { page: t('firstRun.apps.heading') }));
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(await enablesApi(), 'unless one says no').toBe(true);
    await page.getByRole('radio', { name: t('firstRun.apps.off.title') }).click();
    await inspectPanel(page, 'panel-apps');
    await goBack('address');
    await expect.poll(() => field(HOUSEHOLD).inputValue()).toBe('Orchard House');
    await goBack('you');
    for (const [name, text] of Object.entries({ ...ANN, Folder: photos })) {
      await expect.poll(() => field(name).inputValue(), { message: name }).toBe(text);
    }
    await goOn('address');
    await goOn('apps');
    expect(await enablesApi()).toBe(false);
    await nothingIsWritten();
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('show the current step', async () => {
    const { page, fill, goOn, context } = await open();
    const steps = page.getByRole('list', { name: t('firstRun.steps.label') }).getByRole('listitem');
    await expect
      .poll(() => steps.allTextContents())
      .toEqual([t('firstRun.steps.folder'), ...(['you', 'address', 'apps', 'done'] as const).map(stepText)]);
    await expect.poll(() => page.locator('[aria-current="step"]').textContent()).toBe(stepText('you', 0));
    await fill(ANN);
    await goOn('address');
    await expect.poll(() => page.locator('[aria-current="step"]').textContent()).toBe(stepText('address', 1));
    await context.close();
  });

  itInFull('follow the back and forward buttons of the browser', async () => {
    const { page, field, fill, asks, goOn, goBack, complaints, context } = await open();
    await fill(ANN);
    await goOn('address');
    await fill({ [HOUSEHOLD]: 'Orchard House' });
    await goOn('apps');
    await page.goBack();
    await asks('address');
    await expect.poll(() => field(HOUSEHOLD).inputValue()).toBe('Orchard House');
    await page.goBack();
    await asks('you');
    await expect.poll(() => field(t('firstRun.you.repeat')).inputValue()).toBe(PASSWORD);
    await page.goForward();
    await asks('address');
    await goBack('you');
    await page.goBack();
    await asks('address');
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('ask before the page is left with unsaved input, and only then', async () => {
    const { page, field, fill, asks, goOn, context } = await open();
    const questions: string[] = [];
    let isStaying = true;
    page.on('dialog', (question) => {
      questions.push(question.type());
      void (isStaying ? question.dismiss() : question.accept());
    });
    await page.getByRole('heading', { level: 1 }).click();
    await page.reload();
    await asks('you');
    expect(questions, 'nothing is lost').toEqual([]);
    await fill(ANN);
    await goOn('address');
    await page.evaluate('location.reload()');
    await expect.poll(() => questions).toEqual(['beforeunload']);
    await fill({ [HOUSEHOLD]: 'Orchard House' });
    // Another address of the same page.
    await page.evaluate("location.hash = '#/people'");
    const dialog = page.getByRole('dialog', { name: t('firstRun.leaving.title') });
    await dialog.waitFor();
    await inspectPanel(page, 'panel-first-run-leaving', ['usual']);
    await dialog.getByRole('button', { name: t('firstRun.leaving.keep') }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => field(HOUSEHOLD).inputValue()).toBe('Orchard House');
    isStaying = false;
    await page.reload();
    await asks('you');
    // What was entered comes back, without the passwords.
    await expect.poll(() => field(t('firstRun.you.name')).inputValue()).toBe(ANN[t('firstRun.you.name')]);
    await expect.poll(() => field(t('firstRun.you.password')).inputValue()).toBe('');
    await context.close();
  });

  itInFull('are validated by the server while they are filled in, all fields together', async () => {
    const { page, button, field, fill, asks, goOn, goBack, context } = await open();
    const isWrong = (name: string) => expect.poll(() => field(name).getAttribute('aria-invalid')).toBe('true');
    // Without a click: what is wrong is said beside its field, and empty fields are left alone.
    await fill({ [t('firstRun.you.username')]: 'ann/../bob', [t('firstRun.you.password')]: 'short' });
    await isWrong(t('firstRun.you.username'));
    await isWrong(t('firstRun.you.password'));
    expect(await field(t('firstRun.you.name')).getAttribute('aria-invalid')).not.toBe('true');
    await inspectPanel(page, 'panel-you-checked', ['usual', 'phone']);
    await fill(ANN);
    await goOn('address');
    // The page lets nobody type more than the server takes; what the server says has its place nevertheless.
    await field(HOUSEHOLD).evaluate((element) => element.removeAttribute('maxlength'));
    await fill({ [HOUSEHOLD]: 'x'.repeat(61) });
    const name = field(HOUSEHOLD);
    await isWrong(HOUSEHOLD);
    await button(t('firstRun.next')).click();
    await expect.poll(() => name.evaluate((element) => element.matches(':focus'))).toBe(true);
    await expect.poll(() => name.inputValue()).toBe('x'.repeat(61));
    await inspectPanel(page, 'panel-address-refused', ['usual', 'phone']);
    await nothingIsWritten();
    await fill({ [HOUSEHOLD]: 'Orchard House' });
    await goOn('apps');
    await goBack('address');
    await goBack('you');
    await expect.poll(() => field(t('firstRun.you.repeat')).inputValue()).toBe(PASSWORD);
    // What was emptied there is noticed, however one comes to the end.
    await fill({ [t('firstRun.you.name')]: '' });
    await page.goBack();
    await asks('address');
    await fill({ [HOUSEHOLD]: '' });
    await goOn('apps');
    await button(t('firstRun.apps.submit')).click();
    await asks('you');
    await page.getByText(t('firstRun.you.needed.name')).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
    await nothingIsWritten();
    await context.close();
  });
});

itInFull('the set-up can be completed by keyboard only', async () => {
  const { page, asks, enablesApi, complaints, context } = await open();
  const type = async (text: string) => {
    await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  };
  await type('Ann');
  await type('ann');
  await type(PASSWORD);
  await page.keyboard.press('Tab');
  await type(PASSWORD);
  await page.keyboard.press('Enter');
  await asks('address');
  await type('Orchard House');
  await page.keyboard.press('Enter');
  await asks('apps');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await expect.poll(enablesApi).toBe(false);
  await page.keyboard.press('ArrowDown');
  await expect.poll(enablesApi).toBe(true);
  await page.keyboard.press('ArrowDown');
  await expect.poll(enablesApi).toBe(false);
  await page.keyboard.press('Enter');
  await page
    .getByRole('heading', { level: 1, name: t('firstRun.done.heading', { household: 'Orchard House' }) })
    .waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
  expect(await household.control('settings.get')).toMatchObject({ apiEnabled: false, householdName: 'Orchard House' });
  expect(await household.control('accounts.get', { id: 1 })).toMatchObject({ username: 'ann', name: 'Ann' });
  expect(complaints).toEqual([]);
  await context.close();
});

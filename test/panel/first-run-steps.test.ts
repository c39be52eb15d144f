import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import sqlite3 from 'sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { launchBrowser } from '../support/browser.ts';
import { ANN, openFirstRun, PASSWORD } from '../support/first-run.ts';
import { type Household, openHousehold } from '../support/household.ts';
import { inspectPanel } from '../support/panel-page.ts';

const HOUSEHOLD = 'Name of the household (optional)';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  const addresses = () => ['192.168.1.20'];
  [browser, household] = await Promise.all([launchBrowser(), openHousehold({ owner: null, addresses })]);
}, 90_000);
afterAll(async () => {
  await browser?.close();
  await household?.close();
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

describe('the steps', () => {
  it('keep what was typed, back and forth, and write nothing', async () => {
    const { page, field, fill, goOn, goBack, enablesApi, complaints, context } = await open();
    await fill(ANN);
    await page.getByRole('switch', { name: 'I have files already' }).press(' ');
    await fill({ Folder: '/home/ann/Photos' });
    await goOn('address');
    await expect.poll(() => page.title()).toBe('Where do others find it? · Larder');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await fill({ [HOUSEHOLD]: 'Orchard House' });
    // It listens on this computer alone, whatever networks that is in.
    await page.getByText(/^Only this computer can reach it now/).waitFor();
    await page.getByText(`Larder was started with port ${household.port}.`).waitFor();
    await expect.poll(() => field('Port for HTTPS').count(), { message: 'it was given at the start' }).toBe(0);
    await inspectPanel(page, 'panel-address');
    await goOn('apps');
    await expect.poll(() => page.title()).toBe('May apps reach the files? · Larder');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(await enablesApi(), 'unless one says no').toBe(true);
    await page.getByRole('radio', { name: 'Not now' }).click();
    await inspectPanel(page, 'panel-apps');
    await goBack('address');
    await expect.poll(() => field(HOUSEHOLD).inputValue()).toBe('Orchard House');
    await goBack('you');
    for (const [name, text] of Object.entries({ ...ANN, Folder: '/home/ann/Photos' })) {
      await expect.poll(() => field(name).inputValue(), { message: name }).toBe(text);
    }
    await goOn('address');
    await goOn('apps');
    expect(await enablesApi()).toBe(false);
    await nothingIsWritten();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('say which of them one is at', async () => {
    const { page, fill, goOn, context } = await open();
    const steps = page.getByRole('list', { name: 'Setting up' }).getByRole('listitem');
    await expect.poll(() => steps.allTextContents()).toEqual(['Folder', '2You', '3Address', '4Apps', '5Done']);
    await expect.poll(() => page.locator('[aria-current="step"]').textContent()).toBe('2You');
    await fill(ANN);
    await goOn('address');
    await expect.poll(() => page.locator('[aria-current="step"]').textContent()).toBe('3Address');
    await context.close();
  });

  it('follow the browser’s own buttons', async () => {
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
    await expect.poll(() => field('Password again').inputValue()).toBe(PASSWORD);
    await page.goForward();
    await asks('address');
    await goBack('you');
    await page.goBack();
    await asks('address');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('ask before the page goes with what was typed, and only then', async () => {
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
    const dialog = page.getByRole('dialog', { name: 'Leave before it is set up?' });
    await dialog.waitFor();
    await inspectPanel(page, 'panel-first-run-leaving', ['usual']);
    await dialog.getByRole('button', { name: 'Go on setting up' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => field(HOUSEHOLD).inputValue()).toBe('Orchard House');
    isStaying = false;
    await page.reload();
    await asks('you');
    await expect.poll(() => field('Name').inputValue()).toBe('');
    await context.close();
  });

  it('lead back to the first that the server refuses', async () => {
    const { page, button, field, fill, asks, goOn, goBack, context } = await open();
    await fill(ANN);
    await goOn('address');
    // The page lets nobody type more than the server takes; what the server says has its place nevertheless.
    await field(HOUSEHOLD).evaluate((element) => element.removeAttribute('maxlength'));
    await fill({ [HOUSEHOLD]: 'x'.repeat(61) });
    await goOn('apps');
    await button('Set up').click();
    await asks('address');
    const name = field(HOUSEHOLD);
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => name.evaluate((element) => element.matches(':focus'))).toBe(true);
    await expect.poll(() => name.inputValue()).toBe('x'.repeat(61));
    await inspectPanel(page, 'panel-address-refused', ['usual', 'phone']);
    await nothingIsWritten();
    await goBack('you');
    await expect.poll(() => field('Password again').inputValue()).toBe(PASSWORD);
    // What was emptied there is noticed, however one comes to the end.
    await fill({ Name: '' });
    await page.goBack();
    await asks('address');
    await fill({ [HOUSEHOLD]: '' });
    await goOn('apps');
    await button('Set up').click();
    await asks('you');
    await page.getByText('Type your name.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
    await nothingIsWritten();
    await context.close();
  });
});

it('is walked with nothing but the keys', async () => {
  const { page, asks, enablesApi, complaints, context } = await open();
  const type = async (text: string) => {
    await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  };
  await type(ANN.Name);
  await type(ANN['User name']);
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
  await page.getByRole('heading', { level: 1, name: 'Orchard House is ready' }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
  expect(await household.control('settings.get')).toMatchObject({ apiEnabled: false, householdName: 'Orchard House' });
  expect(await household.control('accounts.get', { id: 1 })).toMatchObject({ username: 'ann', name: 'Ann' });
  expect(complaints).toEqual([]);
  await context.close();
});

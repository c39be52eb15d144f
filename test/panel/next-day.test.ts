import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../dist/server/lib/clock.js';
import { t as pageText } from '../../dist/server/messages/messages.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, visit } from '../support/browser/page.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { t } from '../support/browser/panel-texts.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';

let browser: Browser;
let household: Household;
beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

describe('the panel on the next day', () => {
  it('opens with the password, stays open in all tabs and after closing the browser, and is linked from the files', async () => {
    const { context, page, complaints } = await visit(browser);
    // The address that is in the history of the browser, without the link.
    await page.goto(`http://127.0.0.1:${household.controlPort}/#/people`);
    await page.getByRole('heading', { name: t('locked.signInHeading') }).waitFor();
    await inspectPanel(page, 'next-day');
    expect(await page.locator('input').count()).toBe(0);
    await page.getByRole('link', { name: t('locked.signIn') }).click();
    await page.getByLabel(t('panelSignIn.username')).fill(OWNER.username);
    await page.getByLabel(t('panelSignIn.password'), { exact: true }).fill(OWNER.password);
    expect(page.url()).toBe(`https://localhost:${household.port}/panel/#/people`);
    await page.getByRole('button', { name: t('panelSignIn.submit') }).click();
    await page.getByRole('heading', { name: t('people.title') }).waitFor();

    const second = await context.newPage();
    await second.goto(`https://localhost:${household.port}/panel/`);
    await second.getByRole('heading', { name: t('overview.heading') }).waitFor();
    household.clock.advance(DAY);
    const kept = await browser.newContext({ storageState: await context.storageState() });
    await context.close();
    const third = await kept.newPage();
    await third.goto(`https://localhost:${household.port}/files/`);
    await third.getByLabel(pageText('signIn.username')).fill(OWNER.username);
    await third.getByLabel(pageText('signIn.password')).fill(OWNER.password);
    await third.getByRole('button', { name: pageText('uploads.signIn') }).click();
    await inspect(third, 'files-owner');
    await third.setViewportSize({ width: 1280, height: 832 });
    await third.getByRole('link', { name: pageText('bar.panel') }).click();
    await third.getByRole('heading', { name: t('overview.heading') }).waitFor();
    expect(complaints).toEqual([]);
    await kept.close();
  });
});

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { beginLogin, poll } from '../nextcloud/support.ts';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, visit } from '../support/browser/page.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { signInAt } from './files/support.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

it('an app is connected in a browser by signing in and confirming, and then opened again', async () => {
  const { page, complaints, context } = await visit(browser);
  const { login, token } = await beginLogin(household, 'Mozilla/5.0 (Android) Nextcloud-android/3.30.0');
  await page.goto(login);
  await signInAt(page);
  await page.getByRole('heading', { level: 1, name: t('connect.heading') }).waitFor();
  await page
    .getByText(t('connect.app', { app: 'Nextcloud', system: 'Android' }))
    .first()
    .waitFor();
  await inspect(page, 'connect-app');

  const label = page.getByLabel(t('programs.create.label'));
  await label.fill('');
  await page.getByLabel(t('confirm.password')).fill('wrong');
  await label.fill('Ann’s phone');
  await page.getByRole('button', { name: t('connect.do') }).click();
  await page.getByText(t('confirm.problem.refused')).waitFor();
  expect(await label.inputValue()).toBe('Ann’s phone');
  await inspect(page, 'connect-app-refused');

  await page.getByLabel(t('confirm.password')).fill(OWNER.password);
  await page.getByRole('button', { name: t('connect.do') }).click();
  await page.getByRole('heading', { name: t('connect.done.heading', { label: 'Ann’s phone' }) }).waitFor();
  await inspect(page, 'connect-app-done');
  expect((await poll(household, token)).body.loginName).toBe('ann');

  await page.goto(login);
  await page.getByRole('heading', { name: t('connect.ended.heading') }).waitFor();
  await inspect(page, 'connect-app-ended');
  expect(complaints.filter((text) => !/status of 4(?:10|22)/.test(text))).toEqual([]);
  await context.close();
});

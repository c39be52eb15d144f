import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, visit } from '../support/browser/page.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';

let browser: Browser;
let household: SharingHousehold;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  await household.put('Garden/apple.txt');
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

describe('the private link of a guest', () => {
  it('shows the name of the guest, and signs in only after a confirmation, without JavaScript', async () => {
    const guest = { path: '/ROOT/HOME/Garden', name: 'Gran <i>', email: 'gran@example.net' };
    const { link } = (await household.as('olga').post('files/share', guest)).body.data.guest;
    const { page, complaints, context } = await visit(browser);
    await page.goto(link);
    await page.getByRole('heading', { name: t('guest.heading', { name: 'Gran <i>' }) }).waitFor();
    await inspect(page, 'guest');
    // Looked at twice, and still nobody is signed in.
    await page.reload();
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['__Host-larder-visitor']);
    await page.getByRole('button', { name: t('guest.submit', { name: 'Gran <i>' }) }).click();
    await page.waitForURL('**/files/**');
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['__Host-larder-session']);
    expect(page.url()).not.toContain('id=');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('warns a visitor signed in as another account', async () => {
    const guest = { path: '/ROOT/HOME/Garden', name: 'Gil', email: 'gil@example.net' };
    const { link } = (await household.as('olga').post('files/share', guest)).body.data.guest;
    const { page, context } = await visit(browser);
    await page.goto(new URL('/account/', link).href);
    await page.getByLabel(t('signIn.username')).fill('ben');
    await page.getByLabel(t('signIn.password')).fill('correct horse battery');
    await page.getByRole('button', { name: t('signIn.submit') }).click();
    await page.goto(link);
    await page.getByText(t('guest.signsOut', { name: 'Mia' })).waitFor();
    await page.getByRole('button', { name: t('guest.submit', { name: 'Gil' }) }).click();
    await page.waitForURL('**/files/**');
    await context.close();
  });

  it('that is invalid shows a message that says whom to ask', async () => {
    const { page, context } = await visit(browser);
    await page.goto(`https://127.0.0.1:${household.port}/guest/?id=${'x'.repeat(43)}`);
    await page.getByRole('heading', { name: t('guest.ended.heading') }).waitFor();
    await inspect(page, 'guest-ended');
    await context.close();
  });
});

import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { axe, inspect, takePicture, visit } from '../support/browser/page.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { type MailServer, openMailServer } from '../support/system/mail-server.ts';

let browser: Browser;
let household: Household;
let server: MailServer;

beforeAll(async () => {
  [browser, household, server] = await Promise.all([launchBrowser(), openHousehold(), openMailServer()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
  await server?.close();
});

const address = (path: string) => `https://127.0.0.1:${household.port}${path}`;

describe('a forgotten password', () => {
  it('without a mail server refers to the owner', async () => {
    const { page, context } = await visit(browser);
    await page.goto(address('/account/forgotten'));
    await page.getByText(t('forgotten.askOwner', { owner: 'ann' })).waitFor();
    await inspect(page, 'forgotten-ask');
    await context.close();
  });

  it('with a mail server is replaced by means of the link in a mail, also without JavaScript', async () => {
    const { page, complaints, context } = await visit(browser, { javaScriptEnabled: true });
    await household.control('settings.update', {
      smtpHost: '127.0.0.1',
      smtpPort: server.port,
      smtpSecurity: 'none',
      mailFrom: 'larder@orchard.example',
      baseUrl: address(''),
    });
    await page.goto(address('/account/profile'));
    await page.getByLabel(t('signIn.username')).fill(OWNER.username);
    await page.getByLabel(t('signIn.password')).fill(OWNER.password);
    await page.getByRole('button', { name: t('signIn.submit') }).click();
    await page.getByLabel(t('profile.name')).fill('Ann');
    await page.getByLabel(t('profile.email')).fill('ann@orchard.example');
    await page.getByLabel(t('confirm.password')).fill(OWNER.password);
    await page.getByRole('button', { name: t('profile.submit') }).click();
    await page.getByText(t('account.done.profile')).waitFor();
    await page.getByRole('button', { name: t('bar.signOut'), exact: true }).click();

    await page.getByRole('link', { name: t('signIn.forgotten') }).click();
    await inspect(page, 'forgotten');
    await page.getByLabel(t('forgotten.who')).fill('ann');
    await page.getByRole('button', { name: t('forgotten.submit') }).click();
    await page.getByRole('heading', { name: t('forgotten.sent.heading') }).waitFor();
    await inspect(page, 'forgotten-sent');
    const mail = await server.received(1);
    await page.goto(/https:\/\/\S+code=[\w-]+/.exec(mail.parts['text/plain'] ?? '')?.[0] ?? '');
    await inspect(page, 'reset');
    await page.getByLabel(t('newPassword.label'), { exact: true }).fill('a rather good one');
    await page.getByLabel(t('newPassword.repeat')).fill('a rather good one');
    await page.getByRole('button', { name: t('newPassword.submit') }).click();
    await page.getByRole('heading', { name: t('forgotten.done.heading') }).waitFor();
    await inspect(page, 'reset-done');
    await page.goBack();
    await page.reload();
    await page.getByRole('heading', { name: t('forgotten.ended.heading') }).waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('410'))).toEqual([]);
    await context.close();
  });

  itInFull('has a mail that is accessible, light and dark, wide and narrow, and loads nothing', async () => {
    const { page, complaints, context } = await visit(browser);
    const picture = readFileSync(new URL('../../assets/mail/mark.png', import.meta.url)).toString('base64');
    const html = server.mails[0]?.parts['text/html'] ?? '';
    await page.setContent(html.replace('cid:mark@larder', `data:image/png;base64,${picture}`));
    for (const [name, width] of Object.entries({ desktop: 1280, phone: 390 })) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 832 });
        await page.emulateMedia({ colorScheme });
        await takePicture(page, `mail-${name}-${colorScheme}`);
        const found = (await axe(page)).filter((line) => !/^(?:region|landmark)/.test(line));
        expect(found, `${name} ${colorScheme}`).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    }
    expect(complaints).toEqual([]);
    await context.close();
  });
});

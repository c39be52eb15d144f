import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspect, visit } from '../support/browser/page.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';

let browser: Browser;
let household: Household;
/** The app that asks: a real server, which people are sent back to. */
let app: Server;
let callback = '';
let clientId = '';

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  app = createServer((request, response) => response.end(`back with ${request.url}`)).listen(0, '127.0.0.1');
  await once(app, 'listening');
  callback = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
  await household.control('settings.update', { householdName: 'Orchard House' });
  const added = await household.control('clients.add', { name: 'Notes', redirectUris: [callback] });
  clientId = String(added.clientId);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
  app?.close();
});

const SCOPE = 'profile list download upload delete weblink';
const asked = (changes: Record<string, string> = {}) =>
  `https://127.0.0.1:${household.port}/oauth2/authorize/?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    scope: SCOPE,
    state: 'xyz',
    prompt: 'consent',
    ...changes,
  })}`;

async function signIn(page: Page, password = OWNER.password): Promise<void> {
  await page.getByLabel(t('signIn.username')).fill(OWNER.username);
  await page.getByLabel(t('signIn.password')).fill(password);
  await page.getByRole('button', { name: t('signIn.submit') }).click();
}

describe('the authorization of an app', () => {
  it('people sign in, see the requested scopes, and return to the app', async () => {
    const { page, complaints, context } = await visit(browser);
    await page.goto(asked());
    expect(await page.title()).toBe(t('signIn.title', { household: 'Orchard House' }));
    await page.getByText(t('signIn.toApp', { app: 'Notes' })).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('username');
    await inspect(page, 'sign-in');
    await signIn(page, 'wrong password');
    await page.getByRole('alert').getByText(t('signIn.problem.refused')).waitFor();
    await expect.poll(() => page.getByLabel(t('signIn.username')).inputValue()).toBe(OWNER.username);
    await expect.poll(() => page.getByLabel(t('signIn.password')).inputValue()).toBe('');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('password');
    await inspect(page, 'sign-in-wrong');
    await signIn(page);
    await page.getByRole('heading', { name: t('consent.heading', { app: 'Notes' }) }).waitFor();
    await page.getByText(t('consent.scopes.delete')).waitFor();
    await inspect(page, 'consent');
    await page.getByRole('button', { name: t('consent.allow') }).click();
    await page.getByText('back with /callback?code=').waitFor();
    expect(new URL(page.url()).searchParams.get('state')).toBe('xyz');
    // The reply to a wrong password is one, and browsers note it.
    expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([]);
    await context.close();
  });

  it('works without JavaScript, and can be denied', async () => {
    const { page, context } = await visit(browser, { javaScriptEnabled: false });
    await page.goto(asked());
    await signIn(page);
    await page.getByRole('button', { name: t('consent.cancel') }).click();
    await page.getByText('back with /callback?error=access_denied').waitFor();
    await context.close();
  });

  itInFull('people can switch the account', async () => {
    const { page, context } = await visit(browser);
    await page.goto(asked());
    await signIn(page);
    await page.getByRole('button', { name: t('consent.switch') }).click();
    await page.getByText(t('signIn.toApp', { app: 'Notes' })).waitFor();
    await context.close();
  });

  itInFull('an app with an invalid request is refused with a page', async () => {
    const { page, context } = await visit(browser);
    const reply = await page.goto(asked({ redirect_uri: 'https://evil.example/' }));
    expect(reply?.status()).toBe(400);
    await page.getByRole('heading', { name: t('refusal.heading') }).waitFor();
    await inspect(page, 'refusal');
    await context.close();
  });

  itInFull('shows who makes the app, with its logo and links', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><rect width="96" height="96" rx="20" fill="#f0c040"/><path d="M30 20h36v56H30z" fill="#3a2a08"/></svg>';
    const logo = await sharp(Buffer.from(svg)).png().toBuffer();
    const added = await household.control('clients.add', {
      name: 'Notes',
      redirectUris: [callback],
      publisher: 'Fern & Field',
      website: 'https://notes.example/about',
      logo: logo.toString('base64'),
    });
    expect(added).toMatchObject({ publisher: 'Fern & Field', website: 'https://notes.example/about', hasLogo: true });
    const { page, complaints, context } = await visit(browser);
    await page.goto(asked({ client_id: String(added.clientId) }));
    await signIn(page);
    await page.getByText(t('consent.madeBy', { publisher: 'Fern & Field' })).waitFor();
    const link = page.getByRole('link', { name: 'Fern & Field' });
    expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
      'https://notes.example/about',
      'noreferrer',
    ]);
    await expect.poll(() => page.evaluate("document.querySelector('img.tile').naturalWidth")).toBeGreaterThan(0);
    await inspect(page, 'consent-logo');
    await page.getByRole('button', { name: t('consent.allow') }).click();
    await page.getByText('back with /callback?code=').waitFor();
    await household.api.token({
      grant_type: 'authorization_code',
      code: new URL(page.url()).searchParams.get('code') ?? '',
      redirect_uri: callback,
      client_id: String(added.clientId),
      client_secret: String(added.clientSecret),
    });
    await page.goto(`https://127.0.0.1:${household.port}/account/`);
    await page.locator('#apps img.tile').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('shows any name of an app, however long', async () => {
    const name = '<img src=x onerror=alert(1)> Rindfleischetikettierungsüberwachungsapp';
    const added = await household.control('clients.add', { name, redirectUris: [callback] });
    const { page, complaints, context } = await visit(browser);
    await page.goto(asked({ client_id: String(added.clientId) }));
    await signIn(page);
    await page.getByRole('heading', { name: t('consent.heading', { app: name }) }).waitFor();
    await inspect(page, 'consent-long');
    expect(complaints).toEqual([]);
    await context.close();
  });
});

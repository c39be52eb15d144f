import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR } from '../../dist/server/lib/clock.js';
import { t as pageText } from '../../dist/server/messages/messages.js';
import { inspect, visit } from '../support/browser/page.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';
import { itInFull } from '../support/forms.ts';
import { OWNER } from '../support/households/household.ts';
import { totp } from '../support/requests/totp.ts';
import { HALF_A_MINUTE, switchOnTwoStep } from '../support/requests/two-step.ts';
import { t as text } from '../support/server-texts.ts';

/** The computer that Larder runs on, and another device. */
let here: PanelVisit;
let context: BrowserContext;
let there: Page;
let complaints: string[];
let key = '';

beforeAll(async () => {
  here = await visitPanel();
  ({
    context,
    page: there,
    complaints,
  } = await visit(here.browser, { extraHTTPHeaders: { 'x-forwarded-for': '192.0.2.7' } }));
});
afterAll(async () => {
  await context?.close();
  await here?.close();
});

const root = () => `https://localhost:${here.household.port}/panel/`;
const field = (name: string) => there.getByLabel(name, { exact: true });
const button = (name: string) => there.getByRole('button', { name, exact: true });
const code = () => totp(key, here.household.clock.now());
const running = () => there.getByRole('heading', { name: t('overview.heading') });

async function signIn(): Promise<void> {
  await field(t('panelSignIn.username')).fill(OWNER.username);
  await field(t('panelSignIn.password')).fill(OWNER.password);
  await button(t('panelSignIn.submit')).click();
  await field(t('panelSignIn.otp')).fill(code());
  await field(t('panelSignIn.otp')).press('Enter');
  here.household.clock.advance(HALF_A_MINUTE);
}

describe('the panel on another device', () => {
  it('is enabled on the page Security if the owner has two-step sign-in', async () => {
    const { page, household } = here;
    const allow = page.getByRole('switch', { name: t('security.remote.allow') });
    await here.open(t('security.title'));
    await allow.press(' ');
    await here.button(t('saveBar.save')).click();
    await page.getByText(text('api.control.ownTwoStep'), { exact: false }).waitFor();
    await inspectPanel(page, 'security-remote-refused');
    expect((await household.control('settings.get')).remotePanel).toBe(false);
    ({ key } = await switchOnTwoStep(household));
    await here.button(t('saveBar.save')).click();
    await page.getByText(/^https:.*\/panel\/$/).waitFor();
    await inspectPanel(page, 'security-remote');
    expect((await household.control('settings.get')).remotePanel).toBe(true);
    // The switch of before was marked wrong, and is not any more.
    await expect.poll(() => page.getByText('Turn on two-step sign-in', { exact: false }).count()).toBe(0);
    // The browser itself writes that an answer was none.
    here.complaints.length = 0;
  });

  it('asks for name and password, then for the code, and shows errors', async () => {
    await there.goto(`${root()}#/security`);
    await there.getByRole('heading', { name: t('panelSignIn.heading') }).waitFor();
    await inspectPanel(there, 'remote-sign-in');
    // Who came here by mistake finds back.
    await there.getByRole('link', { name: t('panelSignIn.back') }).click();
    await there.waitForURL(new URL('../', root()).href);
    await there.goto(`${root()}#/security`);
    await button(t('panelSignIn.submit')).click();
    await there.getByText(t('panelSignIn.needed.username')).waitFor();
    await field(t('panelSignIn.username')).fill(OWNER.username);
    await field(t('panelSignIn.password')).fill('wrong password');
    await button(t('panelSignIn.submit')).click();
    await there.getByText(pageText('signIn.problem.refused')).waitFor();
    await inspectPanel(there, 'remote-sign-in-wrong');
    expect(await field(t('panelSignIn.username')).inputValue()).toBe(OWNER.username);
    expect(await field(t('panelSignIn.password')).inputValue()).toBe('');
    // Soon after a wrong password one has to wait; that is another test's.
    here.household.clock.advance(HALF_A_MINUTE);
    await field(t('panelSignIn.password')).fill(OWNER.password);
    await button(t('panelSignIn.submit')).click();
    await field(t('panelSignIn.otp')).waitFor();
    expect(complaints.filter((complaint) => !/status of 4\d\d/.test(complaint))).toEqual([]);
    complaints.length = 0;
    await expect.poll(() => there.evaluate('document.activeElement.name')).toBe('otp');
    await inspectPanel(there, 'remote-code');
    await field(t('panelSignIn.otp')).fill('000000');
    await button(t('panelSignIn.submit')).click();
    await there.getByText(pageText('signIn.code.wrong')).waitFor();
    await expect.poll(() => field(t('panelSignIn.otp')).inputValue()).toBe('');
    await inspectPanel(there, 'remote-code-wrong');
    await field(t('panelSignIn.otp')).fill(code());
    await button(t('panelSignIn.submit')).click();
    // To the page that was asked for.
    await there.getByRole('heading', { level: 1, name: t('security.title') }).waitFor();
    here.household.clock.advance(HALF_A_MINUTE);
    complaints.length = 0;
  });

  it('is the complete panel, also after a reload, and receives events of the server', async () => {
    await there.reload();
    await there.getByRole('heading', { level: 1, name: t('security.title') }).waitFor();
    await there.getByRole('link', { name: t('nav.overview') }).click();
    await running().waitFor();
    await inspectPanel(there, 'remote-overview');
    await there.getByRole('link', { name: t('nav.files'), exact: true }).click();
    await there.getByRole('heading', { level: 1, name: t('nav.files') }).waitFor();
    const days = there.getByLabel(t('files.policies.trash'));
    await days.fill('17');
    await button(t('saveBar.save')).click();
    await expect.poll(async () => (await here.household.control('settings.get')).trashDays).toBe(17);
    expect(complaints).toEqual([]);
  });

  itInFull('asks again when the session has ended, and keeps unsaved input', async () => {
    const days = there.getByLabel(t('files.policies.trash'));
    await days.fill('23');
    const { household } = here;
    household.clock.advance(HOUR);
    await there.getByText(t('panelSignIn.ended'), { exact: false }).waitFor();
    await inspectPanel(there, 'remote-sign-in-again');
    await there.keyboard.press('Escape');
    await there.keyboard.press('Escape');
    await expect.poll(() => button(t('panelSignIn.submit')).isVisible()).toBe(true);
    await signIn();
    await button(t('panelSignIn.submit')).waitFor({ state: 'detached' });
    expect(await days.inputValue()).toBe('23');
    await button(t('saveBar.save')).click();
    await expect.poll(async () => (await household.control('settings.get')).trashDays).toBe(23);
    // The same with a dialog open, and keys that would close it or open another one.
    await there.getByRole('link', { name: t('nav.people'), exact: true }).click();
    await there
      .getByRole('navigation', { name: t('nav.people') })
      .getByRole('link', { name: t('people.tabs.groups') })
      .click();
    await button(t('people.groups.add')).first().click();
    const group = there.locator('[role=dialog]').getByLabel(t('people.groups.name'));
    await group.fill('Choir');
    household.clock.advance(HOUR);
    await there.getByText(t('panelSignIn.ended'), { exact: false }).waitFor();
    await field(t('panelSignIn.username')).focus();
    await there.keyboard.press('Escape');
    await there.keyboard.press('Control+k');
    await signIn();
    await button(t('panelSignIn.submit')).waitFor({ state: 'detached' });
    expect(await group.inputValue()).toBe('Choir');
    expect(await there.locator('[role=dialog]').count()).toBe(1);
    await there.keyboard.press('Escape');
    await there.locator('[role=dialog]').waitFor({ state: 'detached' });
    await there.getByRole('link', { name: t('nav.files'), exact: true }).click();
    complaints.length = 0;
  });

  itInFull('is linked from the account page of the owner', async () => {
    const { page, complaints: wrong } = await visit(here.browser);
    await page.goto(`https://localhost:${here.household.port}/account/`);
    await page.locator('#username').fill(OWNER.username);
    await page.locator('#password').fill(OWNER.password);
    await page.locator('#password').press('Enter');
    await page.locator('input[autocomplete="one-time-code"]').fill(code());
    await page.locator('input[autocomplete="one-time-code"]').press('Enter');
    here.household.clock.advance(HALF_A_MINUTE);
    await inspect(page, 'account-with-panel');
    await page.locator('section a[href$="/panel/"]').click();
    await page.getByRole('heading', { name: t('panelSignIn.heading') }).waitFor();
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('is closed by signing out, and by disabling it', async () => {
    await button(t('panelSignIn.out')).click();
    await there.getByRole('heading', { name: t('panelSignIn.heading') }).waitFor();
    expect(await there.evaluate('sessionStorage.length')).toBe(0);
    await signIn();
    await there.getByRole('heading', { level: 1, name: t('nav.files') }).waitFor();
    await here.household.control('settings.update', { remotePanel: false });
    // The page hears of it by itself.
    await there.getByRole('heading', { name: t('panelSignIn.heading') }).waitFor();
    await there.reload();
    await there.getByRole('heading', { name: pageText('missing.heading') }).waitFor();
  });
});

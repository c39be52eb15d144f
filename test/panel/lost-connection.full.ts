/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/page.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { MEMBER } from '../support/households/member.ts';
import { openTunnel, type Tunnel } from '../support/requests/tunnel.ts';
import { t as text } from '../support/server-texts.ts';

let browser: Awaited<ReturnType<typeof launchBrowser>>;
let household: Household;
let tunnel: Tunnel;
let page: Page;
let context: Awaited<ReturnType<typeof visit>>['context'];
let complaints: string[];

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  tunnel = await openTunnel(() => household.controlPort);
  for (const name of ['Mia', 'Milo']) {
    await household.control('accounts.add', { ...MEMBER, username: name.toLowerCase(), name });
  }
});
beforeEach(async () => {
  ({ context, page, complaints } = await visit(browser));
  await page.goto(await freshLink());
  await heading(t('overview.heading')).waitFor();
});
afterEach(async () => {
  await context?.close();
  await tunnel.mend();
});
afterAll(async () => {
  await browser?.close();
  await tunnel?.cut();
  await household?.close();
});

/** As it is printed, by the way of the tunnel. */
async function freshLink(): Promise<string> {
  const url = new URL(String((await household.control('panel.link')).url));
  url.port = String(tunnel.port);
  return url.href;
}

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const open = (name: string) =>
  page
    .getByRole('navigation', { name: t('nav.pages') })
    .getByRole('link', { name, exact: true })
    .click();
const here = () => page.evaluate('location.hash') as Promise<string>;
const lost = () => page.getByRole('status').getByText(t('common.noAnswer'));
const countdown = () =>
  page.getByText(new RegExp(`^(?:${like('connection.again').source}|${like('connection.now').source})$`));
const limit = async () => (await household.control('settings.get')).wrongPasswordLimit;
/** That nothing answers is written into the console by the browser itself. */
const complained = () => complaints.filter((line) => !/Failed to load resource|ERR_/.test(line));

async function away(): Promise<void> {
  await tunnel.cut();
  await lost().waitFor();
}

async function back(): Promise<void> {
  await tunnel.mend();
  await lost().waitFor({ state: 'detached' });
}

/** The server ends and begins anew, on the same folder: it knows none of the tabs of before. */
const restart = (work: () => Promise<void> = async () => undefined) =>
  household.whileStopped(work, { port: household.port });

/** Something is sent to the server, and the page is told so. */
async function goesIn(): Promise<void> {
  const api = await household.signIn();
  await api.get('files/browse', { path: '/ROOT/HOME' });
  const rates = page.locator('dl').filter({ hasText: /\/s/ }).first();
  // Everything that it shows is kept: a rate is gone a few seconds later.
  const shown = await rates.evaluateHandle((list) => {
    const texts: string[] = [];
    const keep = () => texts.push((list as HTMLElement).innerText);
    new MutationObserver(keep).observe(list, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  const { status } = await api.put({ path: `/ROOT/HOME/${Date.now()}.bin` }, Buffer.alloc(3 * 1024 * 1024, 7));
  expect(status).toBe(201);
  await expect.poll(() => shown.evaluate((texts) => texts.join('\n'))).toMatch(/(?:MB|[1-9]\d+ KB)\/s/);
}

describe('while the server does not respond', () => {
  it('the overview stays, and resumes afterwards: its values, events and transfers', async () => {
    await page.getByText(t('overview.activity')).waitFor();
    await away();
    const first = await countdown().innerText();
    await expect.poll(() => countdown().innerText(), { message: 'it counts' }).not.toBe(first);
    // Nobody knows whether it is running.
    await heading(t('overview.headingLost')).waitFor();
    await expect.poll(() => heading(t('overview.heading')).count()).toBe(0);
    await page.getByText(t('overview.asBefore')).waitFor();
    await page.getByText(t('overview.activity')).waitFor();
    await inspectPanel(page, 'lost-overview');
    // It stays in sight, whatever is scrolled to.
    await page.setViewportSize({ width: 390, height: 500 });
    await page.mouse.wheel(0, 5_000);
    await expect.poll(async () => (await lost().boundingBox())?.y ?? -1).toBeLessThan(60);
    await expect.poll(async () => (await lost().boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 832 });
    // What happens meanwhile is told to nobody, and seen afterwards.
    await household.control('settings.update', { householdName: 'Orchard House' });
    await back();
    await heading(t('overview.heading')).waitFor();
    await page.getByText('Orchard House').filter({ visible: true }).first().waitFor();
    await goesIn();
    expect(complained()).toEqual([]);
  });

  it('a list stays, and a search in it is carried out once the server is back', async () => {
    await open(t('nav.people'));
    await heading(t('nav.people')).waitFor();
    await page.getByRole('rowheader', { name: 'Mia' }).waitFor();
    await away();
    await page.getByRole('searchbox').fill('milo');
    await expect.poll(here).toContain('milo');
    await page
      .getByRole('alert')
      .getByText(`${t('common.unread')} ${t('common.noAnswer')}`)
      .waitFor();
    await inspectPanel(page, 'lost-list');
    await household.control('accounts.add', { ...MEMBER, username: 'milow', name: 'Milow' });
    await back();
    await page.getByRole('rowheader', { name: 'Milow' }).waitFor();
    await page.getByRole('rowheader', { name: 'Mia' }).waitFor({ state: 'detached' });
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('milo');
    expect(complained()).toEqual([]);
  });

  it('input is kept; saving reports that the server does not respond, and is repeated', async () => {
    await open(t('nav.security'));
    const before = Number(await limit());
    await page.getByLabel(t('security.passwords.limit')).fill(String(before + 2));
    await away();
    await button(t('saveBar.save')).click();
    await page.getByRole('alert').getByText(t('common.noAnswer')).waitFor();
    await inspectPanel(page, 'lost-form');
    await expect.poll(() => page.getByLabel(t('security.passwords.limit')).inputValue()).toBe(String(before + 2));
    await page.getByText(t('saveBar.changes', { count: 1 })).waitFor();
    expect(await limit()).toBe(before);
    // Another page, and back again: it asks as ever.
    await open(t('nav.mail'));
    await dialog()
      .getByRole('button', { name: t('saveBar.stay') })
      .click();
    // Whoever saves as soon as it is back need not wait for the next try.
    await tunnel.mend();
    await button(t('saveBar.save')).click();
    await page.getByText(like('saveBar.changes')).waitFor({ state: 'detached' });
    await lost().waitFor({ state: 'detached' });
    expect(await limit()).toBe(before + 2);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expect(complained()).toEqual([]);
  });

  it('a dialog stays with its input', async () => {
    await open(t('nav.api'));
    await button(t('panelApi.clients.add'))
      .or(button(t('panelApi.form.addTitle')))
      .first()
      .click();
    await dialog().getByLabel(t('panelApi.form.name')).fill('Notes');
    await away();
    // Over the dialog, not under it.
    const top = `document.elementFromPoint(innerWidth / 2, 10).closest('[role="dialog"], .mantine-Modal-overlay') === null`;
    await expect.poll(() => page.evaluate(top)).toBe(true);
    await dialog()
      .getByRole('button', { name: t('panelApi.form.add') })
      .click();
    await dialog().getByRole('alert').getByText(t('common.noAnswer')).waitFor();
    await inspectPanel(page, 'lost-dialog');
    await expect.poll(() => dialog().getByLabel(t('panelApi.form.name')).inputValue()).toBe('Notes');
    await back();
    await dialog()
      .getByRole('button', { name: t('panelApi.form.add') })
      .click();
    await dialog().getByText(t('panelApi.added.once')).waitFor();
    expect(complained()).toEqual([]);
  });

  it('a page opened meanwhile shows a message, and loads once the server is back', async () => {
    await away();
    await open(t('nav.backup'));
    await page.getByRole('alert').first().waitFor();
    await back();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(complained()).toEqual([]);
  });
});

describe('after the server has restarted', () => {
  it('the page requests a new link, keeps the input, and continues with the link', async () => {
    await open(t('nav.security'));
    const before = Number(await limit());
    await page.getByLabel(t('security.passwords.limit')).fill(String(before + 1));
    await page.getByText(t('saveBar.changes', { count: 1 })).waitFor();
    await restart(() => lost().waitFor());
    const status = page.getByRole('status').getByText(t('connection.needsLink'));
    await status.waitFor();
    await page.getByText(t('locked.command'), { exact: true }).waitFor();
    await inspectPanel(page, 'locked-form');
    await button(t('saveBar.save')).click();
    await page.getByRole('alert').getByText(t('locked.command')).waitFor();
    // A link that is no good says so, and takes nothing away.
    await page.goto((await freshLink()).replace(/open=.*/, 'open=nothing'));
    await page.getByRole('status').getByText(text('api.control.linkUsed')).waitFor();
    await expect.poll(() => page.getByLabel(t('security.passwords.limit')).inputValue()).toBe(String(before + 1));
    await page.goto(await freshLink());
    await status.waitFor({ state: 'detached' });
    await expect.poll(here).toBe('#/security');
    await expect.poll(() => page.getByLabel(t('security.passwords.limit')).inputValue()).toBe(String(before + 1));
    await button(t('saveBar.save')).click();
    await page.getByText(like('saveBar.changes')).waitFor({ state: 'detached' });
    expect(await limit()).toBe(before + 1);
    // It hears again what the server tells.
    await open(t('nav.overview'));
    await goesIn();
    expect(complained()).toEqual([]);
  });

  it('a new link in another tab leads to the previous page, and later to the first', async () => {
    await open(t('nav.people'));
    // Those of the overview are called the same.
    await heading(t('nav.people')).waitFor();
    await page.getByRole('rowheader', { name: 'Mia' }).waitFor();
    await restart(() => lost().waitFor());
    await page.getByText(t('connection.needsLink')).waitFor();
    await page.getByRole('rowheader', { name: 'Mia' }).waitFor();
    const other = await context.newPage();
    await other.goto(await freshLink());
    await other.getByRole('rowheader', { name: 'Mia' }).waitFor();
    expect(new URL(other.url()).hash).toBe('#/people');
    const third = await context.newPage();
    await third.goto(await freshLink());
    await third.getByRole('heading', { name: t('overview.heading') }).waitFor();
  });

  it('a reloaded tab is locked without a new link, and shows its page with one', async () => {
    await open(t('nav.people'));
    await restart(() => lost().waitFor());
    await page.reload();
    await heading(t('locked.signInHeading')).waitFor();
    await inspectPanel(page, 'locked', ['usual', 'phone']);
    await page.goto(await freshLink());
    await page.getByRole('rowheader', { name: 'Mia' }).waitFor();
    expect(await here()).toBe('#/people');
    await page.goBack();
    await expect.poll(() => page.url()).not.toContain('open=');
  });
});

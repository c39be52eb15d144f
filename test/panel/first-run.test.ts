import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { takePicture, visit } from '../support/browser/page.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { t } from '../support/browser/panel-texts.ts';
import { itInFull, sampled } from '../support/forms.ts';
import { ANN, openFirstRun, PASSWORD } from '../support/households/first-run.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { t as pageText, like as serverText } from '../support/server-texts.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold({ owner: null })]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const newLink = async () => String((await household.control('panel.link')).url);
const open = async () => openFirstRun(browser, await newLink());

describe('before there is an owner', () => {
  it('requires an unused link', async () => {
    const link = await newLink();
    const first = await openFirstRun(browser, link);
    expect(first.page.url(), 'the secret does not stay in the address').not.toContain('open=');

    const { page, complaints, context } = await visit(browser);
    await page.goto(link);
    await page.getByRole('heading', { name: t('locked.heading') }).waitFor();
    await expect.poll(() => page.getByLabel(t('firstRun.you.username')).count()).toBe(0);
    expect(complaints.filter((text) => !/status of 401/.test(text))).toEqual([]);
    await inspectPanel(page, 'panel-locked');
    await context.close();
    await first.context.close();
  });

  itInFull('shows a message without a link', async () => {
    const { page, complaints, context } = await visit(browser);
    await page.goto(`http://127.0.0.1:${household.controlPort}/`);
    await page.getByText(t('locked.command')).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('shows how to continue without JavaScript', async () => {
    const { page, context } = await visit(browser, { javaScriptEnabled: false });
    await page.goto(await newLink());
    await page.getByRole('heading', { name: t('noScript.heading') }).waitFor();
    await expect.poll(() => page.locator('noscript').textContent()).toContain('larder setup --owner');
    await context.close();
  });

  itInFull('shows an accessible form', async () => {
    const { page, button, complaints, context } = await open();
    await expect.poll(() => page.title()).toBe(t('common.documentTitle', { page: t('firstRun.you.heading') }));
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await inspectPanel(page, 'panel-you');
    const order: string[] = [];
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab');
      order.push(
        await page.evaluate(
          '(({ name, role, ariaLabel, textContent }) => name || role || ariaLabel || textContent)(document.activeElement)',
        ),
      );
    }
    const show = t('firstRun.you.show');
    expect(order).toEqual(['name', 'owner', 'password', show, 'repeat', show, 'switch', t('firstRun.next')]);
    await button(t('firstRun.next')).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outline'), 'focus can be seen').toMatch(
      /solid 2px/,
    );
    await expect.poll(() => button(t('firstRun.back')).count(), { message: 'there is nothing before it' }).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('loses nothing but passwords on a reload', async () => {
    const { page, asks, field, fill, context } = await open();
    await fill(ANN);
    page.on('dialog', (question) => void question.accept());
    await page.reload();
    await asks('you');
    expect(await field(t('firstRun.you.name')).inputValue()).toBe(ANN[t('firstRun.you.name')]);
    expect(await field(t('firstRun.you.username')).inputValue()).toBe(ANN[t('firstRun.you.username')]);
    expect(await field(t('firstRun.you.password')).inputValue()).toBe('');
    expect(JSON.stringify(await page.evaluate('({ ...sessionStorage })'))).not.toContain(PASSWORD);
    await context.close();
  });

  itInFull('keeps only this tab signed in over a reload', async () => {
    const { page, asks, context } = await open();
    await page.reload();
    await asks('you');
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole('heading', { name: t('locked.heading') }).waitFor();
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  itInFull('reports all missing fields at once', async () => {
    const { page, button, context } = await open();
    await button(t('firstRun.next')).click();
    const missing = [
      t('firstRun.you.needed.name'),
      t('firstRun.you.needed.owner'),
      t('firstRun.you.needed.password'),
      t('firstRun.you.needed.repeat'),
    ];
    for (const text of missing) {
      await expect.poll(() => page.getByText(text, { exact: true }).isVisible(), { message: text }).toBe(true);
      await expect.poll(() => page.getByRole('alert').first().textContent()).toContain(text);
    }
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
    await inspectPanel(page, 'panel-you-empty');
    await context.close();
  });

  itInFull('shows beside the field that the passwords differ, without a request to the server', async () => {
    const { page, button, field, fill, complaints, context } = await open();
    await fill({ ...ANN, [t('firstRun.you.repeat')]: `${PASSWORD}!` });
    await button(t('firstRun.next')).click();
    await page.getByText(t('firstRun.you.differ')).waitFor();
    const repeat = field(t('firstRun.you.repeat'));
    await expect.poll(() => repeat.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('repeat');
    await repeat.fill(PASSWORD);
    await expect
      .poll(() => page.getByText(t('firstRun.you.differ')).isVisible(), { message: 'gone once it is mended' })
      .toBe(false);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull.each(
    sampled(
      [
        [
          'a password that is too short',
          'ann',
          'short',
          t('firstRun.you.password'),
          serverText('api.passwords.tooShort'),
        ],
        [
          'a password everybody tries',
          'ann',
          'aaaaaaaaaaaa',
          t('firstRun.you.password'),
          serverText('api.passwords.common'),
        ],
        [
          'a user name that cannot be one',
          'ann/ben',
          PASSWORD,
          t('firstRun.you.username'),
          serverText('api.usernames.characters'),
        ],
      ],
      2,
    ),
  )('refuses %s, and keeps the input', async (_name, owner, password, wrongField, text) => {
    const { page, button, field, fill, complaints, context } = await open();
    await fill({
      [t('firstRun.you.name')]: 'Ann',
      [t('firstRun.you.username')]: owner,
      [t('firstRun.you.password')]: password,
      [t('firstRun.you.repeat')]: password,
    });
    await button(t('firstRun.next')).click();
    await page.getByText(text).waitFor();
    const wrong = field(wrongField);
    await expect.poll(() => wrong.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => wrong.evaluate((element) => element.matches(':focus'))).toBe(true);
    const described = ((await wrong.getAttribute('aria-describedby')) ?? '').split(' ').map((id) => `[id="${id}"]`);
    expect((await page.locator(described.join()).allTextContents()).join(' ')).toMatch(text);
    await expect.poll(() => field(t('firstRun.you.username')).inputValue()).toBe(owner);
    for (const name of [t('firstRun.you.password'), t('firstRun.you.repeat')]) {
      await expect.poll(() => field(name).inputValue()).toBe(password);
    }
    expect(complaints).toEqual([]);
    expect(await household.control('status')).toMatchObject({ hasOwner: false, apiEnabled: false });
    await context.close();
  });

  itInFull('keeps the input if the server cannot be reached', async () => {
    const { page, button, field, fill, goOn, goBack, context } = await open();
    await fill(ANN);
    await goOn('address');
    await goOn('apps');
    await context.setOffline(true);
    await button(t('firstRun.apps.submit')).click();
    await page.getByText(`${t('common.noAnswer')} ${t('firstRun.kept')}`).waitFor();
    await takePicture(page, 'panel-apps-away');
    await goBack('address');
    await goBack('you');
    await expect.poll(() => field(t('firstRun.you.repeat')).inputValue()).toBe(PASSWORD);
    await context.close();
  });
});

describe('the end of the set-up', () => {
  it('creates the owner and shows the address of the household', async () => {
    const { page, button, field, fill, asks, goOn, complaints, context } = await open();
    await page.clock.install();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await fill(ANN);
    const own = join(household.folder, 'homes', 'what I have');
    await mkdir(own);
    await writeFile(join(own, 'lake.txt'), 'a picture');
    await page.getByRole('switch', { name: t('firstRun.you.files') }).press(' ');
    await button(t('firstRun.next')).click();
    await page.getByText(t('firstRun.you.needed.homeFolder')).waitFor();
    // One that is gone by the time of the set-up leads back to its field, and nothing is lost.
    await mkdir(`${own} not`);
    await fill({ [t('firstRun.you.homeFolder')]: `${own} not` });
    await goOn('address');
    await fill({ [t('firstRun.address.household')]: 'Orchard House' });
    await goOn('apps');
    await rmdir(`${own} not`);
    await button(t('firstRun.apps.submit')).click();
    await asks('you');
    await expect.poll(() => field(t('firstRun.you.homeFolder')).getAttribute('aria-invalid')).toBe('true');
    await inspectPanel(page, 'panel-you-files', ['usual', 'phone']);
    // What is typed is checked after a pause, which may end only once set-up has begun: a household that is set up would refuse.
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.url().split('/').at(-1) ?? ''));
    await page.route('**/control/setup', async (route) => {
      await page.clock.fastForward(10_000);
      await page.clock.resume();
      await route.continue();
    });
    await fill({ [t('firstRun.you.homeFolder')]: own });
    await field(t('firstRun.you.homeFolder')).press('Enter');
    await asks('address');
    await goOn('apps');
    await button(t('firstRun.apps.submit')).click();
    await page
      .getByRole('heading', { level: 1, name: t('firstRun.done.heading', { household: 'Orchard House' }) })
      .waitFor();
    expect(calls.slice(calls.indexOf('setup'))).not.toContain('setup.check');
    await expect
      .poll(() => page.title())
      .toBe(t('common.documentTitle', { page: t('firstRun.done.heading', { household: 'Orchard House' }) }));
    // Only this computer can reach it here: what other devices need is not shown half-empty.
    const { addresses } = (await household.control('status')) as { addresses: string[] };
    const files = `${addresses[0]}/files/`;
    await page.getByText(t('trust.alone')).waitFor();
    await expect.poll(() => page.getByText(t('trust.title')).count()).toBe(0);
    await button(t('common.copyOf', { what: files })).click();
    await page.getByText(t('common.copied'), { exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(files);
    await inspectPanel(page, 'panel-done');
    // The files come first, at an address that works here.
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: t('firstRun.done.openFiles') }).click();
    const tab = await opened;
    await tab.getByLabel(pageText('signIn.username')).fill(ANN[t('firstRun.you.username')] ?? '');
    await tab.getByLabel(pageText('signIn.password')).fill(PASSWORD);
    await tab.getByRole('button', { name: pageText('uploads.signIn') }).click();
    await tab.getByText('lake.txt').waitFor();
    await tab.close();
    await button(t('firstRun.done.open')).click();
    await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
    await page.getByText(t('overview.activity')).waitFor();
    await inspectPanel(page, 'panel-overview');
    // What was asked is over, also for the browser's own button.
    await page.evaluate('history.back()');
    await page.getByRole('link', { name: t('panelApi.clients.columns.people') }).click();
    await page.getByRole('heading', { level: 1, name: t('panelApi.clients.columns.people') }).waitFor();
    expect(complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
    expect(await household.control('settings.get')).toMatchObject({ apiEnabled: true, householdName: 'Orchard House' });
    expect(await household.control('accounts.get', { id: 1 })).toMatchObject({ homeFolder: own });
    await context.close();
  });

  itInFull('cannot be repeated', async () => {
    const { page, context } = await visit(browser);
    await page.goto(await newLink());
    await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: t('firstRun.next') }).count()).toBe(0);
    // What only the window of the desktop application can do is not there.
    await expect.poll(() => page.getByRole('button', { name: t('overview.pause') }).count()).toBe(0);
    await context.close();
  });

  it('leads to an overview that shows warnings and switches the API', async () => {
    await household.control('settings.update', { httpTesting: true });
    const { page, complaints, context } = await visit(browser);
    await page.goto(await newLink());
    await page.getByText(t('panelApi.httpWarning.text')).waitFor();
    await inspectPanel(page, 'panel-attention');
    await page.getByRole('switch', { name: t('overview.enableApi') }).press(' ');
    await expect.poll(() => household.control('settings.get')).toMatchObject({ apiEnabled: false });
    expect(complaints).toEqual([]);
    await context.close();
  });
});

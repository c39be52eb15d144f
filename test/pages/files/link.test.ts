import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { edgesOf } from '../../support/browser/geometry.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { itInFull } from '../../support/forms.ts';
import { homeOf } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { address, enterAt, names, row, sampleHome } from './support.ts';

let browser: Browser;
let household: SharingHousehold;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  await household.control('accounts.update', { username: 'olga', name: 'Olga', lastName: 'Ohm' });
  await household.control('accounts.update', { username: 'ben', name: 'Ben', lastName: '<b>Bell' });
  await sampleHome(homeOf(household, 'olga'));
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function enter(username: string, path: string, options: BrowserContextOptions = {}) {
  return enterAt({ browser, household }, path, { username, ...options });
}

async function openDialog(page: Page, name: string) {
  await row(page, name).locator('.more').click();
  await page.getByRole('menuitem', { name: t('files.actions.link'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: t('weblinks.heading', { name }) });
  await dialog.waitFor();
  return dialog;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const addressOf = (page: Page) => page.getByLabel(t('weblinks.address'), { exact: true }).inputValue();
const stateOf = (page: Page) => page.locator('.known li').allTextContents();

/** What the API says of the link of somebody's file. */
async function known(person: 'olga' | 'ben', path: string) {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const { body } = await household.as(person).get('files/browse', { path: folder, 'details[]': 'weblink-full' });
  return body.data.files.find((file: { path: string }) => file.path === path)['weblink-full'];
}

/** What somebody without an account gets at an address. */
async function outside(link: string) {
  const { pathname, search } = new URL(link);
  return new WebVisitor(household).get(`${pathname}${search}`);
}

/** A day, as a date field has it. */
function dayIn(days: number): string {
  const date = new Date(household.clock.now() + days * 86_400_000);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

describe('links on the pages', () => {
  it('are created, copied, changed and deleted in a dialog', async () => {
    const { page, complaints, context } = await enter('olga', '/files/?path=/ROOT/HOME', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const dialog = await openDialog(page, 'Plum jam.txt');
    await dialog.getByText(t('weblinks.lead.file', { reach: 'home' })).waitFor();
    await dialog.getByText(t('weblinks.where.warning')).waitFor();
    await inspect(page, 'link-dialog');
    await button(page, t('weblinks.create')).click();
    await dialog.getByText(t('weblinks.done.created')).waitFor();
    const link = await addressOf(page);
    expect(link).toMatch(new RegExp(`^https://127\\.0\\.0\\.1:${household.port}/wl/\\?id=[A-Za-z0-9]{32}$`));
    expect((await outside(link)).text).toContain('Plum jam.txt');
    await page.getByRole('img', { name: t('weblinks.qrCode') }).waitFor();
    expect(await stateOf(page)).toEqual([t('weblinks.state.open')]);
    await button(page, t('weblinks.copy')).click();
    await dialog.getByText(t('weblinks.copied'), { exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
    await inspect(page, 'link-dialog-made');

    await dialog.getByText(t('weblinks.options'), { exact: true }).click();
    await page.getByLabel(t('weblinks.password.label')).fill('plum');
    await page.getByLabel(t('weblinks.limit.label')).fill('5');
    await page.getByLabel(t('weblinks.expiry.label')).fill('2020-01-31');
    await page.getByLabel(t('weblinks.terms.label')).fill('Do not sell </textarea><b>this</b>');
    await page.getByLabel(t('weblinks.flags.showMetadata')).check();
    await button(page, t('weblinks.save')).click();
    const wrong = page.getByRole('alert').filter({ hasText: t('weblinks.problems.expiry') });
    await wrong.waitFor();
    await expect.poll(() => page.getByLabel(t('weblinks.expiry.label')).getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.getByLabel(t('weblinks.limit.label')).inputValue()).toBe('5');
    await inspect(page, 'link-dialog-refused');
    await page.getByLabel(t('weblinks.expiry.label')).fill(dayIn(400));
    await button(page, t('weblinks.save')).click();
    await dialog.getByText(t('weblinks.done.saved')).waitFor();
    const [until, ...others] = await stateOf(page);
    expect(until).toMatch(new RegExp(`^${t('weblinks.state.until', { date: '\\d+ \\w+ \\d{4}' })}$`));
    expect(others).toEqual([
      t('weblinks.state.used', { used: 0, limit: 5 }),
      t('weblinks.state.password'),
      t('weblinks.state.terms'),
    ]);
    expect(await addressOf(page)).toBe(link);
    const path = '/ROOT/HOME/Plum jam.txt';
    expect(await known('olga', path)).toMatchObject({
      ...{ url: link, password: true, download_limit: 5, expiry: `${dayIn(400)} 23:59:59`, show_metadata: true },
      download_terms: 'Do not sell </textarea><b>this</b>',
    });
    const asked = await outside(link);
    expect(asked.text).toContain(t('links.password.heading'));
    expect(asked.text).not.toContain('Plum jam');

    // What is not touched stays as it is; a password stays until another one is typed, or none is wanted.
    await dialog.getByText(t('weblinks.options'), { exact: true }).click();
    await expect
      .poll(() => page.getByLabel(t('weblinks.terms.label')).inputValue())
      .toBe('Do not sell </textarea><b>this</b>');
    await inspect(page, 'link-dialog-options');
    await page.getByLabel(t('weblinks.flags.showMetadata')).uncheck();
    await button(page, t('weblinks.save')).click();
    await expect.poll(() => page.locator('.options[open]').count()).toBe(0);
    expect(await stateOf(page)).toEqual([until, ...others]);
    expect(await known('olga', path)).toMatchObject({ password: true, expiry: `${dayIn(400)} 23:59:59` });
    await dialog.getByText(t('weblinks.options'), { exact: true }).click();
    await page.getByLabel(t('weblinks.password.remove')).check();
    await page.getByLabel(t('weblinks.terms.label')).fill('');
    await button(page, t('weblinks.save')).click();
    await expect.poll(() => stateOf(page)).toEqual([until, t('weblinks.state.used', { used: 0, limit: 5 })]);

    await button(page, t('weblinks.close')).click();
    await row(page, 'Plum jam.txt').getByTitle(t('files.row.linked')).waitFor();
    await page.getByRole('link', { name: 'My links' }).click();
    await expect.poll(() => names(page)).toEqual(['Plum jam.txt']);
    await expect
      .poll(() => page.locator('.items .item-folder').textContent())
      .toBe(`${until} · ${t('weblinks.state.used', { used: 0, limit: 5 })}`);
    await inspect(page, 'links');
    await openDialog(page, 'Plum jam.txt');
    await dialog.getByText(t('weblinks.end.label')).first().click();
    await dialog.getByText(t('weblinks.end.lead', { links: 'one' })).waitFor();
    await inspect(page, 'link-dialog-end');
    await button(page, t('weblinks.end.label')).click();
    await dialog.getByText(t('weblinks.done.ended')).waitFor();
    await button(page, t('weblinks.create')).waitFor();
    expect((await outside(link)).status).toBe(404);
    await page.keyboard.press('Escape');
    await page.getByText(t('files.empty.links.heading')).waitFor();
    await inspect(page, 'links-empty');
    // The day that was refused.
    expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
    await context.close();
  });

  itInFull('for one download and for 15 minutes can coexist, and show what remains of them', async () => {
    const { page, complaints, context } = await enter('olga', '/files/?path=/ROOT/HOME');
    const dialog = await openDialog(page, 'Scans 2024.zip');
    await button(page, t('weblinks.quick.single')).click();
    await dialog.getByText(t('weblinks.done.single')).waitFor();
    const once = await page.getByLabel(t('weblinks.extras.address', { state: t('weblinks.state.once') })).inputValue();
    const extras = page.locator('.extras li');
    // In a low window, a new one comes into view, above the buttons.
    await page.setViewportSize({ width: 390, height: 640 });
    await button(page, t('weblinks.quick.temporary')).click();
    await dialog.getByText(t('weblinks.done.temporary')).waitFor();
    await expect
      .poll(async () => {
        const { top, bottom } = await edgesOf(extras.first());
        return top >= (await edgesOf(dialog)).top && bottom <= (await edgesOf(page.locator('dialog .foot'))).top;
      })
      .toBe(true);
    await page.setViewportSize({ width: 1280, height: 832 });
    expect(await extras.locator('p').allTextContents()).toEqual([
      t('weblinks.state.minutesLeft', { minutes: 15 }),
      t('weblinks.state.once'),
    ]);
    const soon = await page
      .getByLabel(t('weblinks.extras.address', { state: t('weblinks.state.minutesLeft', { minutes: 15 }) }))
      .inputValue();
    await button(page, t('weblinks.create')).click();
    await dialog.getByText(t('weblinks.done.created')).waitFor();
    const standing = await addressOf(page);
    expect(new Set([once, soon, standing]).size).toBe(3);
    await inspect(page, 'link-dialog-extras');
    household.clock.advance(16 * 60_000);
    await page.keyboard.press('Escape');
    await openDialog(page, 'Scans 2024.zip');
    expect(await extras.locator('p').allTextContents()).toEqual([t('weblinks.state.once')]);
    expect((await outside(soon)).status).toBe(410);
    expect((await outside(once)).status).toBe(200);
    await dialog.getByText(t('weblinks.end.labelAll')).click();
    await dialog.getByText(t('weblinks.end.lead', { links: 'withExtras' })).waitFor();
    await button(page, t('weblinks.end.submitAll')).click();
    await dialog.getByText(t('weblinks.done.ended')).waitFor();
    for (const link of [once, standing]) expect((await outside(link)).status).toBe(404);
    await expect.poll(() => extras.count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('to a folder can be file requests, and received files show their sender', async () => {
    const { page, complaints, context } = await enter('olga', '/files/item?path=/ROOT/HOME/School');
    await page.getByRole('link', { name: t('files.actions.link'), exact: true }).click();
    const dialog = page.getByRole('dialog', { name: t('weblinks.heading', { name: 'School' }) });
    await dialog.getByText(t('weblinks.more')).click();
    await page.getByRole('radio', { name: t('weblinks.visitors.send.label') }).check();
    await page.getByLabel(t('weblinks.flags.requireLogin')).check();
    await inspect(page, 'link-dialog-folder');
    await page.getByLabel(t('weblinks.flags.requireLogin')).uncheck();
    await button(page, t('weblinks.create')).click();
    await dialog.getByText(t('weblinks.done.created')).waitFor();
    expect(await stateOf(page)).toEqual([t('weblinks.state.request')]);
    const link = await addressOf(page);
    await button(page, t('weblinks.close')).click();
    await page.getByRole('link', { name: t('files.actions.link'), exact: true }).waitFor();

    const visitor = await visit(browser, { javaScriptEnabled: false });
    await visitor.page.goto(link);
    await visitor.page.getByLabel(t('links.send.name')).fill('Gran & <i>Pa');
    await visitor.page
      .locator('#file')
      .setInputFiles({ name: 'cake.txt', mimeType: 'text/plain', buffer: Buffer.from('flour') });
    await visitor.page.getByRole('button', { name: t('links.send.submit') }).click();
    await visitor.page.getByText(t('links.send.thanks', { name: 'Olga' })).waitFor();
    expect(await visitor.page.content()).not.toContain('Essay');
    await visitor.context.close();

    await page.goto(address(household, '/files/item?path=/ROOT/HOME/School/cake.txt'));
    const fact = page.locator('.facts dl > div').filter({ hasText: t('item.sentBy') });
    await expect
      .poll(() => fact.locator('dd').textContent())
      .toBe(t('item.sender', { name: 'Gran & <i>Pa', whose: 'own' }));
    await inspect(page, 'item-sent');
    await page.goto(address(household, '/files/item?path=/ROOT/HOME/School/Essay.docx'));
    await expect.poll(() => page.getByText(t('item.sentBy')).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('that have expired are marked, and can be replaced by new ones', async () => {
    const olga = household.as('olga');
    const path = '/ROOT/HOME/Documents';
    const made = await olga.post('files/weblink', { path, allow_uploads: 1, password: 'x', expiry: dayIn(3) });
    // Before the page is there: what it asks for would be of a session that has expired.
    household.clock.advance(5 * 86_400_000);
    const { page, complaints, context } = await enter('olga', '/files/?path=/ROOT/HOME');
    const dialog = await openDialog(page, 'Documents');
    await dialog.getByText(new RegExp(`^${t('weblinks.state.expired', { date: '\\d+ \\w+' })}`)).waitFor();
    await expect.poll(() => page.getByLabel(t('weblinks.address'), { exact: true }).count()).toBe(0);
    await inspect(page, 'link-dialog-ended');
    await expect
      .poll(() => page.getByRole('radio', { name: t('weblinks.visitors.send.label') }).isChecked())
      .toBe(true);
    await dialog.getByText(t('weblinks.ended.password')).waitFor();
    await button(page, t('weblinks.ended.again')).click();
    await dialog.getByText(t('weblinks.done.created')).waitFor();
    expect(await addressOf(page)).not.toBe(made.body.data.url);
    expect(await stateOf(page)).toEqual([t('weblinks.state.request')]);
    expect((await outside(made.body.data.url)).status).toBe(404);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('are passed to other apps if the device supports that', async () => {
    const { page, context } = await enter('olga', '/files/?path=/ROOT/HOME');
    await page.evaluate('navigator.share = async (given) => { window.given = given; }');
    await openDialog(page, 'Music');
    await button(page, t('weblinks.create')).click();
    const link = await addressOf(page);
    await button(page, t('weblinks.share')).click();
    expect(await page.evaluate('window.given')).toEqual({ title: 'Music', url: link });
    const [other] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: t('weblinks.open') }).click(),
    ]);
    await other.getByText('Orchard song.mp3').waitFor();
    await context.close();
  });

  itInFull('have the public address of the household once one is set', async () => {
    const everywhere = 'https://orchard.example:8443/larder';
    await household.control('settings.update', { baseUrl: `${everywhere}/`, baseUrlConfirmed: true });
    const { page, context } = await enter('olga', '/files/?path=/ROOT/HOME');
    const dialog = await openDialog(page, 'Scans 2024.zip');
    await dialog.getByText(t('weblinks.lead.file', { reach: 'everywhere' })).waitFor();
    expect(await dialog.getByText(t('weblinks.where.home')).count()).toBe(0);
    await button(page, t('weblinks.create')).click();
    await dialog.getByText(t('weblinks.done.created')).waitFor();
    expect(await addressOf(page)).toMatch(/^https:\/\/orchard\.example:8443\/larder\/wl\/\?id=[A-Za-z0-9]{32}$/);
    await context.close();
    await household.control('settings.update', { baseUrl: '' });
  });
});

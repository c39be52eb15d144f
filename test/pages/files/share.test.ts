import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { edgesOf } from '../../support/browser/geometry.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { homeOf } from '../../support/households/member.ts';
import { listed, openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { address, enterAt, fillHome, names, ready, row, sampleHome, withoutTokens } from './support.ts';

let browser: Browser;
let household: SharingHousehold;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  for (const [username, name, lastName] of [
    ['olga', 'Olga', 'Ohm'],
    ['ben', 'Ben', 'Bell'],
    ['gil', 'Gil', ''],
    ['sam', 'Sam', '<b>'],
  ]) {
    await household.control('accounts.update', { username, name, lastName });
  }
  await sampleHome(homeOf(household, 'olga'));
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function enter(username: string, path: string, options: { javaScriptEnabled?: boolean } = {}) {
  return enterAt({ browser, household }, path, { username, ...options });
}

const whoHas = (page: Page) => page.locator('.sharers .name').allTextContents();
const openDialog = async (page: Page, name: string) => {
  await row(page, name).locator('.more').click();
  await page.getByRole('menuitem', { name: t('files.actions.share') }).click();
  await page.getByRole('dialog', { name: t('sharing.heading', { name }) }).waitFor();
};

describe('sharing on the pages', () => {
  it('is created, changed and ended in a dialog', async () => {
    const { page, complaints, context } = await enter('olga', '/files/?path=/ROOT/HOME');
    await openDialog(page, 'Photos');
    await page.getByLabel(t('sharing.add.who'), { exact: true }).selectOption({ label: 'Ben Bell' });
    await page.getByRole('radio', { name: t('sharing.permissions.add.label') }).check();
    await inspect(page, 'share-dialog');
    // What is opened at the lower end comes into view, above the buttons.
    await page.getByText(t('sharing.guest.heading')).click();
    const foot = page.locator('dialog .foot');
    await expect
      .poll(async () => {
        const { bottom } = await edgesOf(page.getByLabel(t('sharing.guest.email')));
        return bottom < (await edgesOf(foot)).top;
      })
      .toBe(true);
    await page.getByText(t('sharing.guest.heading')).click();
    await page.getByRole('button', { name: t('files.actions.share'), exact: true }).click();
    await page.getByRole('dialog').getByText(t('sharing.done.shared')).waitFor();
    expect(await whoHas(page)).toEqual(['Ben Bell']);
    await page.getByLabel(t('sharing.add.who'), { exact: true }).selectOption({ label: 'Family' });
    await page.getByRole('button', { name: t('files.actions.share'), exact: true }).click();
    await page.getByText('Family').first().waitFor();
    await inspect(page, 'share-dialog-shared');

    const base = `/ROOT/${household.ids.olga}`;
    const ben = household.as('ben');
    const [[, path = ''] = []] = listed(await ben.get('files/browse', { path: base }));
    const perms = async () => (await ben.get('files/browse', { path })).body.data.meta.perms;
    expect(await perms()).toEqual({ upload: true, download: true, alter: false });
    const first = page.locator('.sharers > li').first();
    await first.getByText(t('sharing.change'), { exact: true }).click();
    await first.getByRole('radio', { name: t('sharing.permissions.change.label') }).check();
    await first.getByText(t('sharing.permissions.more'), { exact: true }).click();
    await first.getByLabel(t('sharing.permissions.alias')).fill('Summer <i>');
    await page.getByRole('button', { name: t('sharing.save') }).click();
    // Refused with what was typed still there, and why.
    await first.getByRole('alert').waitFor();
    await expect.poll(() => first.getByLabel(t('sharing.permissions.alias')).inputValue()).toBe('Summer <i>');
    await first.getByLabel(t('sharing.permissions.alias')).fill('Summer');
    await page.getByRole('button', { name: t('sharing.save') }).click();
    await page.getByRole('dialog').getByText(t('sharing.done.changed')).waitFor();
    expect(await perms()).toEqual({ upload: true, download: true, alter: true });
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('sharing.close') })
      .click();
    await row(page, 'Photos').getByTitle(t('files.row.shared')).waitFor();
    await page.getByRole('link', { name: 'My shares' }).click();
    await expect.poll(() => names(page)).toEqual(['Photos']);
    await openDialog(page, 'Photos');
    for (const who of ['Ben Bell', 'Family']) {
      const item = page.locator('.sharers > li').filter({ hasText: who });
      await item.getByText(t('sharing.change'), { exact: true }).click();
      await item.getByRole('button', { name: t('sharing.stop') }).click();
      await expect.poll(() => whoHas(page)).not.toContain(who);
    }
    await page.keyboard.press('Escape');
    await page.getByText(t('files.empty.shares.heading')).waitFor();
    expect((await ben.get('files/browse', { path })).status).toBe(404);
    // The name that was refused.
    expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
    await context.close();
  });

  it('asks before unsaved input is lost, and the main button performs the chosen action', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Chosen/one.txt': 'one' });
    const { page, complaints, context } = await enter('olga', '/files/?path=/ROOT/HOME');
    await openDialog(page, 'Chosen');
    const dialog = page.getByRole('dialog', { name: t('sharing.heading', { name: 'Chosen' }) });
    const question = page.getByRole('alertdialog', { name: t('files.forms.unsaved.heading') });
    const press = (name: string, place = dialog) => place.getByRole('button', { name, exact: true }).click();
    const choose = (label: string) => page.getByLabel(t('sharing.add.who'), { exact: true }).selectOption({ label });
    // Nothing is chosen, so there is nothing but leaving.
    await dialog.getByRole('button', { name: t('sharing.close') }).waitFor();
    await choose('Ben Bell');
    await expect.poll(() => dialog.getByRole('button', { name: t('sharing.close') }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await question.waitFor();
    await inspect(page, 'share-leaving');
    await press(t('files.forms.unsaved.back'), question);
    await page.mouse.click(4, 4);
    await press(t('files.actions.share'), question);
    await dialog.getByText(t('sharing.done.shared')).waitFor();
    expect(await whoHas(page)).toEqual(['Ben Bell']);

    // Two at once: a change for one person, and another person.
    const ben = page.locator('.sharers > li').filter({ hasText: 'Ben Bell' });
    await ben.getByText(t('sharing.change'), { exact: true }).click();
    await ben.getByRole('radio', { name: t('sharing.permissions.change.label') }).check();
    await choose('Gil');
    await press(t('sharing.save'));
    await expect.poll(() => page.locator('.sharers .about').allTextContents()).toHaveLength(2);
    expect((await page.locator('.sharers .about').allTextContents()).join()).toContain(t('sharing.rights.change'));
    // What ends one share leaves alone what was entered for another.
    await choose('Sam <b>');
    await ben.getByText(t('sharing.change'), { exact: true }).click();
    await ben.getByRole('button', { name: t('sharing.stop') }).click();
    await expect.poll(() => whoHas(page)).toEqual(['Gil']);
    expect(await page.getByLabel(t('sharing.add.who'), { exact: true }).inputValue()).toBe(`u${household.ids.sam}`);
    await press(t('files.forms.cancel'));
    await press(t('files.forms.unsaved.discard'), question);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await openDialog(page, 'Chosen');
    await expect.poll(() => whoHas(page)).toEqual(['Gil']);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('is changed, not ended, by Enter', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Entered/one.txt': 'one' });
    await household.share('/ROOT/HOME/Entered', { uid: household.ids.gil, download: 1 });
    for (const javaScriptEnabled of [true, false]) {
      const { page, context } = await enter('olga', '/files/share?path=/ROOT/HOME/Entered', { javaScriptEnabled });
      const item = page.locator('.sharers > li').first();
      await item.getByText(t('sharing.change'), { exact: true }).click();
      await item.getByText(t('sharing.permissions.more'), { exact: true }).click();
      await item.getByLabel(t('sharing.permissions.alias')).fill(`Script ${javaScriptEnabled}`);
      await page.keyboard.press('Enter');
      await page.getByText(t('sharing.done.changed')).waitFor();
      expect(await whoHas(page)).toEqual(['Gil']);
      await context.close();
    }
  });

  itInFull('is found by its recipients, with their rights', async () => {
    await household.share('/ROOT/HOME/Photos', { uid: household.ids.ben, alias: 'Olga’s summer' });
    await household.share('/ROOT/HOME/Documents', { uid: household.ids.ben, upload: 1, alter: 1, anonymous: 1 });
    await household.share('/ROOT/HOME/Plum jam.txt', { uid: household.ids.ben, share: 1 });
    const { page, complaints, context } = await enter('ben', '/files/');
    await page.getByRole('link', { name: 'Shared with me' }).click();
    await expect.poll(() => names(page)).toEqual(['Olga’s summer', 'Plum jam.txt', 'Documents']);
    await inspect(page, 'shared-with-me');
    await page.getByRole('link', { name: 'Olga Ohm' }).click();
    await expect.poll(() => names(page)).toEqual(['Olga’s summer', 'Plum jam.txt']);
    await inspect(page, 'shared-by-olga');
    await row(page, 'Plum jam.txt').locator('.open').click();
    await page.getByText('2 kg plums').waitFor();
    await page.getByRole('link', { name: t('files.actions.share'), exact: true }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: t('files.actions.rename') }).count()).toBe(0);
    await page.goBack();
    await row(page, 'Olga’s summer').locator('.open').click();
    await page.getByRole('heading', { name: 'Olga’s summer' }).waitFor();
    await expect.poll(() => page.getByText(t('files.actions.upload'), { exact: true }).count()).toBe(0);
    await row(page, 'Summer at the lake').locator('.open').click();
    const crumbs = page.getByRole('navigation', { name: t('files.breadcrumbs') });
    await expect
      .poll(() => crumbs.getByRole('link').allTextContents())
      .toEqual(['Shared with me', 'Olga Ohm', 'Olga’s summer']);
    await page.getByText(t('files.view.gallery')).click();
    await page.locator('.table.gallery').waitFor();
    await inspect(page, 'shared-gallery');
    await row(page, 'Lake 01.jpg').locator('.more').click();
    expect(await page.getByRole('menuitem').allTextContents()).not.toContain(t('files.actions.share'));
    await expect.poll(() => page.getByRole('menuitem', { name: t('files.actions.rename') }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Shared with me' }).first().click();
    await row(page, 'Documents').locator('.open').click();
    await page.getByRole('heading', { name: 'Documents' }).waitFor();
    expect(withoutTokens(await page.content())).not.toMatch(/olga|ohm/i);
    const input = page.waitForEvent('filechooser');
    await page.getByRole('link', { name: t('files.actions.upload') }).click();
    await (await input).setFiles({ name: 'from ben.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
    await expect.poll(() => names(page)).toContain('from ben.txt');
    const own = await household.as('olga').get('files/browse', { path: '/ROOT/HOME/Documents' });
    expect(listed(own).map(([name]) => name)).toContain('from ben.txt');
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('invites a guest, shows the link once, and the guest finds it', async () => {
    const { page, context } = await enter('olga', '/files/?path=/ROOT/HOME');
    await openDialog(page, 'Music');
    await page.getByText(t('sharing.guest.heading')).click();
    await page.getByLabel(t('sharing.guest.name'), { exact: true }).fill('Gran');
    await page.getByLabel(t('sharing.guest.email')).fill('gran@example.net');
    await page.getByRole('button', { name: t('sharing.guest.submit') }).click();
    const link = await page.getByLabel(t('sharing.link.label'), { exact: true }).inputValue();
    expect(link).toContain(`https://127.0.0.1:${household.port}/guest/?id=`);
    await inspect(page, 'share-guest-link');
    await page.getByRole('button', { name: t('sharing.close') }).click();
    await openDialog(page, 'Music');
    expect(await page.content()).not.toContain(link.split('id=')[1]);
    const item = page.locator('.sharers > li').filter({ hasText: 'Gran' });
    await item.getByText(t('sharing.change'), { exact: true }).click();
    await item.getByRole('button', { name: t('sharing.newLink') }).click();
    const renewed = await page.getByLabel(t('sharing.link.label'), { exact: true }).inputValue();
    expect(renewed).not.toBe(link);
    await context.close();

    const guest = await visit(browser);
    await guest.page.goto(link);
    await guest.page.getByText(t('guest.ended.heading')).waitFor();
    await guest.page.goto(renewed);
    await guest.page.getByRole('button', { name: t('guest.submit', { name: 'Gran' }) }).click();
    await guest.page.getByRole('heading', { name: 'Shared with me' }).waitFor();
    await ready(guest.page);
    await inspect(guest.page, 'guest-files');
    await guest.page.getByRole('link', { name: 'Olga Ohm' }).click();
    await row(guest.page, 'Music').locator('.open').click();
    await expect.poll(() => names(guest.page)).toEqual(['Orchard song.mp3']);
    await expect.poll(() => guest.page.getByRole('link', { name: t('files.myFiles') }).count()).toBe(0);
    await guest.page.goto(address(household, '/account/'));
    await inspect(guest.page, 'guest-account');
    await guest.context.close();
  });

  itInFull('works without JavaScript, and keeps everything entered', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Plain/one.txt': 'one' });
    const options = { javaScriptEnabled: false };
    const { page, context } = await enter('olga', '/files/share?path=/ROOT/HOME/Plain', options);
    await page.getByRole('heading', { name: t('sharing.heading', { name: 'Plain' }) }).waitFor();
    await page.getByLabel(t('sharing.add.who'), { exact: true }).selectOption({ label: 'Sam <b>' });
    await page
      .locator('form')
      .filter({ has: page.getByLabel(t('sharing.add.who'), { exact: true }) })
      .getByText(t('sharing.permissions.more'), { exact: true })
      .click();
    const alias = page.locator('#new-alias');
    await alias.fill('a/b');
    await page.getByRole('button', { name: t('files.actions.share'), exact: true }).click();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => alias.inputValue()).toBe('a/b');
    await expect
      .poll(() => page.getByLabel(t('sharing.add.who'), { exact: true }).inputValue())
      .toBe(`u${household.ids.sam}`);
    await page
      .locator('form')
      .filter({ has: page.getByLabel(t('sharing.add.who'), { exact: true }) })
      .getByText(t('sharing.permissions.more'), { exact: true })
      .click();
    await alias.fill('');
    await page.getByRole('button', { name: t('files.actions.share'), exact: true }).click();
    await page.getByText(t('sharing.done.shared')).waitFor();
    expect(await whoHas(page)).toEqual(['Sam <b>']);
    await page.getByText(t('sharing.change'), { exact: true }).click();
    await page.getByRole('button', { name: t('sharing.stop') }).click();
    await page.getByText(t('sharing.done.stopped')).waitFor();
    await context.close();
  });

  itInFull('has no page for items that may not be shared or do not exist', async () => {
    await household.share('/ROOT/HOME/School', { uid: household.ids.gil });
    const { page, context } = await enter('gil', '/files/?path=/ROOT/SHARED');
    const statusOf = async (path: string) =>
      (await page.goto(address(household, `/files/share?path=${encodeURIComponent(path)}`)))?.status();
    expect(await statusOf('/ROOT/HOME/nothing')).toBe(404);
    expect(await statusOf(`/ROOT/${household.ids.ben}/1`)).toBe(404);
    await household.control('accounts.update', { username: 'gil', permissions: { share: false } });
    expect(await statusOf('/ROOT/HOME')).toBe(403);
    await context.close();
  });
});

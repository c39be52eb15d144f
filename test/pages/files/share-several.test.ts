import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, takePicture } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { homeOf } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { enterAt, fillHome, row, toast } from './support.ts';

let browser: Browser;
let household: SharingHousehold;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('accounts.update', { username: 'ben', name: 'Ben', lastName: 'Bell' });
  await fillHome(homeOf(household, 'olga'), { 'Party/a.jpg': 'a', 'Party/b.jpg': 'b', 'Party/in/c.txt': 'c' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function enter(path: string, options: { javaScriptEnabled?: boolean } = {}) {
  return enterAt({ browser, household }, path, { username: 'olga', ...options });
}

/** What Ben sees of Olga, and whether he may change it. */
async function seenByBen(): Promise<Record<string, boolean>> {
  const ben = household.as('ben');
  const { body } = await ben.get('files/browse', { path: `/ROOT/${household.ids.olga}` });
  if (body.success !== true) return {};
  const files = body.data.files as { filename: string; path: string }[];
  const rights = files.map(async ({ filename, path }) => {
    const info = await ben.get('files/info', { path });
    return [filename, info.body.data.perms.alter] as const;
  });
  return Object.fromEntries(await Promise.all(rights));
}

it('shares all selected items with one person, and keeps failed ones for another attempt', async () => {
  const { page, complaints, context } = await enter('/files/?path=/ROOT/HOME/Party');
  for (const name of ['a.jpg', 'b.jpg', 'in']) await row(page, name).getByRole('checkbox').check();
  // Everything that can be done with them is within the narrowest window.
  await page.setViewportSize({ width: 320, height: 640 });
  const right = async (button: Locator) =>
    ((await button.boundingBox())?.x ?? 0) + ((await button.boundingBox())?.width ?? 0);
  const buttons = await page.getByRole('toolbar').getByRole('button').all();
  expect(Math.max(...(await Promise.all(buttons.map(right))))).toBeLessThanOrEqual(320);
  await takePicture(page, 'several-narrow');
  await page.setViewportSize({ width: 1280, height: 800 });
  await row(page, 'in').click({ button: 'right' });
  await page.getByRole('menuitem', { name: t('files.actions.share') }).click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: t('files.forms.cancel') })
    .click();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('files.actions.share') })
    .click();
  const dialog = page.getByRole('dialog', { name: t('files.forms.share.heading', { count: 3, name: '' }) });
  const send = dialog.getByRole('button', { name: t('sharing.add.submit') });
  await dialog.getByLabel(t('sharing.add.who'), { exact: true }).selectOption({ label: 'Ben Bell' });
  await dialog.getByRole('radio', { name: t('sharing.permissions.change.label') }).check();
  await inspect(page, 'share-several');
  await household.as('olga').post('files/delete', { path: '/ROOT/HOME/Party/b.jpg' });
  await send.click();
  await dialog.getByRole('alert').waitFor();
  expect(await seenByBen()).toEqual({ 'a.jpg': true, in: true });
  const trash = await household.as('olga').get('files/browse', { path: '/TRASH' });
  await household.as('olga').post('files/trash/restore', { path: trash.body.data.files[0].path });
  await send.click();
  await toast(page, t('files.toast.shared', { count: 1 }));
  expect(await seenByBen()).toEqual({ 'a.jpg': true, 'b.jpg': true, in: true });
  await row(page, 'b.jpg').getByTitle(t('files.row.shared')).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('works for one item without a script', async () => {
  const form = '/files/do/share-with?path=/ROOT/HOME/Party/in';
  const { page, complaints, context } = await enter(form, { javaScriptEnabled: false });
  await page.getByLabel(t('sharing.add.who'), { exact: true }).selectOption({ label: 'Ben Bell' });
  await page.getByRole('button', { name: t('sharing.add.submit') }).click();
  await page.getByText(t('files.done.shared')).waitFor();
  expect(await seenByBen()).toMatchObject({ in: false });
  expect(complaints).toEqual([]);
  await context.close();
});

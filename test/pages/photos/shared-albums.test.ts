import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { homeOf, MEMBER, signInAs } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { address, names, ready, row, shown, signInAt, toast } from '../files/support.ts';
import { photosByMonth } from './timeline-support.ts';
import { viewer } from './viewer-support.ts';

// Albums that people share.

let browser: Browser;
let household: Household;
let owner: ApiClient;
let mia: ApiClient;
let miaId = 0;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  for (const [username, name] of [
    ['mia', 'Mia'],
    ['tom', 'Tom'],
  ])
    await household.control('accounts.add', { ...MEMBER, username, name, createHomeFolder: true });
  await photosByMonth(household.home, [['2026-08', 8]]);
  await photosByMonth(homeOf(household, 'mia'), [['2026-09', 4]]);
  owner = await household.signIn();
  mia = await signInAs(household, 'mia');
  miaId = Number((await mia.get('account/info')).body.id);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const photo = (month: string, day: number) => `${month} ${String(day).padStart(3, '0')}.jpg`;
const [ours, mias] = [(day: number) => photo('2026-08', day), (day: number) => photo('2026-09', day)];

/** An album of the owner with some photos. */
async function albumOf(title: string, days: readonly number[]): Promise<string> {
  const { album } = (await owner.post('albums/add', { title })).body.data;
  const items = JSON.stringify(days.map((day) => ({ path: `/ROOT/HOME/2026/${ours(day)}` })));
  expect((await owner.post('albums/items/add', { album, items })).status).toBe(200);
  return album;
}

async function shared(album: string, role: 'view' | 'contribute'): Promise<void> {
  expect((await owner.post('albums/share', { album, uid: miaId, role })).status).toBe(200);
}

const namesIn = async (album: string, api = owner): Promise<string[]> =>
  (await api.get('albums/items', { album })).body.data.files.map(({ filename }: { filename: string }) => filename);

async function open(at: string, who?: 'mia', options: { readonly javaScriptEnabled?: boolean } = {}) {
  const visited = await visit(browser, options);
  await visited.page.goto(address(household, at));
  await (who === undefined ? signInAt(visited.page) : signInAt(visited.page, who, MEMBER.password));
  await shown(visited.page, options);
  return visited;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const card = (page: Page, name: string) => page.locator('.albums a').filter({ hasText: name });
const menuOf = async (page: Page, name: string, action: string) => {
  await row(page, name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: action, exact: true }).click();
};

it('the owner of an album shares it in a dialog, changes a person’s role, and ends sharing', async () => {
  const album = await albumOf('Wedding', [1, 2, 3, 4, 5]);
  const { page, context, complaints } = await open(`/files/album?album=${album}`);
  await page.getByRole('link', { name: t('albums.share.action'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('sharing.add.who')).selectOption({ label: 'Mia' });
  await dialog.getByLabel(t('albums.share.contribute.label')).check();
  await inspect(page, 'album-share');
  await dialog.getByRole('button', { name: t('sharing.add.submit'), exact: true }).click();
  await dialog.getByText(t('albums.done.shared')).waitFor();
  await inspect(page, 'album-shared-with');
  const roleFor = async () => (await mia.get('albums/items', { album })).body.data?.album.role;
  expect(await roleFor()).toBe('contribute');
  await dialog.getByText(t('sharing.change'), { exact: true }).click();
  await dialog.locator('.sharers').getByLabel(t('albums.share.view.label'), { exact: true }).check();
  await dialog
    .locator('.foot')
    .getByRole('button', { name: t('sharing.save'), exact: true })
    .click();
  await dialog.getByText(t('albums.done.changed')).waitFor();
  expect(await roleFor()).toBe('view');
  await dialog.getByText(t('sharing.change'), { exact: true }).click();
  await dialog.getByRole('button', { name: t('sharing.stop') }).click();
  await dialog.getByText(t('albums.done.stopped')).waitFor();
  expect(await roleFor()).toBeUndefined();
  await page.keyboard.press('Escape');
  expect(complaints).toEqual([]);
  await context.close();
});

it('a recipient sees the album among the own albums, with its owner, and opens its photos', async () => {
  const album = await albumOf('Boats', [1, 2, 3]);
  await shared(album, 'view');
  const { page, context, complaints } = await open('/files/albums', 'mia');
  await card(page, 'Boats')
    .getByText(t('albums.sharedBy', { name: 'ann' }))
    .waitFor();
  await inspect(page, 'albums-shared');
  await card(page, 'Boats').click();
  await heading(page, 'Boats').waitFor();
  expect(await names(page)).toHaveLength(3);
  await inspect(page, 'album-of-other');
  await page.locator('.album-head .by a').click();
  await page.getByRole('dialog').getByText(t('albums.roles.owner')).waitFor();
  await inspect(page, 'album-people');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await row(page, ours(2)).click({ button: 'right' });
  const actions = await page.getByRole('menuitem').allTextContents();
  expect(actions.join()).toContain(t('files.actions.download'));
  for (const action of ['delete', 'share', 'albumRemove', 'albumCover', 'star'] as const)
    expect(actions.join()).not.toContain(t(`files.actions.${action}`));
  await page.keyboard.press('Escape');
  for (const day of [1, 2]) {
    await row(page, ours(day)).hover();
    await row(page, ours(day)).locator('.pick').click();
  }
  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    page
      .locator('.selection')
      .getByRole('button', { name: t('files.actions.download') })
      .click(),
  ]);
  expect(archive.suggestedFilename()).toBe('Boats.zip');
  const content = await readFile(await archive.path(), 'latin1');
  for (const day of [1, 2]) expect(content).toContain(ours(day));
  await page.keyboard.press('Escape');
  await row(page, ours(2)).locator('.open').click();
  await viewer(page).locator('img').first().waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => viewer(page).count()).toBe(0);
  const item = await row(page, ours(1)).locator('.open').getAttribute('href');
  await page.goto(new URL(item ?? '', page.url()).href);
  await heading(page, ours(1)).waitFor();
  await page.locator('.facts').getByRole('link', { name: 'Boats' }).waitFor();
  expect(await page.locator('.facts').textContent()).not.toContain('2026/');
  await inspect(page, 'album-item-of-other');
  await page.locator('.facts').getByRole('link', { name: 'Boats' }).click();
  await page.locator('.page-actions summary').click();
  await page.getByRole('link', { name: t('albums.leave.submit') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('albums.leave.submit') })
    .click();
  await page.getByText(t('albums.done.left')).waitFor();
  expect(await card(page, 'Boats').count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

it('a contributor adds own photos, and can remove only those', async () => {
  const album = await albumOf('Harvest', [1, 2]);
  await shared(album, 'contribute');
  const { page, context, complaints } = await open('/files/?path=/ROOT/HOME/2026', 'mia');
  await menuOf(page, mias(1), t('files.actions.album'));
  const dialog = page.getByRole('dialog');
  const choice = dialog.locator('.album-choices button').filter({ hasText: 'Harvest' });
  await choice.getByText(t('albums.into.seenBy')).waitFor();
  await inspect(page, 'album-choice-shared');
  await choice.click();
  await toast(page, t('albums.toast.into', { count: 1 }));
  expect(await namesIn(album)).toContain(mias(1));
  await page.goto(address(household, `/files/album?album=${album}`));
  await ready(page);
  await page.getByText(t('albums.contribute')).waitFor();
  await row(page, mias(1)).getByText(t('albums.by.self')).waitFor({ state: 'attached' });
  await row(page, ours(1))
    .getByText(t('albums.by.person', { name: 'ann' }))
    .waitFor({ state: 'attached' });
  await inspect(page, 'album-contributed');
  await row(page, ours(1)).click({ button: 'right' });
  await page.getByRole('menuitem', { name: t('files.actions.download'), exact: true }).waitFor();
  expect(await page.getByRole('menuitem', { name: t('files.actions.albumRemove') }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await menuOf(page, mias(1), t('files.actions.albumRemove'));
  await toast(page, t('albums.toast.removed', { count: 1 }));
  await expect.poll(async () => (await names(page)).length).toBe(2);
  expect(await namesIn(album)).not.toContain(mias(1));
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('shared albums work without the script', async () => {
  const album = await albumOf('Plain', [1]);
  const own = await open(`/files/album?album=${album}`, undefined, { javaScriptEnabled: false });
  await own.page.getByRole('link', { name: t('albums.share.action'), exact: true }).click();
  await own.page.getByLabel(t('sharing.add.who')).selectOption({ label: 'Mia' });
  await own.page.getByLabel(t('albums.share.contribute.label')).check();
  await own.page.getByRole('button', { name: t('sharing.add.submit'), exact: true }).click();
  await own.page.getByText(t('albums.done.shared')).waitFor();
  expect((await mia.get('albums/items', { album })).body.data.album.role).toBe('contribute');
  await own.context.close();
  const other = await open(`/files/album?album=${album}`, 'mia', { javaScriptEnabled: false });
  await other.page.locator('.page-actions summary').click();
  await other.page
    .getByRole('link', { name: t('albums.people') })
    .last()
    .click();
  await other.page.getByText(t('albums.roles.owner')).waitFor();
  await other.page.locator('.back').click();
  await other.page.locator('.page-actions summary').click();
  await other.page.getByRole('link', { name: t('albums.leave.submit') }).click();
  await other.page.getByRole('button', { name: t('albums.leave.submit') }).click();
  await other.page.getByText(t('albums.done.left')).waitFor();
  expect((await mia.get('albums/items', { album })).status).toBe(404);
  expect([...own.complaints, ...other.complaints]).toEqual([]);
  await other.context.close();
});

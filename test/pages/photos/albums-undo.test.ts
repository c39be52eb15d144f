import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, type visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, signInAs } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { enterAt, fillHome, picture, toast } from '../files/support.ts';

// Undoing the deletion of an album, and leaving one that is shared with a group.

let browser: Browser;
let household: Household;
let ann: ApiClient;
let mia: ApiClient;

const WHOLE = t('albums.restored', { items: 0, shares: 0, links: 0 });

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await addMembersWithHomes(household, { mia: {} });
  [ann, mia] = [await household.signIn(), await signInAs(household, 'mia')];
  await fillHome(household.home, { 'Trip/a.jpg': await picture(1), 'Trip/b.jpg': await picture(2) });
  await ann.get('files/browse', { path: '/ROOT/HOME/Trip' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function albumOf(title: string): Promise<string> {
  const { album } = (await ann.post('albums/add', { title })).body.data;
  const items = JSON.stringify(['a', 'b'].map((name) => ({ path: `/ROOT/HOME/Trip/${name}.jpg` })));
  expect((await ann.post('albums/items/add', { album, items })).status).toBe(200);
  return album;
}

async function open(at: string, options: Parameters<typeof visit>[1] = {}, username?: string) {
  return enterAt({ browser, household }, at, { username, ...options });
}

const itemsIn = async (album: string, api = ann) => (await api.get('albums/items', { album })).body.data?.total ?? 0;
const card = (page: Page, name: string) => page.locator('.albums a').filter({ hasText: name });
const choose = async (page: Page, action: string) => {
  await page.locator('.page-actions summary').click();
  await page.getByRole('link', { name: action }).click();
};

it('the message about a deleted album offers to undo the deletion', async () => {
  const album = await albumOf('Undone');
  const { page, context, complaints } = await open(`/files/album?album=${album}`);
  await choose(page, t('albums.delete.submit'));
  const dialog = page.getByRole('dialog');
  await dialog.getByText(t('albums.delete.undo')).waitFor();
  await inspect(page, 'album-delete');
  await dialog.getByRole('button', { name: t('albums.delete.submit') }).click();
  await toast(page, t('albums.toast.deleted'));
  await expect.poll(() => card(page, 'Undone').count()).toBe(0);
  expect(await itemsIn(album)).toBe(0);
  await inspect(page, 'album-deleted');
  await page.getByRole('button', { name: t('files.toast.undo') }).click();
  await toast(page, WHOLE);
  await card(page, 'Undone').waitFor();
  expect(await itemsIn(album)).toBe(2);
  await page.getByRole('button', { name: t('albums.see') }).click();
  await page.getByRole('heading', { level: 1, name: 'Undone' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('the message about a hidden album of a folder offers to undo that, too', async () => {
  const { album } = (await ann.post('albums/folder', { path: '/ROOT/HOME/Trip' })).body.data;
  const { page, context } = await open(`/files/album?album=${album}`);
  await page.locator('.page-actions summary').click();
  await page.getByRole('button', { name: t('albums.hide') }).click();
  await toast(page, t('albums.toast.hidden'));
  await page.getByRole('button', { name: t('files.toast.undo') }).click();
  await toast(page, WHOLE);
  expect(await itemsIn(album)).toBe(2);
  await context.close();
});

itInFull(
  'the deletion of an album is undone without the script, with a message about what is not restored',
  async () => {
    const album = await albumOf('Plain');
    const { page, context, complaints } = await open(`/files/album?album=${album}`, { javaScriptEnabled: false });
    await choose(page, t('albums.delete.submit'));
    await page.getByText(t('albums.delete.undo')).waitFor();
    await page.getByRole('button', { name: t('albums.delete.submit') }).click();
    await page.getByText(t('albums.done.deleted')).waitFor();
    expect(await itemsIn(album)).toBe(0);
    const { trash_path: path } = (await ann.post('files/delete', { path: '/ROOT/HOME/Trip/b.jpg' })).body.data;
    await ann.post('files/trash/delete', { path });
    await page.getByRole('button', { name: t('albums.undo') }).click();
    await page.getByText(t('albums.restored', { items: 1, shares: 0, links: 0 })).waitFor();
    expect(await itemsIn(album)).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  },
);

itInFull('a person can leave an album that is shared with a group', async () => {
  const { album } = (await ann.post('albums/add', { title: 'Of the group' })).body.data;
  const { id: gid } = (await household.control('groups.add', { name: 'Family' })) as { id: number };
  const uid = Number((await mia.get('account/info')).body.id);
  await household.control('groups.setMembers', { id: gid, accountIds: [uid] });
  await ann.post('albums/share', { album, gid });
  const { page, context, complaints } = await open(`/files/album?album=${album}`, {}, 'mia');
  await choose(page, t('albums.leave.submit'));
  const dialog = page.getByRole('dialog');
  await dialog.getByText(t('albums.leave.lead')).waitFor();
  await dialog.getByRole('button', { name: t('albums.leave.submit') }).click();
  await page.getByText(t('albums.done.left')).waitFor();
  expect(await card(page, 'Of the group').count()).toBe(0);
  expect((await mia.get('albums/items', { album })).status).toBe(404);
  await page.goto(new URL('/account/activity', page.url()).href);
  await page.getByText(/left the album Of the group/).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

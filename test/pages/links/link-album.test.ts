import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { homeOf, MEMBER } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { address, fillHome, picture, ready, signInAt } from '../files/support.ts';
import { putAt } from '../photos/timeline-support.ts';

// A web link to an album: it shows what its maker has in the album now.

let browser: Browser;
let household: SharingHousehold;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  for (const [index, name] of ['a', 'b', 'c', 'd'].entries())
    await putAt(homeOf(household, 'olga'), `Trip/${name}.jpg`, await picture(index), Date.UTC(2026, 5, 1 + index));
  await fillHome(homeOf(household, 'ben'), { 'bens.jpg': await picture(5) });
  ({ page, complaints } = await visit(browser));
  await page.goto(address(household, '/files/albums'));
  await signInAt(page, 'olga', MEMBER.password);
  await ready(page);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

type Person = 'olga' | 'ben';

/** A request of the API that has to succeed. */
async function did(path: string, form: Record<string, string | number>, who: Person = 'olga') {
  const { status, text, body } = await household.as(who).post(path, form);
  expect(status, text).toBe(200);
  return body.data;
}

const at = (name: string) => `/ROOT/HOME/${name === 'bens' ? '' : 'Trip/'}${name}.jpg`;
const add = (album: string, names: readonly string[], who: Person = 'olga') =>
  did('albums/items/add', { album, items: JSON.stringify(names.map((name) => ({ path: at(name) }))) }, who);

async function uuidOf(name: string): Promise<string> {
  return (await did('files/info', { path: at(name), 'details[]': 'uuid' })).uuid;
}

const take = async (album: string, name: string) =>
  did('albums/items/remove', { album, items: JSON.stringify([{ uuid: await uuidOf(name) }]) });

async function albumOf(title: string, names: readonly string[]): Promise<string> {
  const { album } = await did('albums/add', { title });
  if (names.length > 0) await add(album, names);
  return album;
}

/** Makes a link on the page of the album. @returns its address below the household's */
async function linkTo(album: string, title: string, before = async () => {}): Promise<string> {
  await page.goto(address(household, `/files/album?album=${album}`));
  await ready(page);
  await page.locator('.page-actions summary').click();
  await page.getByRole('link', { name: t('albums.link'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: t('weblinks.album.heading', { title }) });
  await dialog.getByRole('button', { name: t('weblinks.create'), exact: true }).waitFor();
  await before();
  await dialog.getByRole('button', { name: t('weblinks.create'), exact: true }).click();
  await dialog.locator('.note.good').waitFor();
  const url = new URL(await page.getByLabel(t('weblinks.address'), { exact: true }).inputValue());
  await dialog.getByRole('button', { name: t('weblinks.close'), exact: true }).click();
  return url.pathname + url.search;
}

/** What the page of a link lists; its status if that is an error. */
async function listed(link: string): Promise<string[] | number> {
  const { status, text } = await new WebVisitor(household).get(`${link}&mode=list`);
  return status === 200 ? [...text.matchAll(/name="path" value="\/([^"]*)"/g)].map(([, path = '']) => path) : status;
}

/** The status of the content of one photo. */
const opened = async (link: string, name: string): Promise<number> =>
  (await new WebVisitor(household).get(`${link}&path=/${name}&fmode=preview`)).status;

it('a link to an album shows it as a gallery with its title', async () => {
  const album = await albumOf('Trip to the lake', ['a', 'b', 'c']);
  const link = await linkTo(album, 'Trip to the lake', () => inspect(page, 'album-link'));
  const guest = await visit(browser);
  await guest.page.goto(address(household, link));
  await guest.page.getByRole('heading', { level: 1, name: 'Trip to the lake' }).waitFor();
  expect(await guest.page.content()).not.toContain('Trip/');
  await inspect(guest.page, 'album-link-page');
  await guest.context.close();
  // The album leads to the link that it has, and so does the list of links.
  await page.goto(address(household, `/files/link/several?album=${album}`));
  expect(new URL(await page.getByLabel(t('weblinks.address'), { exact: true }).inputValue()).search).toBe(
    link.slice(link.indexOf('?')),
  );
  await page.goto(address(household, '/files/?path=/LINKS'));
  await page.getByRole('link', { name: t('weblinks.album.link', { title: 'Trip to the lake' }) }).waitFor();
  expect([complaints, guest.complaints]).toEqual([[], []]);
});

it('a link to an album shows added photos, but not removed, deleted or trashed ones', async () => {
  const album = await albumOf('Follows', ['a', 'b']);
  const link = await linkTo(album, 'Follows');
  expect(await listed(link)).toEqual(['a.jpg', 'b.jpg']);
  await add(album, ['c']);
  expect(await listed(link)).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
  await take(album, 'a');
  expect(await listed(link)).toEqual(['b.jpg', 'c.jpg']);
  expect([await opened(link, 'a.jpg'), await opened(link, 'b.jpg')]).toEqual([404, 200]);
  await did('files/rename', { path: at('c'), newName: 'c.txt' });
  expect(await listed(link)).toEqual(['b.jpg']);
  await did('files/rename', { path: '/ROOT/HOME/Trip/c.txt', newName: 'c.jpg' });
  const { trash_path: trashed } = await did('files/delete', { path: at('b') });
  expect(await listed(link)).toEqual(['c.jpg']);
  await did('files/trash/restore', { path: trashed });
  expect(await listed(link)).toEqual(['b.jpg', 'c.jpg']);
  // Everything out, and one in again.
  await take(album, 'b');
  await take(album, 'c');
  expect(await listed(link)).toBe(404);
  await add(album, ['d']);
  expect(await listed(link)).toEqual(['d.jpg']);
  await did('albums/edit', { album, title: 'Another title' });
  expect((await new WebVisitor(household).get(link)).text).toContain('Another title');
  await did('albums/delete', { album });
  expect([await listed(link), await opened(link, 'd.jpg')]).toEqual([404, 404]);
});

it('a link to an album uses the order of the album', async () => {
  const album = await albumOf('In order', ['c', 'b']);
  const link = await linkTo(album, 'In order');
  await add(album, ['a']);
  expect(await listed(link)).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
  await did('albums/edit', { album, order: 'hand' });
  expect(await listed(link)).toEqual(['c.jpg', 'b.jpg', 'a.jpg']);
});

it('a link to an album shows no photos that others added or share', async () => {
  const album = await albumOf('With Ben', ['a']);
  const link = await linkTo(album, 'With Ben');
  await did('albums/share', { album, uid: household.ids.ben, role: 'contribute' });
  await add(album, ['bens'], 'ben');
  const { shareid } = await did('files/share', { path: at('bens'), uid: household.ids.olga, share: 1 }, 'ben');
  expect((await household.as('olga').get('albums/items', { album })).body.data.total).toBe(2);
  expect(await listed(link)).toEqual(['a.jpg']);
  const items = JSON.stringify([{ path: `/ROOT/${household.ids.ben}/${shareid}` }]);
  await did('albums/items/add', { album, items });
  expect(await listed(link)).toEqual(['a.jpg']);
  expect(await opened(link, 'bens.jpg')).toBe(404);
});

it('only the owner of an album can create and end its link, and only if it contains photos', async () => {
  const album = await albumOf('Rules', []);
  await did('albums/share', { album, uid: household.ids.ben, role: 'contribute' });
  const ben = await visit(browser, { javaScriptEnabled: false });
  const open = (to: string) => ben.page.goto(address(household, to));
  await open(`/files/link/several?album=${album}`);
  await signInAt(ben.page, 'ben', MEMBER.password);
  expect((await open(`/files/link/several?album=${album}`))?.status()).toBe(403);
  await ben.context.close();
  const { page: plain, context } = await visit(browser, { javaScriptEnabled: false });
  await plain.goto(address(household, `/files/link/several?album=${album}`));
  await signInAt(plain, 'olga', MEMBER.password);
  await plain.getByRole('button', { name: t('weblinks.create'), exact: true }).click();
  await plain.getByText(t('api.albums.nothingToLink')).waitFor();
  await add(album, ['a']);
  await plain.getByRole('button', { name: t('weblinks.create'), exact: true }).click();
  const url = new URL(await plain.getByLabel(t('weblinks.address'), { exact: true }).inputValue());
  const link = url.pathname + url.search;
  expect(await listed(link)).toEqual(['a.jpg']);
  await plain.locator('details:has(button[value=end]) > summary').click();
  await plain.locator('button[value=end]').click();
  expect(await listed(link)).toBe(404);
  await context.close();
});

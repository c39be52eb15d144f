import { unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bidiIsolate } from '../../../dist/server/lib/text/bidi-isolate.js';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { itInFull } from '../../support/forms.ts';
import { homeOf, MEMBER } from '../../support/households/member.ts';
import { listed, openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { eventually } from '../../support/system/eventually.ts';
import { address, enterAt, fillHome, picture, ready } from './support.ts';

// The search over everything that a person may see.

const HOME = '/ROOT/HOME';

let browser: Browser;
let household: SharingHousehold;
let ben: WebVisitor;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  await household.control('accounts.update', { username: 'olga', name: 'Olga', lastName: 'Ohm' });
  await fillHome(homeOf(household, 'ben'), {
    'Recipes/Plum jam.md': 'Halve the fruit.',
    'Garden/Plum tree/notes.txt': 'planted in the spring',
    'Garden/Pruning plums.txt': 'in winter',
    'Letters/shopping.txt': '2 kg plums from the market, 1.4 kg sugar, lemons',
    'Letters/old.txt': 'the plums of last year',
    'Photos/plum 1.jpg': await picture(1),
    'Photos/plum 2.jpg': await picture(2, 600, 900),
    'Photos/lake.jpg': await picture(3),
    'Music/Plum song.mp3': Buffer.alloc(400),
    'Music/song.mp3': Buffer.alloc(400),
  });
  const old = new Date('2019-05-06T12:00:00Z');
  await utimes(join(homeOf(household, 'ben'), 'Letters/old.txt'), old, old);
  await fillHome(homeOf(household, 'olga'), {
    'Closed/plum list.txt': 'the secret quince',
    'Open/deep/basket.txt': 'a quince and a pear',
    'Letter to Ben.txt': 'about the medlar',
    'Plum cellar/shelf.txt': 'jars',
  });
  const uid = Number(household.ids.ben);
  await household.share('/ROOT/HOME/Closed', { uid, download: 0 });
  await household.share('/ROOT/HOME/Open', { uid, alter: 0 });
  await household.share('/ROOT/HOME/Letter to Ben.txt', { uid });
  await household.share('/ROOT/HOME/Plum cellar', { uid });
  await household.as('ben').post('files/tags/add', { path: '/ROOT/HOME/Music/song.mp3', 'tags[]': 'plum picking' });
  await household
    .as('ben')
    .post('files/comments/add', { path: '/ROOT/HOME/Photos/lake.jpg', comment: 'plum coloured sky' });
  await albumOf('ben', 'Plum harvest', [`${HOME}/Photos/plum 1.jpg`, `${HOME}/Photos/plum 2.jpg`]);
  await albumOf('olga', 'Plum blossom', [], uid);
  await albumOf('olga', 'Plum surprise for Ben', []);
  ben = new WebVisitor(household);
  const page = await ben.get('/files/');
  const fields = { form_token: page.field('form_token'), next: '/files/' };
  await ben.post('/account/sign-in', { ...fields, username: 'ben', password: MEMBER.password });
  // Everything has been read.
  await eventually(
    () => found('plums'),
    (groups) => groups.contents?.length === 2,
  );
  await eventually(
    () => found('medlar'),
    (groups) => groups.contents?.length === 1,
  );
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

/** @param uid who gets it, too */
async function albumOf(person: 'ben' | 'olga', title: string, paths: readonly string[], uid?: number): Promise<string> {
  const api = household.as(person);
  const { album } = (await api.post('albums/add', { title })).body.data;
  const items = JSON.stringify(paths.map((path) => ({ path })));
  if (paths.length > 0) expect((await api.post('albums/items/add', { album, items })).status).toBe(200);
  if (uid !== undefined) expect((await api.post('albums/share', { album, uid, role: 'view' })).status).toBe(200);
  return album;
}

/** The titles of the albums among the results. */
async function foundAlbums(words: string, more = ''): Promise<string[]> {
  const { text } = await ben.get(`/files/search?q=${encodeURIComponent(words)}${more}`);
  const [group = ''] = /data-group="albums".*?<\/section>/s.exec(text) ?? [];
  return [...group.matchAll(/<strong>.*?<\/strong>/gs)].map(([title]) =>
    title.replaceAll(/<[^>]+>|[\u2066-\u2069]/g, ''),
  );
}

/** The names in each group of results. */
async function found(words: string, more = ''): Promise<Record<string, string[]>> {
  const { text, status } = await ben.get(`/files/search?q=${encodeURIComponent(words)}${more}`);
  expect(status).toBe(200);
  const groups = [...text.matchAll(/data-group="(\w+)".*?<\/section>/gs)];
  return Object.fromEntries(
    groups.map(([content, group]) => [
      group,
      // A long name is in two parts.
      [...content.matchAll(/class="name">(.*?)<\/span>(?!<span>|<\/span>)/gs)].map(([, name = '']) =>
        name.replaceAll(/<[^>]+>/g, ''),
      ),
    ]),
  );
}

describe('the results of a search', () => {
  it('are grouped: names, contents, details and pictures, each item once', async () => {
    const groups = await found('plum');
    expect(groups.names?.toSorted()).toEqual([
      'Plum cellar',
      'Plum jam.md',
      'Plum song.mp3',
      'Plum tree',
      'plum list.txt',
    ]);
    expect(groups.contents?.toSorted()).toEqual(['old.txt', 'shopping.txt']);
    expect(groups.details).toEqual(['song.mp3']);
    expect(groups.photos?.toSorted()).toEqual(['lake.jpg', 'plum 1.jpg', 'plum 2.jpg']);
    // More than the first few, and only those.
    const { names = [] } = await found('plum', '&group=names');
    expect(names).toHaveLength(6);
    expect(names.at(-1)).toBe('Pruning plums.txt');
  });

  it('include the own home and everything shared, also single files, and shared folders by their names', async () => {
    expect(await found('letter to ben')).toEqual({ names: ['Letter to Ben.txt'] });
    expect(await found('medlar')).toEqual({ contents: ['Letter to Ben.txt'] });
    expect(await found('plum cellar')).toEqual({ names: ['Plum cellar'] });
    expect(await found('basket')).toEqual({ names: ['basket.txt'] });
  });

  it('by contents contain neither hits nor counts if the share does not allow downloads', async () => {
    expect(await found('quince')).toEqual({ contents: ['basket.txt'] });
    expect(await found('secret')).toEqual({});
    expect(await found('plum list')).toEqual({ names: ['plum list.txt'] });
  });

  it('can be limited by kind, time, person and folder', async () => {
    expect(Object.keys(await found('plum', '&kind=photos'))).toEqual(['photos']);
    expect(await found('plum', '&kind=folders')).toEqual({ names: ['Plum cellar', 'Plum tree'] });
    expect(await found('plum', '&kind=music')).toEqual({ names: ['Plum song.mp3'], details: ['song.mp3'] });
    expect(await found('plums', '&time=earlier')).toEqual({ contents: ['old.txt'] });
    expect(await found('plum', `&who=${household.ids.olga}`)).toEqual({ names: ['Plum cellar', 'plum list.txt'] });
    expect(await found('plum', '&in=/ROOT/HOME/Recipes')).toEqual({ names: ['Plum jam.md'] });
    expect(await found('plum', '&in=/ROOT/1/1')).toEqual({});
  });

  it('that are all hidden by a filter show how many there are without it', async () => {
    const { text } = await ben.get('/files/search?q=medlar&kind=photos');
    expect(text).toContain(t('search.none.elsewhere', { count: 1 }));
    expect(text).toContain('href="/files/search?q=medlar"');
    const { text: none } = await ben.get('/files/search?q=nothing+like+it&kind=photos');
    expect(none).toContain(t('search.none.help'));
  });

  it('that are all elsewhere are counted by folders and people, with searches that find as many', async () => {
    await fillHome(homeOf(household, 'ben'), { 'a plum at the top.txt': '' });
    await eventually(
      () => found('plum at the top'),
      (groups) => groups.names?.length === 1,
    );
    const { text } = await ben.get('/files/search?q=plum&in=/ROOT/HOME/Garden/Plum tree');
    const links = [...text.matchAll(/<p><a href="([^"]*)">([^<]*)<\/a><\/p>/g)].map(([, address = '', said = '']) => ({
      address: address.replaceAll('&amp;', '&'),
      said: said.replaceAll(/[\u2066-\u2069]/g, ''),
    }));
    const counts = { Photos: 3, Garden: 2, Letters: 2, Music: 2 };
    expect(links.map(({ said }) => said)).toEqual([
      t('search.none.foundIn', { count: '11', place: t('search.person.me') }),
      ...Object.entries(counts).map(([place, count]) => t('search.none.foundIn', { count: String(count), place })),
    ]);
    for (const { address, said } of links) {
      const { text: there } = await ben.get(address);
      const count = Number(said.split(' ', 1)[0]);
      expect(there).toContain(`id="found">${t('search.count', { count })}`);
    }
    await unlink(join(homeOf(household, 'ben'), 'a plum at the top.txt'));
    await eventually(
      () => found('plum at the top'),
      (groups) => groups.names === undefined,
    );
  });

  it('that are elsewhere are not counted by contents in a share without downloads', async () => {
    const saidOf = async (words: string) => {
      const { text } = await ben.get(`/files/search?q=${words}&in=/ROOT/HOME/Recipes`);
      return text.replaceAll(/[\u2066-\u2069]/g, '');
    };
    const name = 'Olga Ohm';
    expect(await saidOf('quince')).toContain(t('search.none.foundShared', { count: '1', name }));
    const hidden = await saidOf('secret');
    expect(hidden).toContain(t('search.none.help'));
    expect(hidden).not.toContain('Olga');
  });

  it('offer for each item the actions that its share allows', async () => {
    const { text } = await ben.get('/files/search?q=basket');
    expect(text).toMatch(/data-can="[^"]*rename[^"]*"/);
    expect(text).toMatch(/<li class="item" data-cannot="(?=[^"]*rename)(?=[^"]*move)(?=[^"]*delete)[^"]*"/);
    const { text: own } = await ben.get('/files/search?q=shopping');
    // Only photos can be in albums.
    expect(own).not.toMatch(/data-cannot="(?!album")/);
  });

  it('by contents include the passage, with the same permissions', async () => {
    const passage = async (path: string, words: string, who = ben) => {
      const query = new URLSearchParams({ path, q: words });
      const reply = await who.get(`/files/search/passage?${query}`, { accept: 'application/json' });
      return [reply.status, JSON.parse(reply.text).data?.passage ?? null];
    };
    const shopping = '/ROOT/HOME/Letters/shopping.txt';
    expect(await passage(shopping, 'PLUM')).toEqual([
      200,
      [
        { text: '2 kg ', isMatch: false },
        { text: 'plum', isMatch: true },
        { text: 's from the market, 1.4 kg sugar, lemons', isMatch: false },
      ],
    ]);
    expect(await passage(shopping, 'nothing like it')).toEqual([200, null]);
    expect(await passage('/ROOT/HOME/Music/song.mp3', 'plum')).toEqual([200, null]);
    const paths = new Map(
      listed(await household.as('ben').get('files/browse', { path: `/ROOT/${household.ids.olga}` })),
    );
    expect(await passage(`${paths.get('Closed')}/plum list.txt`, 'secret')).toEqual([403, null]);
    expect((await passage(`${paths.get('Open')}/deep/basket.txt`, 'quince'))[1]).toHaveLength(3);
    expect(await passage('/ROOT/HOME/Letters/no such.txt', 'plum')).toEqual([404, null]);
    expect((await passage(shopping, 'plum', new WebVisitor(household)))[0]).toBe(401);
  });

  it('are shown for the addresses of searches in a folder', async () => {
    const { status, location } = await ben.get('/files/?path=/ROOT/HOME/Recipes&q=plum&in=contents');
    expect([status, location]).toEqual([303, '/files/search?q=plum&in=/ROOT/HOME/Recipes']);
  });
});

describe('albums', () => {
  it('are found by their titles if one has them', async () => {
    expect((await foundAlbums('plum')).toSorted()).toEqual(['Plum blossom', 'Plum harvest']);
    expect(await foundAlbums('harvest')).toEqual(['Plum harvest']);
    expect(await foundAlbums('surprise')).toEqual([]);
  });

  it('are not among the results with a filter, and in one group of them', async () => {
    expect(await foundAlbums('plum', '&kind=documents')).toEqual([]);
    expect(await foundAlbums('plum', '&group=names')).toEqual([]);
  });
});

describe('photos in albums of others', () => {
  it('are found by their names, with the album as their place, and only by people who have the album', async () => {
    expect((await found('medlar blossom')).photos).toBeUndefined();
    const olga = household.as('olga');
    const path = `${HOME}/Medlar blossom.jpg`;
    expect((await olga.put({ filePath: path }, await picture(4))).status).toBe(201);
    const album = await albumOf('olga', 'Trees', [path], Number(household.ids.ben));
    const { uuid } = (await olga.get('albums/items', { album, 'details[]': 'uuid' })).body.data.files[0];
    const results = await ben.get('/files/search?q=medlar%20blossom');
    expect((await found('medlar blossom')).photos).toEqual(['Medlar blossom.jpg']);
    expect(results.text).toContain(t('search.place', { folder: bidiIsolate('Trees'), name: bidiIsolate('Olga') }));
    expect(results.text).toContain(`/ALBUMS/${album}/${uuid}`);
    expect((await found('medlar blossom', '&kind=photos&time=any')).photos).toEqual(['Medlar blossom.jpg']);
    expect((await found('medlar blossom', '&kind=music')).photos).toBeUndefined();
    expect((await found('medlar blossom', `&who=${household.ids.ben}`)).photos).toBeUndefined();
    await household.as('olga').post('albums/items/remove', { album, items: JSON.stringify([{ uuid }]) });
    expect((await found('medlar blossom')).photos).toBeUndefined();
  });
});

describe('the search in the browser', () => {
  const box = (page: Page) => page.getByRole('searchbox', { name: t('search.label') });
  const result = (page: Page, name: string) => page.locator('.results .item', { hasText: name });
  const shown = (page: Page, group: string) => page.locator(`.group[data-group=${group}] .name`);

  it('shows results while typing, and opens an item by keyboard', async () => {
    const { page, context, complaints } = await enter();
    await page.locator('body').press('/');
    await page.keyboard.type('plum');
    await page.getByRole('heading', { level: 1, name: t('search.headingFor', { words: 'plum' }) }).waitFor();
    await expect.poll(() => shown(page, 'names').count()).toBe(5);
    expect(await box(page).evaluate((element) => element === document.activeElement)).toBe(true);
    expect(new URL(page.url()).search).toContain('q=plum');
    expect(await page.locator('.group[data-group=names] mark').first().textContent()).toMatch(/^plum$/i);
    await page.locator('.passage', { hasText: '2 kg plums' }).waitFor();
    await page.locator('.passage', { hasText: 'last year' }).waitFor();
    await inspect(page, 'search');
    await page.keyboard.press('ArrowDown');
    const first = (await shown(page, 'names').first().textContent()) ?? '';
    expect(await page.evaluate<string>('document.activeElement.querySelector(".name").textContent')).toBe(first);
    // Through all groups.
    for (let step = 0; step < 7; step += 1) await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.closest(".group").dataset.group')).toBe('details');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: t('files.myFiles') }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('leads to what was found elsewhere if nothing is in the folder', async () => {
    const { page, context, complaints } = await enter();
    await page.goto(address(household, '/files/search?q=plum&in=/ROOT/HOME/Garden/Plum tree'));
    await ready(page);
    await inspect(page, 'search-elsewhere');
    const name = t('search.none.foundIn', { count: '3', place: bidiIsolate('Photos') });
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByText(t('search.count', { count: 3 }), { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('in')).toBe('/ROOT/HOME/Photos');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('has the key on pages of the account, too, but not while something is typed', async () => {
    const { page, context, complaints } = await enter();
    await page.goto(address(household, '/account/'));
    await page.keyboard.press('/');
    await expect.poll(() => box(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('plum/jam');
    expect(await box(page).inputValue()).toBe('plum/jam');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(address(household, '/account/profile'));
    await page.keyboard.press('/');
    await page.getByRole('heading', { level: 1, name: t('search.heading') }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('shows albums, which open from the results', async () => {
    const { page, context, complaints } = await enter();
    await page.goto(address(household, '/files/search?q=harvest'));
    await ready(page);
    await page.getByText(t('search.count', { count: 1 }), { exact: true }).waitFor();
    expect(await page.locator('.group[data-group=albums] mark').allTextContents()).toEqual(['harvest']);
    await inspect(page, 'search-albums');
    await page.getByRole('link', { name: 'Plum harvest' }).click();
    await page.getByRole('heading', { level: 1, name: 'Plum harvest' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull.each(['/files/', '/account/'])(
    'comes after the link that skips it, which is the first on %s',
    async (path) => {
      const { page, context } = await enter();
      await page.goto(address(household, path));
      await page.keyboard.press('Tab');
      const skip = page.getByRole('link', { name: t('page.skip') });
      expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
      expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
      await page.keyboard.press('Enter');
      expect(new URL(page.url()).hash).toBe('#content');
      await context.close();
    },
  );

  itInFull('stores recent searches in this browser only, and deletes them on request', async () => {
    const { page, context } = await enter();
    await box(page).fill('shopping');
    await box(page).press('Enter');
    await result(page, 'shopping.txt').waitFor();
    await page.goto(address(household, '/files/search'));
    await ready(page);
    await page.getByRole('link', { name: 'shopping' }).click();
    await result(page, 'shopping.txt').waitFor();
    await page.goto(address(household, '/files/search'));
    await ready(page);
    await page.getByRole('button', { name: t('search.recent.forget') }).click();
    expect(await page.getByRole('link', { name: 'shopping' }).count()).toBe(0);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await context.close();
  });

  itInFull('searches the shown folder after the find key, and everything again after one click', async () => {
    const { page, context } = await enter('/files/?path=/ROOT/HOME/Garden');
    await page.locator('body').press('Control+f');
    await page.keyboard.type('plum');
    await page.keyboard.press('Enter');
    await expect.poll(() => shown(page, 'names').allTextContents()).toEqual(['Plum tree', 'Pruning plums.txt']);
    await page.locator('.search-limits summary', { hasText: 'Garden' }).click();
    await page.getByRole('link', { name: t('search.place.anywhere') }).click();
    await expect.poll(() => shown(page, 'names').count()).toBe(5);
    await context.close();
  });

  it('opens with one touch on a phone, and works without the script', async () => {
    const phone = { viewport: { width: 390, height: 844 } };
    const { page, context } = await enter('/files/', phone);
    expect(await box(page).isVisible()).toBe(false);
    await page.getByRole('link', { name: t('search.open') }).click();
    await box(page).fill('shopping');
    await box(page).press('Enter');
    await result(page, 'shopping.txt').waitFor();
    const plain = await browser.newContext({ ...phone, javaScriptEnabled: false, ignoreHTTPSErrors: true });
    await plain.addCookies(await context.cookies());
    const still = await plain.newPage();
    await still.goto(address(household, '/files/'));
    await still.getByRole('link', { name: t('search.open') }).click();
    await box(still).fill('shopping');
    await box(still).press('Enter');
    await result(still, 'shopping.txt').waitFor();
    await plain.close();
    await context.close();
  });

  async function enter(path = '/files/', options = {}) {
    return enterAt({ browser, household }, path, { username: 'ben', ...options });
  }
});

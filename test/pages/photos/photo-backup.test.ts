import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { humanSize } from '../../../dist/server/listing/human.js';
import { LOCALE } from '../../../dist/server/messages/catalogue.js';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../../support/browser/page.ts';
import { isFullForm, itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER, signInAs } from '../../support/households/member.ts';
import { openTunnel, type Tunnel } from '../../support/requests/tunnel.ts';
import { fillHome, picture, signInAt } from '../files/support.ts';
import { type OtherDisk, openOtherDisk } from './other-disk.ts';

// A phone that backs up its photos, over a connection that breaks.

let browser: Browser;
let household: Household;
let tunnel: Tunnel;
let visited: Visit;
let page: Page;
let disk: OtherDisk;
let pictures: Buffer[] = [];

/** How many photos are on the phone. */
const MANY = isFullForm ? 300 : 40;
const PHONE = { width: 390, height: 844 };

beforeAll(async () => {
  disk = await openOtherDisk();
  [browser, household] = await Promise.all([launchBrowser(), openHousehold({ disksUnder: disk.disksUnder })]);
  tunnel = await openTunnel(() => household.port);
  await household.control('settings.update', {
    householdName: 'Orchard House',
    backupFolder: disk.folder,
    backupFiles: true,
  });
  pictures = await Promise.all([0, 1, 2, 3, 4, 5].map((number) => picture(number, 600, 400)));
});
afterAll(async () => {
  await browser?.close();
  await tunnel?.cut();
  await household?.close();
  await disk?.remove();
});

let people = 0;
let person = '';
beforeEach(async () => {
  people += 1;
  person = `person${people}`;
  await addMembersWithHomes(household, { [person]: {} });
  const phone = { viewport: PHONE, hasTouch: true, isMobile: true };
  visited = await visit(browser, { ...phone, ignoreHTTPSErrors: true });
  ({ page } = visited);
  await page.goto(at('/files/photo-backup'));
  await signInAt(page, person, MEMBER.password);
  await isOpen();
  return () => visited.context.close();
});

const at = (path: string) => `https://localhost:${tunnel.port}${path}`;
const isOpen = () => page.locator('.photo-backup[data-ready]').waitFor();

interface OnPhone {
  readonly name: string;
  readonly buffer: Buffer;
  readonly mimeType: string;
}

/** A photo as a phone has it, with a content of its own. */
const photo = (name: string, content: number): OnPhone => ({
  name,
  mimeType: 'image/jpeg',
  buffer: Buffer.concat([pictures[content % pictures.length] ?? Buffer.alloc(0), Buffer.from(`${content}`)]),
});

/** The photos of a phone: some have the same name, and one content is there twice. */
const photosOfPhone = (count: number) => [
  ...Array.from({ length: count }, (_, index) => photo(index % 9 === 0 ? 'image.jpg' : `IMG_${index}.jpg`, index)),
  photo('Copy of IMG_1.jpg', 1),
];

async function select(photos: readonly OnPhone[], name: string = t('photoBackup.select')): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  await chooser.setFiles([...photos]);
}

const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const contentsOf = (photos: readonly OnPhone[]) => [...new Set(photos.map(({ buffer }) => digest(buffer)))].sort();

/** The contents in the folder of the phone: each as often as it is there. */
async function stored(folder = 'Photos/Phone'): Promise<string[]> {
  const place = join(homeOf(household, person), folder);
  const names = await readdir(place).catch(() => []);
  return (await Promise.all(names.map(async (name) => digest(await readFile(join(place, name)))))).sort();
}

/** What the sidebar and the menu of places say of the storage. */
const storage = () => page.locator('.file-nav .storage, .file-nav .storage-entry').allTextContents();

const heading = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true });

/** What the receipt says of all files, without their sizes. */
async function states(): Promise<string[]> {
  const texts = await page.locator('.receipt-files .state').allTextContents();
  return [...new Set(texts.map((text) => text.slice(text.indexOf(' · ') + 3)))];
}

/** Calls for each upload with its number, from 1; the requests go on unless this ends them. */
const onUploads = (take: (route: Route, number: number) => Promise<boolean>) => {
  let count = 0;
  return page.route(/\/files\/upload\?/, async (route) => {
    count += 1;
    if (!(await take(route, count))) await route.continue();
  });
};

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('backing up the photos of a phone', () => {
  it('stores each photo once over a breaking connection, and shows since when another disk has them', async () => {
    const photos = photosOfPhone(MANY);
    let uploads = 0;
    let isCut = () => {};
    const cut = new Promise<void>((resolve) => (isCut = resolve));
    await onUploads(async (route, number) => {
      uploads = number;
      if (number === 20) {
        await tunnel.cut();
        isCut();
      }
      // The photo is stored, but its reply is lost.
      if (number % 17 !== 5) return false;
      await route.fetch();
      await route.abort('connectionreset');
      return true;
    });
    await select(photos);
    await cut;
    await tunnel.mend();
    await heading(t('photoBackup.allStored', { count: photos.length })).waitFor();
    expect(await stored()).toEqual(contentsOf(photos));
    await page.getByText(t('photoBackup.safe.none')).first().waitFor();
    expect(await states()).toEqual([t('photoBackup.state.stored')]);
    await inspect(page, 'photo-backup-stored');
    await page.setViewportSize(PHONE);

    await household.control('backup.make');
    const sent = uploads;
    await select(photos, t('photoBackup.again'));
    await page.getByText(t('photoBackup.safe.all')).first().waitFor();
    expect(uploads).toBe(sent);
    expect(await stored()).toEqual(contentsOf(photos));
    const date = new Date(household.clock.now()).toLocaleDateString(LOCALE, { dateStyle: 'long' });
    expect(await states()).toEqual([t('photoBackup.state.safe', { disk: disk.name, date })]);
    await inspect(page, 'photo-backup-safe');
    await page.setViewportSize(PHONE);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('photoBackup.download') }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    for (const content of contentsOf(photos)) expect(text).toContain(content);
    expect(text).toContain(t('photoBackup.safe.all'));
  });

  it('sends the photos of a batch before it reads those of the next, and counts what is checked, sent and there', async () => {
    const photos = photosOfPhone(60);
    const tablet = await signInAs(household, person);
    for (const { name, buffer } of photos.slice(0, 3))
      await tablet.put({ filePath: `/ROOT/HOME/Tablet/${name}` }, buffer);
    const asked: number[] = [];
    const [first, second, isStored, isAsked] = [gate(), gate(), gate(), gate()];
    await page.route(/\/photo-backup\/missing$/, async (route) => {
      const items = new URLSearchParams(route.request().postData() ?? '').get('items') ?? '[]';
      asked.push((JSON.parse(items) as unknown[]).length);
      if (asked.length > 1) {
        isAsked.open();
        await second.opened;
      }
      await route.continue();
    });
    await onUploads(async (route, number) => {
      if (number > 1) {
        await first.opened;
        return false;
      }
      const response = await route.fetch();
      isStored.open();
      await first.opened;
      await route.fulfill({ response });
      return true;
    });
    await select(photos);
    await isStored.opened;
    const [firstStored, ...others] = await stored();
    // Three are sent at once.
    expect(photos.slice(3, 6).map(({ buffer }) => digest(buffer))).toContain(firstStored);
    expect(others).toEqual([]);
    const facts = page.locator('.facts-line');
    const shownFirst = { checked: 50, sent: 0, known: 3, failed: 0, size: '|' };
    const [start = ''] = t('photoBackup.progress', shownFirst).split('|');
    await facts.getByText(start).waitFor();
    expect(asked).toEqual([50]);

    first.open();
    await isAsked.opened;
    const size = humanSize(photos.slice(3, 50).reduce((sum, { buffer }) => sum + buffer.length, 0));
    await page.getByText(t('photoBackup.done', { done: 50, total: 61 }), { exact: true }).waitFor();
    const shownNext = { checked: 61, sent: 47, known: 3, failed: 0, size };
    await page.getByText(t('photoBackup.progress', shownNext), { exact: true }).waitFor();
    // The copy of a photo in the first batch needs no question.
    expect(asked).toEqual([50, 10]);
    second.open();
    await heading(t('photoBackup.allStored', { count: photos.length })).waitFor();
    expect(await stored()).toEqual(contentsOf(photos.slice(3, 60)));
  });

  itInFull('does not send what another device has sent meanwhile', async () => {
    const photos = photosOfPhone(210);
    const last = photos[208] as OnPhone;
    const tablet = await signInAs(household, person);
    await onUploads(async (_, number) => {
      // The photos of the first question are on their way.
      if (number === 100) await tablet.put({ filePath: '/ROOT/HOME/Tablet/sent.jpg' }, last.buffer);
      return false;
    });
    await select(photos);
    await heading(t('photoBackup.allStored', { count: photos.length })).waitFor();
    const contents = contentsOf(photos);
    expect(await stored()).toEqual(contents.filter((one) => one !== digest(last.buffer)));
    expect(await stored('Tablet')).toEqual([digest(last.buffer)]);
  });

  itInFull('continues if the photos are selected again after the page was closed', async () => {
    await inspect(page, 'photo-backup-choose');
    await page.setViewportSize(PHONE);
    const photos = photosOfPhone(12);
    let isHeld = () => {};
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    await onUploads(async (_, number) => {
      if (number > 5) isHeld();
      // It never arrives.
      return number > 5;
    });
    await select(photos);
    await held;
    await expect.poll(async () => (await stored()).length).toBe(5);
    await page.getByText(t('photoBackup.done', { done: 5, total: 13 })).waitFor();
    await inspect(page, 'photo-backup-sending');
    const closed = page;
    page = await visited.context.newPage();
    // The browser sends what the test held; the server has it or not.
    await closed.close();
    await page.goto(at('/files/photo-backup'));
    await isOpen();
    await page.getByText(t('photoBackup.interrupted', { stored: 5, total: 13 })).waitFor();
    let uploads = 0;
    await onUploads(async () => {
      uploads += 1;
      return false;
    });
    await select(photos);
    await heading(t('photoBackup.allStored', { count: photos.length })).waitFor();
    expect(uploads).toBeLessThanOrEqual(7);
    expect(await stored()).toEqual(contentsOf(photos));
    await page.reload();
    await isOpen();
    expect(await page.locator('.choosing .note.care').count()).toBe(0);
  });

  it('sends no photo that is stored already, and never replaces a file of the same name', async () => {
    const elsewhere = photo('a.jpg', 1);
    await page.getByRole('button', { name: t('photoBackup.change') }).click();
    await page.getByLabel(t('photoBackup.changeFolder')).fill('Archive/2020');
    await page.getByRole('button', { name: t('photoBackup.save') }).click();
    const before = await storage();
    await select([elsewhere]);
    await heading(t('photoBackup.allStored', { count: 1 })).waitFor();
    expect(await stored('Archive/2020')).toEqual(contentsOf([elsewhere]));
    await expect.poll(storage).not.toEqual(before);
    const used = humanSize(elsewhere.buffer.length);
    for (const text of await storage()) expect(text).toContain(t('files.storage.used', { size: used }));

    // The folder is remembered until it is changed.
    await page.reload();
    await isOpen();
    await page.getByText('Archive / 2020').waitFor();
    await page.getByRole('button', { name: t('photoBackup.change') }).click();
    await page.getByLabel(t('photoBackup.changeFolder')).fill('../Photos//Phone/');
    await page.getByRole('button', { name: t('photoBackup.save') }).click();
    const theirs = Buffer.from('another photo');
    await fillHome(homeOf(household, person), { 'Photos/Phone/b.jpg': theirs });
    // Another device adds a file of the second name while the first photo is sent.
    await onUploads(async (_, number) => {
      if (number === 1) await fillHome(homeOf(household, person), { 'Photos/Phone/c.jpg': 'a third photo' });
      return false;
    });
    const photos = [elsewhere, photo('b.jpg', 2), photo('b.jpg', 3), photo('c.jpg', 4)];
    await select(photos);
    await heading(t('photoBackup.allStored', { count: 4 })).waitFor();
    const others = [theirs, Buffer.from('a third photo')].map(digest);
    expect(await stored()).toEqual([...contentsOf(photos.slice(1)), ...others].sort());
    expect(await stored('Archive/2020')).toEqual(contentsOf([elsewhere]));
  });

  it('stores photos whose names are forbidden under allowed names, and confirms them by the names of the phone', async () => {
    const photos = [photo('10:30?.jpg', 1), photo('10*30*.jpg', 2), photo('aux.jpg', 3), photo('plain.jpg', 4)];
    await select(photos);
    await heading(t('photoBackup.allStored', { count: 4 })).waitFor();
    expect(await stored()).toEqual(contentsOf(photos));
    const names = await readdir(join(homeOf(household, person), 'Photos/Phone'));
    expect(names.sort()).toEqual(['10_30_ (2).jpg', '10_30_.jpg', '_aux.jpg', 'plain.jpg']);
    expect(await states()).toEqual([t('photoBackup.state.stored')]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('photoBackup.download') }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    for (const { name, buffer } of photos) {
      const entry = text.slice(text.indexOf(name)).split('\n\n', 1)[0];
      expect(entry).toContain(digest(buffer));
    }
    expect(text).toContain('/Photos/Phone/10_30_ (2).jpg');
    // What is stored is not sent again for its name.
    let uploads = 0;
    await onUploads(async () => {
      uploads += 1;
      return false;
    });
    await select(photos, t('photoBackup.again'));
    await heading(t('photoBackup.allStored', { count: 4 })).waitFor();
    expect(uploads).toBe(0);
  });

  it('recognizes the content of a film at once, even if it was sent in chunks', async () => {
    const film = { name: 'film.mp4', mimeType: 'video/mp4', buffer: randomBytes(17 * 1024 * 1024) };
    let uploads = 0;
    await onUploads(async () => {
      uploads += 1;
      return false;
    });
    await select([film, photo('one.jpg', 1)]);
    await heading(t('photoBackup.allStored', { count: 2 })).waitFor();
    expect(uploads).toBe(3);
    expect(await stored()).toEqual(contentsOf([film, photo('one.jpg', 1)]));
  });

  itInFull('reports which photo could not be stored and why, and retries it', async () => {
    let isRefused = true;
    await page.route(/\/files\/upload\?.*refused/, async (route) => {
      if (!isRefused) return route.continue();
      const body = { success: false, error: 'The disk says no.', code: 'disk_full', details: {} };
      await route.fulfill({ status: 507, json: body });
    });
    const photos = [photo('stored.jpg', 1), photo('refused.jpg', 2)];
    await select(photos);
    await heading(t('photoBackup.someStored', { stored: 1, total: 2 })).waitFor();
    const reason = t('photoBackup.state.reason', { reason: 'The disk says no.' });
    expect(await states()).toEqual([reason, t('photoBackup.state.stored')]);
    await page.getByText(t('photoBackup.safe.missing', { count: 1 })).waitFor();
    await inspect(page, 'photo-backup-missing');
    await page.setViewportSize(PHONE);
    isRefused = false;
    await page.getByRole('button', { name: t('photoBackup.retry') }).click();
    await heading(t('photoBackup.allStored', { count: 2 })).waitFor();
    expect(await stored()).toEqual(contentsOf(photos));
  });

  it('can be cancelled: sent photos are stored, and no partial ones', async () => {
    let isHeld = () => {};
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    await onUploads(async (_, number) => {
      if (number === 3) isHeld();
      return number > 1;
    });
    const photos = photosOfPhone(5);
    await select(photos);
    await held;
    await page.getByRole('button', { name: t('photoBackup.cancel') }).click();
    await page.getByText(t('photoBackup.cancelled')).first().waitFor();
    const there = await stored();
    expect(there.length).toBeLessThanOrEqual(1);
    expect(there.filter((content) => !contentsOf(photos).includes(content))).toEqual([]);
  });

  /** Selects a photo, and cancels while the page waits for the answer to a question, which is given afterwards. */
  async function cancelWhileAsking(question: string, answer: (route: Route) => Promise<void>): Promise<void> {
    let isAsked = (_: Route) => {};
    const asked = new Promise<Route>((resolve) => (isAsked = resolve));
    await page.route(new RegExp(`/photo-backup/${question}$`), isAsked);
    await select([photo('one.jpg', 1)]);
    const route = await asked;
    await page.getByRole('button', { name: t('photoBackup.cancel') }).click();
    await answer(route);
    await page.getByText(t('photoBackup.cancelled')).first().waitFor();
  }

  it('can be cancelled while it learns that the person is signed out', async () => {
    await cancelWhileAsking('missing', (route) =>
      route.fulfill({ status: 401, json: { success: false, error: 'Signed out.', code: 'unauthorized', details: {} } }),
    );
    await page.getByRole('button', { name: t('photoBackup.select'), exact: true }).waitFor();
  });

  it('sends nothing if it is cancelled before the first photo is sent', async () => {
    let uploads = 0;
    await onUploads(async (_, number) => {
      uploads = number;
      return false;
    });
    await cancelWhileAsking('names', (route) => route.continue());
    expect(uploads).toBe(0);
    expect(await stored()).toEqual([]);
  });
});

describe('the page for the backup of photos', () => {
  itInFull('is linked from the list of photos and beside the upload button', async () => {
    await page.goto(at('/files/?path=/ROOT/HOME'));
    await page.locator('.files[data-ready]').waitFor();
    await page.getByRole('button', { name: t('files.actions.uploadMore') }).click();
    await page.getByRole('menuitem', { name: t('files.actions.takePhoto') }).waitFor();
    await page.getByRole('menuitem', { name: t('photoBackup.entry') }).click();
    await isOpen();
    await page.goto(at('/files/?path=/PHOTOS'));
    await page.getByRole('link', { name: t('photoBackup.entry') }).click();
    await isOpen();
    await heading(t('photoBackup.heading', { device: 'phone' })).waitFor();
    await select([photo('one.jpg', 1)]);
    await page.getByRole('link', { name: t('photoBackup.show') }).click();
    await page.locator('.by-month .item').first().waitFor();
    await page.getByRole('link', { name: t('photoBackup.entry') }).waitFor();
  });

  it('is refused to accounts that may not download', async () => {
    await household.control('accounts.update', { username: person, permissions: { download: false } });
    expect((await page.goto(at('/files/photo-backup')))?.status()).toBe(403);
  });
});

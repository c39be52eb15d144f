import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, devices } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { emptyFilm, motionHeic, motionPhoto, samsungPhoto } from '../../support/content/motion-photos.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, MEMBER, setPermissions, signInAs } from '../../support/households/member.ts';
import { rowsOf } from '../../support/requests/activity.ts';
import { eventually } from '../../support/system/eventually.ts';
import { isInstalled } from '../../support/system/is-installed.ts';
import { address, fillHome, picture, ready, row, signInAt } from '../files/support.ts';
import { timelineReady } from './timeline-support.ts';
import { viewer } from './viewer-support.ts';

// Photos with a film inside.

let browser: Browser;
let household: Household;
let ann: WebVisitor;
let mia: WebVisitor;

const FILM = emptyFilm();
const filmAt = (path: string) => `/files/film?path=${encodeURIComponent(path)}`;
const PHOTO = '/ROOT/HOME/Phone/motion.jpg';

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await addMembersWithHomes(household, { mia: {} });
  [ann, mia] = [await signedIn(OWNER.username, OWNER.password), await signedIn('mia')];
  await fillHome(household.home, {
    'Phone/motion.jpg': motionPhoto(await picture(1), FILM),
    'Phone/samsung.jpg': samsungPhoto(await picture(2), FILM),
    'Phone/motion.heic': motionHeic(await readFile('test/fixtures/pictures/telephone.heic'), FILM),
    'Phone/plain.jpg': await picture(3),
    'Phone/letter.txt': 'a letter',
  });
  await read(4);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

/** Waits until so many photos were read. */
async function read(photos: number): Promise<void> {
  await eventually(
    async () => (await household.control('status')).embedded as { waiting: number; indexed: number },
    ({ waiting, indexed }) => waiting === 0 && indexed >= photos,
  );
}

async function signedIn(username: string, password = MEMBER.password): Promise<WebVisitor> {
  const visitor = new WebVisitor(household);
  const form_token = (await visitor.get('/files/')).field('form_token');
  await visitor.post('/account/sign-in', { form_token, next: '/files/', username, password });
  return visitor;
}

describe('the film', () => {
  it.each(['motion.jpg', 'samsung.jpg', 'motion.heic'])('of %s is sent as a video, with ranges', async (name) => {
    const path = `/ROOT/HOME/Phone/${name}`;
    const whole = await ann.get(filmAt(path));
    expect([whole.status, whole.text]).toEqual([200, FILM.toString('latin1')]);
    expect(whole.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(FILM.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    });
    expect(whole.headers['content-disposition']).toContain(`filename="${name.replace(/\..*/, '.mp4')}"`);
    const part = await ann.get(filmAt(path), { range: 'bytes=4-7' });
    expect([part.status, part.text]).toEqual([206, 'ftyp']);
    expect(part.headers['content-range']).toBe(`bytes 4-7/${FILM.length}`);
    const last = await ann.get(filmAt(path), { range: 'bytes=-3' });
    expect(last.text).toBe(FILM.subarray(-3).toString('latin1'));
    expect((await ann.get(filmAt(path), { range: `bytes=${FILM.length}-` })).status).toBe(416);
    const tag = whole.headers.etag ?? '';
    expect((await ann.get(filmAt(path), { 'if-none-match': tag })).status).toBe(304);
    // The tag of the photo is not that of its film.
    const photo = await ann.get(`/files/download?path=${encodeURIComponent(path)}`);
    expect(photo.headers.etag).not.toBe(tag);
    expect(Number(photo.headers['content-length'])).toBeGreaterThan(FILM.length);
  });

  it('does not exist for other photos and files, folders, and missing items', async () => {
    for (const path of ['Phone/plain.jpg', 'Phone/letter.txt', 'Phone', 'Phone/none.jpg', 'Phone/../Phone'])
      expect((await ann.get(filmAt(`/ROOT/HOME/${path}`))).status, path).toBeGreaterThanOrEqual(400);
    expect((await ann.get('/files/film')).status).toBe(400);
  });

  it('is recorded as a download of the photo', async () => {
    const rows = await rowsOf(household, () => ann.get(filmAt(PHOTO)));
    expect(rows.map(({ kind, subject }) => [kind, subject])).toEqual([['file.downloaded', PHOTO]]);
  });

  it('is sent only to accounts that may open the photo', async () => {
    const stranger = await new WebVisitor(household).get(filmAt(PHOTO));
    expect(stranger.text).toContain(t('signIn.heading'));
    expect((await mia.get(filmAt(PHOTO))).status).toBe(404);
    const owner = await household.signIn();
    const uid = (await (await signInAs(household, 'mia')).get('account/info')).body.id;
    const given = await owner.post('files/share', { path: PHOTO, uid, download: 0 });
    const { shareid } = given.body.data;
    const shared = filmAt(`/ROOT/1/${shareid}`);
    expect((await mia.get(shared)).status).toBe(403);
    await owner.post('files/share', { path: PHOTO, uid, download: 1 });
    expect((await mia.get(shared)).text).toBe(FILM.toString('latin1'));
    await setPermissions(household, { mia: { download: false } });
    expect((await mia.get(shared)).status).toBe(403);
    await setPermissions(household, { mia: {} });
    await owner.post('files/unshare', { path: PHOTO, uid });
    expect((await mia.get(shared)).status).toBe(404);
  });

  itInFull('always belongs to the current content of the photo', async () => {
    const at = join(household.home, 'Phone/changing.jpg');
    const path = '/ROOT/HOME/Phone/changing.jpg';
    await writeFile(at, motionPhoto(await picture(4), FILM));
    await read(5);
    expect((await ann.get(filmAt(path))).status).toBe(200);
    // Nothing reads these again before the request.
    await household.api.get('files/browse');
    for (const content of [Buffer.alloc(10), Buffer.alloc(100_000, 1), Buffer.alloc(0)]) {
      await writeFile(`${at}.new`, content);
      await rename(`${at}.new`, at);
      const { status, text } = await ann.get(filmAt(path));
      expect(status).toBe(404);
      expect(text).not.toContain('ftyp');
    }
  });
});

itInFull('motion photos are marked in folders, and their page links to the film, also without the script', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, context, complaints } = await visit(browser, { javaScriptEnabled });
    await page.goto(address(household, '/files/?path=/ROOT/HOME/Phone&view=gallery'));
    await signInAt(page);
    expect(await row(page, 'motion.jpg').locator('.whole').textContent()).toBe(t('photos.live'));
    expect(await row(page, 'plain.jpg').locator('.whole').count()).toBe(0);
    if (javaScriptEnabled) await inspect(page, 'motion-in-gallery');
    await page.goto(address(household, '/files/?path=/ROOT/HOME/Phone&view=list'));
    expect(await row(page, 'motion.jpg').locator('.mark').textContent()).toBe(t('photos.motionPhoto'));
    expect(await row(page, 'plain.jpg').locator('.mark').count()).toBe(0);
    if (javaScriptEnabled) await inspect(page, 'motion-in-list');
    await page.goto(address(household, `/files/item?path=${PHOTO}`));
    const link = page.getByRole('link', { name: t('photos.playFilm') });
    expect(new URL((await link.getAttribute('href')) ?? '', page.url()).searchParams.get('path')).toBe(PHOTO);
    if (javaScriptEnabled) await inspect(page, 'page-of-motion-photo');
    expect(complaints).toEqual([]);
    await context.close();
  }
});

/** A film that browsers for tests can play. */
async function playableFilm(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-motion-'));
  try {
    const at = join(folder, 'film.mp4');
    const source = ['-f', 'lavfi', '-i', 'testsrc=duration=1:size=96x64:rate=10'];
    execFileSync('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libvpx-vp9', '-pix_fmt', 'yuv420p', at]);
    return await readFile(at);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe.skipIf(!isInstalled('ffmpeg'))('in the viewer', () => {
  it('the film plays over the photo, by a button, by keyboard and by holding', async () => {
    await fillHome(household.home, { 'Played/played.jpg': motionPhoto(await picture(6), await playableFilm()) });
    await read(5);
    const { page, context, complaints } = await visit(browser);
    await page.goto(address(household, '/files/?path=/PHOTOS'));
    await signInAt(page);
    await ready(page);
    await timelineReady(page);
    const tile = row(page, 'played.jpg');
    await expect.poll(() => tile.locator('.whole').textContent()).toBe(t('photos.live'));
    await tile.locator('.open').click();
    const dialog = viewer(page);
    const play = dialog.getByRole('button', { name: t('photoViewer.live') });
    const film = dialog.locator('.live-film');
    const isOver = () => film.waitFor({ state: 'detached' });
    await play.click();
    await film.waitFor();
    expect(await film.evaluate((video) => (video as unknown as { muted: boolean }).muted)).toBe(true);
    // At its end, it gives way to the photo.
    await isOver();
    await play.focus();
    await page.keyboard.press('Enter');
    await film.waitFor();
    await isOver();
    const photo = await dialog.locator('.photo-box').boundingBox();
    await page.mouse.move((photo?.x ?? 0) + 300, (photo?.y ?? 0) + 200);
    await page.mouse.down();
    await film.waitFor();
    await page.mouse.up();
    await isOver();
    expect(await dialog.locator('.note-of-live').count()).toBe(0);
    await inspect(page, 'motion-photo');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('a message is shown if the browser cannot play it', async () => {
    const { page, context } = await visit(browser, devices['Pixel 7']);
    await page.goto(address(household, `/files/?path=/ROOT/HOME/Phone&view=gallery`));
    await signInAt(page);
    await ready(page);
    await row(page, 'motion.jpg').locator('.open').click();
    await viewer(page)
      .getByRole('button', { name: t('photoViewer.live') })
      .click();
    await viewer(page).locator('.note-of-live').getByText(t('photoViewer.cannotPlay.video')).waitFor();
    await context.close();
  });
});

it('the film inside of another photo of a burst is played in the viewer', async () => {
  const name = (number: number) => `IMG_20260912_1000_BURST00${number}.jpg`;
  await fillHome(household.home, {
    [`Burst/${name(1)}`]: await picture(4),
    [`Burst/${name(2)}`]: motionPhoto(await picture(5), FILM),
    [`Burst/${name(3)}`]: await picture(6),
  });
  await read(7);
  const { page, context } = await visit(browser);
  await page.goto(address(household, '/files/?path=/PHOTOS'));
  await signInAt(page);
  await timelineReady(page);
  await row(page, name(1)).first().locator('.open').click();
  const play = viewer(page).getByRole('button', { name: t('photoViewer.live') });
  const pictures = viewer(page)
    .getByRole('navigation', { name: t('photoViewer.burst') })
    .getByRole('listitem');
  await expect.poll(() => pictures.count()).toBe(3);
  expect(await play.isVisible()).toBe(false);
  await pictures.nth(1).getByRole('button').click();
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/files/film');
  await play.click();
  expect(new URL((await asked).url()).searchParams.get('path')).toBe(`/ROOT/HOME/Burst/${name(2)}`);
  await pictures.nth(2).getByRole('button').click();
  await play.waitFor({ state: 'hidden' });
  await context.close();
});

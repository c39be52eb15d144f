import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, type Visit, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, dropFiles, fillHome, names, ready, row, signInAt, toast, UNREADABLE } from './support.ts';

const MEGABYTE = 1024 * 1024;

let browser: Browser;
let household: Household;
let visited: Visit;
let page: Page;
/** What people have on their own device. */
let device = '';

beforeAll(async () => {
  device = await mkdtemp(join(tmpdir(), 'larder-device-'));
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
  await rm(device, { recursive: true, force: true });
});

let folder = 0;
let here = '';
beforeEach(async () => {
  folder += 1;
  here = `case ${folder}`;
  await fillHome(household.home, { [`${here}/there.txt`]: 'what was there' });
  visited = await visit(browser);
  ({ page } = visited);
  await page.goto(address(household, `/files/?path=${encodeURIComponent(`/ROOT/HOME/${here}`)}`));
  await signInAt(page);
  await ready(page);
  return () => visited.context.close();
});

const onDisk = (name: string) => readFile(join(household.home, here, name));

/** @param changedAt of the files, in seconds since 1970 */
async function choose(files: Record<string, Buffer>, changedAt?: number): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(device, name), content);
    if (changedAt !== undefined)
      await utimes(join(device, name), new Date(changedAt * 1_000), new Date(changedAt * 1_000));
  }
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('link', { name: t('files.actions.upload') }).click(),
  ]);
  await chooser.setFiles(Object.keys(files).map((name) => join(device, name)));
}

const panel = () => page.getByRole('region', { name: t('uploads.heading') });

const drop = (files: Record<string, unknown>) => dropFiles(page, files);

describe('uploads', () => {
  it('send several files at once, show the progress, and list the files', async () => {
    const contents = Object.fromEntries(
      [1, 2, 3, 4, 5].map((number) => [`file ${number}.bin`, randomBytes(number * 1_000)]),
    );
    await choose(contents);
    await panel()
      .getByText(t('uploads.finished', { count: 5 }))
      .waitFor();
    await expect.poll(() => names(page)).toEqual([...Object.keys(contents), 'there.txt']);
    for (const [name, content] of Object.entries(contents)) expect((await onDisk(name)).equals(content)).toBe(true);
    await inspect(page, 'files-uploaded');
    expect(visited.complaints).toEqual([]);
  });

  it.each([-14_182_940, -1, 0, 4_300_000_000])('keep the time of a file, %i seconds from 1970', async (seconds) => {
    await choose({ 'dated.txt': Buffer.from('x') }, seconds);
    await panel()
      .getByText(t('uploads.finished', { count: 1 }))
      .waitFor();
    expect((await stat(join(household.home, here, 'dated.txt'))).mtimeMs).toBe(seconds * 1_000);
  });

  itInFull('send large files in chunks, and continue where the connection broke', async () => {
    const content = randomBytes(40 * MEGABYTE);
    let sent = 0;
    await page.route(/\/files\/upload\?/, async (route) => {
      sent += 1;
      // The second piece never arrives.
      if (sent === 2) await route.abort('connectionreset');
      else await route.continue();
    });
    await choose({ 'film.mkv': content });
    await panel()
      .getByText(t('uploads.noAnswer', { seconds: 1 }))
      .waitFor();
    await inspect(page, 'files-upload-waits');
    await panel()
      .getByText(t('uploads.finished', { count: 1 }))
      .waitFor();
    expect((await onDisk('film.mkv')).equals(content)).toBe(true);
    // Three pieces, one of them twice, and the question how far it has come.
    expect(sent).toBe(5);
  });

  it('create the folders of a dropped folder', async () => {
    await drop({ Trip: { 'one.txt': '1', Day: { 'two.txt': '2' }, Nothing: {} } });
    await panel()
      .getByText(t('uploads.finished', { count: 2 }))
      .waitFor();
    await expect.poll(() => names(page)).toEqual(['Trip', 'there.txt']);
    expect(String(await onDisk('Trip/Day/two.txt'))).toBe('2');
    const listed = await (await household.signIn()).get('files/browse', { path: `/ROOT/HOME/${here}/Trip` });
    expect(listed.body.data.files.map(({ filename }: { filename: string }) => filename)).toEqual([
      'Day',
      'Nothing',
      'one.txt',
    ]);
  });

  it('go into the folder onto which files are dropped: a row, a breadcrumb, an entry of the sidebar', async () => {
    await fillHome(household.home, { [`${here}/Inner/Deep/kept.txt`]: 'kept' });
    const sent = async (name: string, target: Locator, place: string) => {
      await dropFiles(page, { [name]: name }, target);
      await expect.poll(() => readFile(join(household.home, place, name), 'utf8').catch(() => null)).toBe(name);
    };
    await page.goto(address(household, `/files/?path=${encodeURIComponent(`/ROOT/HOME/${here}/Inner`)}`));
    await ready(page);
    await sent('row.txt', row(page, 'Deep'), `${here}/Inner/Deep`);
    await sent('crumb.txt', page.locator('.crumbs a', { hasText: here }), here);
    await sent('sidebar.txt', page.locator('.file-nav').getByRole('link', { name: t('files.myFiles') }), '');
    await sent('shown.txt', page.locator('.items'), `${here}/Inner`);
    const api = await household.signIn();
    await api.post('files/star', { path: `/ROOT/HOME/${here}/Inner` });
    await page.goto(address(household, '/files/?path=/STARRED'));
    await ready(page);
    await sent('starred.txt', row(page, 'Inner'), `${here}/Inner`);
    await api.post('files/unstar', { path: `/ROOT/HOME/${here}/Inner` });
  });

  itInFull('ask once about all names that exist already, and list them', async () => {
    const taken = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `taken ${number}.txt`);
    await fillHome(household.home, Object.fromEntries(taken.map((name) => [`${here}/${name}`, 'kept'])));
    await choose(Object.fromEntries([...taken, 'new.txt'].map((name) => [name, Buffer.from('sent')])));
    const dialog = page.getByRole('dialog', { name: t('uploads.taken.heading', { taken: 8, total: 9 }) });
    await dialog.waitFor();
    const listed = [...taken.slice(0, 5), t('uploads.taken.more', { count: 3 })];
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual(listed);
    await inspect(page, 'files-upload-taken');
    await dialog.getByRole('button', { name: t('uploads.taken.answers.skip') }).click();
    await panel()
      .getByText(t('uploads.finished', { count: 1 }))
      .waitFor();
    expect([String(await onDisk('taken 1.txt')), String(await onDisk('new.txt'))]).toEqual(['kept', 'sent']);
  });

  it('send everything of a dropped folder that can be read, and report what cannot', async () => {
    await drop({
      Trip: { 'a.txt': '1', '~$open.docx': UNREADABLE, Day: { 'gone.txt': UNREADABLE, 'two.txt': '2' }, 'z.txt': '3' },
    });
    await toast(page, t('uploads.notRead', { count: 2 }));
    await panel()
      .getByText(t('uploads.finished', { count: 3 }))
      .waitFor();
    await expect.poll(() => readdir(join(household.home, here, 'Trip'))).toEqual(['Day', 'a.txt', 'z.txt']);
    expect(await readdir(join(household.home, here, 'Trip/Day'))).toEqual(['two.txt']);
  });

  itInFull('omit files that systems store in folders, and report that', async () => {
    await drop({
      Trip: { '.DS_Store': 'mac', 'one.txt': '1', Day: { 'Thumbs.db': 'windows' } },
      '.DS_Store': 'chosen on its own',
    });
    await toast(page, t('uploads.systemFiles', { count: 2 }));
    await panel()
      .getByText(t('uploads.finished', { count: 2 }))
      .waitFor();
    expect(String(await onDisk('.DS_Store'))).toBe('chosen on its own');
    await expect.poll(() => readdir(join(household.home, here, 'Trip'))).toEqual(['Day', 'one.txt']);
    expect(await readdir(join(household.home, here, 'Trip/Day'))).toEqual([]);
  });

  it('say of a chosen folder with nothing but system files what was left out', async () => {
    const only = join(device, `only system files ${folder}`);
    await mkdir(join(only, 'in it'), { recursive: true });
    await writeFile(join(only, '.DS_Store'), 'mac');
    await writeFile(join(only, 'in it', 'Thumbs.db'), 'windows');
    await page.locator('.caret').click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('menuitem', { name: t('files.actions.uploadFolder') }).click(),
    ]);
    await chooser.setFiles(only);
    await toast(page, t('uploads.onlySystemFiles', { count: 2 }));
    expect(await names(page)).toEqual(['there.txt']);
    expect(await readdir(join(household.home, here))).toEqual(['there.txt']);
  });

  itInFull('include pasted files, except for text pasted into fields', async () => {
    const paste = (on: string) =>
      page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        const lastModified = new Date(2026, 10, 26, 9, 5, 4).getTime();
        clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png', lastModified }));
        clipboardData.items.add(new File(['letter'], 'letter.txt', { lastModified }));
        document.querySelector('${on}').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      })()`);
    await paste('input[type=search]');
    await paste('body');
    await panel()
      .getByText(t('uploads.finished', { count: 2 }))
      .waitFor();
    const picture = `${t('uploads.pasted')} 2026-11-26 09.05.04.png`;
    await expect.poll(() => names(page)).toEqual(['letter.txt', picture, 'there.txt']);
    expect(String(await onDisk(picture))).toBe('picture');
  });

  it('require a confirmation before a file is replaced', async () => {
    await choose({ 'there.txt': Buffer.from('new'), 'other.txt': Buffer.from('other') });
    await page.getByRole('dialog', { name: t('uploads.taken.headingOne', { name: 'there.txt' }) }).waitFor();
    await inspect(page, 'files-taken');
    await page.getByRole('button', { name: t('uploads.taken.answers.both') }).click();
    await expect.poll(() => names(page)).toEqual(['other.txt', 'there (2).txt', 'there.txt']);
    expect([String(await onDisk('there.txt')), String(await onDisk('there (2).txt'))]).toEqual([
      'what was there',
      'new',
    ]);
    await choose({ 'there.txt': Buffer.from('newest') });
    await page.getByRole('dialog', { name: t('uploads.taken.headingOne', { name: 'there.txt' }) }).waitFor();
    await page.getByRole('button', { name: t('uploads.taken.answers.replace') }).click();
    await panel()
      .getByText(t('uploads.finished', { count: 3 }))
      .waitFor();
    expect(String(await onDisk('there.txt'))).toBe('newest');
  });

  itInFull('wait while nobody is signed in, and continue automatically afterwards', async () => {
    const content = randomBytes(20 * MEGABYTE);
    let sent = 0;
    await page.route(/\/files\/upload\?/, async (route) => {
      sent += 1;
      // Between two pieces the session ends, as by hand or by time.
      if (sent === 2) await visited.context.clearCookies();
      await route.continue();
    });
    await choose({ 'long.bin': content });
    await panel().getByText(t('uploads.signedOut')).waitFor();
    await inspect(page, 'files-upload-signed-out');
    const [other] = await Promise.all([
      visited.context.waitForEvent('page'),
      panel()
        .getByRole('link', { name: t('uploads.signIn') })
        .click(),
    ]);
    await signInAt(other);
    await other.getByRole('heading', { name: t('files.myFiles') }).waitFor();
    await panel()
      .getByRole('button', { name: t('uploads.continue') })
      .click();
    await panel()
      .getByText(t('uploads.finished', { count: 1 }))
      .waitFor();
    expect((await onDisk('long.bin')).equals(content)).toBe(true);
  });

  itInFull('report at once files that cannot be uploaded, and retry refused ones on request', async () => {
    let refused = 0;
    await page.route(/\/files\/upload\?/, async (route) => {
      refused += 1;
      if (refused > 1) return route.continue();
      const error = t('api.access.quotaExceeded', { megabytes: 1 });
      await route.fulfill({ status: 507, json: { success: false, error, code: 'quota_exceeded' } });
    });
    await page.evaluate("document.querySelector('.files').dataset.max = '1'");
    await choose({ 'large.bin': randomBytes(2 * MEGABYTE), 'small.bin': randomBytes(1_000) });
    await panel()
      .getByText(t('uploads.tooLarge', { size: '1.0 MB' }))
      .waitFor();
    await panel()
      .getByText(t('api.access.quotaExceeded', { megabytes: 1 }))
      .waitFor();
    await panel()
      .getByText(t('uploads.someFailed', { sent: 0, total: 2, failed: 2 }))
      .waitFor();
    await inspect(page, 'files-upload-failed');
    await panel()
      .getByRole('button', { name: t('uploads.verbsFor.retry', { name: 'small.bin' }) })
      .click();
    await panel()
      .getByText(t('uploads.someFailed', { sent: 1, total: 2, failed: 1 }))
      .waitFor();
    await expect.poll(() => names(page)).toEqual(['small.bin', 'there.txt']);
    await panel()
      .getByRole('button', { name: t('uploads.close') })
      .click();
    await expect.poll(() => panel().count()).toBe(0);
  });
});

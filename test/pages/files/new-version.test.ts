import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { homeOf } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { address, enterAt, fillHome, picture, row, shown, toast } from './support.ts';

let browser: Browser;
let household: SharingHousehold;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await fillHome(homeOf(household, 'olga'), {
    'Work/Report.pdf': '%PDF-1.4 first',
    'Work/Plain.pdf': '%PDF-1.4 first',
    'Work/Ours.pdf': '%PDF-1.4 first',
    'Work/Gone.pdf': '%PDF-1.4 first',
    'Work/Held.pdf': '%PDF-1.4 first',
    'Work/\u05d3\u05d5\u05d7.pdf': '%PDF-1.4 first',
    'Work/Budget v1.2': 'first',
    'Work/View.jpg': await picture(1),
  });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const WORK = '/ROOT/HOME/Work';
const onDisk = (name: string) => readFile(join(homeOf(household, 'olga'), 'Work', name), 'utf8');
const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

async function enter(username: string, path: string, options: BrowserContextOptions = {}) {
  return enterAt({ browser, household }, path, { username, ...options });
}

/** Chooses a file in the dialog that a click opens. @returns what the dialog offers */
async function choose(page: Page, open: () => Promise<void>, chosen: ReturnType<typeof file>): Promise<string | null> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()]);
  await chooser.setFiles(chosen);
  return chooser.element().getAttribute('accept');
}

async function chooseFor(page: Page, name: string, chosen: ReturnType<typeof file>): Promise<string | null> {
  await row(page, name).locator('.more').click();
  return choose(page, () => page.getByRole('menuitem', { name: t('files.actions.replace') }).click(), chosen);
}

const versionsOf = async (path: string) => {
  const { body } = await household.as('olga').get('files/versions/list', { path });
  return body.data.versions.length;
};

/** The mean colour of an image of the page; empty before it has been loaded. */
const colourIn = (page: Page) => (selector: string) =>
  page.locator(selector).evaluate((element) => {
    const image = element as HTMLImageElement;
    const { ownerDocument: document, complete, naturalWidth } = image;
    const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
    if (!complete || naturalWidth === 0 || context === null) return '';
    context.drawImage(image, 0, 0, 1, 1);
    return context.getImageData(0, 0, 1, 1).data.join();
  });

describe('a new version of a file', () => {
  it('is uploaded under another name, from the menu and from the list of versions', async () => {
    const { page, complaints, context } = await enter('olga', `/files/?path=${WORK}`);
    const accepted = await chooseFor(page, 'Report.pdf', file('Report (final).PDF', '%PDF-1.4 second'));
    expect(accepted).toBe('.pdf');
    await expect.poll(() => onDisk('Report.pdf')).toBe('%PDF-1.4 second');
    // The page also says it to those who cannot see it.
    await page
      .getByRole('region', { name: t('uploads.heading') })
      .getByText(t('uploads.finished', { count: 1 }))
      .waitFor();

    await page.goto(address(household, `/files/versions?path=${WORK}/Report.pdf`));
    await shown(page);
    await expect.poll(() => page.locator('.version-list .version').count()).toBe(2);
    await inspect(page, 'versions-to-replace');
    await page.goto(address(household, `/files/do/replace?path=${WORK}/Report.pdf`));
    await inspect(page, 'new-version');
    await page.goBack();
    await shown(page);
    const link = page.getByRole('link', { name: t('files.actions.replace') });
    await choose(page, () => link.click(), file('third.pdf', '%PDF-1.4 third'));
    // The page shows it without being loaded again.
    await expect.poll(() => page.locator('.version-list .version').count()).toBe(3);
    expect(await onDisk('Report.pdf')).toBe('%PDF-1.4 third');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('has the format of the file', async () => {
    const { page, context } = await enter('olga', `/files/?path=${WORK}`);
    await chooseFor(page, 'Report.pdf', file('Holiday.jpg', 'a photo'));
    await toast(page, t('uploads.otherFormat', { name: 'Report.pdf', chosen: 'Holiday.jpg' }));
    // A name that is written from right to left has its extension in the same place.
    const hebrew = '\u05d3\u05d5\u05d7.pdf';
    expect(await chooseFor(page, hebrew, file('b.pdf', '%PDF-1.4 second'))).toBe('.pdf');
    await expect.poll(() => onDisk(hebrew)).toBe('%PDF-1.4 second');
    expect(await onDisk('Report.pdf')).not.toContain('a photo');
    // A name with another dot restricts nothing.
    expect(await chooseFor(page, 'Budget v1.2', file('Budget v1.3', 'second'))).toBe('');
    await expect.poll(() => onDisk('Budget v1.2')).toBe('second');
    await context.close();
  });

  it('shows itself where the one before was shown', async () => {
    const { page, context } = await enter('olga', `/files/?path=${WORK}&view=gallery`);
    const colour = colourIn(page);
    const tile = '.item[data-path$="View.jpg"] img';
    await expect.poll(() => colour(tile)).not.toBe('');
    const before = await colour(tile);
    await chooseFor(page, 'View.jpg', file('other.jpeg', await picture(3)));
    await expect.poll(async () => ['', before].includes(await colour(tile))).toBe(false);
    await page.goto(address(household, `/files/item?path=${WORK}/View.jpg`));
    await shown(page);
    const large = '.shown img';
    await expect.poll(() => colour(large)).not.toBe('');
    const second = await colour(large);
    const link = page.getByRole('link', { name: t('files.actions.replace') });
    await choose(page, () => link.click(), file('third.jpg', await picture(5)));
    await expect.poll(async () => ['', second].includes(await colour(large))).toBe(false);
    await context.close();
  });

  it('shows itself in lists of files from anywhere, and in the viewer', async () => {
    const { page, context } = await enter('olga', '/files/?path=/PHOTOS&view=list');
    const colour = colourIn(page);
    const small = '.item[data-path$="View.jpg"] img';
    await expect.poll(() => colour(small)).not.toBe('');
    const before = await colour(small);
    await chooseFor(page, 'View.jpg', file('fourth.jpg', await picture(2)));
    await expect.poll(async () => ['', before].includes(await colour(small))).toBe(false);

    await row(page, 'View.jpg').locator('.open').click();
    const large = '.photo-viewer .whole-photo';
    await expect.poll(() => colour(large)).not.toBe('');
    const fourth = await colour(large);
    await page.getByRole('button', { name: t('photoViewer.more') }).click();
    const open = () => page.getByRole('menuitem', { name: t('files.actions.replace') }).click();
    await choose(page, open, file('fifth.jpg', await picture(4)));
    await expect.poll(async () => ['', fourth].includes(await colour(large))).toBe(false);
    await context.close();
  });

  it('is not stored if the file is gone, or if somebody else has locked it', async () => {
    const { page, context } = await enter('olga', `/files/?path=${WORK}`);
    await row(page, 'Gone.pdf').locator('.more').click();
    const open = () => page.getByRole('menuitem', { name: t('files.actions.replace') }).click();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()]);
    expect((await household.as('olga').post('files/delete', { path: `${WORK}/Gone.pdf` })).body.success).toBe(true);
    await chooser.setFiles(file('b.pdf', '%PDF-1.4 second'));
    await page.getByText(t('uploads.versionOfNothing')).waitFor();
    await expect(onDisk('Gone.pdf')).rejects.toThrow('ENOENT');
    await context.close();

    const id = await household.share('/ROOT/HOME/Work', { uid: household.ids.ben, download: 1, upload: 1, alter: 1 });
    expect((await household.as('olga').post('files/lock', { path: `${WORK}/Held.pdf` })).body.success).toBe(true);
    const theirs = await enter('ben', `/files/?path=/ROOT/${household.ids.olga}/${id}`);
    await row(theirs.page, 'Held.pdf').locator('.more').click();
    await theirs.page.getByRole('menuitem', { name: t('files.actions.details') }).waitFor();
    expect(await theirs.page.getByRole('menuitem', { name: t('files.actions.replace') }).count()).toBe(0);
    await theirs.context.close();
  });

  it('is uploaded with a form where no script runs', async () => {
    const options = { javaScriptEnabled: false };
    const { page, context } = await enter('olga', `/files/item?path=${WORK}/Plain.pdf`, options);
    await page.getByRole('link', { name: t('files.actions.replace') }).click();
    await page.getByText(t('files.forms.newVersion.lead', { versions: 10 })).waitFor();
    const send = async (chosen: ReturnType<typeof file>) => {
      await page.getByLabel(t('files.forms.upload.file')).setInputFiles(chosen);
      await page.getByRole('button', { name: t('files.actions.upload') }).click();
    };
    await send(file('Holiday.jpg', 'a photo'));
    await page.getByText(t('uploads.otherFormat', { name: 'Plain.pdf', chosen: 'Holiday.jpg' })).waitFor();
    expect(await onDisk('Plain.pdf')).toBe('%PDF-1.4 first');
    await send(file('b.pdf', '%PDF-1.4 second'));
    await page.getByText(t('files.done.uploaded')).waitFor();
    expect(await onDisk('Plain.pdf')).toBe('%PDF-1.4 second');
    expect(await versionsOf(`${WORK}/Plain.pdf`)).toBe(2);
    await context.close();
  });

  it('is uploaded by the recipient of a single file, if the share allows it', async () => {
    const share = (uid: number | string, rights: Record<string, 0 | 1>) =>
      household.share(`${WORK}/Ours.pdf`, { uid, download: 1, ...rights });
    await share(household.ids.ben, { upload: 1, alter: 1 });
    await share(household.ids.gil, { upload: 0, alter: 0 });
    const { page, context } = await enter('ben', '/files/?path=/ROOT/SHARED');
    await chooseFor(page, 'Ours.pdf', file('From Ben.pdf', '%PDF-1.4 of Ben'));
    await expect.poll(() => onDisk('Ours.pdf')).toBe('%PDF-1.4 of Ben');
    await context.close();

    const other = await enter('gil', '/files/?path=/ROOT/SHARED');
    await row(other.page, 'Ours.pdf').locator('.more').click();
    await other.page.getByRole('menuitem', { name: t('files.actions.details') }).click();
    await other.page.getByRole('heading', { name: 'Ours.pdf' }).waitFor();
    expect(await other.page.getByRole('link', { name: t('files.actions.replace') }).count()).toBe(0);
    const theirs = new URL(other.page.url()).searchParams.get('path') ?? '';
    await other.page.goto(address(household, `/files/do/replace?path=${theirs}`));
    await other.page.getByLabel(t('files.forms.upload.file')).setInputFiles(file('g.pdf', '%PDF-1.4 of Gil'));
    await other.page.getByRole('button', { name: t('files.actions.upload') }).click();
    await other.page.getByText(t('files.errors.noPermission')).waitFor();
    expect(await onDisk('Ours.pdf')).toBe('%PDF-1.4 of Ben');
    await other.context.close();
  });
});

import { copyFile, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { folderEnded, putUnpacked, startFolder } from '../../imports/folder-support.ts';
import {
  albumJson,
  albumsOf,
  ended,
  imported,
  LAKE,
  memberWithHome,
  photo,
  putArchives,
  start,
  YEAR,
} from '../../imports/support.ts';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { MEMBER } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { address, enterAt, ready, signInAt } from '../files/support.ts';

// The pages that import photos.

let browser: Browser;
let household: Household;
let api: ApiClient;
let archives: string[] = [];

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  const names = Array.from({ length: 30 }, (_, index) => `IMG_${1_000 + index}.jpg`);
  archives = await putArchives(
    household.home,
    names.flatMap((name) => photo(`${YEAR}/${name}`, `content of ${name}`)),
    [
      ...names.slice(0, 12).flatMap((name) => photo(`${LAKE}/${name}`, `content of ${name}`)),
      { name: `${LAKE}/metadata.json`, content: albumJson('At the lake') },
      { name: `${YEAR}/IMG_0001.jpg`, content: 'without a JSON' },
      { name: `${YEAR}/notes.txt`, content: 'text' },
      { name: 'Takeout/Mail/All mail.mbox', content: 'mail' },
    ],
  );
  api = await household.signIn();
  await api.get('files/browse', { path: '/ROOT/HOME' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function open(at: string, options: { readonly javaScriptEnabled?: boolean } = {}) {
  return enterAt({ browser, household }, at, options);
}

it.each([true, false])('the photos lead to an import and its report, with script: %s', async (javaScriptEnabled) => {
  const { page, context, complaints } = await open('/files/?path=/PHOTOS', { javaScriptEnabled });
  await page
    .getByRole('main')
    .getByRole('link', { name: t('imports.heading') })
    .click();
  await page.getByRole('heading', { level: 1, name: t('imports.heading') }).waitFor();
  if (javaScriptEnabled) await inspect(page, 'imports');
  const boxes = page.getByRole('group', { name: t('imports.archives') }).getByRole('checkbox');
  expect(await boxes.count()).toBe(2);
  // Only of the first import all parts of the export are selected.
  for (const box of await boxes.all()) {
    expect(await box.isChecked()).toBe(javaScriptEnabled);
    await box.check();
  }
  await page.getByRole('button', { name: t('imports.start') }).click();
  const done = page.getByRole('heading', { level: 1, name: t('imports.state.done') });
  if (!javaScriptEnabled) {
    await page.waitForURL(/\/files\/import\?/);
    await ended(api, new URL(page.url()).searchParams.get('import') ?? '');
    await page.reload();
  }
  await done.waitFor();
  const sum = (name: 'stored' | 'known' | 'inAlbums' | 'undated') =>
    page
      .locator('.import-sums dl > div')
      .filter({ has: page.getByText(t(`imports.${name}`), { exact: true }) })
      .locator('dd')
      .innerText();
  expect([await sum('stored'), await sum('known'), await sum('inAlbums'), await sum('undated')]).toEqual(
    javaScriptEnabled ? ['31', '12', '12', '1'] : ['0', '43', '12', '0'],
  );
  const undescribed = page
    .locator('.import-notes details')
    .filter({ hasText: t('imports.reason', { reason: 'no_description' }) });
  await undescribed.locator('summary').click();
  await undescribed.getByText('IMG_0001.jpg').waitFor();
  // Nobody deletes the archives without knowing what is only there.
  await page.getByText(t('imports.leftOut', { count: 2 })).waitFor();
  await page
    .locator('.note')
    .filter({ hasText: /Mail.*notes\.txt/ })
    .waitFor();
  expect(await page.getByText(t('imports.mayDelete')).count()).toBe(0);
  if (javaScriptEnabled) await inspect(page, 'import-report');
  await page.getByRole('link', { name: t('imports.seePhotos') }).click();
  await page.getByRole('heading', { level: 1, name: 'Photos' }).waitFor();
  if (javaScriptEnabled) await inspect(page, 'imports-photos');
  expect(complaints).toEqual([]);
  await context.close();
});

it('makes albums of the folders of archives without albums if that is selected', async () => {
  const other = await memberWithHome(household, 'folders');
  await putArchives(other.home, [
    { name: 'Rome/1.jpg', content: 'one of Rome' },
    { name: 'Sea/2.jpg', content: 'one of the sea' },
  ]);
  await other.api.get('files/browse', { path: '/ROOT/HOME' });
  const { page, context, complaints } = await visit(browser);
  await page.goto(address(household, '/files/imports'));
  await signInAt(page, 'folders', MEMBER.password);
  await ready(page);
  const choice = page.getByRole('checkbox', { name: t('imports.folderAlbums') });
  expect(await choice.isChecked()).toBe(false);
  await choice.check();
  await page
    .getByRole('group', { name: t('imports.archives') })
    .getByRole('checkbox')
    .uncheck();
  await page.getByRole('button', { name: t('imports.start') }).click();
  await page.getByRole('alert').waitFor();
  // What was entered is still there.
  expect(await choice.isChecked()).toBe(true);
  await page
    .getByRole('group', { name: t('imports.archives') })
    .getByRole('checkbox')
    .check();
  await inspect(page, 'imports-folder-albums');
  await page.getByRole('button', { name: t('imports.start') }).click();
  await page.getByRole('heading', { level: 1, name: t('imports.state.done') }).waitFor();
  await page
    .locator('.lead')
    .filter({ hasText: t('imports.facts.folderAlbums') })
    .waitFor();
  await page.getByText(t('imports.reason', { reason: 'no_descriptions' })).waitFor();
  expect(await albumsOf(other.api)).toEqual({ Favourites: [], Rome: ['1.jpg'], Sea: ['2.jpg'] });
  expect(complaints.filter((line) => !/status of 400/.test(line))).toEqual([]);
  await context.close();
});

it('refuses to start without an archive, or in a folder that cannot be one', async () => {
  const { page, context } = await open('/files/imports');
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
  await page.getByRole('button', { name: t('imports.start') }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: t('imports.archives.missing') })
    .waitFor();
  await page.getByRole('checkbox').first().check();
  await page.getByLabel(t('imports.target')).fill('a:b');
  await page.getByRole('button', { name: t('imports.start') }).click();
  await page.getByRole('alert').waitFor();
  // What was entered is still there.
  expect(await page.getByLabel(t('imports.target')).inputValue()).toBe('a:b');
  expect(await page.getByRole('checkbox').first().isChecked()).toBe(true);
  expect(await page.getByRole('checkbox').nth(1).isChecked()).toBe(false);
  await context.close();
});

itInFull('asks before it starts without a part of an export', async () => {
  const part = (number: number) => `takeout-20240520T101010Z-00${number}.zip`;
  for (const [index, number] of [1, 3].entries()) {
    await copyFile(join(household.home, archives[index]?.split('/').at(-1) ?? ''), join(household.home, part(number)));
  }
  // They were not uploaded: a listing makes them known.
  await api.get('files/browse', { path: '/ROOT/HOME' });
  const { page, context } = await open('/files/imports');
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
  for (const number of [1, 3]) await page.getByRole('checkbox', { name: part(number) }).check();
  await page.getByRole('button', { name: t('imports.start') }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: part(2) })
    .waitFor();
  await inspect(page, 'imports-incomplete');
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2);
  await page.getByRole('button', { name: t('imports.startIncomplete', { count: 1 }) }).click();
  await page.getByRole('heading', { level: 1, name: t('imports.state.done') }).waitFor();
  const missing = page
    .locator('.import-notes details')
    .filter({ hasText: t('imports.reason', { reason: 'missing_part' }) });
  await missing.locator('summary').click();
  await missing.getByText(part(2)).waitFor();
  await context.close();
  for (const number of [1, 3]) await rm(join(household.home, part(number)));
});

itInFull('shows why an import stopped, and continues it', async () => {
  const [path = ''] = archives;
  await api.put({ path: '/ROOT/HOME/broken.zip' }, 'no archive');
  const { import: id } = await start(api, ['/ROOT/HOME/broken.zip']);
  await ended(api, id);
  const { page, context } = await open(`/files/import?import=${id}`);
  await page.getByRole('heading', { level: 1, name: t('imports.state.failed') }).waitFor();
  await page.getByText(t('imports.failure', { failure: 'unsupported_media' })).waitFor();
  await inspect(page, 'import-failed');
  await page.getByRole('button', { name: t('imports.resume') }).click();
  await page.getByRole('heading', { level: 1, name: t('imports.state.failed') }).waitFor();
  await imported(api, [path]);
  await page.goto(address(household, '/files/imports'));
  await page
    .getByRole('list')
    .filter({ hasText: t('imports.state.failed') })
    .last()
    .waitFor();
  await page
    .getByRole('link', { name: t('imports.state.done') })
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: t('imports.state.done') }).waitFor();
  await context.close();
});

itInFull('follows an import until it has ended, and cancels it', async () => {
  const points = await mkdtemp(join(tmpdir(), 'larder-imports-'));
  await household.restart({ failPoints: `${points};imports.stored=pause` });
  const names = Array.from({ length: 70 }, (_, index) => `IMG_${2_000 + index}.jpg`);
  const paths = await putArchives(
    household.home,
    names.flatMap((name) => photo(`${YEAR}/${name}`, `other ${name}`)),
  );
  api = await household.signIn();
  const { import: id } = await start(api, paths);
  const { page, context, complaints } = await open(`/files/import?import=${id}`);
  const heading = (name: 'running' | 'cancelled' | 'done') =>
    page.getByRole('heading', { level: 1, name: t(`imports.state.${name}`) });
  await heading('running').waitFor();
  await page.getByText(t('imports.progress', { handled: 0, total: names.length })).waitFor();
  await inspect(page, 'import-running');
  await page.getByRole('button', { name: t('imports.cancel') }).click();
  await heading('cancelled').waitFor();
  await page.getByRole('button', { name: t('imports.resume') }).click();
  await page.getByText(t('imports.leave')).waitFor();
  await writeFile(join(points, 'imports.stored.go'), '');
  // By itself.
  await heading('done').waitFor();
  await page.getByText(t('imports.progress', { handled: names.length, total: names.length })).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
  await rm(points, { recursive: true });
});

it('shows an import that the owner made from a folder of the disk, which only the owner continues', async () => {
  const disk = await mkdtemp(join(await realpath(tmpdir()), 'larder-test-'));
  const folder = join(disk, 'exports');
  const points = join(disk, 'points');
  await mkdir(points);
  await household.restart({ failPoints: `${points};imports.stored=pause` });
  await putUnpacked(folder, [
    ...photo(`${YEAR}/FOLDER_1.jpg`, 'of the folder'),
    { name: 'takeout-001.zip', content: 'no ZIP file' },
  ]);
  const { import: id } = await startFolder(household, folder, 'ann');
  const { page, context, complaints } = await open('/files/imports');
  await page.getByText(t('imports.byOwner')).first().waitFor();
  await page.goto(address(household, `/files/import?import=${id}`));
  const heading = (name: 'cancelled' | 'failed' | 'done') =>
    page.getByRole('heading', { level: 1, name: t(`imports.state.${name}`) });
  await page.getByRole('button', { name: t('imports.cancel') }).click();
  await heading('cancelled').waitFor();
  await page.getByText(t('imports.again.owner')).waitFor();
  expect(await page.getByRole('button', { name: t('imports.resume'), exact: true }).count()).toBe(0);
  await writeFile(join(points, 'imports.stored.go'), '');
  await rename(folder, `${folder} away`);
  await household.control('imports.resume', { import: id });
  expect(await folderEnded(household, id)).toMatchObject({ state: 'failed', failure: 'storage_offline' });
  await page.reload();
  await page.getByText(t('imports.failure.owner', { failure: 'storage_offline' })).waitFor();
  await inspect(page, 'import-by-owner-stopped');
  await rename(`${folder} away`, folder);
  await household.control('imports.resume', { import: id });
  await folderEnded(household, id);
  await page.reload();
  await heading('done').waitFor();
  await page.getByText(t('imports.done.owner')).waitFor();
  await page.getByText(t('imports.reason', { reason: 'unreadable_archive' })).waitFor();
  expect(await page.content()).not.toContain(disk);
  await inspect(page, 'import-by-owner');
  expect(complaints).toEqual([]);
  await context.close();
  await household.restart({ failPoints: '' });
  await rm(disk, { recursive: true, force: true });
});

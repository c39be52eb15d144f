import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { putUnpacked, putZips } from '../imports/folder-support.ts';
import { albumJson, LAKE, photo, storedIn, YEAR } from '../imports/support.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';
import { itInFull } from '../support/forms.ts';
import { t as text } from '../support/server-texts.ts';

let panel: PanelVisit;
let disk = '';
let folder = '';

beforeAll(async () => {
  panel = await visitPanel();
  await panel.household.control('accounts.add', { username: 'mia', name: 'Mia', createHomeFolder: true });
  await panel.household.control('accounts.add', { username: 'tom', name: 'Tom' });
  disk = await mkdtemp(join(await realpath(tmpdir()), 'larder-test-'));
  folder = join(disk, 'exports');
});
beforeEach(() => panel.fresh());
afterAll(async () => {
  await panel?.close();
  await rm(disk, { recursive: true, force: true });
});

async function fill(path: string, username: string): Promise<void> {
  const { page } = panel;
  await panel.open(t('nav.files'), t('files.tabs.imports'));
  await page.getByLabel(t('photoImports.folder')).fill(path);
  await page.getByRole('combobox', { name: t('photoImports.person') }).fill(username);
  await page.getByRole('option', { name: username }).click();
}

it('shows the contents of a folder, imports it, pauses and continues, and reports unknown files', async () => {
  const { page, button, dialog, household } = panel;
  await putUnpacked(join(folder, 'takeout-20240520T101010Z-003'), [
    ...photo(`${YEAR}/a.jpg`, 'a'),
    { name: `${YEAR}/notes.txt`, content: 'text' },
    ...photo(`${LAKE}/b.jpg`, 'b'),
    { name: `${LAKE}/metadata.json`, content: albumJson('At the lake') },
  ]);
  await putZips(folder, { 'takeout-20240520T101010Z-002.zip': photo(`${YEAR}/c.jpg`, 'c') });
  const points = join(disk, 'points');
  await mkdir(points);
  await household.restart({ failPoints: `${points};imports.batch=pause` });
  await page.goto(String((await household.control('panel.link')).url));
  await fill(folder, 'mia');
  await button(t('photoImports.check')).click();
  await page.getByRole('region', { name: t('photoImports.plan.title') }).waitFor();
  await page.getByText(like('photoImports.plan.missing', { count: 1 })).waitFor();
  await page.getByText(t('imports.reason', { reason: 'not_photo' })).click();
  await page.getByText(`${YEAR}/notes.txt`).waitFor();
  await inspectPanel(page, 'photo-imports-plan');
  expect(existsSync(join(household.folder, 'homes', 'mia', 'Photos'))).toBe(false);
  await button(t('photoImports.start')).click();
  await page.getByText(t('photoImports.states.running'), { exact: true }).waitFor();
  await expect.poll(() => existsSync(join(points, 'imports.batch.reached'))).toBe(true);
  await page.getByText(t('photoImports.progress', { handled: 1, total: 3 })).waitFor();
  await inspectPanel(page, 'photo-imports-running');
  await button(t('photoImports.pause')).click();
  await writeFile(join(points, 'imports.batch.go'), '');
  await page.getByText(t('photoImports.states.cancelled'), { exact: true }).waitFor();
  await inspectPanel(page, 'photo-imports-paused', ['usual', 'phone']);
  await button(t('photoImports.continue')).click();
  await page.getByText(t('photoImports.states.done'), { exact: true }).waitFor();
  await page.getByText(t('photoImports.result', { stored: 3, known: 0, inAlbums: 1, undated: 0 })).waitFor();
  await button(t('photoImports.reportOf', { folder })).click();
  await dialog()
    .getByText(t('imports.reason', { reason: 'not_photo' }))
    .click();
  await inspectPanel(page, 'photo-imports-report', ['usual', 'phone']);
  await dialog()
    .getByRole('button', { name: t('photoImports.close') })
    .click();
  expect(await storedIn(join(household.folder, 'homes', 'mia'), 'Photos')).toEqual([
    'Photos/At the lake/b.jpg',
    'Photos/Photos from 2019/a.jpg',
    'Photos/Photos from 2019/c.jpg',
  ]);
});

it('makes albums of folders if the owner selects that, and shows how many before it starts', async () => {
  const { page, button } = panel;
  const moments = join(disk, 'moments');
  await putUnpacked(moments, [
    { name: 'Rome/1.jpg', content: 'one of Rome' },
    { name: 'Sea/2.jpg', content: 'one of the sea' },
  ]);
  await fill(moments, 'mia');
  await button(t('photoImports.check')).click();
  const plan = page.getByRole('region', { name: t('photoImports.plan.title') });
  const albums = plan
    .locator('dl > div')
    .filter({ hasText: t('photoImports.plan.albums') })
    .locator('dd');
  await expect.poll(() => albums.innerText()).toBe('0');
  await page.getByLabel(t('photoImports.folderAlbums')).check();
  // What was found is not true any more.
  await plan.waitFor({ state: 'detached' });
  await button(t('photoImports.check')).click();
  await expect.poll(() => albums.innerText()).toBe('2');
  await page.getByText(t('imports.reason', { reason: 'no_descriptions' })).waitFor();
  await inspectPanel(page, 'photo-imports-albums');
  await button(t('photoImports.start')).click();
  await page.getByText(t('photoImports.result', { stored: 2, known: 0, inAlbums: 2, undated: 0 })).waitFor();
  await page.getByText(t('photoImports.list.for', { name: 'Mia', folder: 'Photos', folderAlbums: 'yes' })).waitFor();
});

it('keeps offering people while it searches for what was typed', async () => {
  const { page } = panel;
  await panel.open(t('nav.files'), t('files.tabs.imports'));
  const field = page.getByRole('combobox', { name: t('photoImports.person') });
  await field.click();
  const option = page.getByRole('option', { name: 'mia' });
  await option.waitFor();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/control/accounts.list', async (route) => {
    await held;
    await route.continue();
  });
  const [asked] = await Promise.all([page.waitForRequest('**/control/accounts.list'), field.fill('mi')]);
  await option.click();
  expect(await field.inputValue()).toBe('mia');
  const replied = asked.response();
  release();
  await replied;
  await page.unroute('**/control/accounts.list');
  expect(await field.inputValue()).toBe('mia');
});

itInFull('shows why a folder or a person cannot be used', async () => {
  const { page, button, household } = panel;
  await panel.open(t('nav.files'), t('files.tabs.imports'));
  await button(t('photoImports.check')).click();
  await page.getByText(t('photoImports.needsFolder')).waitFor();
  await page.getByText(t('photoImports.needsPerson')).waitFor();
  await fill(household.folder, 'mia');
  await button(t('photoImports.check')).click();
  await page.getByText(text('api.imports.folder.larder')).waitFor();
  await inspectPanel(page, 'photo-imports-refused', ['usual', 'phone']);
  await fill(disk, 'tom');
  await button(t('photoImports.check')).click();
  await page.getByText(text('api.imports.accountMissing')).waitFor();
  await mkdir(join(disk, 'empty'));
  await fill(join(disk, 'empty'), 'mia');
  await button(t('photoImports.check')).click();
  await page.getByText(t('photoImports.plan.nothing')).waitFor();
  expect(panel.complaints.filter((line) => !/status of 4\d\d/.test(line))).toEqual([]);
});

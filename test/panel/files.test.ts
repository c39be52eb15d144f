import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';
import { itInFull } from '../support/forms.ts';
import { t as text } from '../support/server-texts.ts';
import { fixture } from '../workers/thumbnail-support.ts';

let panel: PanelVisit;
beforeAll(async () => {
  panel = await visitPanel();
  for (const username of ['mia', 'una', 'gran']) {
    await panel.household.control('accounts.add', { username, name: username, createHomeFolder: true });
  }
});
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

const homeOf = (name: string) => join(panel.household.folder, 'homes', name);
const idOf = async (username: string) => Number((await panel.household.control('accounts.get', { username })).id);

itInFull('homes: the state of each, a check on request, and one whose disk is missing', async () => {
  const { page, open, button, row, pick } = panel;
  await writeFile(join(homeOf('mia'), 'a.txt'), 'one');
  await open(t('nav.files'));
  await row('mia').getByText(t('files.homes.states.ready')).waitFor();
  await button(t('files.homes.checkAll')).click();
  await page.getByText(like('files.homes.checking', {})).waitFor();
  await pick(homeOf('mia'), t('files.homes.check'));
  await expect.poll(() => row('mia').innerText()).toMatch(new RegExp(`${t('files.homes.states.ready')}\\s*[12]\\b`));
  await rename(homeOf('gran'), `${homeOf('gran')} away`);
  await row('gran').getByText(t('files.homes.states.offline')).waitFor();
  await inspectPanel(page, 'files');
  await rename(`${homeOf('gran')} away`, homeOf('gran'));
  await row('gran').getByText(t('files.homes.states.ready')).waitFor();
  expect(panel.complaints).toEqual([]);
});

itInFull('checking every file can be stopped', async () => {
  const { page, open, button, household } = panel;
  // So many folders that it takes a while.
  const many = join(homeOf('mia'), 'Many');
  await Promise.all(Array.from({ length: 3_000 }, (_, n) => mkdir(join(many, String(n)), { recursive: true })));
  await panel.fresh();
  await open(t('nav.files'));
  await button(t('files.homes.checkAll')).click();
  await button(t('files.homes.stopChecking')).click();
  await page.getByText(t('files.homes.stopped')).waitFor();
  const states = async () => {
    const { catalogue } = (await household.control('status')) as { catalogue: { state: string }[] };
    return catalogue.map(({ state }) => state);
  };
  await expect.poll(states).not.toContain('checking');
  await button(t('files.homes.checkAll')).waitFor();
  expect(await household.control('homes.cancelCheck')).toEqual({ homes: 0 });
  await rm(many, { recursive: true });
});

it('orphaned homes are put into the trash, restored, and deleted permanently', async () => {
  const { page, open, dialog, row, pick, household } = panel;
  await writeFile(join(homeOf('una'), 'diary.txt'), 'dear diary');
  await household.control('accounts.remove', { ids: [await idOf('una')] });
  await open(t('nav.files'));
  await row(t('files.homes.formerOwner', { username: 'una' })).waitFor();
  await pick(homeOf('una'), t('files.homes.trash'));
  await dialog()
    .getByRole('button', { name: t('files.homes.trash') })
    .click();
  await page.getByRole('heading', { name: t('files.trashed.title') }).waitFor();
  expect(existsSync(homeOf('una'))).toBe(false);
  await page.getByRole('button', { name: t('files.trashed.restoreOf', { path: homeOf('una') }) }).click();
  await row(t('files.homes.formerOwner', { username: 'una' })).waitFor();
  expect(existsSync(join(homeOf('una'), 'diary.txt'))).toBe(true);
  await pick(homeOf('una'), t('files.homes.trash'));
  await dialog()
    .getByRole('button', { name: t('files.homes.trash') })
    .click();
  await page.getByRole('button', { name: t('files.trashed.eraseOf', { path: homeOf('una') }) }).click();
  await dialog().getByText(like('files.trashed.eraseLoss')).waitFor();
  await inspectPanel(page, 'files-erase', ['usual', 'phone']);
  await dialog()
    .getByRole('button', { name: t('files.trashed.erase') })
    .click();
  await page.getByRole('heading', { name: t('files.trashed.title') }).waitFor({ state: 'detached' });
  expect(await household.control('homes.trash.list')).toEqual({ homes: [] });
  expect(panel.complaints).toEqual([]);
});

it('policies are saved, and thumbnails are cleared', async () => {
  const { page, open, button, household } = panel;
  const api = await household.signIn();
  await api.put({ filePath: '/ROOT/HOME/lake.jpg' }, await readFile(fixture('pictures/camera.jpg')));
  await api.put({ filePath: '/ROOT/HOME/broken.jpg' }, 'no picture');
  expect((await api.get('files/thumbnail', { path: '/ROOT/HOME/lake.jpg' })).status).toBe(200);
  expect((await api.get('files/thumbnail', { path: '/ROOT/HOME/broken.jpg' })).status).toBe(415);
  await expect.poll(async () => Number((await household.control('thumbnails.get')).files)).toBeGreaterThan(0);
  await open(t('nav.files'));
  await page.getByText(new RegExp(`^(?!.* 0 )${like('files.thumbnails.now').source}`)).waitFor();
  await button(t('files.thumbnails.clear')).click();
  await page.getByText(t('files.thumbnails.now', { files: 0, amount: t('size.bytes', { bytes: 0 }) })).waitFor();
  expect((await api.get('files/thumbnail', { path: '/ROOT/HOME/lake.jpg' })).status).toBe(200);
  await page.getByLabel(t('files.policies.trash')).fill('7');
  await page.getByRole('combobox', { name: t('files.places.places') }).fill('not/whole');
  await page.keyboard.press('Enter');
  await button(t('saveBar.save')).click();
  await page.getByText(new RegExp(text('api.settings.folder'))).waitFor();
  await page.keyboard.press('Backspace');
  await page.getByRole('combobox', { name: t('files.places.places') }).press('Backspace');
  await page.getByRole('combobox', { name: t('files.places.places') }).fill('/mnt/photos');
  await page.keyboard.press('Enter');
  await button(t('saveBar.save')).click();
  await expect
    .poll(() => household.control('settings.get'))
    .toMatchObject({ trashDays: 7, homeLocations: ['/mnt/photos'] });
  expect(panel.complaints.filter((line) => !/status of 400/.test(line))).toEqual([]);
});

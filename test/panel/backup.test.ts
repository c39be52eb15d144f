import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { make, PASSPHRASE, remove, scratchFolder } from '../backup/support.ts';
import { launchBrowser } from '../support/browser.ts';
import { type Household, openHousehold } from '../support/household.ts';
import { visit } from '../support/page.ts';
import { inspectPanel } from '../support/panel-page.ts';

let browser: Browser;
let household: Household;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let scratch: string;

beforeAll(async () => {
  [browser, household, scratch] = await Promise.all([launchBrowser(), openHousehold(), scratchFolder()]);
  await writeFile(join(household.home, 'plan.txt'), 'the plan');
  ({ context, page, complaints } = await visit(browser));
  await page.goto(String((await household.control('panel.link')).url));
  await page.getByRole('heading', { name: 'Larder is running' }).waitFor();
}, 90_000);
beforeEach(() => {
  complaints.length = 0;
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await household?.close();
  await remove(scratch);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const rows = () => page.locator('tbody tr');
const settings = () => household.control('settings.get') as Promise<Record<string, unknown>>;
const listed = async () => ((await household.control('backup.list')) as { backups: { name: string }[] }).backups;

async function open(tab: 'Backups' | 'Settings'): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Backup' }).click();
  await page.getByRole('navigation', { name: 'Backup' }).getByRole('link', { name: tab }).click();
}

async function pick(name: string, action: string): Promise<void> {
  await button(`Actions for ${name}`).click();
  await page.getByRole('menuitem', { name: action }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

const toast = (text: string | RegExp) => page.getByRole('status').getByText(text);

async function closeToasts(): Promise<void> {
  for (const close of await page.getByRole('button', { name: 'Close', exact: true }).all()) await close.click();
}

describe('settings', () => {
  it('refuse a place that is none, with what was typed kept, and save the rest', async () => {
    await open('Settings');
    const place = page.getByLabel('Folder for backups');
    await place.waitFor();
    await inspectPanel(page, 'backup-settings');
    await place.fill(household.home);
    await page.getByRole('switch', { name: 'With people’s files' }).press(' ');
    await page.getByLabel('At', { exact: true }).selectOption('22:00');
    await page.getByLabel('How often').selectOption('Every week');
    await page.getByLabel('Backups kept').fill('3');
    await page.getByText('5 changes, not saved').waitFor();
    await button('Save changes').click();
    await page.getByText(/is in somebody's home/).waitFor();
    await expect.poll(() => place.inputValue()).toBe(household.home);
    expect(await settings()).toMatchObject({ backupPlace: '', backupEvery: 'day', backupKeep: 7 });
    await inspectPanel(page, 'backup-settings-refused');

    const folder = join(scratch, 'disk');
    await place.fill(folder);
    await button('Save changes').click();
    await page.getByText('not saved').waitFor({ state: 'detached' });
    expect(await settings()).toMatchObject({
      ...{ backupPlace: folder, backupFiles: true, backupHistory: false },
      ...{ backupEvery: 'week', backupHour: 22, backupKeep: 3 },
    });
    expect(await readdir(folder)).toEqual(['.larder-backups']);

    // Leaving with changes asks.
    await page.getByLabel('Backups kept').fill('4');
    await page.getByRole('navigation', { name: 'Backup' }).getByRole('link', { name: 'Backups' }).click();
    await dialog().getByRole('button', { name: 'Keep editing' }).click();
    await button('Discard').click();
    await expect.poll(() => page.getByLabel('Backups kept').inputValue()).toBe('3');
    expect(complaints.filter((line) => !/status of 400/.test(line))).toEqual([]);
  }, 60_000);

  it('say that the disk of the place is away, and take what is there as the place when that is said', async () => {
    const folder = join(scratch, 'disk');
    await rename(folder, `${folder} away`);
    await mkdir(folder);
    await page.reload();
    await page.getByText(`${folder} is not there`).waitFor();
    await inspectPanel(page, 'backup-settings-away');
    // Another setting is saved without what stands there being taken for the place.
    await page.getByLabel('Backups kept').fill('5');
    await button('Save changes').click();
    await page.getByText('not saved').waitFor({ state: 'detached' });
    expect([await readdir(folder), (await settings()).backupKeep]).toEqual([[], 5]);
    await open('Backups');
    await page.getByText(/no backup can be made. Connect the disk/).waitFor();
    await inspectPanel(page, 'backup-away');
    await open('Settings');
    await button('Use it as it is now').click();
    await page.getByText(`${folder} is not there`).waitFor({ state: 'detached' });
    expect(await readdir(folder)).toEqual(['.larder-backups']);
    await rm(folder, { recursive: true });
    await rename(`${folder} away`, folder);
    // A list that was asked for while the disk was away is refused.
    expect(complaints.filter((line) => !/status of 409/.test(line))).toEqual([]);
  }, 60_000);

  it('take a passphrase typed twice, say how strong it is, and leave the keys out when that is wanted', async () => {
    await page.reload();
    await button('Set passphrase').click();
    const first = dialog().getByLabel('Passphrase', { exact: true });
    const again = dialog().getByLabel('Passphrase again');
    await first.fill('short');
    await dialog().getByText('Strength: Too short').waitFor();
    await dialog().getByRole('button', { name: 'Set passphrase' }).click();
    await dialog().getByText('A passphrase has at least 10 characters.').waitFor();
    for (const [text, strength] of [
      ['aaaaaaaaaaaaaaaaaaaa', 'Weak'],
      ['a rather good one', 'Fair'],
      ['seven green bottles hang there', 'Strong'],
    ] as const) {
      await first.fill(text);
      await dialog().getByText(`Strength: ${strength}`).waitFor();
    }
    await again.fill('seven green bottles hang here');
    await dialog().getByRole('button', { name: 'Set passphrase' }).click();
    await dialog().getByText('The two passphrases differ.').waitFor();
    await inspectPanel(page, 'backup-passphrase');
    await first.fill(PASSPHRASE);
    await again.fill(PASSPHRASE);
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await page.getByText('Sealed with a passphrase', { exact: true }).waitFor();
    expect(await settings()).toMatchObject({ backupPassphraseSet: true });
    await button('Leave keys out').click();
    await dialog().getByRole('button', { name: 'Keep the passphrase' }).click();
    expect(await settings()).toMatchObject({ backupPassphraseSet: true });
    expect(complaints).toEqual([]);
  }, 60_000);
});

describe('backups', () => {
  it('are made and seen, with how to restore the newest', async () => {
    await open('Backups');
    await page.getByText('No backups yet').waitFor();
    await closeToasts();
    await inspectPanel(page, 'backup-empty');
    await button('Back up now').click();
    await toast(/^Backup made and checked, /).waitFor();
    await rows().waitFor();
    const [made] = await listed();
    const row = await rows().innerText();
    for (const text of ['just now', made?.name ?? '', '1 file', 'Keys, sealed', 'Whole', 'when made'])
      expect(row).toContain(text);
    const line = `larder restore --from ${join(scratch, 'disk', made?.name ?? '')} --folder new-folder --passphrase-stdin`;
    await page.getByText(line, { exact: true }).waitFor();
    await page.getByText(/Older versions and the trash are not in the backup/).waitFor();
    await closeToasts();
    await inspectPanel(page, 'backup-list');
    expect(complaints).toEqual([]);
  }, 60_000);

  it('show how far one is, also when somebody else began it, and are cancelled', async () => {
    const many = join(household.home, 'many');
    await mkdir(many);
    for (let count = 0; count < 4_000; count += 1) await writeFile(join(many, `${count}.txt`), 'x'.repeat(2_000));
    const before = await listed();
    await button('Back up now').click();
    await page.getByRole('heading', { name: 'Copying files' }).waitFor();
    await page.getByText(/^[\d,]+ files$/).waitFor();
    await inspectPanel(page, 'backup-progress', ['usual']);
    await button('Cancel').click();
    await toast('Cancelled. Nothing of it is left').waitFor();
    await page.getByRole('heading', { name: 'Copying files' }).waitFor({ state: 'detached' });
    expect(await listed()).toEqual(before);
    expect((await readdir(join(scratch, 'disk'))).filter((name) => name.includes('partial'))).toEqual([]);
    await expect.poll(() => page.getByRole('alert').count(), { message: 'what was wanted is no failure' }).toBe(0);

    const byCommand = make(household, { files: true });
    await page.getByRole('heading', { name: 'Copying files' }).waitFor();
    const { name } = await byCommand;
    await page.getByRole('rowheader', { name }).waitFor();
    await expect.poll(() => rows().count()).toBe(2);
    expect(complaints.filter((line) => !/status of 409/.test(line))).toEqual([]);
  }, 90_000);

  it('are checked, with the passphrase or without, and what is damaged is said', async () => {
    const [, first] = await listed();
    const name = first?.name ?? '';
    await pick(name, 'Check');
    await dialog().getByLabel('Passphrase (optional)').fill('something else');
    await inspectPanel(page, 'backup-check');
    await dialog().getByRole('button', { name: 'Check' }).click();
    await page.getByText(/This is not the passphrase/).waitFor();
    await pick(name, 'Check');
    await dialog().getByLabel('Passphrase (optional)').fill(PASSPHRASE);
    await dialog().getByRole('button', { name: 'Check' }).click();
    await toast(`${name} is whole`).waitFor();
    await rows().filter({ hasText: name }).getByText('when made').waitFor({ state: 'detached' });

    const file = join(scratch, 'disk', name, 'files', 'homes', 'ann', 'plan.txt');
    const content = await readFile(file);
    await writeFile(file, 'the plot');
    await pick(name, 'Check');
    await dialog().getByRole('button', { name: 'Check' }).click();
    await page.getByText(/plan\.txt is not what was written/).waitFor();
    await rows().filter({ hasText: name }).getByText('Damaged').waitFor();
    await closeToasts();
    await inspectPanel(page, 'backup-damaged');
    await writeFile(file, content);
    expect(complaints).toEqual([]);
  }, 60_000);

  it('are removed once that was asked', async () => {
    const [newest, first] = await listed();
    await pick(first?.name ?? '', 'Remove');
    await dialog()
      .getByText(/gone for good/)
      .waitFor();
    await inspectPanel(page, 'backup-remove');
    await dialog().getByRole('button', { name: 'Keep it' }).click();
    expect(await listed()).toHaveLength(2);
    await pick(first?.name ?? '', 'Remove');
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('rowheader', { name: first?.name ?? '' }).waitFor({ state: 'detached' });
    expect((await listed()).map(({ name }) => name)).toEqual([newest?.name]);
    await pick(newest?.name ?? '', 'Remove');
    await dialog()
      .getByText(/It is the only backup/)
      .waitFor();
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  }, 60_000);

  it('that fail say why and what to do, until one is made', async () => {
    await household.restart({ failPoints: `${scratch};storage.backup.write=enospc` });
    await page.goto('about:blank');
    await page.goto(String((await household.control('panel.link')).url));
    await page.getByRole('heading', { name: 'Larder is running' }).waitFor();
    await open('Backups');
    await writeFile(join(household.home, 'new.txt'), 'new');
    await button('Back up now').click();
    await page.getByText(/could not be made just now. The disk of .* is full. Make room on it/).waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(1);
    await inspectPanel(page, 'backup-failed');
    await household.restart({ failPoints: '' });
    await page.goto('about:blank');
    await page.goto(String((await household.control('panel.link')).url));
    await open('Backups');
    await button('Back up now').click();
    await toast(/^Backup made and checked, /).waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  }, 90_000);
});

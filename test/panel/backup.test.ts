import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../dist/server/lib/clock.js';
import { make, PASSPHRASE, remove, scratchFolder } from '../backup/support.ts';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/page.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { t as text, like as textLike } from '../support/server-texts.ts';

let browser: Browser;
let household: Household;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let scratch: string;

/** Where a backup waits before it writes a file, until the test lets it go on. */
const POINT = 'storage.backup.write';
const goOn = () => writeFile(join(scratch, `${POINT}.go`), '');
const hold = () => rm(join(scratch, `${POINT}.go`), { force: true });

/** Lets a backup that is held write until the page has heard of it. */
async function advanceUntil(shown: Locator): Promise<void> {
  const reached = join(scratch, `${POINT}.reached`);
  const step = async () => {
    await rm(reached, { force: true });
    await goOn();
    await expect.poll(() => existsSync(reached)).toBe(true);
    await hold();
    return shown.isVisible();
  };
  await expect.poll(step).toBe(true);
}

beforeAll(async () => {
  scratch = await scratchFolder();
  await goOn();
  const failPoints = `${scratch};${POINT}=pause`;
  [browser, household] = await Promise.all([launchBrowser(), openHousehold({ config: { failPoints } })]);
  await writeFile(join(household.home, 'plan.txt'), 'the plan');
  ({ context, page, complaints } = await visit(browser));
  await page.goto(String((await household.control('panel.link')).url));
  await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
});
beforeEach(() => {
  complaints.length = 0;
  // A name of a backup is its second.
  household.clock.advance(SECOND);
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

async function open(tab: string): Promise<void> {
  await page
    .getByRole('navigation', { name: t('nav.pages') })
    .getByRole('link', { name: t('backup.title') })
    .click();
  await page
    .getByRole('navigation', { name: t('backup.title') })
    .getByRole('link', { name: tab })
    .click();
}

async function pick(name: string, action: string): Promise<void> {
  await button(t('backup.list.actionsOf', { name })).click();
  await page.getByRole('menuitem', { name: action }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

const toast = (text: string | RegExp) => page.getByRole('status').getByText(text);

async function closeToasts(): Promise<void> {
  const close = page.getByRole('button', { name: t('backup.restoreHere.close'), exact: true });
  // All in one step: they also go by themselves.
  await close.evaluateAll((all) => {
    for (const one of all) (one as HTMLElement).click();
  });
  await expect.poll(() => close.count()).toBe(0);
}

describe('the first visit', () => {
  it('asks for contents and place, includes files by default, and makes the first backup', async () => {
    await page.getByText(t('backup.fact.unchosen')).waitFor();
    await inspectPanel(page, 'backup-unchosen');
    await page.getByRole('link', { name: t('backup.fact.choose') }).click();
    await page.getByRole('heading', { name: t('backup.choice.title') }).waitFor();
    await page.getByText(t('backup.missing.unchosen')).waitFor();
    await expect.poll(() => page.getByRole('radio', { name: t('backup.choice.whole') }).isChecked()).toBe(true);
    await inspectPanel(page, 'backup-choice');
    const place = page.getByLabel(t('backup.choice.place'));
    await place.fill(household.home);
    await button(t('backup.choice.submit')).click();
    await page.getByText(textLike('api.backup.inHome')).waitFor();
    expect(await settings()).toMatchObject({ backupChosen: false });

    await place.fill('');
    await page.getByRole('radio', { name: t('backup.choice.database') }).click();
    await page.getByRole('radio', { name: t('backup.choice.whole') }).click();
    await button(t('backup.choice.submit')).click();
    await toast(like('backup.made')).waitFor();
    await page.getByRole('heading', { name: t('backup.choice.title') }).waitFor({ state: 'detached' });
    await page.getByText(t('backup.missing.history')).waitFor();
    expect(await rows().innerText()).toContain(t('backup.list.whole'));
    expect(await settings()).toMatchObject({ backupChosen: true, backupFiles: true, backupHistory: false });
    await page
      .getByRole('navigation', { name: t('nav.pages') })
      .getByRole('link', { name: t('nav.overview') })
      .click();
    await page.getByText(like('backup.fact.made')).waitFor();
    await closeToasts();
    // A backup without files says so everywhere.
    household.clock.advance(SECOND);
    await make(household, { files: false });
    await page.reload();
    await page.getByText(like('backup.fact.without')).waitFor();
    await open(t('backup.tabs.backups'));
    const newest = rows().first();
    await newest.getByText(t('backup.list.withoutFiles')).waitFor();
    expect(await newest.innerText()).toContain(t('backup.list.partial'));
    expect(await newest.innerText()).not.toContain(t('backup.list.whole'));
    for (const { name } of await listed()) await household.control('backup.remove', { name });
    await page.reload();
    await page.getByText(t('backup.list.empty')).waitFor();
    expect(complaints.filter((line) => !/status of 400/.test(line))).toEqual([]);
  });
});

describe('settings', () => {
  it('refuse an invalid place and keep the input, and save the other settings', async () => {
    await open(t('backup.tabs.settings'));
    const place = page.getByLabel(t('backup.settings.place'));
    await place.waitFor();
    await inspectPanel(page, 'backup-settings');
    await place.fill(household.home);
    await page.getByLabel(t('backup.settings.hour'), { exact: true }).selectOption('22:00');
    await page.getByLabel(t('backup.settings.every')).selectOption(t('backup.settings.everyOptions.week'));
    await page.getByLabel(t('backup.settings.keep')).fill('3');
    await page.getByText(t('saveBar.changes', { count: 4 })).waitFor();
    await button(t('saveBar.save')).click();
    await page.getByText(textLike('api.backup.inHome')).waitFor();
    await expect.poll(() => place.inputValue()).toBe(household.home);
    expect(await settings()).toMatchObject({ backupFolder: '', backupEvery: 'day', backupKeep: 7 });
    await inspectPanel(page, 'backup-settings-refused');

    const folder = join(scratch, 'disk');
    await place.fill(folder);
    await button(t('saveBar.save')).click();
    await page.getByText(like('saveBar.changes')).waitFor({ state: 'detached' });
    expect(await settings()).toMatchObject({
      ...{ backupFolder: folder, backupFiles: true, backupHistory: false },
      ...{ backupEvery: 'week', backupHour: 22, backupKeep: 3 },
    });
    expect(await readdir(folder)).toEqual(['.larder-backups']);

    // Leaving with changes asks.
    await page.getByLabel(t('backup.settings.keep')).fill('4');
    await page
      .getByRole('navigation', { name: t('backup.title') })
      .getByRole('link', { name: t('backup.tabs.backups') })
      .click();
    await dialog()
      .getByRole('button', { name: t('saveBar.stay') })
      .click();
    await button(t('saveBar.discard')).click();
    await expect.poll(() => page.getByLabel(t('backup.settings.keep')).inputValue()).toBe('3');
    expect(complaints.filter((line) => !/status of 400/.test(line))).toEqual([]);
  });

  itInFull('report that the disk of the place is missing, and accept another one after a confirmation', async () => {
    const folder = join(scratch, 'disk');
    await rename(folder, `${folder} away`);
    await mkdir(folder);
    await page.reload();
    await page.getByText(like('backup.settings.away', { place: folder })).waitFor();
    await inspectPanel(page, 'backup-settings-away');
    // Another setting is saved without what stands there being taken for the place.
    await page.getByLabel(t('backup.settings.keep')).fill('5');
    await button(t('saveBar.save')).click();
    await page.getByText(like('saveBar.changes')).waitFor({ state: 'detached' });
    expect([await readdir(folder), (await settings()).backupKeep]).toEqual([[], 5]);
    await open(t('backup.tabs.backups'));
    await page.getByText(like('backup.away')).waitFor();
    await inspectPanel(page, 'backup-away');
    await open(t('backup.tabs.settings'));
    await button(t('backup.settings.useAnew')).click();
    await page.getByText(like('backup.settings.away', { place: folder })).waitFor({ state: 'detached' });
    expect(await readdir(folder)).toEqual(['.larder-backups']);
    await rm(folder, { recursive: true });
    await rename(`${folder} away`, folder);
    // A list that was asked for while the disk was away is refused.
    expect(complaints.filter((line) => !/status of 409/.test(line))).toEqual([]);
  });

  it('require a passphrase twice, show its strength, and exclude the keys on request', async () => {
    await page.reload();
    await button(t('backup.passphrase.choose')).click();
    const first = dialog().getByLabel(t('backup.passphrase.first'), { exact: true });
    const again = dialog().getByLabel(t('backup.passphrase.again'));
    await first.fill('short');
    await dialog().getByText(t('backup.passphrase.strength.short')).waitFor();
    await dialog()
      .getByRole('button', { name: t('backup.passphrase.choose') })
      .click();
    await dialog().getByText(t('backup.passphrase.short')).waitFor();
    for (const [text, strength] of [
      ['aaaaaaaaaaaaaaaaaaaa', t('backup.passphrase.strength.weak')],
      ['a rather good one', t('backup.passphrase.strength.fair')],
      ['seven green bottles hang there', t('backup.passphrase.strength.strong')],
    ] as const) {
      await first.fill(text);
      await dialog().getByText(strength).waitFor();
    }
    await again.fill('seven green bottles hang here');
    await dialog()
      .getByRole('button', { name: t('backup.passphrase.choose') })
      .click();
    await dialog().getByText(t('backup.passphrase.differ')).waitFor();
    await inspectPanel(page, 'backup-passphrase');
    await first.fill(PASSPHRASE);
    await again.fill(PASSPHRASE);
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await page.getByText(t('backup.passphrase.set'), { exact: true }).waitFor();
    expect(await settings()).toMatchObject({ backupPassphraseSet: true });
    await button(t('backup.passphrase.leaveOut')).click();
    await dialog()
      .getByRole('button', { name: t('backup.passphrase.confirm.keep') })
      .click();
    expect(await settings()).toMatchObject({ backupPassphraseSet: true });
    expect(complaints).toEqual([]);
  });
});

describe('backups', () => {
  it('are made and listed, with the steps to restore the newest', async () => {
    await open(t('backup.tabs.backups'));
    await page.getByText(t('backup.list.empty')).waitFor();
    await closeToasts();
    await inspectPanel(page, 'backup-empty');
    await button(t('backup.make')).click();
    await toast(like('backup.made')).waitFor();
    await rows().waitFor();
    const [made] = await listed();
    const row = await rows().innerText();
    for (const text of [
      t('time.now'),
      made?.name ?? '',
      t('backup.progress.files', { count: 1 }),
      t('backup.list.keys'),
      t('backup.list.whole'),
      t('backup.list.whenMade'),
    ])
      expect(row).toContain(text);
    const line = `larder restore --from ${join(scratch, 'disk', made?.name ?? '')} --folder new-folder --passphrase-stdin`;
    await page.getByText(line, { exact: true }).waitFor();
    await page.getByText(text('api.backup.noteHistory')).waitFor();
    await closeToasts();
    await inspectPanel(page, 'backup-list');
    expect(complaints).toEqual([]);
  });

  it('show their progress, also if started elsewhere, and are cancelled', async () => {
    // Only what has changed is written.
    const many = join(household.home, 'many');
    await mkdir(many);
    for (let count = 0; count < 600; count += 1) await writeFile(join(many, `${count}.txt`), 'new');
    const before = await listed();
    await hold();
    await button(t('backup.make')).click();
    await page.getByRole('heading', { name: t('backup.progress.phases.files') }).waitFor();
    await advanceUntil(page.locator('section').getByText(like('backup.progress.files')));
    await inspectPanel(page, 'backup-progress', ['usual']);
    await button(t('backup.progress.cancel')).click();
    await goOn();
    await toast(t('backup.cancelled')).waitFor();
    await page.getByRole('heading', { name: t('backup.progress.phases.files') }).waitFor({ state: 'detached' });
    expect(await listed()).toEqual(before);
    expect((await readdir(join(scratch, 'disk'))).filter((name) => name.includes('partial'))).toEqual([]);
    await expect.poll(() => page.getByRole('alert').count(), { message: 'what was wanted is no failure' }).toBe(0);

    household.clock.advance(SECOND);
    await hold();
    const byCommand = make(household, { files: true });
    await advanceUntil(page.getByRole('heading', { name: t('backup.progress.phases.files') }));
    await goOn();
    const { name } = await byCommand;
    await page.getByRole('rowheader', { name }).waitFor();
    await expect.poll(() => rows().count()).toBe(2);
    expect(complaints.filter((line) => !/status of 409/.test(line))).toEqual([]);
  });

  it('are checked with or without the passphrase, and damage is reported', async () => {
    const [, first] = await listed();
    const name = first?.name ?? '';
    await pick(name, t('backup.list.check'));
    await dialog().getByLabel(t('backup.check.passphrase')).fill('something else');
    await inspectPanel(page, 'backup-check');
    await dialog()
      .getByRole('button', { name: t('backup.list.check') })
      .click();
    await page.getByText(text('api.backup.passphraseWrong')).waitFor();
    await pick(name, t('backup.list.check'));
    await dialog().getByLabel(t('backup.check.passphrase')).fill(PASSPHRASE);
    await dialog()
      .getByRole('button', { name: t('backup.list.check') })
      .click();
    await toast(t('backup.check.whole', { name })).waitFor();
    await rows().filter({ hasText: name }).getByText(t('backup.list.whenMade')).waitFor({ state: 'detached' });

    const file = join(scratch, 'disk', name, 'files', 'homes', 'ann', 'plan.txt');
    const content = await readFile(file);
    await writeFile(file, 'the plot');
    await pick(name, t('backup.list.check'));
    await dialog()
      .getByRole('button', { name: t('backup.list.check') })
      .click();
    await page.getByText(`plan.txt (${text('api.backup.damageChanged')})`).waitFor();
    await rows().filter({ hasText: name }).getByText(t('backup.list.damaged')).waitFor();
    await closeToasts();
    await inspectPanel(page, 'backup-damaged');
    await writeFile(file, content);
    expect(complaints).toEqual([]);
  });

  it('are removed after a confirmation', async () => {
    const [newest, first] = await listed();
    await pick(first?.name ?? '', t('backup.list.remove'));
    await dialog().getByText(t('backup.remove.loss')).waitFor();
    await inspectPanel(page, 'backup-remove');
    await dialog()
      .getByRole('button', { name: t('backup.remove.keep') })
      .click();
    expect(await listed()).toHaveLength(2);
    await pick(first?.name ?? '', t('backup.list.remove'));
    await dialog()
      .getByRole('button', { name: t('backup.list.remove') })
      .click();
    await page.getByRole('rowheader', { name: first?.name ?? '' }).waitFor({ state: 'detached' });
    expect((await listed()).map(({ name }) => name)).toEqual([newest?.name]);
    await pick(newest?.name ?? '', t('backup.list.remove'));
    await dialog().getByText(t('backup.remove.lossOfLast')).waitFor();
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });

  it('that could not be removed stay in the list, and the page says why', async () => {
    await household.control('settings.update', { backupKeep: 1 });
    await open(t('backup.tabs.backups'));
    const { name, path } = await make(household, { files: true });
    const homeFolder = join(path, 'files', 'homes', 'ann');
    await household.control('accounts.add', {
      ...{ username: 'mia', name: 'Mia', password: PASSPHRASE, homeFolder, adoptHomeFolder: true },
    });
    household.clock.advance(SECOND);
    await button(t('backup.make')).click();
    const note = page.getByText(
      like('backup.heldBack', { name, reason: text('api.backup.homeInBackup', { home: homeFolder, backup: name }) }),
    );
    await note.waitFor();
    await inspectPanel(page, 'backup-held-back');
    expect((await listed()).map((one) => one.name)).toContain(name);
    expect(complaints).toEqual([]);
  });

  itInFull('that fail show the reason and the remedy until one succeeds', async () => {
    await household.restart({ failPoints: `${scratch};storage.backup.write=enospc` });
    await page.goto('about:blank');
    await page.goto(String((await household.control('panel.link')).url));
    await page.getByRole('heading', { name: t('overview.heading') }).waitFor();
    await open(t('backup.tabs.backups'));
    await writeFile(join(household.home, 'new.txt'), 'new');
    await button(t('backup.make')).click();
    await page
      .getByText(
        new RegExp(`${like('backup.failure', { message: '' }).source}${textLike('api.backup.diskFull').source}`),
      )
      .waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(1);
    await inspectPanel(page, 'backup-failed');
    await household.restart({ failPoints: '' });
    await page.goto('about:blank');
    await page.goto(String((await household.control('panel.link')).url));
    await open(t('backup.tabs.backups'));
    await button(t('backup.make')).click();
    await toast(like('backup.made')).waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });
});

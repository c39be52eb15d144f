import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_EDITED } from '../../../dist/server/lib/text/edited-text.js';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { homeOf, MEMBER } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { address, enterAt, fillHome, names, ready, row, signInAt, toast } from './support.ts';

let browser: Browser;
let household: SharingHousehold;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  for (const [username, name] of [
    ['olga', 'Olga'],
    ['ben', 'Ben'],
    ['gil', 'Gil'],
  ])
    await household.control('accounts.update', { username, name });
  await fillHome(homeOf(household, 'olga'), {
    'Lists/Shopping.txt': '\uFEFFMilk\r\nBread\r\n',
    'Lists/Garden.md': '\n\n# Garden\n\n<b>&amp; "Roses"</b>\n',
    'Lists/Shared.txt': 'Nothing yet\n',
    'Lists/Latin.txt': Buffer.from([0x47, 0xfc, 0x6e, 0x0a]),
    'Lists/Long.txt': 'x'.repeat(MAX_EDITED + 1),
    'Lists/Cells.csv': 'a;"b\nc"\r\nd;e\r\n',
    'Lists/Photo.jpg': Buffer.from([0xff, 0xd8, 0xff]),
  });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const LISTS = '/ROOT/HOME/Lists';
const folderPage = (path = LISTS) => `/files/?path=${path}`;
const editor = (path: string) => `/files/edit?path=${path}`;
const onDisk = (name: string) => readFile(join(homeOf(household, 'olga'), 'Lists', name), 'utf8');

async function enter(username: string, path: string, options: BrowserContextOptions = {}) {
  return enterAt({ browser, household }, path, { username, ...options });
}

const save = t('editing.save');

describe('the page that edits a text', () => {
  it('saves it in the form that the file had, and asks before changes are lost', async () => {
    const { page, complaints, context } = await enter('olga', folderPage());
    await row(page, 'Shopping.txt').locator('.more').click();
    await page.getByRole('menuitem', { name: t('files.actions.edit') }).click();
    const text = page.getByRole('textbox', { name: t('editing.label', { name: 'Shopping.txt' }) });
    await expect.poll(() => text.inputValue()).toBe('Milk\nBread\n');
    await inspect(page, 'edit-text');
    await text.fill('Milk\nEggs\nCheese\n');

    const asked: string[] = [];
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type());
      await dialog.dismiss();
    });
    await page.locator('.file-nav a[href$="path=/RECENT"]').click();
    await expect.poll(() => asked).toEqual(['beforeunload']);
    // The link that skips to the content leaves nothing.
    await page.evaluate("location.hash = 'content'");
    await page.evaluate('history.back()');
    expect(await text.inputValue()).toBe('Milk\nEggs\nCheese\n');
    await page.evaluate('history.back()');
    await expect.poll(() => asked).toEqual(['beforeunload', 'confirm']);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/files/edit');
    expect(await text.inputValue()).toBe('Milk\nEggs\nCheese\n');

    await text.press('Control+s');
    await page.getByText(t('files.done.saved')).waitFor();
    expect(await onDisk('Shopping.txt')).toBe('\uFEFFMilk\r\nEggs\r\nCheese\r\n');
    expect(asked).toEqual(['beforeunload', 'confirm']);
    // The earlier text is a version.
    await page.getByRole('link', { name: t('item.versionsLink') }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('keeps what is typed if the file was changed meanwhile, which is saved anyway or as a copy', async () => {
    const { page, complaints, context } = await enter('olga', editor(`${LISTS}/Garden.md`));
    const text = page.locator('textarea');
    expect(await text.inputValue()).toBe('\n\n# Garden\n\n<b>&amp; "Roses"</b>\n');
    const change = async (content: string) => {
      const { body } = await household.as('olga').put({ filePath: `${LISTS}/Garden.md` }, content);
      expect(body.success).toBe(true);
    };
    await change('Tulips\n');
    await text.fill('Roses and lilies\n');
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByText(t('editing.changed')).waitFor();
    expect(await text.inputValue()).toBe('Roses and lilies\n');
    expect(await onDisk('Garden.md')).toBe('Tulips\n');
    await inspect(page, 'edit-text-changed');
    await page.getByRole('button', { name: t('editing.saveCopy') }).click();
    await page.getByText(t('files.done.saved')).waitFor();
    expect(await onDisk('Garden (2).md')).toBe('Roses and lilies\n');
    expect(await onDisk('Garden.md')).toBe('Tulips\n');

    await page.goto(address(household, editor(`${LISTS}/Garden.md`)));
    await change('Daisies\n');
    await text.fill('Sunflowers\n');
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByRole('button', { name: t('editing.saveAnyway') }).click();
    await page.getByText(t('files.done.saved')).waitFor();
    expect(await onDisk('Garden.md')).toBe('Sunflowers\n');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('keeps what is typed when the person is signed out, and saves it after a sign-in in another tab', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Lists/Diary.txt': 'Monday\n' });
    const { page, context } = await enter('olga', editor(`${LISTS}/Diary.txt`));
    await page.locator('textarea').fill('Monday\nTuesday\n');
    await context.clearCookies();
    await page.getByRole('button', { name: save, exact: true }).click();
    await toast(page, t('editing.signedOut'));
    const other = await context.newPage();
    await other.goto(address(household));
    await signInAt(other, 'olga', MEMBER.password);
    await ready(other);
    expect(await onDisk('Diary.txt')).toBe('Monday\n');
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByText(t('files.done.saved')).waitFor();
    expect(await onDisk('Diary.txt')).toBe('Monday\nTuesday\n');
    await context.close();
  });

  it('says that a text is saved if only the reply of the first try was lost', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Lists/Twice.txt': 'One\n' });
    const { page, context } = await enter('olga', editor(`${LISTS}/Twice.txt`));
    await page.locator('textarea').fill('One\nTwo\n');
    // The same request, whose reply nobody gets.
    await page.evaluate(`(async () => {
      const form = document.querySelector('.text-editor form');
      const fields = new URLSearchParams([...new FormData(form), ['do', 'save']]);
      await fetch(form.action, { method: 'POST', body: fields });
    })()`);
    expect(await onDisk('Twice.txt')).toBe('One\nTwo\n');
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByText(t('files.done.saved')).waitFor();
    expect(await onDisk('Twice.txt')).toBe('One\nTwo\n');
    await context.close();
  });

  it('keeps what is typed if another person locks the file meanwhile, which is saved as a copy', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Team/Plan.txt': 'Plan\n' });
    const id = await household.share('/ROOT/HOME/Team', { uid: household.ids.ben, download: 1, upload: 1, alter: 1 });
    const { page, context } = await enter('ben', editor(`/ROOT/${household.ids.olga}/${id}/Plan.txt`));
    await page.locator('textarea').fill('Plan of Ben\n');
    const { body } = await household.as('olga').post('files/lock', { path: '/ROOT/HOME/Team/Plan.txt' });
    expect(body.success).toBe(true);
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByRole('button', { name: t('editing.saveCopy') }).click();
    await page.getByText(t('files.done.saved')).waitFor();
    expect(await readFile(join(homeOf(household, 'olga'), 'Team', 'Plan (2).txt'), 'utf8')).toBe('Plan of Ben\n');
    await context.close();
  });

  it('is there without a script, and saves a text whose file was deleted meanwhile', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Lists/Gone.txt': 'One\n' });
    const { page, context } = await enter('olga', `/files/item?path=${LISTS}/Gone.txt`, { javaScriptEnabled: false });
    await page.getByRole('link', { name: t('files.actions.edit'), exact: true }).click();
    await page.locator('textarea').fill('One\nTwo\n');
    const { body } = await household.as('olga').post('files/delete', { path: `${LISTS}/Gone.txt` });
    expect(body.success).toBe(true);
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByText(t('editing.gone')).waitFor();
    await page.getByRole('button', { name: t('editing.saveAnyway') }).click();
    await page.getByText(t('files.done.saved')).waitFor();
    expect(await onDisk('Gone.txt')).toBe('One\nTwo\n');
    await context.close();
  });

  it('is offered only for texts that can be edited', async () => {
    const { page, context } = await enter('olga', folderPage());
    for (const name of ['Long.txt', 'Photo.jpg']) {
      await row(page, name).locator('.more').click();
      await page.getByRole('menuitem', { name: t('files.actions.details') }).waitFor();
      expect(await page.getByRole('menuitem', { name: t('files.actions.edit') }).count(), name).toBe(0);
      await page.keyboard.press('Escape');
    }
    for (const name of ['Long.txt', 'Latin.txt', 'Cells.csv', 'Photo.jpg']) {
      await page.goto(address(household, editor(`${LISTS}/${name}`)));
      await page.getByRole('heading', { name: t('editing.cannot.heading') }).waitFor();
    }
    expect(await readFile(join(homeOf(household, 'olga'), 'Lists', 'Latin.txt'))).toEqual(
      Buffer.from([0x47, 0xfc, 0x6e, 0x0a]),
    );
    await context.close();
  });
});

describe('a shared file', () => {
  it('is edited by a recipient if the share allows it, and shown to others only', async () => {
    const { page: own, context: ownContext } = await enter('olga', `/files/share?path=${LISTS}/Shared.txt`);
    // Nothing can be added to a file.
    expect(await own.getByRole('radio', { name: t('sharing.permissions.add.label') }).count()).toBe(0);
    const share = async (name: string, level: 'look' | 'change') => {
      await own.getByLabel(t('sharing.add.who'), { exact: true }).selectOption({ label: name });
      await own
        .getByRole('radio', { name: t(`sharing.permissions.${level}.label`), exact: true })
        .first()
        .check();
      await own.getByRole('button', { name: t('sharing.add.submit'), exact: true }).click();
      await own.getByText(t('sharing.done.shared'), { exact: true }).waitFor();
      await own.goto(address(household, `/files/share?path=${LISTS}/Shared.txt`));
    };
    await share('Ben', 'change');
    await share('Gil', 'look');
    await ownContext.close();

    const { page, complaints, context } = await enter('ben', folderPage('/ROOT/SHARED'));
    await row(page, 'Shared.txt').locator('.more').click();
    await page.getByRole('menuitem', { name: t('files.actions.edit') }).click();
    await page.locator('textarea').fill('From Ben\n');
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByText(t('files.done.saved')).waitFor();
    expect(await onDisk('Shared.txt')).toBe('From Ben\n');
    const path = new URL(page.url()).searchParams.get('path') ?? '';
    expect(complaints).toEqual([]);
    await context.close();

    const { page: other, context: otherContext } = await enter('gil', folderPage('/ROOT/SHARED'));
    await row(other, 'Shared.txt').locator('.more').click();
    await other.getByRole('menuitem', { name: t('files.actions.details') }).click();
    await other.getByRole('heading', { name: 'Shared.txt' }).waitFor();
    expect(await other.getByRole('link', { name: t('files.actions.edit'), exact: true }).count()).toBe(0);
    const theirs = new URL(other.url()).searchParams.get('path') ?? '';
    expect(path).not.toBe('');
    await other.goto(address(household, editor(theirs)));
    await other
      .getByText(t('files.errors.noPermission'))
      .or(other.getByText(t('failed.staleForm')))
      .waitFor();
    expect(await other.locator('textarea').count()).toBe(0);
    await otherContext.close();
  });
});

describe('a new text file', () => {
  it('is offered only to people who can edit it afterwards', async () => {
    await fillHome(homeOf(household, 'olga'), { 'Inbox/a.txt': 'a' });
    const id = await household.share('/ROOT/HOME/Inbox', { uid: household.ids.ben, download: 1, upload: 1 });
    const inbox = `/ROOT/${household.ids.olga}/${id}`;
    const { page, context } = await enter('ben', folderPage(inbox));
    await page.getByRole('button', { name: t('files.actions.uploadMore') }).click();
    await page.getByRole('menuitem', { name: t('files.actions.uploadFiles') }).waitFor();
    expect(await page.getByRole('menuitem', { name: t('editing.create') }).count()).toBe(0);
    await context.close();
  });

  it('is named in a dialog and opened, and replaces no file', async () => {
    const { page, complaints, context } = await enter('olga', folderPage());
    const create = async (name: string) => {
      await page.getByRole('button', { name: t('files.actions.uploadMore') }).click();
      await page.getByRole('menuitem', { name: t('editing.create') }).click();
      await page.getByLabel(t('files.forms.name')).fill(name);
      await page.getByRole('button', { name: t('editing.createSubmit') }).click();
    };
    await create('Shopping.txt');
    await page.getByText(t('editing.nameTaken', { name: 'Shopping.txt' })).waitFor();
    await page.getByLabel(t('files.forms.name')).fill('a/b');
    await page.getByRole('button', { name: t('editing.createSubmit') }).click();
    await page.getByText(t('editing.nameTaken', { name: 'Shopping.txt' })).waitFor({ state: 'detached' });
    await page.locator('dialog .error').waitFor();
    await page.keyboard.press('Escape');
    await create('Wishes');
    await page.locator('textarea').fill('A bicycle\n');
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByText(t('files.done.saved')).waitFor();
    expect(await onDisk('Wishes.txt')).toBe('A bicycle\n');
    await page.goto(address(household, folderPage()));
    await ready(page);
    expect(await names(page)).toContain('Wishes.txt');
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('is created without a script from the form for uploads', async () => {
    const { page, context } = await enter('olga', `/files/do/upload?path=${LISTS}`, { javaScriptEnabled: false });
    await page.getByRole('link', { name: t('editing.create') }).click();
    await page.getByLabel(t('files.forms.name')).fill('Plan.md');
    await page.getByRole('button', { name: t('editing.createSubmit') }).click();
    await page.locator('textarea').fill('# Plan\n');
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByText(t('files.done.saved')).waitFor();
    expect(await onDisk('Plan.md')).toBe('# Plan\n');
    await context.close();
  });
});

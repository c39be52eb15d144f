import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';

let panel: PanelVisit;
beforeAll(async () => {
  panel = await visitPanel();
});
afterAll(() => panel?.close());

it('many people are imported from a CSV file in parts, and the import can be stopped', async () => {
  const { page, dialog, button, open, household } = panel;
  await open(t('nav.people'));
  await button(t('people.list.import')).click();
  // Passwords that are made slow to guess take their time.
  const people = Array.from({ length: 600 }, (_, n) => `many${n},Many ${n}`);
  const file = { name: 'many.csv', mimeType: 'text/csv', buffer: Buffer.from(['username,name', ...people].join('\n')) };
  await dialog().locator('input[type=file]').setInputFiles(file);
  await dialog()
    .getByRole('button', { name: t('people.import.check') })
    .click();
  await dialog()
    .getByRole('button', { name: t('people.import.do', { count: 600 }) })
    .click();
  await dialog()
    .getByText(like('people.import.progress', { total: 600 }))
    .waitFor();
  await inspectPanel(page, 'people-import-running', ['usual']);
  await dialog()
    .getByRole('button', { name: t('people.import.stop') })
    .click();
  await dialog().getByText(like('people.import.left')).waitFor();
  const { total } = (await household.control('accounts.list', { text: 'many' })) as { total: number };
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThan(600);
  await dialog()
    .getByText(t('people.import.was', { added: total, changed: 0, refused: 0 }))
    .waitFor();
  await inspectPanel(page, 'people-import-stopped', ['usual', 'phone']);
  await button(t('people.import.done')).click();
});

it('a spreadsheet file in the encoding of Windows is read, and shown with names, roles and homes', async () => {
  const { page, dialog, button, open, household } = panel;
  await household.control('roles.add', { name: 'Großeltern', permissions: {}, homeTemplate: '' });
  await open(t('nav.people'));
  await button(t('people.list.import')).click();
  const csv = 'username;name;role\r\njuergen;Jürgen “Jü”;Großeltern\r\nzoe;Zoë;Aunt\r\n';
  const windows1252 = Buffer.from(csv.replaceAll('“', '\u0093').replaceAll('”', '\u0094'), 'latin1');
  const choose = (buffer: Buffer) =>
    dialog().locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
  const review = () =>
    dialog()
      .getByRole('button', { name: t('people.import.check') })
      .click();
  await choose(Buffer.concat([windows1252, Buffer.from([0x81])]));
  await review();
  await dialog().getByText(t('people.import.unread')).waitFor();
  await choose(windows1252);
  await review();
  const who = (username: string) =>
    dialog()
      .getByRole('cell')
      .filter({ hasText: new RegExp(`^${username}`) });
  await who('juergen').waitFor();
  expect(await who('juergen').innerText()).toBe(`juergen\nJürgen “Jü” · Großeltern · ${t('people.import.home')}`);
  expect(await who('zoe').innerText()).toBe('zoe\nZoë · Aunt');
  await inspectPanel(page, 'people-import-review', ['usual', 'phone']);
  await dialog()
    .getByRole('button', { name: t('people.import.do', { count: 1 }) })
    .click();
  await button(t('people.import.done')).click();
  expect(await household.control('accounts.get', { username: 'juergen' })).toMatchObject({ name: 'Jürgen “Jü”' });
});

it('the letters of a file that does not name them are chosen, and shown in the review', async () => {
  const { dialog, button, open, household } = panel;
  await open(t('nav.people'));
  await button(t('people.list.import')).click();
  // "lukasz;Łukasz Żak" and "tata;Ťuhýk" in windows-1250: the western code page has no letter at 0x8d.
  const central = Buffer.from('username;name\r\nlukasz;\xa3ukasz \xafak\r\ntata;\x8duh\xfdk\r\n', 'latin1');
  await dialog()
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: central });
  await dialog()
    .getByRole('button', { name: t('people.import.check') })
    .click();
  await dialog().getByText(t('people.import.unread')).waitFor();
  const choose = async (name: string) => {
    await dialog()
      .getByRole('combobox', { name: t('people.import.letters') })
      .click();
    await panel.page.getByRole('option', { name }).click();
  };
  await choose(t('people.import.codePages.cyrillic'));
  await dialog().getByRole('cell').filter({ hasText: 'Јukasz' }).waitFor();
  await choose(t('people.import.codePages.central'));
  await dialog().getByRole('cell').filter({ hasText: 'Łukasz Żak' }).waitFor();
  await inspectPanel(panel.page, 'people-import-letters', ['usual', 'phone']);
  await dialog()
    .getByRole('button', { name: t('people.import.do', { count: 2 }) })
    .click();
  await button(t('people.import.done')).click();
  expect(await household.control('accounts.get', { username: 'tata' })).toMatchObject({ name: 'Ťuhýk' });
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressOf, routes } from '../../dist/renderer-modules/control/routes.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { openPanel, type PanelVisit } from '../support/browser/panel-visit.ts';
import { homeOf } from '../support/households/member.ts';
import { type DialogHousehold, openDialogHousehold } from './dialogs-support.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The dialogs themselves, and the elements that make one. */
const PARTS = 'renderer/parts/dialogs/';
const RENDERS_DIALOG = /<(?:Dialog|Confirm|Modal\.Root|Drawer\.Root|dialog)\b/;

/** Sources whose dialogs need a household of another kind, and the file that inspects them. */
const INSPECTED_ELSEWHERE: Readonly<Record<string, string>> = {
  // Only before the household has an owner.
  'renderer/first-run/leaving-question.tsx': 'first-run-steps.test.ts',
  // Only after an import that had something to remark.
  'renderer/panel/files/imports/import-row.tsx': 'photo-imports.test.ts',
  // Only from another machine, when its session has ended.
  'renderer/states/sign-in-again.tsx': 'remote.test.ts',
};

const USUAL = { width: 1280, height: 832 };
const PHONE = { width: 390, height: 844 };

let household: DialogHousehold;
let panel: PanelVisit;
let origin: string;

beforeAll(async () => {
  const [browser, opened] = await Promise.all([launchBrowser(), openDialogHousehold()]);
  household = opened;
  panel = await openPanel(browser, household);
  ({ origin } = new URL(panel.page.url()));
});
afterAll(() => panel?.close());

type Open = () => Promise<void>;

const dialog = () => panel.dialog();
const act = (word: string) => dialog().getByRole('button', { name: word, exact: true }).click();
const field = (label: string) => dialog().getByLabel(label, { exact: true });

/** Opens with a button of the page, and presses others in the dialog. */
function press(word: string, ...others: string[]): Open {
  return async () => {
    await panel.button(word).click();
    for (const other of others) await act(other);
  };
}

/** Opens with an entry of a menu, and presses buttons in the dialog. */
function pick(menu: string, action: string, ...others: string[]): Open {
  return async () => {
    await panel.pickFrom(menu, action);
    for (const other of others) await act(other);
  };
}

const person = (name: string) => t('people.list.actionsOf', { name });
const app = (name: string) => t('panelApi.clients.actionsOf', { name });
const definition = (name: string) => t('metadata.actionsOf', { name });
const PLACE = definition(t('metadata.fields.of', { name: 'Place', set: 'Warranty' }));
const selectPerson = (name: string) => t('people.list.select', { name });
const selectItem = (name: string) => t('linksAndShares.select', { name });

/** Selects the rows, and opens with the button above them. */
function select(labels: readonly string[], word: string): Open {
  return async () => {
    for (const name of labels) await panel.page.getByRole('checkbox', { name, exact: true }).check();
    await panel.button(word).click();
  };
}

function ofGran(word: string): Open {
  return async () => {
    await panel.page.getByRole('link', { name: 'Gran Fern' }).click();
    await panel.button(word).click();
  };
}

async function resetPassword(): Promise<void> {
  await panel.pick('Theo', t('people.list.newPassword'));
  await act(t('people.password.set'));
  await dialog()
    .getByRole('heading', { name: t('people.password.made', { name: 'Theo' }) })
    .waitFor();
}

async function addPerson(name: string): Promise<void> {
  await panel.button(t('people.list.add')).click();
  await field(t('people.add.name')).fill(name);
  await field(t('people.add.username')).fill(name.toLowerCase());
  await act(t('people.add.submit'));
  await dialog()
    .getByRole('heading', { name: t('people.add.addedTitle', { name }) })
    .waitFor();
}

async function addApp(name: string, isPublic: boolean): Promise<void> {
  await panel.button(t('panelApi.clients.add')).click();
  await dialog().getByLabel(t('panelApi.form.name')).fill(name);
  if (isPublic)
    await dialog()
      .getByRole('switch', { name: t('panelApi.form.public') })
      .press(' ');
  await act(t('panelApi.form.add'));
  await dialog()
    .getByRole('heading', { name: t('panelApi.added.title', { name }) })
    .waitFor();
}

async function replaceSecret(): Promise<void> {
  await panel.pickFrom(app('Notes'), t('panelApi.clients.replace'));
  await act(t('panelApi.confirm.replaceDo'));
  await dialog()
    .getByRole('heading', { name: t('panelApi.added.replacedTitle', { name: 'Notes' }) })
    .waitFor();
}

async function reviewImport(): Promise<void> {
  const lines = ['username,name,email', 'ida,Ida,ida@orchard.example', 'bad/name,Bad,'];
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
  await panel.button(t('people.list.import')).click();
  await dialog().locator('input[type=file]').setInputFiles(file);
  await act(t('people.import.check'));
  await dialog()
    .getByText(t('people.import.wouldBe', { added: 1, changed: 0, refused: 1 }))
    .waitFor();
}

async function importPeople(): Promise<void> {
  await reviewImport();
  await act(t('people.import.do', { count: 1 }));
  await dialog()
    .getByText(t('people.import.was', { added: 1, changed: 0, refused: 1 }))
    .waitFor();
}

async function removeWithFiles(): Promise<void> {
  await panel.pick('Gran Fern', t('people.list.remove'));
  await dialog().getByLabel(like('people.remove.files')).check();
  await field(t('people.remove.type', { name: 'gran' })).waitFor();
}

async function openMembers(): Promise<void> {
  await panel.pick('Family', t('people.groups.members'));
  await dialog()
    .getByRole('combobox', { name: t('people.groups.members') })
    .waitFor();
}

/** What the dialog shows is known the second time. */
async function openMembersAgain(): Promise<void> {
  await openMembers();
  await act(t('people.add.cancel'));
  await dialog().waitFor({ state: 'detached' });
  await openMembers();
}

async function leaveChanged(): Promise<void> {
  await panel.page.getByLabel(t('security.passwords.limit')).fill('7');
  await panel.page.getByText(t('saveBar.changes', { count: 1 })).waitFor();
  await panel.open(t('nav.about'));
}

/** Where a home is, is known only when the household is there. */
function ofHome(username: string, action: string): Open {
  return () => panel.pickFrom(t('files.homes.actionsOf', { path: homeOf(household, username) }), action);
}

async function eraseHome(): Promise<void> {
  await panel.button(t('files.trashed.eraseOf', { path: homeOf(household, 'zoe') })).click();
}

async function forgetHome(): Promise<void> {
  const row = panel.row(t('files.homes.formerOwner', { username: 'otto' }));
  await row.getByText(t('files.homes.states.offline')).waitFor();
  await ofHome('otto', t('files.homes.forget'))();
}

async function loseFile(): Promise<void> {
  await panel.page.getByLabel('path', { exact: true }).locator('visible=true').fill('/ROOT/HOME/old.txt');
  await panel.button(t('reference.console.try')).click();
}

async function openLicence(): Promise<void> {
  await panel.button(t('about.licences.open', { name: '@mantine/core' })).click();
  await dialog().getByText('Copyright (c) 2021 Vitaly Rtishchev').waitFor();
}

async function choosePassphrase(): Promise<void> {
  await panel.button(t('backup.passphrase.change')).click();
  await field(t('backup.passphrase.first')).fill('a rather good one');
  await dialog().getByText(t('backup.passphrase.strength.fair')).waitFor();
  await act(t('backup.passphrase.choose'));
  await dialog().getByText(t('backup.passphrase.differ')).waitFor();
}

const ofBackup = (action: string, ...others: string[]): Open => {
  return () => pick(t('backup.list.actionsOf', { name: household.backup }), action, ...others)();
};

async function openMenuOfPhone(): Promise<void> {
  await panel.page.setViewportSize(PHONE);
  await panel.button(t('nav.menu')).click();
}

async function repair(): Promise<void> {
  await panel.button(t('about.doctor.check')).click();
  await panel.button(t('about.doctor.repair')).click();
}

interface More {
  /** The button that closes the dialog, if Escape does not. */
  readonly done?: string;
  readonly sizes?: readonly ('usual' | 'phone')[];
}
type Row = [state: string, address: string, open: Open, more?: More];

/** Every dialog of the panel: the source that renders it, what it shows, the page, and how it opens there. */
const DIALOGS: Readonly<Record<string, readonly Row[]>> = {
  'renderer/panel/key-list.tsx': [['shortcuts', routes.overview, () => panel.page.keyboard.press('?')]],
  'renderer/panel/go-to/go-to.tsx': [['all pages', routes.overview, () => panel.page.keyboard.press('Control+k')]],
  'renderer/panel/sidebar.tsx': [['menu', routes.overview, openMenuOfPhone, { sizes: ['phone'] }]],
  'renderer/parts/forms/save-bar.tsx': [['unsaved change', routes.security, leaveChanged]],

  'renderer/panel/people/add-user.tsx': [
    ['new', routes.users, press(t('people.list.add'))],
    ['incomplete', routes.users, press(t('people.list.add'), t('people.add.submit'))],
  ],
  'renderer/panel/people/shown-password.tsx': [
    ['added', routes.users, () => addPerson('Pia'), { done: t('people.add.done') }],
    ['reset', routes.users, resetPassword, { done: t('people.add.done') }],
  ],
  'renderer/panel/people/new-password.tsx': [
    ['from the list', routes.users, pick(person('Theo'), t('people.list.newPassword'))],
    ['of a person', routes.users, ofGran(t('people.user.newPassword'))],
  ],
  'renderer/panel/people/home-folder.tsx': [['move', routes.users, ofGran(t('people.user.fields.changeHome'))]],
  'renderer/panel/people/remove-person.tsx': [
    ['one', routes.users, pick(person('Gran Fern'), t('people.list.remove'))],
    ['with files', routes.users, removeWithFiles],
    ['several', routes.users, select(['Gran Fern', 'Theo'].map(selectPerson), t('people.list.remove'))],
  ],
  'renderer/panel/people/import/import-people.tsx': [
    ['file', routes.users, press(t('people.list.import'))],
    ['review', routes.users, reviewImport],
    ['result', routes.users, importPeople, { done: t('people.import.done') }],
  ],
  'renderer/panel/people/groups/group-name.tsx': [
    ['new', routes.groups, press(t('people.groups.add'))],
    ['incomplete', routes.groups, press(t('people.groups.add'), t('people.groups.add'))],
    ['rename', routes.groups, pick(person('Family'), t('people.groups.rename'))],
  ],
  'renderer/panel/people/groups/group-members.tsx': [
    ['members', routes.groups, openMembers],
    ['members again', routes.groups, openMembersAgain],
  ],
  'renderer/panel/people/groups/groups.tsx': [
    ['remove', routes.groups, pick(person('Family'), t('people.groups.remove'))],
  ],
  'renderer/panel/people/roles/roles.tsx': [['remove', routes.roles, pick(person('Child'), t('people.roles.remove'))]],

  'renderer/panel/files/homes.tsx': [
    ['move to trash', routes.files, ofHome('una', t('files.homes.trash'))],
    ['forget', routes.files, forgetHome],
  ],
  'renderer/panel/files/trashed-homes.tsx': [['delete', routes.files, eraseHome]],
  'renderer/panel/links/links.tsx': [
    [
      'one',
      routes.links,
      pick(t('linksAndShares.links.actionsOf', { name: 'Recipes.pdf' }), t('linksAndShares.links.end')),
    ],
    ['several', routes.links, select(['Recipes.pdf', 'Summer'].map(selectItem), t('linksAndShares.links.end'))],
  ],
  'renderer/panel/links/shares.tsx': [
    [
      'one',
      routes.shares,
      pick(t('linksAndShares.shares.actionsOf', { name: 'Holidays', to: 'Family' }), t('linksAndShares.shares.end')),
    ],
    ['several', routes.shares, select(['Holidays', 'Old list.txt'].map(selectItem), t('linksAndShares.shares.end'))],
  ],

  'renderer/panel/api/client-form.tsx': [
    ['new', routes.clients, press(t('panelApi.clients.add'))],
    ['incomplete', routes.clients, press(t('panelApi.clients.add'), t('panelApi.form.add'))],
    ['edit', routes.clients, pick(app('Notes'), t('panelApi.clients.edit'))],
  ],
  'renderer/panel/api/credentials.tsx': [
    ['confidential', routes.clients, () => addApp('Camera', false), { done: t('panelApi.added.done') }],
    ['public', routes.clients, () => addApp('Player', true), { done: t('panelApi.added.done') }],
    ['replaced', routes.clients, replaceSecret, { done: t('panelApi.added.done') }],
  ],
  'renderer/panel/api/clients.tsx': [
    ['remove', routes.clients, pick(app('Notes'), t('panelApi.clients.remove'))],
    ['replace', routes.clients, pick(app('Notes'), t('panelApi.clients.replace'))],
  ],
  'renderer/panel/api/authorizations.tsx': [
    ['revoke', routes.authorizations, press(t('panelApi.authorizations.revokeOf', { app: 'Tests', person: 'olga' }))],
  ],
  'renderer/panel/reference/console.tsx': [
    ['question', addressOf('reference', { search: { operation: 'files/delete' } }), loseFile],
  ],

  'renderer/panel/metadata/file-type-form.tsx': [
    ['new', routes.fileTypes, press(t('metadata.types.add'))],
    ['incomplete', routes.fileTypes, press(t('metadata.types.add'), t('metadata.types.add'))],
    ['edit', routes.fileTypes, pick(definition('Bill'), t('metadata.edit'))],
    ['built-in', routes.fileTypes, pick(definition('Image'), t('metadata.types.sets'))],
  ],
  'renderer/panel/metadata/file-types.tsx': [
    ['remove', routes.fileTypes, pick(definition('Bill'), t('metadata.remove'))],
  ],
  'renderer/panel/metadata/field-set-form.tsx': [
    ['new', routes.fieldSets, press(t('metadata.sets.add'))],
    ['incomplete', routes.fieldSets, press(t('metadata.sets.add'), t('metadata.sets.add'))],
    ['rename', routes.fieldSets, pick(definition('Warranty'), t('metadata.rename'))],
  ],
  'renderer/panel/metadata/field-form.tsx': [
    ['new', routes.fieldSets, press(t('metadata.fields.addTo', { set: 'Warranty' }))],
    ['incomplete', routes.fieldSets, press(t('metadata.fields.addTo', { set: 'Warranty' }), t('metadata.fields.add'))],
    ['edit', routes.fieldSets, pick(PLACE, t('metadata.edit'))],
  ],
  'renderer/panel/metadata/remove.tsx': [
    ['set', routes.fieldSets, pick(definition('Warranty'), t('metadata.remove'))],
    ['field', routes.fieldSets, pick(PLACE, t('metadata.remove'))],
  ],

  'renderer/panel/backup/check.tsx': [['passphrase', routes.backups, ofBackup(t('backup.list.check'))]],
  'renderer/panel/backup/restore.tsx': [
    ['new', routes.backups, ofBackup(t('backup.list.restore'))],
    ['incomplete', routes.backups, ofBackup(t('backup.list.restore'), t('backup.restoreHere.do'))],
  ],
  'renderer/panel/backup/backups.tsx': [['remove', routes.backups, ofBackup(t('backup.list.remove'))]],
  'renderer/panel/backup/keys.tsx': [
    ['change', routes.backupSettings, press(t('backup.passphrase.change'))],
    ['incomplete', routes.backupSettings, choosePassphrase],
    ['exclude', routes.backupSettings, press(t('backup.passphrase.leaveOut'))],
  ],
  'renderer/panel/about/doctor.tsx': [['repair', routes.about, repair]],
  'renderer/panel/about/licences.tsx': [['text', routes.about, openLicence]],
};

/** The dialog if it scrolls sideways, and its buttons with a text that is wider than they are. */
function cutOff(): Promise<string[]> {
  return dialog()
    .locator('xpath=self::*|.//button//*')
    .evaluateAll((all) =>
      all
        .filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX !== 'visible')
        .map((one) => one.textContent),
    );
}

const ROWS = Object.entries(DIALOGS).flatMap(([source, rows]) =>
  rows.map(([state, address, open, more = {}]) => [`${source}: ${state}`, { address, open, ...more }] as const),
);

it.each(ROWS)('axe finds no problems in %s', async (title, { address, open, done, sizes }) => {
  const { page, complaints } = panel;
  const name = `dialog-${title.replace(/^.*\/|\.tsx:/g, '').replaceAll(' ', '-')}`;
  await page.goto('about:blank');
  complaints.length = 0;
  await page.goto(`${origin}/${address}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await open();
  await dialog().waitFor();
  await inspectPanel(page, name, sizes ?? ['usual', 'phone']);
  await page.setViewportSize(PHONE);
  await expect.poll(cutOff, { message: `${name} is cut off` }).toEqual([]);
  await page.setViewportSize(USUAL);
  if (done === undefined) await page.keyboard.press('Escape');
  else await act(done);
  await dialog().waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

it('every dialog is inspected', async () => {
  const names = await readdir(join(ROOT, 'renderer'), { recursive: true });
  const paths = names.map((name) => `renderer/${name.replaceAll('\\', '/')}`);
  const components = paths.filter((path) => path.endsWith('.tsx') && !path.startsWith(PARTS));
  const texts = await Promise.all(components.map((path) => readFile(join(ROOT, path), 'utf8')));
  const rendering = components.filter((_, at) => RENDERS_DIALOG.test(texts[at] ?? ''));
  expect(rendering.length).toBeGreaterThan(30);
  expect([...Object.keys(DIALOGS), ...Object.keys(INSPECTED_ELSEWHERE)].sort()).toEqual(rendering.sort());
  for (const [source, rows] of Object.entries(DIALOGS)) expect([source, rows.length > 0]).toEqual([source, true]);
  for (const file of Object.values(INSPECTED_ELSEWHERE)) {
    expect(await readFile(new URL(file, import.meta.url), 'utf8')).toContain('await inspectPanel(');
  }
});

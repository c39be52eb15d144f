import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appOf } from '../oauth/support.ts';
import { inspectPanel } from '../support/panel-page.ts';
import { type PanelVisit, visitPanel } from '../support/panel-visit.ts';

let panel: PanelVisit;

const PASSWORD = 'correct horse battery';

beforeAll(async () => {
  panel = await visitPanel();
  const { household } = panel;
  await household.control('roles.add', { name: 'Child', permissions: { weblink: false, space_quota_max: 2 } });
  await household.control('groups.add', { name: 'Family' });
  await household.control('accounts.add', {
    username: 'mia',
    name: 'Mia',
    lastName: 'Fern',
    password: PASSWORD,
    groups: ['Family'],
    createHomeFolder: true,
    permissions: { space_quota_max: 1 },
  });
  const { access } = await appOf(household).signIn({ username: 'mia', password: PASSWORD, scope: 'upload' });
  await household.api.with(access).put({ path: '/ROOT/HOME/large.bin' }, Buffer.alloc(1_000_000));
}, 90_000);
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

const complained = () => panel.complaints.filter((line) => !/status of (?:400|409)/.test(line));
const account = (username: string) => panel.household.control('accounts.get', { username });

describe('users', () => {
  it('are listed, searched, filtered and sorted, and the address says how', async () => {
    const { page, open, row, household } = panel;
    await household.control('accounts.add', { username: 'gran', name: 'Gran' });
    await open('People');
    await row('Mia Fern').waitFor();
    await page.getByText('3 users').waitFor();
    await row('Mia Fern').getByText('Nearly full').last().waitFor();
    await row('Gran').getByText('Password not set').last().waitFor();
    await inspectPanel(page, 'people-users');
    await page.getByRole('searchbox').fill('FERN');
    await page.getByText('1 user', { exact: true }).waitFor();
    expect(page.url()).toContain('q=FERN');
    await page.reload();
    await page.getByText('1 user', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('FERN');
    await page.getByRole('searchbox').fill('nobody of this name');
    await page.getByText('Nobody fits').waitFor();
    await page.getByRole('searchbox').fill('');
    await row('Gran').waitFor();
    await page.getByRole('button', { name: 'Storage' }).click();
    await expect.poll(() => page.getByRole('rowheader').first().innerText()).toContain('Mia');
    expect(complained()).toEqual([]);
  }, 60_000);

  it('are added with a password that is shown once, and what was typed stays when it is refused', async () => {
    const { page, dialog, button, open, row, household } = panel;
    await open('People');
    await button('Add user').click();
    await dialog().getByRole('button', { name: 'Add user' }).click();
    await dialog().getByText('Choose a user name.').waitFor();
    await dialog().getByLabel('Name', { exact: true }).fill('Ben');
    await dialog().getByLabel('User name').fill('mia');
    await dialog().getByRole('button', { name: 'Add user' }).click();
    await dialog()
      .getByText(/already|taken|in use/)
      .waitFor();
    await expect.poll(() => dialog().getByLabel('Name', { exact: true }).inputValue()).toBe('Ben');
    await inspectPanel(page, 'people-add');
    await dialog().getByLabel('User name').fill('ben');
    await dialog().getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Child' }).click();
    await dialog().getByRole('button', { name: 'Add user' }).click();
    await dialog().getByRole('heading', { name: 'Ben is added' }).waitFor();
    await inspectPanel(page, 'people-added');
    const password = await dialog().locator('code').last().innerText();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog().isVisible()).toBe(true);
    await button('Done').click();
    await row('Ben').getByText('Child').waitFor();
    const roles = (await household.control('roles.list')) as { roles: { id: number }[] };
    expect(await account('ben')).toMatchObject({
      roleId: roles.roles[0]?.id,
      requirePasswordChange: true,
      homeFolder: join(household.folder, 'homes', 'ben'),
    });
    expect((await appOf(household).password({ username: 'ben', password })).status).not.toBe(401);
    expect(complained()).toEqual([]);
  }, 60_000);

  it('are switched off and on together, and removed with the name typed', async () => {
    const { page, dialog, button, open, row, pick, household } = panel;
    await household.control('accounts.add', { username: 'una', name: 'Una', createHomeFolder: true });
    await open('People', 'Roles');
    await open('People', 'Users');
    await page.getByRole('checkbox', { name: 'Select Mia Fern' }).check();
    await page.getByRole('checkbox', { name: 'Select Una' }).check();
    await page.getByText('2 of 5').waitFor();
    await inspectPanel(page, 'people-selected', ['usual', 'phone']);
    await button('Switch off').click();
    await page.getByText('Done for 2.').waitFor();
    expect(await account('mia')).toMatchObject({ activated: false });
    await button('Switch on').click();
    await expect.poll(async () => (await account('una')).activated).toBe(true);
    await button('Clear selection').click();

    await pick('Una', 'Remove');
    await dialog().getByLabel('Delete the files for good as well').check();
    await expect.poll(() => dialog().getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true);
    await inspectPanel(page, 'people-remove');
    await dialog().getByLabel('Type una to go on').fill('una');
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await row('Una').waitFor({ state: 'detached' });
    await expect(account('una')).rejects.toThrow('There is no such account.');
    expect(complained()).toEqual([]);
  }, 60_000);

  it('come from a CSV file, after it was seen what would happen', async () => {
    const { page, dialog, button, open, row } = panel;
    await open('People');
    await button('Import').click();
    const lines = ['username,name,email', 'zoe,Zoë,zoe@orchard.example', 'mia,Mia,', 'bad/name,Bad,'];
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
    await dialog().locator('input[type=file]').setInputFiles(file);
    await dialog().getByRole('button', { name: 'Check' }).click();
    await dialog().getByText('1 would be added, 0 changed, 2 refused.').waitFor();
    await inspectPanel(page, 'people-import');
    await expect(account('zoe')).rejects.toThrow();
    await dialog().getByRole('button', { name: 'Import 1 person' }).click();
    await dialog().getByText('1 added, 0 changed, 2 refused.').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button('Save the passwords').click()]);
    expect(download.suggestedFilename()).toBe('larder-passwords.csv');
    await button('Done').click();
    await row('Zoë').waitFor();
    expect(await account('zoe')).toMatchObject({ email: 'zoe@orchard.example' });
    expect(complained()).toEqual([]);
  }, 60_000);
});

describe('one person', () => {
  it('is changed, each change marked until it is saved', async () => {
    const { page, button, open, household } = panel;
    await open('People');
    await page.getByRole('link', { name: 'Mia Fern' }).click();
    await page.getByRole('heading', { name: 'Mia Fern' }).waitFor();
    const links = page.getByRole('switch', { name: 'Public links' });
    await links.press(' ');
    await page.getByLabel('Quota').fill('200');
    await page.getByLabel('Last name').fill('Green');
    await page.getByText('3 changes, not saved').waitFor();
    await inspectPanel(page, 'people-user');
    await button('Save changes').click();
    await page.getByText('Saved.').waitFor();
    expect(await account('mia')).toMatchObject({
      lastName: 'Green',
      ownPermissions: { weblink: false, space_quota_max: 200 },
    });
    await page.getByRole('heading', { name: 'Mia Green' }).waitFor();
    await expect.poll(() => page.getByText('not saved').count()).toBe(0);

    await page.getByLabel('User name').fill('ann');
    await button('Save changes').click();
    await page.getByText(/already|taken|in use/).waitFor();
    await expect.poll(() => page.getByLabel('User name').inputValue()).toBe('ann');
    await button('Discard').click();
    await expect.poll(() => page.getByLabel('User name').inputValue()).toBe('mia');

    const app = appOf(household);
    const { access } = await app.signIn({ username: 'mia', password: PASSWORD, scope: 'list' });
    await button('Sign out everywhere').click();
    await page.getByText('Mia Green is signed out everywhere.').waitFor();
    expect(await app.use(access)).toBe(401);
    expect(complained()).toEqual([]);
  }, 60_000);

  it('may see and administer whom is picked', async () => {
    const { page, button, open } = panel;
    await open('People');
    await page.getByRole('link', { name: 'Mia Green' }).click();
    const seen = page.getByRole('radiogroup', { name: 'Whom they see' });
    await seen.getByText('Only these').click();
    await page.getByRole('combobox', { name: 'People and groups' }).fill('gran');
    await page.getByRole('option', { name: 'Gran · gran' }).click();
    await page.keyboard.press('Escape');
    const type = page.getByRole('combobox', { name: 'Administrator' });
    await type.click();
    await page.getByRole('option', { name: 'Yes, of the household' }).click();
    await page.getByRole('switch', { name: 'Manage users' }).press(' ');
    await button('Save changes').click();
    await page.getByText('Saved.').first().waitFor();
    const gran = await account('gran');
    expect(await account('mia')).toMatchObject({
      ownPermissions: { users_may_see: `u1,u${gran.id}`, admin_type: 'simple', admin_users: true },
    });
    await open('People', 'Administrators');
    await panel.row('Mia Green').waitFor();
    await inspectPanel(page, 'people-administrators', ['usual']);
    expect(complained()).toEqual([]);
  }, 60_000);

  it('has a folder that the owner chooses, and one with files only when told so', async () => {
    const { page, dialog, button, open, household } = panel;
    const folder = join(household.folder, 'homes', 'photos-of-gran');
    await mkdir(folder);
    await writeFile(join(folder, 'lake.jpg'), 'a picture');
    await open('People');
    await page.getByRole('link', { name: 'Gran' }).click();
    await button('Change…').click();
    await dialog().getByLabel('Path').fill(folder);
    await dialog().getByRole('button', { name: 'Use this folder' }).click();
    await dialog().getByRole('alert').or(dialog().locator('[id$=error]')).first().waitFor();
    await expect.poll(() => dialog().getByLabel('Path').inputValue()).toBe(folder);
    await dialog().getByRole('switch', { name: 'There may be files in it' }).press(' ');
    await inspectPanel(page, 'people-home', ['usual']);
    await dialog().getByRole('button', { name: 'Use this folder' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await account('gran')).toMatchObject({ homeFolder: folder });
  }, 60_000);
});

describe('groups and roles', () => {
  it('are made, filled, renamed and removed', async () => {
    const { page, dialog, button, open, row, pick, household } = panel;
    await open('People', 'Groups');
    await button('Add group').click();
    await dialog().getByLabel('Name').fill('Music');
    await dialog().getByRole('button', { name: 'Add group' }).click();
    await row('Music').waitFor();
    await pick('Music', 'Members');
    await dialog().getByRole('combobox', { name: 'Members' }).fill('gran');
    await page.getByRole('option', { name: 'Gran · gran' }).click();
    await page.keyboard.press('Escape');
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await account('gran')).toMatchObject({ groups: ['Music'] });
    await inspectPanel(page, 'people-groups');
    await pick('Music', 'Remove');
    await dialog().getByText('1 member will').waitFor();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await row('Music').waitFor({ state: 'detached' });

    await open('People', 'Roles');
    await page.getByRole('link', { name: 'Add role' }).click();
    await page.getByLabel('Name').fill('Guest room');
    await page.getByRole('switch', { name: 'Upload' }).press(' ');
    await inspectPanel(page, 'people-role');
    await button('Add role').click();
    await page.getByRole('heading', { name: 'Guest room' }).waitFor();
    const { roles } = (await household.control('roles.list')) as { roles: { name: string; permissions: object }[] };
    expect(roles.find(({ name }) => name === 'Guest room')?.permissions).toMatchObject({
      upload: false,
      download: true,
    });
    await page.getByRole('link', { name: 'Roles' }).click();
    await inspectPanel(page, 'people-roles', ['usual']);
    await pick('Child', 'Remove');
    await dialog().getByText('1 person has it.').waitFor();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await row('Child').waitFor({ state: 'detached' });
    expect(await account('ben')).toMatchObject({ roleId: null });
    expect(complained()).toEqual([]);
  }, 60_000);
});

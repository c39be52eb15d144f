import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t as text } from '../../dist/server/messages/messages.js';
import { appOf } from '../oauth/support.ts';
import { edgesOf } from '../support/browser/geometry.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';
import { itInFull } from '../support/forms.ts';

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
});
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

const complained = () => panel.complaints.filter((line) => !/status of (?:400|409)/.test(line));
const account = (username: string) => panel.household.control('accounts.get', { username });

describe('users', () => {
  it('are listed, searched, filtered and sorted, which the address contains', async () => {
    const { page, open, row, household } = panel;
    await household.control('accounts.add', { username: 'gran', name: 'Gran' });
    await open(t('nav.people'));
    await row('Mia Fern').waitFor();
    await page.getByText(t('people.list.count.users', { count: 3 })).waitFor();
    await row('Mia Fern').getByText(t('people.list.nearlyFull')).last().waitFor();
    await row('Gran').getByText(t('people.list.noPassword')).last().waitFor();
    await inspectPanel(page, 'people-users');
    // On a phone, each filter has its label and a row of its own, and the name of the household is broken between words.
    await page.setViewportSize({ width: 320, height: 700 });
    for (const label of ['group', 'role', 'state'] as const) {
      await page
        .getByText(t(`people.list.${label}`), { exact: true })
        .first()
        .waitFor();
      const { width } = await edgesOf(page.getByRole('combobox', { name: t(`people.list.${label}`) }));
      expect(width).toBeGreaterThan(280);
    }
    const house = page.locator('header strong').filter({ visible: true });
    expect(await house.evaluate((one) => one.scrollWidth <= one.clientWidth && one.clientHeight <= 40)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 832 });
    await page.getByRole('searchbox').fill('FERN');
    await page.getByText(t('people.list.count.users', { count: 1 }), { exact: true }).waitFor();
    expect(page.url()).toContain('q=FERN');
    await page.reload();
    await page.getByText(t('people.list.count.users', { count: 1 }), { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('FERN');
    await page.getByRole('searchbox').fill('nobody of this name');
    await page.getByText(t('people.list.empty.users')).waitFor();
    await page.getByRole('searchbox').fill('');
    await row('Gran').waitFor();
    await page.getByRole('button', { name: t('people.list.columns.storage') }).click();
    await expect.poll(() => page.getByRole('rowheader').first().innerText()).toContain('Mia');
    expect(complained()).toEqual([]);
  });

  it('are added with a password that is shown once, and the input is kept if it is refused', async () => {
    const { page, dialog, button, open, row, household } = panel;
    await open(t('nav.people'));
    await button(t('people.list.add')).click();
    await dialog()
      .getByRole('button', { name: t('people.list.add') })
      .click();
    await dialog().getByText(t('people.add.needed.username')).waitFor();
    await dialog().getByLabel(t('people.add.name'), { exact: true }).fill('Ben');
    await dialog().getByLabel(t('people.add.username')).fill('mia');
    await dialog()
      .getByRole('button', { name: t('people.list.add') })
      .click();
    await dialog().getByText(text('api.accounts.usernameInUse')).waitFor();
    await expect.poll(() => dialog().getByLabel(t('people.add.name'), { exact: true }).inputValue()).toBe('Ben');
    await inspectPanel(page, 'people-add');
    // The buttons stay visible at the lower edge of the dialog, wherever it is scrolled to.
    await page.setViewportSize({ width: 1280, height: 600 });
    for (const field of [
      dialog().getByLabel(t('people.add.name'), { exact: true }),
      dialog().getByRole('switch').last(),
    ]) {
      await field.focus();
      const { bottom } = await edgesOf(dialog().locator('.mantine-Modal-content, :scope').first());
      const add = await edgesOf(dialog().getByRole('button', { name: t('people.list.add') }));
      expect(add.bottom).toBeLessThanOrEqual(bottom);
      expect((await edgesOf(field)).bottom).toBeLessThanOrEqual(add.top);
    }
    await page.setViewportSize({ width: 1280, height: 832 });
    await dialog().getByLabel(t('people.add.username')).fill('ben');
    await dialog()
      .getByRole('combobox', { name: t('people.list.role') })
      .click();
    await page.getByRole('option', { name: 'Child' }).click();
    await dialog()
      .getByRole('button', { name: t('people.list.add') })
      .click();
    await dialog()
      .getByRole('heading', { name: t('people.add.addedTitle', { name: 'Ben' }) })
      .waitFor();
    await inspectPanel(page, 'people-added');
    const password = await dialog().locator('code').last().innerText();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog().isVisible()).toBe(true);
    await button(t('people.add.done')).click();
    await row('Ben').getByText('Child').waitFor();
    const roles = (await household.control('roles.list')) as { roles: { id: number }[] };
    expect(await account('ben')).toMatchObject({
      roleId: roles.roles[0]?.id,
      requirePasswordChange: true,
      homeFolder: join(household.folder, 'homes', 'ben'),
    });
    expect((await appOf(household).password({ username: 'ben', password })).status).not.toBe(401);
    expect(complained()).toEqual([]);
  });

  itInFull('are deactivated and activated together, and removed after their name is typed', async () => {
    const { page, dialog, button, open, row, pick, household } = panel;
    await household.control('accounts.add', { username: 'una', name: 'Una', createHomeFolder: true });
    await open(t('nav.people'), t('people.tabs.roles'));
    await open(t('nav.people'), t('people.tabs.users'));
    await page.getByRole('checkbox', { name: t('people.list.select', { name: 'Mia Fern' }) }).check();
    await page.getByRole('checkbox', { name: t('people.list.select', { name: 'Una' }) }).check();
    await page.getByText(t('people.list.selected', { count: 2, total: 5 })).waitFor();
    await inspectPanel(page, 'people-selected', ['usual', 'phone']);
    await button(t('people.list.switchOff')).click();
    await page.getByText(t('people.list.updated', { done: 2, failed: 0 })).waitFor();
    expect(await account('mia')).toMatchObject({ activated: false });
    await button(t('people.list.switchOn')).click();
    await expect.poll(async () => (await account('una')).activated).toBe(true);
    await button(t('people.list.clear')).click();

    await pick('Una', t('people.list.remove'));
    await dialog().getByLabel(like('people.remove.files')).check();
    await expect
      .poll(() =>
        dialog()
          .getByRole('button', { name: t('people.list.remove') })
          .isDisabled(),
      )
      .toBe(true);
    await inspectPanel(page, 'people-remove');
    await dialog()
      .getByLabel(t('people.remove.type', { name: 'una' }))
      .fill('una');
    await dialog()
      .getByRole('button', { name: t('people.list.remove') })
      .click();
    await row('Una').waitFor({ state: 'detached' });
    await expect(account('una')).rejects.toThrow(text('api.accounts.notFound'));
    expect(complained()).toEqual([]);
  });

  it('are imported from a CSV file after a preview', async () => {
    const { page, dialog, button, open, row } = panel;
    await open(t('nav.people'));
    await button(t('people.list.import')).click();
    const lines = ['username,name,email', 'zoe,Zoë,zoe@orchard.example', 'mia,Mia,', 'bad/name,Bad,'];
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
    await dialog().locator('input[type=file]').setInputFiles(file);
    await dialog()
      .getByRole('button', { name: t('people.import.check') })
      .click();
    await dialog()
      .getByText(t('people.import.wouldBe', { added: 1, changed: 0, refused: 2 }))
      .waitFor();
    await inspectPanel(page, 'people-import');
    await expect(account('zoe')).rejects.toThrow();
    await dialog()
      .getByRole('button', { name: t('people.import.do', { count: 1 }) })
      .click();
    await dialog()
      .getByText(t('people.import.was', { added: 1, changed: 0, refused: 2 }))
      .waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button(t('people.import.save')).click()]);
    expect(download.suggestedFilename()).toBe(t('people.import.passwordsFile'));
    await button(t('people.add.done')).click();
    await row('Zoë').waitFor();
    expect(await account('zoe')).toMatchObject({ email: 'zoe@orchard.example' });
    expect(complained()).toEqual([]);
  });
});

describe('one person', () => {
  it('is edited, and each change is marked until it is saved', async () => {
    const { page, button, open, household } = panel;
    await open(t('nav.people'));
    await page.getByRole('link', { name: 'Mia Fern' }).click();
    await page.getByRole('heading', { name: 'Mia Fern' }).waitFor();
    const links = page.getByRole('switch', { name: t('people.permissions.weblink.name') });
    await links.press(' ');
    await page.getByLabel(t('people.user.fields.quota')).fill('200');
    await page.getByLabel(t('people.user.fields.lastName')).fill('Green');
    await page.getByText(t('saveBar.changes', { count: 3 })).waitFor();
    await inspectPanel(page, 'people-user');
    await button(t('saveBar.save')).click();
    await page.getByText(t('people.user.saved')).waitFor();
    expect(await account('mia')).toMatchObject({
      lastName: 'Green',
      ownPermissions: { weblink: false, space_quota_max: 200 },
    });
    await page.getByRole('heading', { name: 'Mia Green' }).waitFor();
    await expect.poll(() => page.getByText(like('saveBar.changes')).count()).toBe(0);

    await page.getByLabel(t('people.add.username')).fill('ann');
    await button(t('saveBar.save')).click();
    await page.getByText(text('api.accounts.usernameInUse')).waitFor();
    await expect.poll(() => page.getByLabel(t('people.add.username')).inputValue()).toBe('ann');
    await button(t('saveBar.discard')).click();
    await expect.poll(() => page.getByLabel(t('people.add.username')).inputValue()).toBe('mia');

    const app = appOf(household);
    const { access } = await app.signIn({ username: 'mia', password: PASSWORD, scope: 'profile list' });
    const mia = household.api.with(access);
    for (const label of ['Kodi', 'Laptop']) await mia.post('account/app-passwords/add', { label });
    await open(t('nav.people'));
    await page.getByRole('link', { name: 'Mia Green' }).click();
    await page
      .getByText(t('people.user.appPassword.by', { app: 'Tests' }))
      .first()
      .waitFor();
    await inspectPanel(page, 'people-app-passwords', ['usual']);
    await button(t('people.user.appPassword.revokeOf', { label: 'Kodi' })).click();
    await expect.poll(() => button(t('people.user.appPassword.revokeOf', { label: 'Kodi' })).count()).toBe(0);
    const { passwords } = (await mia.get('account/app-passwords/list')).body.data;
    expect(passwords).toMatchObject([{ label: 'Laptop' }]);
    await button(t('people.list.signOut')).click();
    await page.getByText(t('people.list.signedOut', { name: 'Mia Green' })).waitFor();
    expect(await app.use(access)).toBe(401);
    expect(complained()).toEqual([]);
  });

  itInFull('may see and administer the selected people', async () => {
    const { page, button, open } = panel;
    await open(t('nav.people'));
    await page.getByRole('link', { name: 'Mia Green' }).click();
    const seen = page.getByRole('radiogroup', { name: t('people.limits.maySee') });
    await seen.getByText(t('people.limits.some')).click();
    await page.getByRole('combobox', { name: t('people.limits.people') }).fill('gran');
    await page.getByRole('option', { name: 'Gran · gran' }).click();
    await page.keyboard.press('Escape');
    const type = page.getByRole('combobox', { name: t('people.limits.adminType') });
    await type.click();
    await page.getByRole('option', { name: t('people.limits.adminTypes.simple') }).click();
    await page.getByRole('switch', { name: t('people.permissions.admin_users.name') }).press(' ');
    await button(t('saveBar.save')).click();
    await page.getByText(t('people.user.saved')).first().waitFor();
    const gran = await account('gran');
    expect(await account('mia')).toMatchObject({
      ownPermissions: { users_may_see: `u1,u${gran.id}`, admin_type: 'simple', admin_users: true },
    });
    await open(t('nav.people'), t('people.tabs.administrators'));
    await panel.row('Mia Green').waitFor();
    await inspectPanel(page, 'people-administrators', ['usual']);
    expect(complained()).toEqual([]);
  });

  itInFull('has the home folder that the owner chooses, and one with files only after a confirmation', async () => {
    const { page, dialog, button, open, household } = panel;
    const folder = join(household.folder, 'homes', 'photos-of-gran');
    await mkdir(folder);
    await writeFile(join(folder, 'lake.jpg'), 'a picture');
    await open(t('nav.people'));
    await page.getByRole('link', { name: 'Gran' }).click();
    await button(t('people.user.fields.changeHome')).click();
    await dialog().getByLabel(t('people.user.home.path')).fill(folder);
    await dialog()
      .getByRole('button', { name: t('people.user.home.do') })
      .click();
    await dialog().getByRole('alert').or(dialog().locator('[id$=error]')).first().waitFor();
    await expect.poll(() => dialog().getByLabel(t('people.user.home.path')).inputValue()).toBe(folder);
    await dialog()
      .getByRole('switch', { name: t('people.user.home.adopt') })
      .press(' ');
    await inspectPanel(page, 'people-home', ['usual']);
    await dialog()
      .getByRole('button', { name: t('people.user.home.do') })
      .click();
    await dialog().waitFor({ state: 'detached' });
    expect(await account('gran')).toMatchObject({ homeFolder: folder });
  });
});

describe('groups and roles', () => {
  it('are created, given members, renamed and removed', async () => {
    const { page, dialog, button, open, row, pick, household } = panel;
    await open(t('nav.people'), t('people.tabs.groups'));
    await button(t('people.groups.add')).click();
    await dialog().getByLabel(t('people.groups.name')).fill('Music');
    await dialog()
      .getByRole('button', { name: t('people.groups.add') })
      .click();
    await row('Music').waitFor();
    await pick('Music', t('people.groups.members'));
    await dialog()
      .getByRole('combobox', { name: t('people.groups.members') })
      .fill('gran');
    await page.getByRole('option', { name: 'Gran · gran' }).click();
    await page.keyboard.press('Escape');
    await dialog()
      .getByRole('button', { name: t('people.groups.save') })
      .click();
    await dialog().waitFor({ state: 'detached' });
    expect(await account('gran')).toMatchObject({ groups: ['Music'] });
    await inspectPanel(page, 'people-groups');
    await pick('Music', t('people.list.remove'));
    await dialog()
      .getByText(t('people.groups.removeLoss', { members: 1 }))
      .waitFor();
    await dialog()
      .getByRole('button', { name: t('people.list.remove') })
      .click();
    await row('Music').waitFor({ state: 'detached' });

    await open(t('nav.people'), t('people.tabs.roles'));
    await page.getByRole('link', { name: t('people.roles.add') }).click();
    await page.getByLabel(t('people.roles.name')).fill('Guest room');
    await page.getByRole('switch', { name: t('people.permissions.upload.name') }).press(' ');
    await inspectPanel(page, 'people-role');
    await button(t('people.roles.add')).click();
    await page.getByRole('heading', { name: 'Guest room' }).waitFor();
    const { roles } = (await household.control('roles.list')) as { roles: { name: string; permissions: object }[] };
    expect(roles.find(({ name }) => name === 'Guest room')?.permissions).toMatchObject({
      upload: false,
      download: true,
    });
    await page.getByRole('link', { name: t('people.roles.back') }).click();
    await inspectPanel(page, 'people-roles', ['usual']);
    await pick('Child', t('people.list.remove'));
    await dialog()
      .getByText(t('people.roles.removeLoss', { count: 1 }))
      .waitFor();
    await dialog()
      .getByRole('button', { name: t('people.list.remove') })
      .click();
    await row('Child').waitFor({ state: 'detached' });
    expect(await account('ben')).toMatchObject({ roleId: null });
    expect(complained()).toEqual([]);
  });
});

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { localSeconds } from '../../dist/server/lib/datetime.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { openPanel, type PanelVisit } from '../support/browser/panel-visit.ts';
import { itInFull } from '../support/forms.ts';
import { rowsOf } from '../support/requests/activity.ts';
import { type LinkHousehold, openLinkHousehold } from '../support/requests/links.ts';

let household: LinkHousehold;
let panel: PanelVisit;
beforeAll(async () => {
  const [browser, opened] = await Promise.all([launchBrowser(), openLinkHousehold()]);
  household = opened;
  panel = await openPanel(browser, household);
});
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

const HOME = '/ROOT/HOME';

it('links: those of all people, with what they allow, are ended one by one and together', async () => {
  const { page, open, row, pickFrom, dialog, button } = panel;
  await household.put('Summer at the lake/one.jpg', 'Recipes.pdf', 'Old list.txt');
  const summer = await household.link(`${HOME}/Summer at the lake`, { allow_uploads: 1 });
  const recipes = await household.link(`${HOME}/Recipes.pdf`, { download_limit: 5, password: 'a good password' });
  const list = await household.link(`${HOME}/Old list.txt`);
  expect((await household.visit(list, { fmode: 'download' })).status).toBe(200);
  await household.control('accounts.update', { username: 'olga', name: 'Olga', lastName: 'Ohm' });
  await open(t('nav.links'));
  await row('Recipes.pdf').getByText(t('linksAndShares.links.withPassword')).waitFor();
  await row('Recipes.pdf').getByText('Olga Ohm', { exact: true }).waitFor();
  await row('Recipes.pdf')
    .getByText(t('linksAndShares.links.of', { count: 0, limit: 5 }))
    .waitFor();
  await row('Summer at the lake').getByText(t('linksAndShares.links.kinds.upload')).waitFor();
  await row('Old list.txt').getByText('1', { exact: true }).waitFor();
  // Whoever has an address may come: it is told to its maker alone.
  expect(await page.content()).not.toContain(recipes);
  expect(JSON.stringify(await household.control('links.list'))).not.toContain(recipes);
  await inspectPanel(page, 'links');
  await page.getByRole('searchbox').fill('RECIP');
  await page.getByText(t('linksAndShares.links.count', { count: 1 }), { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('olga ohm');
  await page.getByText(t('linksAndShares.links.count', { count: 3 }), { exact: true }).waitFor();

  await pickFrom(t('linksAndShares.links.actionsOf', { name: 'Old list.txt' }), t('linksAndShares.links.end'));
  await dialog()
    .getByText(t('linksAndShares.links.confirm', { name: 'Old list.txt' }))
    .waitFor();
  const told = await rowsOf(household, async () => {
    await dialog()
      .getByRole('button', { name: t('linksAndShares.links.end') })
      .click();
    await row('Old list.txt').waitFor({ state: 'detached' });
  });
  expect(told).toMatchObject([
    { kind: 'weblink.removed', username: 'ann', subject: `${HOME}/Old list.txt`, details: { of: 'olga', links: 1 } },
  ]);
  expect((await household.visit(list)).status).toBe(404);
  expect((await household.visit(summer)).status).toBe(200);

  await page.getByRole('checkbox', { name: t('linksAndShares.select', { name: 'Recipes.pdf' }) }).check();
  await page.getByRole('checkbox', { name: t('linksAndShares.select', { name: 'Summer at the lake' }) }).check();
  await page.getByText(t('linksAndShares.selected', { count: 2 })).waitFor();
  await button(t('linksAndShares.links.end')).click();
  await dialog()
    .getByRole('button', { name: t('linksAndShares.links.end') })
    .click();
  await page.getByText(t('linksAndShares.none')).waitFor();
  expect((await household.visit(summer)).status).toBe(404);
  expect(panel.complaints).toEqual([]);
});

it('shares: who shares what with whom; they are ended together with those derived from them', async () => {
  const { page, open, row, pickFrom, dialog } = panel;
  await household.put('Holidays/plan.txt');
  await household.share(`${HOME}/Holidays`, { uid: household.ids.ben, upload: 1, download: 1, share: 1 });
  await household.share(`${HOME}/Holidays`, { gid: household.family });
  await open(t('nav.links'), t('linksAndShares.tabs.shares'));
  const rights = (['upload', 'download', 'comment', 'read_comments', 'share'] as const).map((right) =>
    t(`linksAndShares.shares.rights.${right}`),
  );
  await row('Holidays')
    .filter({ hasText: [t('linksAndShares.shares.look'), ...rights].join(', ') })
    .waitFor();
  await row('Holidays').filter({ hasText: 'Family' }).getByText(t('linksAndShares.shares.kinds.group')).waitFor();
  await inspectPanel(page, 'shares');
  const { shares } = (await household.control('shares.list')) as { shares: { with: { name: string } }[] };
  const ben = shares.map((share) => share.with.name).find((name) => name !== 'Family') ?? '';
  await pickFrom(t('linksAndShares.shares.actionsOf', { name: 'Holidays', to: ben }), t('linksAndShares.shares.end'));
  await dialog()
    .getByText(t('linksAndShares.shares.confirm', { name: 'Holidays', to: ben }))
    .waitFor();
  await inspectPanel(page, 'shares-end', ['usual']);
  await dialog()
    .getByRole('button', { name: t('linksAndShares.shares.end') })
    .click();
  await row('Holidays')
    .filter({ hasText: t('linksAndShares.shares.rights.share') })
    .waitFor({ state: 'detached' });
  const seen = await household.as('ben').get('files/browse', { path: '/ROOT/SHARED' });
  expect(JSON.stringify(seen.body)).not.toContain('Holidays');
  await expect.poll(() => row('Holidays').count()).toBe(1);
  expect(panel.complaints).toEqual([]);
});

it('albums: who shares which album with whom; ending it takes it from them', async () => {
  const { page, open, row, pickFrom, dialog } = panel;
  await household.put('Wedding/1.jpg', 'Wedding/2.jpg');
  const as = household.as('olga');
  const { album } = (await as.post('albums/add', { title: 'Wedding' })).body.data;
  const items = JSON.stringify(['1', '2'].map((name) => ({ path: `${HOME}/Wedding/${name}.jpg` })));
  expect((await as.post('albums/items/add', { album, items })).status).toBe(200);
  expect((await as.post('albums/share', { album, uid: household.ids.ben, role: 'contribute' })).status).toBe(200);
  expect((await as.post('albums/share', { album, gid: household.family, role: 'view' })).status).toBe(200);
  expect((await as.post('albums/link', { album })).status).toBe(200);
  await open(t('nav.links'));
  await row(t('linksAndShares.item.album', { title: 'Wedding' }))
    .getByText(t('linksAndShares.item.photos', { count: 2 }))
    .waitFor();
  await open(t('nav.links'), t('linksAndShares.tabs.albums'));
  await row('Wedding').filter({ hasText: 'Family' }).getByText(t('linksAndShares.albums.roles.view')).waitFor();
  const { shares } = (await household.control('albumShares.list')) as { shares: { with: { name: string } }[] };
  const ben = shares.map((share) => share.with.name).find((name) => name !== 'Family') ?? '';
  await row('Wedding').filter({ hasText: ben }).getByText(t('linksAndShares.albums.roles.contribute')).waitFor();
  await inspectPanel(page, 'album-shares');
  await pickFrom(t('linksAndShares.shares.actionsOf', { name: 'Wedding', to: ben }), t('linksAndShares.shares.end'));
  await dialog()
    .getByText(t('linksAndShares.albums.loss', { count: 1 }))
    .waitFor();
  await dialog()
    .getByRole('button', { name: t('linksAndShares.shares.end') })
    .click();
  await row('Wedding').filter({ hasText: ben }).waitFor({ state: 'detached' });
  expect(await row('Wedding').count()).toBe(1);
  expect((await household.as('ben').get('albums/items', { album })).status).toBe(404);
  expect(panel.complaints).toEqual([]);
});

it('activity: listed by day, searched, filtered, and exported as filtered', async () => {
  const { page, open, button } = panel;
  await household.control('accounts.update', { username: 'olga', name: 'Olga', lastName: 'Ohm' });
  await household.as('olga').post('files/createfolder', { path: HOME, name: '=cmd()' });
  await household.as('olga').post('files/createfolder', { path: HOME, name: 'Diary' });
  await open(t('nav.activity'));
  await page.getByRole('rowheader', { name: t('time.today') }).waitFor();
  await page
    .getByText(like('activity.entry.folder.created', { actor: 'person' }))
    .first()
    .waitFor();
  await inspectPanel(page, 'activity');
  await page.getByRole('searchbox').fill('diary');
  await expect.poll(() => page.getByText(like('activity.entry.folder.created', { actor: 'person' })).count()).toBe(1);
  await page.getByRole('searchbox').fill('');
  await page.getByRole('combobox', { name: t('activity.what') }).click();
  await page.getByRole('option', { name: t('activity.groups.files') }).click();
  await page
    .getByText(like('activity.entry.folder.created', { actor: 'person' }))
    .first()
    .waitFor();
  await expect.poll(() => page.getByText(like('activity.entry.login.succeeded', { actor: 'person' })).count()).toBe(0);
  expect(page.url()).toContain('group=files');
  const [download] = await Promise.all([page.waitForEvent('download'), button(t('activity.export')).click()]);
  let csv = '';
  for await (const chunk of await download.createReadStream()) csv += chunk;
  const lines = csv.trimEnd().split('\r\n');
  expect(lines[0]).toBe('at,what,kind,group,person,app,channel,address,subject,details,username');
  const diary = lines.find((line) => line.includes('"/ROOT/HOME/Diary"'));
  expect(diary).toContain(`"files","Olga Ohm",`);
  expect(diary).toMatch(/,"olga"$/);
  expect(diary).toContain('"Olga Ohm created the folder Diary"');
  expect(lines.slice(1).every((line) => line.includes('"files"'))).toBe(true);
  expect(csv).toContain('"/ROOT/HOME/Diary"');
  expect(csv).not.toMatch(/"[=@+]/);
  for (const day of ['since', 'until'] as const) await page.getByText(t(`activity.${day}`), { exact: true }).waitFor();
  await page.getByLabel(t('activity.until')).fill('2001-01-01');
  await page.getByText(t('activity.none')).waitFor();
  await page.getByLabel(t('activity.kept')).fill('30');
  await button(t('saveBar.save')).click();
  await page.getByText(t('activity.leadKept', { days: 30 })).waitFor();
  expect(await household.control('settings.get')).toMatchObject({ activityDays: 30 });
  expect(panel.complaints).toEqual([]);
});

itInFull('a link that has ended shows why', async () => {
  const { page, open, row } = panel;
  await household.put('Once.txt', 'Gone.txt', 'Until.txt');
  const once = await household.link(`${HOME}/Once.txt`, { download_limit: 1 });
  await household.visit(once, { fmode: 'download' });
  await household.link(`${HOME}/Gone.txt`);
  await household.as('olga').post('files/delete', { path: `${HOME}/Gone.txt` });
  await household.link(`${HOME}/Until.txt`, { expiry: localSeconds(household.clock.now() + 3_600_000) });
  household.clock.advance(7_200_000);
  await open(t('nav.links'));
  for (const [name, end] of [
    ['Once.txt', 'link_used_up'],
    ['Gone.txt', 'trashed'],
    ['Until.txt', 'link_expired'],
  ] as const) {
    await row(name)
      .getByText(t(`linksAndShares.links.endedBy.${end}`), { exact: true })
      .waitFor();
  }
  await inspectPanel(page, 'links-ended');
});

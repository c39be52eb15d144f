import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { rowsOf } from '../support/activity.ts';
import { launchBrowser } from '../support/browser.ts';
import { type LinkHousehold, openLinkHousehold } from '../support/links.ts';
import { inspectPanel } from '../support/panel-page.ts';
import { openPanel, type PanelVisit } from '../support/panel-visit.ts';

let household: LinkHousehold;
let panel: PanelVisit;
beforeAll(async () => {
  const [browser, opened] = await Promise.all([launchBrowser(), openLinkHousehold()]);
  household = opened;
  panel = await openPanel(browser, household);
}, 90_000);
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

const HOME = '/ROOT/HOME';

it('links: everybody’s, with what they allow, ended one by one and together', async () => {
  const { page, open, row, pick, dialog, button } = panel;
  await household.put('Summer at the lake/one.jpg', 'Recipes.pdf', 'Old list.txt');
  const summer = await household.link(`${HOME}/Summer at the lake`, { allow_uploads: 1 });
  const recipes = await household.link(`${HOME}/Recipes.pdf`, { download_limit: 5, password: 'a good password' });
  const list = await household.link(`${HOME}/Old list.txt`);
  expect((await household.visit(list, { fmode: 'download' })).status).toBe(200);
  await open('Links and shares');
  await row('Recipes.pdf').getByText('with a password').waitFor();
  await row('Recipes.pdf').getByText('0 of 5').waitFor();
  await row('Summer at the lake').getByText('File request').waitFor();
  await row('Old list.txt').getByText('1', { exact: true }).waitFor();
  // Whoever has an address may come: it is told to its maker alone.
  expect(await page.content()).not.toContain(recipes);
  expect(JSON.stringify(await household.control('links.list'))).not.toContain(recipes);
  await inspectPanel(page, 'links');
  await page.getByRole('searchbox').fill('RECIP');
  await page.getByText('1 link', { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('olga');
  await page.getByText('3 links', { exact: true }).waitFor();

  await pick('the link to Old list.txt', 'End link');
  await dialog().getByText('End the link to Old list.txt?').waitFor();
  const told = await rowsOf(household, async () => {
    await dialog().getByRole('button', { name: 'End link' }).click();
    await row('Old list.txt').waitFor({ state: 'detached' });
  });
  expect(told).toMatchObject([
    { kind: 'weblink.removed', username: 'ann', subject: `${HOME}/Old list.txt`, details: { of: 'olga', links: 1 } },
  ]);
  expect((await household.visit(list)).status).toBe(404);
  expect((await household.visit(summer)).status).toBe(200);

  await page.getByRole('checkbox', { name: 'Select Recipes.pdf' }).check();
  await page.getByRole('checkbox', { name: 'Select Summer at the lake' }).check();
  await page.getByText('2 selected').waitFor();
  await button('End link').click();
  await dialog().getByRole('button', { name: 'End link' }).click();
  await page.getByText('Nothing fits').waitFor();
  expect((await household.visit(summer)).status).toBe(404);
  expect(panel.complaints).toEqual([]);
}, 60_000);

it('shares: who shares what with whom, ended with all that came of them', async () => {
  const { page, open, row, pick, dialog } = panel;
  await household.put('Holidays/plan.txt');
  await household.share(`${HOME}/Holidays`, { uid: household.ids.ben, upload: 1, download: 1, share: 1 });
  await household.share(`${HOME}/Holidays`, { gid: household.family });
  await open('Links and shares', 'Shares');
  await row('Holidays').filter({ hasText: 'look, upload, download, comment, read comments, share on' }).waitFor();
  await row('Holidays').filter({ hasText: 'Family' }).getByText('group').waitFor();
  await inspectPanel(page, 'shares');
  const { shares } = (await household.control('shares.list')) as { shares: { with: { name: string } }[] };
  const ben = shares.map((share) => share.with.name).find((name) => name !== 'Family') ?? '';
  await pick(`Holidays, shared with ${ben}`, 'End share');
  await dialog().getByText(`No longer share Holidays with ${ben}?`).waitFor();
  await inspectPanel(page, 'shares-end', ['usual']);
  await dialog().getByRole('button', { name: 'End share' }).click();
  await row('Holidays').filter({ hasText: 'share on' }).waitFor({ state: 'detached' });
  const seen = await household.as('ben').get('files/browse', { path: '/ROOT/SHARED' });
  expect(JSON.stringify(seen.body)).not.toContain('Holidays');
  await expect.poll(() => row('Holidays').count()).toBe(1);
  expect(panel.complaints).toEqual([]);
}, 60_000);

it('activity: by days, searched and filtered, and exported as it is filtered', async () => {
  const { page, open, button } = panel;
  await household.as('olga').post('files/createfolder', { path: HOME, name: '=cmd()' });
  await household.as('olga').post('files/createfolder', { path: HOME, name: 'Diary' });
  await open('Activity');
  await page.getByRole('rowheader', { name: 'Today' }).waitFor();
  await page.getByText('made the folder').first().waitFor();
  await inspectPanel(page, 'activity');
  await page.getByRole('searchbox').fill('diary');
  await expect.poll(() => page.getByText('made the folder').count()).toBe(1);
  await page.getByRole('searchbox').fill('');
  await page.getByRole('combobox', { name: 'What' }).click();
  await page.getByRole('option', { name: 'Files' }).click();
  await page.getByText('made the folder').first().waitFor();
  await expect.poll(() => page.getByText('signed in').count()).toBe(0);
  expect(page.url()).toContain('group=files');
  const [download] = await Promise.all([page.waitForEvent('download'), button('Export').click()]);
  let csv = '';
  for await (const chunk of await download.createReadStream()) csv += chunk;
  const lines = csv.trimEnd().split('\r\n');
  expect(lines[0]).toBe('at,what,kind,group,person,app,door,address,subject,details');
  expect(lines.slice(1).every((line) => line.includes('"files"'))).toBe(true);
  expect(csv).toContain('"/ROOT/HOME/Diary"');
  expect(csv).not.toMatch(/"[=@+]/);
  await page.getByLabel('Up to this day').fill('2001-01-01');
  await page.getByText('Nothing fits').waitFor();
  await page.getByLabel('Keep it for').fill('30');
  await button('Save changes').click();
  await page.getByText('Kept for 30 days.').waitFor();
  expect(await household.control('settings.get')).toMatchObject({ activityDays: 30 });
  expect(panel.complaints).toEqual([]);
}, 60_000);

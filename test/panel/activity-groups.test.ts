import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';
import { addMembersWithHomes, signInAs } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';

let panel: PanelVisit;
let ann: ApiClient;
let mia: ApiClient;
beforeAll(async () => {
  panel = await visitPanel();
  const { household } = panel;
  ann = await household.signIn();
  await addMembersWithHomes(household, { mia: {} });
  mia = await signInAs(household, 'mia');
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#c0392b' } })
    .png()
    .toBuffer();
  expect((await mia.send('PUT', '/api.php/account/avatar', { body: picture })).status).toBe(200);
  const put = (api: ApiClient, path: string) => api.put({ filePath: `/ROOT/HOME/${path}` }, path);
  for (let number = 1; number <= 12; number += 1) await put(mia, `Holidays/lake ${number}.jpg`);
  // Somebody else, between two entries of the same kind and folder.
  await put(ann, 'Holidays/hers.jpg');
  for (const name of ['a.txt', 'b.jpg']) await put(mia, `Holidays/${name}`);
  // Another folder, and a moment later than an hour.
  await put(mia, 'Plans/one.jpg');
  household.clock.advance(2 * 3_600_000);
  mia = await signInAs(household, 'mia');
  await put(mia, 'Plans/two.jpg');
});
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

const photos = (count: number) => t('activity.group.what', { count, kind: 'photos' });
const items = (count: number) => t('activity.group.what', { count, kind: 'items' });
const sentence = (who: string, what: string, folder: string) => t('activity.group.file.created', { who, what, folder });

it('consecutive entries for files are grouped in one expandable row, and none is missing', async () => {
  const { page, open, complaints, household } = panel;
  await open(t('nav.activity'));
  const table = page.getByRole('table', { name: t('activity.title') });
  const group = table.getByRole('button', { name: sentence('Mia', photos(12), 'Holidays') });
  await group.waitFor();
  await table.getByRole('button', { name: sentence('Mia', items(2), 'Holidays') }).waitFor();
  expect(await table.getByText('Plans/one.jpg').count()).toBe(1);
  expect(await table.getByText('Plans/two.jpg').count()).toBe(1);
  expect(await table.getByText('Holidays/lake 7.jpg').count()).toBe(0);
  // Single lines say the same name.
  const single = table.getByRole('row').filter({ hasText: 'Plans/one.jpg' }).locator('strong').first();
  await expect.poll(() => single.textContent()).toBe('Mia');
  expect(await single.getAttribute('title')).toBe('mia');
  expect(await group.getAttribute('aria-expanded')).toBe('false');
  // Her name and her picture, which the browser could read.
  expect(await group.locator('strong').first().getAttribute('title')).toBe('mia');
  await expect.poll(() => group.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(256);
  await inspectPanel(page, 'activity-groups');
  await group.press('Enter');
  expect(await group.getAttribute('aria-expanded')).toBe('true');
  await expect.poll(() => table.getByText(/Holidays\/lake \d+\.jpg/).count()).toBe(12);
  await inspectPanel(page, 'activity-group-open');
  await open(t('nav.overview'));
  await page.getByRole('button', { name: sentence('Mia', items(2), 'Holidays') }).waitFor();
  await inspectPanel(page, 'overview-activity');
  const { entries } = (await household.control('activity.list', { limit: 100, text: 'Holidays' })) as {
    entries: unknown[];
  };
  expect(entries.length).toBeGreaterThanOrEqual(15);
  expect(complaints).toEqual([]);
});

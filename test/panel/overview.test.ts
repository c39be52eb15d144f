import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { t as pageText } from '../../dist/server/messages/messages.js';
import { address, names, ready, sampleHome, signInAt, toast } from '../pages/files/support.ts';
import { visit } from '../support/browser/page.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';
import { itInFull } from '../support/forms.ts';

let panel: PanelVisit;
beforeAll(async () => {
  panel = await visitPanel();
  await sampleHome(panel.household.home);
});
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

/** Files and folders, as the overview has them now. */
async function figure(): Promise<string> {
  await panel.fresh();
  return panel.page.getByText(like('overview.homes.ready')).innerText();
}

/** Files and folders below a folder of the disk, without Larder's own. */
async function itemsBelow(folder: string): Promise<number> {
  const paths = await readdir(folder, { recursive: true });
  return paths.filter((path) => !path.startsWith('.larder')).length;
}

it('files that are deleted in the pages and restored with Undo are counted once', async () => {
  const { household, browser } = panel;
  const { context, page } = await visit(browser);
  await page.goto(address(household));
  await signInAt(page);
  await ready(page);
  const all = await names(page);
  expect(all).toContain('Photos');
  const before = t('overview.homes.ready', { items: await itemsBelow(household.home), homes: 1 });
  await expect.poll(figure).toBe(before);
  await page.locator('.items .open').first().focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await toast(page, pageText('files.toast.deleted', { count: all.length }));
  await expect.poll(figure).toBe(t('overview.homes.ready', { items: 0, homes: 1 }));
  await page.getByRole('button', { name: pageText('files.toast.undo') }).click();
  await toast(page, pageText('files.toast.restored', { count: all.length }));
  await expect.poll(() => names(page)).toEqual(all);
  await expect.poll(figure).toBe(before);
  await context.close();
});

itInFull('the free space of the disk is shown', async () => {
  const { page, household, complaints } = panel;
  const { disks } = (await household.control('status')) as { disks: { path: string; free: number; size: number }[] };
  expect(disks).toEqual([{ path: household.folder, free: expect.any(Number), size: expect.any(Number) }]);
  expect(disks[0]?.free).toBeLessThanOrEqual(disks[0]?.size ?? 0);
  await page
    .getByText(like('overview.storage.free'))
    .or(page.getByText(like('overview.storage.low')))
    .waitFor();
  await inspectPanel(page, 'overview-disk');
  expect(complaints).toEqual([]);
});
